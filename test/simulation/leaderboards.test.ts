import type { BoardRequest } from '../../queries/leaderboards/find-board.ts';
import { expectBoard } from '../support/leaderboards/expect-board.ts';
import { builtInOver, instantOf, world } from '../support/simulation/laps.ts';
import { expectSameModels } from '../support/kernel/projecting.ts';
import { projectedTwice } from '../support/simulation/projectors.ts';
import { chancesOf, playHistories, type RandomSource } from '../support/simulation/random.ts';
import { depth } from '../support/depth.ts';

/** `SIMULATION_HISTORIES` and `SIMULATION_EVENTS` set more or longer histories. */
const HISTORIES = depth({ short: 10, deep: 40 });
const EVENTS = Number(process.env['SIMULATION_EVENTS'] ?? 150);

/** Filtered boards per history, besides the board of each event. */
const FILTERED = 8;

const builtIn = builtInOver(EVENTS);

describe('simulation of the built-in projections', () => {
  it('ends as a clean rebuild does, and its leaderboards are those of its laps, now and at any time', async () => {
    await playHistories('leaderboards', HISTORIES, async (seed) => {
      const { events, projected, rebuilt } = await projectedTwice(seed, builtIn);
      expectSameModels(projected, rebuilt);
      const chances = chancesOf(seed);
      for (const eventId of world.eventIds) {
        for (const trackLayoutId of [undefined, ...world.trackIds]) {
          await expectBoard(projected.models, events, { eventId, trackLayoutId, validOnly: true });
        }
      }
      for (let n = 0; n < FILTERED; n += 1) {
        const request = { ...randomFilter(chances), ...randomTime(chances, events.length) };
        await expectBoard(projected.models, events, request);
      }
    });
  }).timeout(3_600_000);
});

function randomFilter(chances: RandomSource): BoardRequest {
  return {
    eventId: chances.pick(world.eventIds),
    validOnly: chances.oneIn(2),
    ...(chances.oneIn(3) ? { trackLayoutId: chances.pick(world.trackIds) } : {}),
    ...(chances.oneIn(3) ? { carId: chances.pick(world.carIds) } : {}),
    ...(chances.oneIn(3) ? { carClassId: chances.pick(world.carClassIds) } : {}),
  };
}

function randomTime(chances: RandomSource, events: number): { readonly asOf?: string } {
  return chances.oneIn(2) ? { asOf: instantOf(chances.below(events)) } : {};
}
