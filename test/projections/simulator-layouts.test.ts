import { expect } from 'chai';
import { simulatorLayouts, simulatorLayoutsProjection } from '../../projections/simulator-layouts.ts';
import { simulatorsProjection } from '../../projections/simulators.ts';
import { trackLayoutsProjection } from '../../projections/track-layouts.ts';
import { simulatorLayoutQuery } from '../../queries/simulator-layouts.ts';
import { pick, type JsonObject } from '../../src/service/kernel/json.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const told = (stream: string, type: string, data: JsonObject = {}): HistoryEvent => ({ stream, type, data });
const mapping = (type: string, data: JsonObject = {}): HistoryEvent => told('simulatorLayout-sim:spa', type, data);
const keys = { simulatorId: 'sim', trackLayoutId: 'spa' };
const mapped = mapping('TrackLayoutMapped', { ...keys, simulatorIdentifier: 'spa_2024' });

const fresh = {
  id: 'sim:spa',
  ...keys,
  simulatorDisplayName: 'iRacing',
  trackLayoutDisplayName: 'Spa',
  simulatorIdentifier: 'spa_2024',
  _mapped: true,
  _created: 3,
  _position: 3,
  _revision: 0,
};

async function mappingAfter(...history: readonly HistoryEvent[]) {
  const group = [simulatorLayoutsProjection, simulatorsProjection, trackLayoutsProjection];
  const { thenDocument } = await givenHistory(
    group,
    told('simulator-sim', 'SimulatorAdded', { displayName: 'iRacing' }),
    told('trackLayout-spa', 'TrackLayoutAdded', { displayName: 'Spa' }),
    mapped,
    ...history,
  );
  return thenDocument(simulatorLayouts, 'sim:spa');
}

describe('mappings of track layouts as they are read', () => {
  it('are marked when taken back, and stay for the day they are made again, with the names of that day', async () => {
    const unmapped = mapping('TrackLayoutUnmapped');
    expect(await mappingAfter(unmapped)).to.deep.equal({ ...fresh, _mapped: false, _position: 4, _revision: 1 });
    expect(
      await mappingAfter(
        unmapped,
        told('simulator-sim', 'SimulatorRenamed', { displayName: 'iR' }),
        told('trackLayout-spa', 'TrackLayoutRenamed', { displayName: 'Spa GP' }),
        mapping('TrackLayoutRemapped', { ...keys, simulatorIdentifier: 'spa' }),
      ),
    ).to.deep.equal({
      ...fresh,
      simulatorDisplayName: 'iR',
      trackLayoutDisplayName: 'Spa GP',
      simulatorIdentifier: 'spa',
      _position: 7,
      _revision: 2,
    });
  });

  it('are shown without an id', () => {
    expect(Object.keys(pick(fresh, simulatorLayoutQuery.shown)).join()).to.equal(
      'simulatorId,simulatorDisplayName,trackLayoutId,trackLayoutDisplayName,simulatorIdentifier',
    );
    expect(simulatorLayoutQuery.only).to.deep.equal({ _mapped: true });
  });
});
