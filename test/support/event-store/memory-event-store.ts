import { StoreUnavailable, WrongExpectedRevision } from '../../../src/kernel/ports/errors.ts';
import {
  matcherOf,
  MAX_BATCH_BYTES,
  requireAppendable,
  roughBytesOfEvent,
  type Delivery,
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../src/kernel/ports/event-store.ts';

/** Events per batch of a read or a subscription, unless a test says otherwise. */
const BATCH = 100;

/** State shared by all instances of a store: every event in global order, and who waits for the next. */
export interface MemoryEvents {
  readonly all: RecordedEvent[];
  readonly waiting: Set<() => void>;
}

/** A store's events, none as yet. */
export function memoryEvents(): MemoryEvents {
  return { all: [], waiting: new Set() };
}

/** Makes one look of a subscription at the events; in a simulation that takes its time. */
type Look = <T>(look: () => T) => T | Promise<T>;

/** The whole port in memory, small and obviously correct: a fast store for tests. Positions are 1, 2, 3, …. */
export function memoryEventStore(
  events: MemoryEvents = memoryEvents(),
  batch = BATCH,
  lookAt: Look = (look) => look(),
): EventStore {
  let closed = false;
  const isClosed = (): boolean => closed;
  const open = (): MemoryEvents => {
    if (closed) throw new StoreUnavailable('the store is closed');
    return events;
  };
  return {
    append: async (stream, added, expected) => {
      requireAppendable(added);
      const { all } = open();
      const newest = streamOf(all, stream).at(-1)?.revision ?? 'no_stream';
      if (expected !== 'any' && expected !== 'newest_only' && expected !== newest) {
        throw new WrongExpectedRevision(stream, expected);
      }
      const end = { revision: newest === 'no_stream' ? -1 : newest, position: headOf(all) ?? 0 };
      for (const event of structuredClone(added)) {
        end.revision += 1;
        end.position += 1;
        all.push({ ...event, stream, ...end });
      }
      if (expected === 'newest_only') dropOlder(events, stream);
      for (const wake of events.waiting) wake();
      return end;
    },
    async *readStream(stream, after = null) {
      for (let next = (after ?? -1) + 1; ;) {
        const read = firstBatch(
          streamOf(open().all, stream).filter(({ revision }) => revision >= next),
          batch,
        );
        if (read.length === 0) return;
        yield read;
        next = (read.at(-1)?.revision ?? 0) + 1;
      }
    },
    readNewest: async (stream) => streamOf(open().all, stream).at(-1) ?? null,
    async *readAll(after, types) {
      let found = matching(open().all, after ?? 0, types ?? null);
      while (found.length > 0) {
        const read = firstBatch(found, batch);
        yield read;
        found = found.slice(read.length);
      }
    },
    async *subscribe(after, filter, signal) {
      let last = { upTo: after, caughtUp: false };
      const isAborted = (): boolean => signal.aborted;
      while (!isAborted() && !isClosed()) {
        const { upTo, caughtUp } = last;
        const looked = lookAt(() => nextDelivery(events.all, { upTo, caughtUp, filter, batch }));
        const delivery = looked instanceof Promise ? await looked : looked;
        if (isAborted()) return;
        if (delivery === null) await change(events, signal);
        else {
          last = delivery;
          yield delivery;
        }
      }
    },
    head: async () => headOf(open().all),
    close: async () => {
      closed = true;
      for (const wake of events.waiting) wake();
    },
  };
}

function dropOlder({ all }: MemoryEvents, stream: string): void {
  const newest = streamOf(all, stream).at(-1);
  all.splice(0, all.length, ...all.filter((event) => event.stream !== stream || event === newest));
}

function streamOf(all: readonly RecordedEvent[], name: string): readonly RecordedEvent[] {
  return all.filter(({ stream }) => stream === name);
}

/** The store's newest event is its stream's newest, which is always kept. */
function headOf(all: readonly RecordedEvent[]): Position | null {
  return all.at(-1)?.position ?? null;
}

function matching(all: readonly RecordedEvent[], after: Position, filter: EventFilter): readonly RecordedEvent[] {
  const matches = matcherOf(filter);
  return all.filter((event) => event.position > after && matches(event));
}

/** The first of some events: `count` at most, and MAX_BATCH_BYTES. */
function firstBatch(events: readonly RecordedEvent[], count: number): readonly RecordedEvent[] {
  let bytes = 0;
  const end = events.findIndex((event, at) => {
    const full = at >= count || bytes >= MAX_BATCH_BYTES;
    bytes += roughBytesOfEvent(event);
    return full;
  });
  return end < 0 ? events : events.slice(0, end);
}

interface Subscribed extends Pick<Delivery, 'caughtUp'> {
  readonly upTo: Position | null;
  readonly filter: EventFilter;
  readonly batch: number;
}

/** What comes next of some events, which may be those of a node that is behind what it was asked for; null: nothing. */
function nextDelivery(all: readonly RecordedEvent[], { upTo, caughtUp, filter, batch }: Subscribed): Delivery | null {
  const head = headOf(all);
  if (head === null || head < (upTo ?? 0) || (caughtUp && head === upTo)) return null;
  const left = matching(all, upTo ?? 0, filter);
  const events = firstBatch(left, batch);
  const isAll = events.length === left.length;
  return { events, caughtUp: isAll, upTo: isAll ? head : (events.at(-1)?.position ?? head) };
}

/** Resolves when something was appended, the store was closed or `signal` aborts. */
function change({ waiting }: MemoryEvents, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener('abort', wake);
  });
}
