import {
  deadLetters,
  DEAD_LETTER_RETRIED,
  retryStreamOf,
  type DeadLetterDocument,
} from '../../../src/kernel/projection/dead-letters.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { Projection } from '../../../src/kernel/projection/projection.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { gathered } from '../event-store/events.ts';
import { memoryEventStore } from '../event-store/memory-event-store.ts';
import { chancesOf, type RandomSource } from './random.ts';
import { compared, emptyStores, modelsIn, projectAll, type ProjectedTwice, type Simulated } from './projectors.ts';

/** One event in this many is poison until the handlers are fixed. */
const POISON = 15;
/** Number of releases that fix some of the handlers. */
const RELEASES = 3;

/**
 * Projects a random history twice. First with handlers that fail on some events and with all faults of projectors, then
 * with releases that handle more and more of these events and retry dead letters while the history goes on and a
 * projector of the previous release may still run. Then by one projector of the last release without faults.
 */
export async function poisonedTwice(seed: number, { projections, append, luck }: Simulated): Promise<ProjectedTwice> {
  const chances = chancesOf(seed);
  const source = memoryEventStore();
  await append(source, chances);
  const history = await gathered(source.readAll(null));
  let poison: ReadonlySet<string> = new Set(history.filter(() => chances.oneIn(POISON)).map(({ id }) => id));
  const shared = emptyStores(chances);
  const store = memoryEventStore(shared.events);
  const models = await modelsIn(shared, projections);
  const project = (stale?: ReadonlySet<string>, leaves = false): Promise<void> => {
    const group = { projections: withPoison(projections, poison), parks: true, leaves };
    return projectAll(shared, stale === undefined ? group : { ...group, stale: withPoison(projections, stale) }, luck);
  };
  const appendSome = some(history, store, chances);

  await appendSome();
  await project(undefined, chances.oneIn(2));
  for (let release = 1; release < RELEASES; release += 1) {
    const before = poison;
    poison = new Set([...before].filter(() => chances.oneIn(2)));
    await retryAll(models, { store, between: () => (chances.oneIn(4) ? appendSome() : Promise.resolve()) });
    // Not both: see `Parking` on an older release that continues after a newer one has crashed.
    const stale = chances.oneIn(2) ? before : undefined;
    await project(stale, stale === undefined && chances.oneIn(2));
  }
  poison = new Set();
  while (await appendSome());
  await project();
  while (await retryAll(models, { store, between: () => Promise.resolve() })) await project();
  return compared(shared, projections);
}

/** Appends some more of a history; resolves to false at its end. */
function some(history: readonly RecordedEvent[], store: EventStore, chances: RandomSource): () => Promise<boolean> {
  let next = 0;
  return async () => {
    const to = Math.min(history.length, next + 1 + chances.below(history.length / 2));
    for (const { stream, ...event } of history.slice(next, to)) await store.append(stream, [event], 'any');
    next = to;
    return next < history.length;
  };
}

/** The same handlers, for which some events are poison. */
function withPoison(projections: readonly Projection[], poison: ReadonlySet<string>): readonly Projection[] {
  return projections.map((projection) => ({
    ...projection,
    on: new Map(
      [...projection.on].map(([type, run]) => [
        type,
        (event, ...reading) => {
          if (poison.has(event.recorded.id)) throw new Error('cannot digest that');
          return run(event, ...reading);
        },
      ]),
    ),
  }));
}

interface Retry {
  readonly store: EventStore;
  /** Called between two appends. */
  readonly between: () => Promise<unknown>;
}

/** Requests a retry of all dead letters in order; resolves to false if there were none. */
async function retryAll(models: ReadModels, { store, between }: Retry): Promise<boolean> {
  const found = await models.find(deadLetters.collection, {
    where: { waiting: true },
    sort: { field: 'position', direction: 'asc' },
    offset: 0,
    limit: Infinity,
  });
  // Written by parking alone.
  for (const { id, occurredAt } of found as readonly DeadLetterDocument[]) {
    const metadata = { version: 1, occurredAt, commandId: id, correlationId: id };
    await store.append(
      retryStreamOf('simulated'),
      [{ id, type: DEAD_LETTER_RETRIED, data: { letter: id }, metadata }],
      'any',
    );
    await between();
  }
  return found.length > 0;
}
