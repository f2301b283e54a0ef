import { expect } from 'chai';
import { simulatorLayoutsProjection } from '../../projections/simulator-layouts.ts';
import { simulatorsProjection } from '../../projections/simulators.ts';
import { trackLayoutsProjection } from '../../projections/track-layouts.ts';
import { simulatorQuery } from '../../queries/simulators.ts';
import { pick, type JsonObject } from '../../src/service/kernel/json.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const told = (type: string, data: JsonObject = {}): HistoryEvent => ({ stream: 'simulator-sim', type, data });
const added = told('SimulatorAdded', {
  displayName: 'iRacing',
  slug: 'iracing',
  logo: 'LOGO/i',
  logoWide: 'LOGO/wide',
  svg: true,
  enabled: true,
});
const fresh = {
  id: 'sim',
  displayName: 'iRacing',
  slug: 'iracing',
  logo: 'LOGO/i',
  logo_wide: 'LOGO/wide',
  svg: true,
  enabled: true,
  createdAt: minute(0),
  updatedAt: minute(0),
  _created: 1,
  _position: 1,
  _revision: 0,
};

describe('simulators as they are read', () => {
  it('are shown with the layouts that are mapped now, by name and then by id', async () => {
    const layout = (id: string, displayName: string): HistoryEvent => ({
      stream: `trackLayout-${id}`,
      type: 'TrackLayoutAdded',
      data: { displayName },
    });
    const mapping = (id: string, type: string, simulatorId = 'sim'): HistoryEvent => ({
      stream: `simulatorLayout-${simulatorId}:${id}`,
      type,
      data: { simulatorId, trackLayoutId: id, simulatorIdentifier: `sim_${id}` },
    });
    const { models } = await givenHistory(
      [simulatorsProjection, simulatorLayoutsProjection, trackLayoutsProjection],
      added,
      layout('c', 'Monza'),
      layout('b', 'Spa'),
      layout('a', 'Spa'),
      layout('d', 'Imola'),
      mapping('a', 'TrackLayoutMapped'),
      mapping('b', 'TrackLayoutMapped'),
      mapping('c', 'TrackLayoutMapped'),
      mapping('d', 'TrackLayoutMapped'),
      mapping('d', 'TrackLayoutUnmapped'),
      mapping('a', 'TrackLayoutMapped', 'other'),
    );
    const view = pick({ ...fresh, ...(await simulatorQuery.extend?.('sim', models)) }, simulatorQuery.shown);
    const simulator = { simulatorId: 'sim', simulatorDisplayName: 'iRacing' };
    expect(view.layouts).to.deep.equal([
      { ...simulator, trackLayoutId: 'c', trackLayoutDisplayName: 'Monza', simulatorIdentifier: 'sim_c' },
      { ...simulator, trackLayoutId: 'a', trackLayoutDisplayName: 'Spa', simulatorIdentifier: 'sim_a' },
      { ...simulator, trackLayoutId: 'b', trackLayoutDisplayName: 'Spa', simulatorIdentifier: 'sim_b' },
    ]);
    expect(Object.keys(view).join()).to.equal(
      'id,displayName,slug,logo,logo_wide,svg,layouts,enabled,createdAt,updatedAt',
    );
  });
});
