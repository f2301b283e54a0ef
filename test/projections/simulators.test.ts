import { expect } from 'chai';
import { simulatorQuery } from '../../queries/simulators.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { layoutAdded, eventOn } from '../support/history/lap-events.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

describe('simulators as they are read', () => {
  it('show the presently mapped layouts, sorted by name and then in order of mapping', async () => {
    const mapping = (id: string, type: string, simulatorId = 'sim'): HistoryEvent =>
      eventOn(`simulatorLayout-${simulatorId}:${id}`, type, {
        simulatorId,
        trackLayoutId: id,
        simulatorIdentifier: `sim_${id}`,
      });
    const { models } = await givenHistory(
      builtInProjections,
      eventOn('simulator-sim', 'SimulatorAdded', { displayName: 'iRacing' }),
      ...[layoutAdded('c', 'Monza'), layoutAdded('b', 'Spa'), layoutAdded('a', 'Spa'), layoutAdded('d', 'Imola')],
      ...['b', 'a', 'c', 'd'].map((id) => mapping(id, 'TrackLayoutMapped')),
      mapping('d', 'TrackLayoutUnmapped'),
      mapping('a', 'TrackLayoutMapped', 'other'),
    );
    const simulator = { simulatorId: 'sim', simulatorDisplayName: 'iRacing' };
    const document = (await models.get('simulators', 'sim')) ?? expect.fail('no document');
    expect(await simulatorQuery.extend?.(document, models)).to.deep.equal({
      layouts: [
        { ...simulator, trackLayoutId: 'c', trackLayoutDisplayName: 'Monza', simulatorIdentifier: 'sim_c' },
        { ...simulator, trackLayoutId: 'b', trackLayoutDisplayName: 'Spa', simulatorIdentifier: 'sim_b' },
        { ...simulator, trackLayoutId: 'a', trackLayoutDisplayName: 'Spa', simulatorIdentifier: 'sim_a' },
      ],
    });
  });
});
