import { v5 } from 'uuid';
import { StoreUnavailable, WrongExpectedRevision } from '../../../../src/service/kernel/ports/errors.ts';
import {
  matcherOf,
  type Delivery,
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../../src/service/kernel/ports/event-store.ts';
import type { Change, ReadModels, ReadStore } from '../../../../src/service/kernel/ports/read-store.ts';
import { pause, type Ids, type Processes } from '../../../../src/service/kernel/ports/system.ts';
import { systemIds } from '../../../../infra/system/system.ts';
import type { Stores } from '../../../../src/service/kernel/ports/stores.ts';
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
  /** Acknowledged appends, none of which may be lost. */
  readonly acknowledged: Set<string>;
}

export function sharedStores(
  machine: Machine,
  history: readonly RecordedEvent[],
  how: Pick<SharedStores, 'reading' | 'wholeBatches' | 'sameHost'>,
): SharedStores {
  const events = memoryEvents();
  for (const event of history) {
    events.all.push(event);
    events.streams.set(event.stream, [...(events.streams.get(event.stream) ?? []), event]);
  }
  return { machine, events, readStore: memoryReadStore(), appendedAt: new Map(), acknowledged: new Set(), ...how };
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

/** The events that a read shows; on a follower, those that have arrived. */
function seenBy({ machine, events, appendedAt }: SharedStores, lagMs: number): MemoryEvents {
  if (lagMs === 0) return events;
  const isSeen = ({ position }: RecordedEvent): boolean =>
    (appendedAt.get(position) ?? -Infinity) + lagMs <= machine.now;
  const all = events.all.filter(isSeen);
  return { ...events, all, streams: groupedBy(all, ({ stream }) => stream) };
}

function eventStoreOf(shared: SharedStores, process: SimulatedProcess): EventStore {
  const { machine, events } = shared;
  const lag = (): number =>
    shared.reading === 'follower' || (shared.reading === 'either' && machine.chances.oneIn(2)) ? LAG_MS : 0;
  const view = (): MemoryEvents => seenBy(shared, lag());
  const inBatches = (
    read: (seen: MemoryEvents, after: number | null) => readonly RecordedEvent[],
    from: number | null,
    next: (event: RecordedEvent) => number,
  ) => batchesOf(process, (after: number | null) => read(view(), after).slice(0, BATCH), { from, next });
  return {
    append: (stream, added, expected) => {
      const append = () => appendTo(shared, () => memoryEventStore(events).append(stream, added, expected));
      if (machine.strikes('late')) {
        machine.schedule(null, machine.chances.below(8_000), () => void append().catch(expectedOnly));
        return process.step(() => Promise.reject(new StoreUnavailable('no answer in time')));
      }
      return process.write(append);
    },
    readStream: (stream, after = null) =>
      inBatches(
        ({ streams }, from) => (streams.get(stream) ?? []).filter(({ revision }) => revision > (from ?? -1)),
        after,
        ({ revision }) => revision,
      ),
    readNewest: (stream) => process.step(() => view().streams.get(stream)?.at(-1) ?? null),
    readAll: (after, types) =>
      inBatches(
        ({ all }, from) => all.filter((event) => event.position > (from ?? 0) && matcherOf(types ?? null)(event)),
        after,
        ({ position }) => position,
      ),
    subscribe: (after, filter, signal) => deliveries({ shared, process, lag }, { after, filter, signal }),
    head: () => process.step(() => view().all.at(-1)?.position ?? null),
    close: () => Promise.resolve(),
  };
}

async function appendTo(
  { events, appendedAt, machine }: SharedStores,
  append: () => ReturnType<EventStore['append']>,
): ReturnType<EventStore['append']> {
  const before = events.all.at(-1)?.position ?? 0;
  const appended = await append();
  for (let position = before + 1; position <= appended.position; position += 1) appendedAt.set(position, machine.now);
  return appended;
}

/** A late append may lose a race; any other error is a bug of the simulation. */
function expectedOnly(error: unknown): void {
  if (!(error instanceof WrongExpectedRevision)) throw error;
}

async function* batchesOf(
  process: SimulatedProcess,
  read: (after: number | null) => readonly RecordedEvent[],
  { from, next }: { readonly from: number | null; readonly next: (event: RecordedEvent) => number },
): AsyncGenerator<readonly RecordedEvent[], void> {
  for (let after = from; ;) {
    const at = after;
    const batch = await process.step(() => read(at));
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    if (batch.length < BATCH) return;
    after = next(last);
  }
}

interface Reader {
  readonly shared: SharedStores;
  readonly process: SimulatedProcess;
  readonly lag: () => number;
}

interface Subscribing {
  readonly after: Position | null;
  readonly filter: EventFilter;
  readonly signal: AbortSignal;
}

async function* deliveries(
  { shared, process, lag }: Reader,
  { after, filter, signal }: Subscribing,
): AsyncGenerator<Delivery, void> {
  const matches = matcherOf(filter);
  let upTo = after;
  let told = false;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const from = upTo;
    const delivery = await process.step(() => nextDelivery(seenBy(shared, lag()), { from, matches, told }));
    if (isOver()) return;
    if (delivery === null) {
      await changed(shared, process, signal);
      continue;
    }
    yield delivery;
    upTo = delivery.upTo;
    told = delivery.caughtUp;
  }
}

function nextDelivery(
  { all }: MemoryEvents,
  {
    from,
    matches,
    told,
  }: { readonly from: Position | null; readonly matches: (event: RecordedEvent) => boolean; readonly told: boolean },
): Delivery | null {
  const head = all.at(-1)?.position ?? null;
  if (head === null || head < (from ?? 0) || (told && head === from)) return null;
  const left = all.filter((event) => event.position > (from ?? 0) && matches(event));
  const events = left.slice(0, BATCH);
  const caughtUp = events.length === left.length;
  return { events, caughtUp, upTo: caughtUp ? head : (events.at(-1)?.position ?? head) };
}

/** Resolves soon after the next append or when `signal` aborts; if reads lag, after a while in any case. */
async function changed(
  { events, reading }: SharedStores,
  { clock }: SimulatedProcess,
  signal: AbortSignal,
): Promise<void> {
  if (reading !== 'leader') return pause(clock, LAG_MS / 5, signal);
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      events.waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    events.waiting.add(wake);
    signal.addEventListener('abort', wake);
  });
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
  const queues = [...groupedBy(changes, ({ collection }) => collection).values()];
  for (let left = queues; left.length > 0; left = left.filter((queue) => queue.length > 0)) {
    const change = chances.pick(left).shift();
    if (change !== undefined) yield change;
  }
}

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}
