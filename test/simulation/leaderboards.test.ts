import { expect } from 'chai';
import { lapDecider } from '../../commands/laps.ts';
import type { BoardRequest } from '../../queries/leaderboards/find-board.ts';
import { Allowance } from '../../queries/leaderboards/sources.ts';
import { leaderboardPage } from '../../queries/leaderboards/leaderboards.ts';
import { idOf } from '../../src/service/kernel/aggregate/decider.ts';
import type { RecordedEvent } from '../../src/service/kernel/ports/event-store.ts';
import type { ReadModels } from '../../src/service/kernel/ports/read-store.ts';
import { plainBoard, plainLayouts, type PlainLap } from '../support/api/leaderboard-plain.ts';
import { builtInOver, instantOf, world } from '../support/simulation/laps.ts';
import { expectSameAsRebuilt } from '../support/simulation/league-laws.ts';
import { projectedTwice } from '../support/simulation/projectors.ts';
import { chancesOf, playHistories, type RandomSource } from '../support/simulation/random.ts';
import { depth } from '../support/depth.ts';

/** `SIMULATION_HISTORIES` and `SIMULATION_EVENTS` play more of them, or longer ones. */
const HISTORIES = depth({ short: 10, deep: 40 });
const EVENTS = Number(process.env['SIMULATION_EVENTS'] ?? 150);

/** Boards that each history is asked for besides that of each event. */
const FILTERED = 8;

const builtIn = builtInOver(EVENTS);

describe('simulation of the built-in projections', () => {
  it('ends as a clean rebuild does, and its leaderboards are those of its laps, now and at any time', async () => {
    await playHistories('leaderboards', HISTORIES, async (seed) => {
      const { events, projected, rebuilt } = await projectedTwice(seed, builtIn);
      expectSameAsRebuilt({ projected, rebuilt });
      const chances = chancesOf(seed);
      for (const eventId of world.eventIds) {
        for (const trackLayoutId of [undefined, ...world.trackIds]) {
          await expectBoard(projected.models, events, { eventId, trackLayoutId, validOnly: true });
        }
      }
      for (let n = 0; n < FILTERED; n += 1) {
        const wish = { ...randomFilter(chances), ...randomTime(chances, events.length) };
        await expectBoard(projected.models, events, wish);
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

async function expectBoard(models: ReadModels, events: readonly RecordedEvent[], wish: BoardRequest): Promise<void> {
  const found = await leaderboardPage({ ...wish, page: 0, size: 1000 }, { models, allowance: new Allowance() });
  if (found === null) throw new Error('no such event');
  const seen = events.filter(({ metadata }) => wish.asOf === undefined || metadata.occurredAt <= wish.asOf);
  const shown = {
    rows: found.rows.map(({ participantName: _, bestLap: { lapId, totalTime, drivenAt }, ...row }) => ({
      ...row,
      lapId,
      totalTime,
      drivenAt,
    })),
    bestSectors: found.head.bestSectors.map(({ participantName: _, ...best }) => best),
    theoreticalBest: found.head.theoreticalBest,
  };
  const laps = lapsOf(seen);
  const filter = { ...wish, trackLayoutId: wish.trackLayoutId ?? world.trackIds[0] ?? '' };
  expect(shown, JSON.stringify(wish)).to.deep.equal(plainBoard(laps, filter));
  const layouts = found.head.layouts.map(({ trackDisplayName: _, ...layout }) => layout);
  expect(layouts, JSON.stringify(wish)).to.deep.equal(plainLayouts(laps, wish.eventId, world.ownTrackIds));
  expect(found.total).to.equal(found.rows.length);
}

/** The laps that events come to, by the decider. */
function lapsOf(events: readonly RecordedEvent[]): readonly PlainLap[] {
  const born = new Map<string, RecordedEvent>();
  const laps = new Map<string, ReturnType<typeof lapDecider.replay>>();
  for (const event of events.filter(({ stream }) => stream.startsWith('lap-'))) {
    const id = idOf(event.stream);
    laps.set(id, lapDecider.replay(laps.get(id) ?? lapDecider.initial, event));
    if (event.revision === 0) born.set(id, event);
  }
  return [...laps].flatMap(([id, lap]) => {
    if (lap === null) return [];
    const carClassId = world.carClassIds[world.carIds.indexOf(lap.carId)] ?? '';
    const { position: created = 0, metadata: { occurredAt: createdAt = '' } = {} } = born.get(id) ?? {};
    return [{ ...lap, id, created, car: lap.carId, carClassId, drivenAt: lap.drivenAt ?? createdAt, createdAt }];
  });
}
