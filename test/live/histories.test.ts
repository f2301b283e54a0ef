import { expect } from 'chai';
import { leaderboardPage, type LeaderboardRequest } from '../../queries/leaderboards/leaderboards.ts';
import { depth } from '../support/depth.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';
import { anew, boardSources } from '../support/live/sources.ts';
import { boardOf, compareForms, liveRequest, shownBy } from '../support/live/comparing.ts';
import { ClientBoard } from '../support/live/events.ts';
import { quiet, runLive, STAYS, type Watcher } from '../support/live/running.ts';
import { Comparisons } from '../support/seasons/comparisons.ts';
import { driven, watchable } from '../support/seasons/expectations.ts';
import { thingsOf } from '../support/seasons/history.ts';
import { lapHistory, world } from '../support/simulation/laps.ts';
import { chancesOf, type RandomSource } from '../support/simulation/random.ts';

const HISTORIES = depth({ short: 4, deep: 100 });
const EVENTS = 120;
/** Events after which there are boards to watch; from then on a reader comes after so many events, and another leaves. */
const FIRST_LAPS = 25;
const READER_EVERY = 4;
const MOST_READERS = 6;
/** Boards that are watched from the beginning on, and other readers of each. */
const BOARDS = 4;
const MOMENTS = 6;

/** Pages that are asked for after each event: of boards that are kept. */
const ASKED = world.eventIds.flatMap((eventId) =>
  [true, false].flatMap((validOnly) => [
    { eventId, validOnly, page: 0, size: 1_000 },
    { eventId, validOnly, page: 1, size: 2 },
  ]),
);

describe('boards, as laps come and change', () => {
  it('equal a new board byte for byte, and live ones equal the plain board, after each change and in every form', async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      await playHistory(chancesOf(seed)).catch((error: unknown) => {
        throw new Error(`history ${seed}`, { cause: error });
      });
    }
  }).timeout(3_600_000);
});

interface Reading {
  readonly request: LeaderboardRequest;
  readonly watcher: Watcher;
  readonly board: ClientBoard;
}

async function playHistory(chances: RandomSource): Promise<void> {
  const store = memoryEventStore();
  const clock = manualClock();
  const running = await runLive(store, { clock });
  const { live, models } = running;
  const events = await lapHistory(chances, EVENTS);
  const readers: Reading[] = [];
  const to = new Comparisons();
  for (const [n, { stream, ...event }] of events.entries()) {
    await store.append(stream, [event], 'any');
    await running.projected();
    const soFar = events.slice(0, n + 1);
    const kept = {
      ...boardSources(models),
      isFollowed: (eventId: string) => live.isFollowed(eventId),
      lapBoard: (filter, asOf) => live.lapBoard({ filter, asOf, turn: (work) => work(), ...STAYS }),
    } satisfies ReturnType<typeof boardSources>;
    for (const asked of ASKED) {
      const expected = await leaderboardPage(asked, boardSources(anew(models), { events: soFar }));
      expect(await leaderboardPage(asked, kept), `${event.type} at ${n}`).to.deep.equal(expected);
    }
    const past = { events: soFar, things: thingsOf(soFar), chances };
    await quiet();
    for (const { request, watcher, board } of readers) {
      for (const one of watcher.events.splice(0)) board.take(one);
      to.same(`watched ${JSON.stringify(request)} at ${n}`, shownBy(board), shownBy(boardOf(request, past)));
    }
    if (n < FIRST_LAPS || !chances.oneIn(READER_EVERY)) continue;
    if (readers.length === MOST_READERS) readers.shift()?.watcher.end();
    const request = watchable(past);
    readers.push({ request, watcher: await running.watch(liveRequest(request)), board: new ClientBoard() });
  }
  for (const { watcher } of readers) watcher.end();
  const whole = { events, things: thingsOf(events), chances };
  for (let n = 0; n < BOARDS; n += 1) {
    const request = n === 0 ? driven(whole) : watchable(whole);
    await compareForms({ running, clock }, request, { whole, to, moments: MOMENTS });
  }
  await running.stop();
}
