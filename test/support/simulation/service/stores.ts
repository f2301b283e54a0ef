import { v5 } from 'uuid';
import { StoreUnavailable, WrongExpectedRevision } from '../../../../src/kernel/ports/errors.ts';
import type { EventStore, Position, RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import type { Change, ReadModels, ReadStore } from '../../../../src/kernel/ports/read-store.ts';
import type { Ids, Processes } from '../../../../src/kernel/ports/system.ts';
import { systemIds } from '../../../../infra/system/system.ts';
import type { Stores } from '../../../../src/kernel/ports/stores.ts';
import { memoryEvents, memoryEventStore, type MemoryEvents } from '../../event-store/memory-event-store.ts';
import { memoryReadStore } from '../../read-store/memory-read-store.ts';
import type { Machine, SimulatedProcess } from './machine.ts';

/** Maximum of events per batch or delivery, few so that streams grow while they are read. */
const BATCH = 7;

/** How processes read the event store: from its leader, from a lagging follower, or from either. */
export type Reading = 'leader' | 'follower' | 'either';

/** Lag of a follower, in ms. */
const LAG_MS = 500;

/** The stores shared by all processes, and how they are accessed. */
export interface SharedStores {
  readonly machine: Machine;
  readonly events: MemoryEvents;
  readonly readStore: ReadStore;
  readonly reading: Reading;
  /** True if a batch of changes is written at once, not document by document. */
  readonly wholeBatches: boolean;
  /** True if processes can tell that another has ended. */
  readonly sameHost: boolean;
  /** When each event was appended, in ms of the machine. */
  readonly appendedAt: Map<Position, number>;
  /** Who waits for events to arrive at a node that may lag. */
  readonly arriving: MemoryEvents['waiting'];
}

export function sharedStores(
  machine: Machine,
  history: readonly RecordedEvent[],
  how: Pick<SharedStores, 'reading' | 'wholeBatches' | 'sameHost'>,
): SharedStores {
  const events = { ...memoryEvents(), all: [...history] };
  return { machine, events, readStore: memoryReadStore(), appendedAt: new Map(), arriving: new Set(), ...how };
}

/** The stores as seen by one process. */
export function storesOf(shared: SharedStores, process: SimulatedProcess): Stores {
  return {
    store: eventStoreOf(shared, process),
    readStore: readStoreOf(shared, process),
    clock: process.clock,
    ids: idsOf(shared, process),
    processes: processesOf(shared, process),
    close: () => Promise.resolve(),
  };
}

function idsOf({ machine }: SharedStores, { clock }: SimulatedProcess): Ids {
  let made = 0;
  const digits = (count: number): string =>
    Array.from({ length: count }, () => machine.chances.below(16).toString(16)).join('');
  return {
    next() {
      made += 1;
      const time = clock.now().toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${(made % 4096).toString(16).padStart(3, '0')}-8${digits(3)}-${digits(12)}`;
    },
    random: () => v5(digits(24), '6f0d1c5a-e3b8-4f0f-9d1b-6a7c21e4935d'),
    derived: (...parts) => systemIds.derived(...parts),
  };
}

function processesOf({ machine, sameHost }: SharedStores, { name }: SimulatedProcess): Processes {
  let made = 0;
  return {
    newName() {
      made += 1;
      return `${name}/${made}`;
    },
    retire: () => undefined,
    hasEnded: (other) => sameHost && !machine.processes.some((one) => one.isAlive && other.startsWith(`${one.name}/`)),
    isOnThisHost: () => sameHost,
    describe: (other) => other,
  };
}

/** The events that have arrived at a follower. */
function arrived({ machine, events, appendedAt }: SharedStores): RecordedEvent[] {
  return events.all.filter(({ position }) => (appendedAt.get(position) ?? -Infinity) + LAG_MS <= machine.now);
}

function eventStoreOf(shared: SharedStores, process: SimulatedProcess): EventStore {
  const { machine, events, reading } = shared;
  const memory = memoryEventStore(events);
  // Each look is at the leader or a follower; a read takes one look per batch.
  const seen = memoryEventStore(
    {
      get all() {
        const lags = reading === 'follower' || (reading === 'either' && machine.chances.oneIn(2));
        return lags ? arrived(shared) : events.all;
      },
      waiting: reading === 'leader' ? events.waiting : shared.arriving,
    },
    BATCH,
    (look) => process.step(look),
  );
  return {
    append: (...asked) => {
      const append = () => appendTo(shared, () => memory.append(...asked));
      if (machine.strikes('late')) {
        machine.schedule(null, machine.chances.below(8_000), () => void append().catch(expectedOnly));
        return process.step(() => Promise.reject(new StoreUnavailable('no answer in time')));
      }
      return process.write(append);
    },
    readStream: (...asked) => inSteps(process, seen.readStream(...asked)),
    readNewest: (stream) => process.step(() => seen.readNewest(stream)),
    readAll: (...asked) => inSteps(process, seen.readAll(...asked)),
    subscribe: (...asked) => seen.subscribe(...asked),
    head: () => process.step(() => seen.head()),
    close: () => Promise.resolve(),
  };
}

/** Appends, and tells readers of nodes that lag while it arrives there. */
export async function appendTo(
  { events, appendedAt, arriving, machine, reading }: SharedStores,
  append: () => ReturnType<EventStore['append']>,
): ReturnType<EventStore['append']> {
  const before = events.all.at(-1)?.position ?? 0;
  const appended = await append();
  for (let position = before + 1; position <= appended.position; position += 1) appendedAt.set(position, machine.now);
  const tell = (): void => {
    for (const wake of arriving) wake();
  };
  if (reading === 'leader') return appended;
  for (let ms = 0; ms <= LAG_MS; ms += LAG_MS / 5) machine.schedule(null, ms, tell);
  return appended;
}

/** A late append may lose a race; any other error is a bug of the simulation. */
function expectedOnly(error: unknown): void {
  if (!(error instanceof WrongExpectedRevision)) throw error;
}

/** The same items; each of them is a step. */
async function* inSteps<T>(process: SimulatedProcess, items: AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const next = await process.step(() => iterator.next());
    if (next.done === true) return;
    yield next.value;
  }
}

function readStoreOf(shared: SharedStores, process: SimulatedProcess): ReadStore {
  const { readStore } = shared;
  return {
    namespace: async (name, collections) =>
      readModelsOf(shared, process, await process.step(() => readStore.namespace(name, collections))),
    drop: (namespace) => process.write(() => readStore.drop(namespace)),
    readRegister: (name) => process.step(() => readStore.readRegister(name)),
    space: (namespace) => readStore.space(namespace),
    writeRegister: (name, value, expected) => process.write(() => readStore.writeRegister(name, value, expected)),
    close: () => Promise.resolve(),
  };
}

function readModelsOf(shared: SharedStores, process: SimulatedProcess, models: ReadModels): ReadModels {
  /** A change of many documents is written in one go, or document by document. */
  const writesOf = async (change: Change): Promise<readonly Change[]> => {
    if (change.kind !== 'setWhere' || shared.machine.chances.oneIn(2)) return [change];
    const { collection, field, value, fields, position } = change;
    const all = { sort: { field: 'id', direction: 'asc' }, offset: 0, limit: Infinity } as const;
    const found = await process.step(() => models.find(collection, { ...all, where: { [field]: value } }));
    return found.map(({ id }): Change => ({ kind: 'set', collection, id, fields, position }));
  };
  return {
    get: (collection, id) => process.step(() => models.get(collection, id)),
    find: (collection, query) => process.step(() => models.find(collection, query)),
    count: (collection, where) => process.step(() => models.count(collection, where)),
    async *stream(collection, query) {
      await process.step(() => undefined);
      yield* models.stream(collection, query);
    },
    version: (collections) => process.step(() => models.version(collections)),
    checkpoint: () => process.step(() => models.checkpoint()),
    async apply(changes, checkpoint) {
      if (shared.wholeBatches) return process.write(() => models.apply(changes, checkpoint));
      for (const change of inAnyOrder(changes, shared))
        for (const part of await writesOf(change)) await process.write(() => models.apply([part], null));
      return process.write(() => models.apply([], checkpoint));
    },
  };
}

/** Collections are written in any order, the changes within each in their own. */
function* inAnyOrder(changes: readonly Change[], { machine: { chances } }: SharedStores): Generator<Change, void> {
  const names = [...new Set(changes.map(({ collection }) => collection))];
  const queues = names.map((name) => changes.filter(({ collection }) => collection === name));
  for (let left = queues; left.length > 0; left = left.filter((queue) => queue.length > 0)) {
    const change = chances.pick(left).shift();
    if (change !== undefined) yield change;
  }
}
