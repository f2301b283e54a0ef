import { depth } from '../support/depth.ts';
import { expectSameModels } from '../support/kernel/projecting.ts';
import { expectBoard } from '../support/live/expect-board.ts';
import { expectLayoutBoard } from '../support/live/expect-layout-board.ts';
import { allBoards, layoutBoards, momentIn } from '../support/seasons/expectations.ts';
import { thingsOf } from '../support/seasons/history.ts';
import { builtInOver } from '../support/simulation/laps.ts';
import { projectedTwice } from '../support/simulation/projectors.ts';
import { chancesOf, playHistories } from '../support/simulation/random.ts';

/** `SIMULATION_HISTORIES` and `SIMULATION_EVENTS` set more or longer histories. */
const HISTORIES = depth({ short: 10, deep: 40 });
const EVENTS = Number(process.env['SIMULATION_EVENTS'] ?? 150);

/** Other boards per history, besides those of all valid laps. */
const OTHERS = 8;

const builtIn = builtInOver(EVENTS);

describe('simulation of the built-in projections', () => {
  it('ends as a clean rebuild does, and its leaderboards are those of its laps, now and at any time', async () => {
    await playHistories('leaderboards', HISTORIES, async (seed) => {
      const { events, projected, rebuilt } = await projectedTwice(seed, builtIn);
      expectSameModels(projected, rebuilt);
      const past = { events, things: thingsOf(events), chances: chancesOf(seed) };
      const all = allBoards(past);
      const stored = all.filter(({ validOnly, carId, carClassId }) => validOnly && !carId && !carClassId);
      const others = Array.from({ length: OTHERS }, () => {
        return { ...past.chances.pick(all), ...past.chances.pick([{}, momentIn(past)]) };
      });
      for (const request of [...stored, ...others]) await expectBoard(projected.models, past, request);
      for (const request of layoutBoards(past)) await expectLayoutBoard(projected.models, past.things, request);
    });
  }).timeout(3_600_000);
});
