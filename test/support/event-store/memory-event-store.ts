import { StoreUnavailable, WrongExpectedRevision } from '../../../src/service/kernel/ports/errors.ts';
import {
  matcherOf,
  MAX_BATCH_BYTES,
  requireAppendable,
  roughBytesOfEvent,
  type AppendResult,
  type Delivery,
  type EventFilter,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../../../src/service/kernel/ports/event-store.ts';

/** Events per batch of a read or a subscription, unless a test says otherwise. */
const BATCH = 100;

/** State shared by all instances of a store: every event in global order, and who waits for the next. */
export interface MemoryEvents {
  readonly all: RecordedEvent[];
  readonly streams: Map<string, RecordedEvent[]>;
  readonly waiting: Set<() => void>;
}

/** A store's events, none as yet. */
export function memoryEvents(): MemoryEvents {
  return { all: [], streams: new Map(), waiting: new Set() };
}

/** The whole port in memory, small and obviously correct: a fast store for tests. Positions are 1, 2, 3, …. */
export function memoryEventStore(events: MemoryEvents = memoryEvents(), batch = BATCH): EventStore {
  let closed = false;
  const isClosed = (): boolean => closed;
  const open = (): MemoryEvents => {
    if (closed) throw new StoreUnavailable('the store is closed');
    return events;
  };
  return {
    append: async (stream, added, expected) => {
      requireAppendable(added);
      const appended = append(open(), { stream, added: structuredClone(added), expected });
      if (expected === 'newest_only') dropOlder(events, stream);
      for (const wake of events.waiting) wake();
      return appended;
    },
    async *readStream(stream, after = null) {
      for (let next = (after ?? -1) + 1; ;) {
        const read = firstBatch(
          streamOf(open(), stream).filter(({ revision }) => revision >= next),
          batch,
        );
        if (read.length === 0) return;
        yield read;
        next = (read.at(-1)?.revision ?? 0) + 1;
      }
    },
    readNewest: async (stream) => streamOf(open(), stream).at(-1) ?? null,
    async *readAll(after, types) {
      let found = matching(open(), after ?? 0, types ?? null);
      while (found.length > 0) {
        const read = firstBatch(found, batch);
        yield read;
        found = found.slice(read.length);
      }
    },
    async *subscribe(after, filter, signal) {
      let upTo = after;
      let told = false;
      while (!signal.aborted && !isClosed()) {
        const head = headOf(events);
        if (head === null || (told && head === upTo)) {
          await change(events, signal);
        } else {
          const delivery = deliver(matching(events, upTo ?? 0, filter), { head, batch });
          upTo = delivery.upTo;
          told = delivery.caughtUp;
          yield delivery;
        }
      }
    },
    head: async () => headOf(open()),
    close: async () => {
      closed = true;
      for (const wake of events.waiting) wake();
    },
  };
}

interface AppendRequest {
  readonly stream: string;
  readonly added: readonly NewEvent[];
  readonly expected: ExpectedRevision;
}

function append(events: MemoryEvents, { stream, added, expected }: AppendRequest): AppendResult {
  const own = streamOf(events, stream);
  const newest = own.at(-1)?.revision ?? 'no_stream';
  if (expected !== 'any' && expected !== 'newest_only' && expected !== newest) {
    throw new WrongExpectedRevision(stream, expected);
  }
  const start = { revision: newest === 'no_stream' ? -1 : newest, position: headOf(events) ?? 0 };
  const recorded = added.map((event, n) => ({
    ...event,
    stream,
    revision: start.revision + 1 + n,
    position: start.position + 1 + n,
  }));
  events.all.push(...recorded);
  events.streams.set(stream, [...own, ...recorded]);
  return { revision: start.revision + added.length, position: start.position + added.length };
}

function dropOlder({ all, streams }: MemoryEvents, stream: string): void {
  const newest = streams.get(stream)?.at(-1);
  if (newest === undefined) return;
  streams.set(stream, [newest]);
  all.splice(0, all.length, ...all.filter((event) => event.stream !== stream || event === newest));
}

function streamOf({ streams }: MemoryEvents, stream: string): readonly RecordedEvent[] {
  return streams.get(stream) ?? [];
}

/** The store's newest event is its stream's newest, which is always kept. */
export function headOf({ all }: MemoryEvents): Position | null {
  return all.at(-1)?.position ?? null;
}

export function matching({ all }: MemoryEvents, after: Position, filter: EventFilter): readonly RecordedEvent[] {
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

/** The first of the events that are left up to the head. */
export function deliver(left: readonly RecordedEvent[], { head, batch }: { head: Position; batch: number }): Delivery {
  const events = firstBatch(left, batch);
  const caughtUp = events.length === left.length;
  return { events, caughtUp, upTo: caughtUp ? head : (events.at(-1)?.position ?? head) };
}

/** Resolves when something was appended, the store was closed or `signal` aborts. */
export function change({ waiting }: MemoryEvents, signal: AbortSignal): Promise<void> {
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
