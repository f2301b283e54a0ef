import { expect } from 'chai';
import type { BoardFilter } from '../../queries/leaderboards/filters.ts';
import type { BoardRequest } from '../../queries/leaderboards/find-board.ts';
import type { LapFilter } from '../../queries/leaderboards/lap-board.ts';
import { leaderboardPage } from '../../queries/leaderboards/leaderboards.ts';
import type { BoardSources } from '../../queries/leaderboards/sources.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../src/service/kernel/ports/event-store.ts';
import { NotInEvent } from '../../src/service/live/listed-filter.ts';
import type { LiveRequest } from '../../src/service/live/live.ts';
import { depth } from '../support/depth.ts';
import { gathered } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { ClientBoard, type LiveEvent } from '../support/live/events.ts';
import { changesIn, requestOf, runLive, STAYS, type RunningLive, type Watcher } from '../support/live/running.ts';
import { appendLaps, instantOf, world } from '../support/simulation/laps.ts';
import { chancesOf, type RandomSource } from '../support/simulation/random.ts';
import { withoutNames } from '../support/leaderboards/expect-board.ts';
import { anew, boardSources, shownPage } from '../support/leaderboards/sources.ts';

/** Events about what laps point at, with which each history begins. */
const BEGINNING = 12;

/** `LIVE_SEED` begins at another seed. */
const HISTORIES = depth({ short: 2, deep: 100 });
const FIRST_SEED = Number(process.env['LIVE_SEED'] ?? 1);
const EVENTS = depth({ short: 90, deep: 200 });

describe('live boards over random histories', () => {
  it('show the same boards as the interface at every change, and send returning readers exactly the rest', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
      try {
        await playHistory(chancesOf(seed));
      } catch (error) {
        throw new Error(`LIVE_SEED=${seed} has failed`, { cause: error });
      }
    }
  }).timeout(3_600_000);
});

async function playHistory(chances: RandomSource): Promise<void> {
  const [eventId = ''] = world.eventIds;
  const all = await randomHistory(chances, eventId);
  const store = memoryEventStore();
  const begun = chances.below(all.length);
  for (const event of all.slice(0, begun)) await append(store, event);
  const running = await runLive(store);
  const requests = Array.from({ length: 4 }, () => requestOf(eventId, randomFilter(chances)));
  const [request = requestOf(eventId)] = requests;
  // Before, there is no event to watch.
  const first = begun < BEGINNING ? null : await watchIfListed(running, request);
  const moments = [{}, { asOf: instantOf(chances.below(all.length)) }, { asOf: instantOf(all.length) }];
  for (const event of all.slice(begun)) {
    await append(store, event);
    if (!chances.oneIn(5)) continue;
    await running.projected();
    const events = await gathered(store.readAll(null));
    await expectKeptBoards(running, events, { ...chances.pick(requests), ...chances.pick(moments) });
  }
  await running.projected();
  const sources = boardSources(running.models, { events: await gathered(store.readAll(null)) });
  for (const its of requests) {
    const reader = await watchIfListed(running, its);
    reader?.end();
    if (reader !== null) await expectExactTails(running, its, { sources, last: all.length });
  }
  if (first !== null) {
    const [board = [], ...live] = changesIn(await first.until(all.length));
    await expectBoards(sources, [board, ...live], request);
    // What came live is what is told later, but for the names of what has others by now.
    const again = await running.watch({ ...request, after: idOf(board) }, running.another());
    const told = changesIn(await again.until(all.length));
    expect(live.map(withoutNames)).to.deep.equal(told.map(withoutNames));
  }
  await running.stop();
}

/** A board that was kept, and changed by what has come since, is the board made anew, to the letter. */
async function expectKeptBoards(
  { live, models }: RunningLive,
  events: readonly RecordedEvent[],
  request: BoardRequest,
): Promise<void> {
  const page = { ...request, page: 0, size: 1000 };
  const kept = {
    ...boardSources(models),
    isFollowed: () => true,
    lapBoard: (filter: LapFilter, asOf: number) => live.lapBoard({ filter, asOf, turn: (work) => work(), ...STAYS }),
  };
  const fresh = boardSources(anew(models), { events });
  expect(await leaderboardPage(page, kept)).to.deep.equal(await leaderboardPage(page, fresh));
}

/** Null: the event has no lap that fits. */
function watchIfListed(running: RunningLive, request: LiveRequest): Promise<Watcher | null> {
  return running.watch(request).catch((error: unknown) => {
    if (error instanceof NotInEvent) return null;
    throw error;
  });
}

/** All changes lead from board to board; and who has some of them gets exactly the rest. */
async function expectExactTails(
  { watch, another }: RunningLive,
  request: LiveRequest,
  { sources, last }: { readonly sources: BoardSources; readonly last: number },
) {
  const live = another();
  const whole = await watch({ ...request, after: 0 }, live);
  const changes = changesIn(await whole.until(last));
  await expectBoards(sources, changes, request);
  for (let after = 1; after < last; after += 1) {
    const reader = await watch({ ...request, after }, live);
    const rest = changes.filter((change) => idOf(change) > after);
    expect(changesIn(await reader.until(last)), `after ${after}`).to.deep.equal(rest);
    reader.end();
  }
  whole.end();
}

/** The last event makes all boards anew: so every reader knows when there is nothing more to come. */
async function randomHistory(chances: RandomSource, eventId: string): Promise<readonly NewEventOfStream[]> {
  const source = memoryEventStore();
  await appendLaps(source, chances, EVENTS);
  const all: NewEventOfStream[] = [];
  for await (const batch of source.readAll(null)) all.push(...batch);
  const metadata = { version: 1, occurredAt: instantOf(all.length), commandId: 'end', correlationId: 'end' };
  return [...all, { id: 'end', stream: `event-${eventId}`, type: 'EventRenamed', data: { name: 'End' }, metadata }];
}

type NewEventOfStream = NewEvent & { readonly stream: string };

async function append(store: EventStore, { stream, id, type, data, metadata }: NewEventOfStream): Promise<void> {
  await store.append(stream, [{ id, type, data, metadata }], 'any');
}

function randomFilter(chances: RandomSource): BoardFilter {
  return {
    validOnly: !chances.oneIn(3),
    ...(chances.oneIn(3) ? { trackLayoutId: chances.pick(world.trackIds) } : {}),
    ...(chances.oneIn(4) ? { carId: chances.pick(world.carIds) } : {}),
    ...(chances.oneIn(4) ? { carClassId: chances.pick(world.carClassIds) } : {}),
  };
}

/** What a client makes of the changes is the board of the interface after each of them. */
async function expectBoards(
  sources: BoardSources,
  changes: readonly (readonly LiveEvent[])[],
  request: LiveRequest,
): Promise<void> {
  const board = new ClientBoard();
  for (const change of changes) {
    for (const event of change) board.take(event);
    const asOf = instantOf(idOf(change) - 1);
    const found = await shownPage({ ...request, asOf, page: 0, size: 1000 }, sources);
    const shown = { rows: found?.rows, bestSectors: found?.head.bestSectors };
    const built = { rows: board.rows, bestSectors: board.head['bestSectors'] ?? [] };
    expect(withoutNames(built), `at ${asOf}`).to.deep.equal(withoutNames(shown));
  }
}

function idOf(change: readonly LiveEvent[]): number {
  return change.at(-1)?.id ?? 0;
}
