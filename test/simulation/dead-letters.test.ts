import { expect } from 'chai';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import { eventBoots } from '../../projections/sequences.ts';
import { leaderboardPage } from '../../queries/leaderboards/leaderboards.ts';
import { allBoards } from '../support/seasons/expectations.ts';
import { thingsOf } from '../support/seasons/history.ts';
import { builtInOver } from '../support/simulation/laps.ts';
import { poisonedTwice } from '../support/simulation/poison.ts';
import type { Projected } from '../support/kernel/projecting.ts';
import type { ProjectedTwice } from '../support/simulation/projectors.ts';
import { chancesOf, playHistories } from '../support/simulation/random.ts';
import { depth } from '../support/depth.ts';
import { boardSources } from '../support/live/sources.ts';

/** `SIMULATION_HISTORIES` and `SIMULATION_EVENTS` set more or longer histories. */
const HISTORIES = depth({ short: 4, deep: 40 });
const EVENTS = Number(process.env['SIMULATION_EVENTS'] ?? 150);

const builtIn = builtInOver(EVENTS);

/**
 * Their reserve of laps, and which lap was the first of a boot, depend on the order in which laps arrive, which a retry
 * changes; answers of boards do not.
 */
const GATHERING = [leaderboards.collection, eventBoots.collection];

describe('simulation of poison events under the built-in projections', () => {
  it('ends as a clean rebuild does once all events are projected, and answers the same leaderboards', async () => {
    await playHistories('dead letters', HISTORIES, async (seed) => {
      const twice = await poisonedTwice(seed, builtIn);
      expectSame(twice);
      const { events } = twice;
      for (const request of allBoards({ events, things: thingsOf(events), chances: chancesOf(seed) })) {
        const found = await leaderboardPage(request, boardSources(twice.projected.models));
        const wanted = await leaderboardPage(request, boardSources(twice.rebuilt.models));
        expect(found).to.deep.equal(wanted);
      }
    });
  }).timeout(3_600_000);
});

function expectSame({ projected, rebuilt }: ProjectedTwice): void {
  expect([...projected.documents.keys()]).to.have.members([...rebuilt.documents.keys()]);
  const wanted = comparable(rebuilt);
  for (const [key, document] of comparable(projected)) expect(document, key).to.deep.equal(wanted.get(key));
  expect(projected.checkpoint).to.equal(rebuilt.checkpoint);
}

/** Leaves out positions, as a retry has its own, and another event may create a document. */
function comparable({ documents }: Projected): ReadonlyMap<string, object> {
  const some = [...documents].filter(([key]) => !GATHERING.some((collection) => key.startsWith(`${collection}/`)));
  return new Map(some.map(([key, { _created: _, _position: __, ...document }]) => [key, document]));
}
