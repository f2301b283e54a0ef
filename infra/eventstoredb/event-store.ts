import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import type {
  AppendResult,
  Delivery,
  EventFilter,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  RecordedEvent,
  Revision,
} from '../../src/service/kernel/ports/event-store.ts';
import { APPEND_TIME_SHARE, createAppender } from './append.ts';
import { createBatchAppend } from './batch-append.ts';
import { createConnection, type Connection } from './connection.ts';
import { checkStreamName } from './events.ts';
import { EventReader } from './event-reader.ts';
import { Subscriptions } from './subscription.ts';

const TIMEOUT_MS = 5_000;

/** How long closing waits for appends in flight, in ms. */
const CLOSE_GRACE_MS = 1_000;

export interface EventStoreDbOptions {
  /** Connection string, `esdb://…` or `esdb+discover://…`, of a server 22.10 or later. */
  readonly url: string;
  /** How long an operation may take, in ms; 5,000 where left out. */
  readonly timeoutMs?: number;
  /** Called each time a lost connection is replaced. */
  readonly onReconnect?: () => void;
  /** Called at each retry: of the search for a lost append, or of a subscription. */
  readonly onRetry?: () => void;
}

/**
 * Opens an event store on EventStoreDB. Does no I/O, so the server may be down. Positions are commit positions. The
 * user of the connection string must be allowed to read `$all`. `head()` counts the server's own events too.
 * @throws {WrongStoreSettings} when the connection string is wrong; the message never quotes it.
 */
export function openEventStoreDb(options: EventStoreDbOptions): EventStore {
  return new EventStoreDb(options);
}

class EventStoreDb implements EventStore {
  readonly #connection: Connection;
  readonly #reads: EventReader;
  readonly #append: ReturnType<typeof createAppender>;
  readonly #subscriptions: Subscriptions;
  readonly #appendsInFlight = new Set<Promise<AppendResult>>();
  #closing: Promise<void> | null = null;

  constructor({ url, timeoutMs = TIMEOUT_MS, onReconnect, onRetry = () => undefined }: EventStoreDbOptions) {
    const connection = createConnection(url, onReconnect);
    const reads = new EventReader(connection, timeoutMs);
    const batchAppend = createBatchAppend(connection, Math.ceil(timeoutMs * APPEND_TIME_SHARE));
    this.#connection = connection;
    this.#reads = reads;
    this.#append = createAppender({ batchAppend, reads, timeoutMs, onRetry, isClosed: () => connection.closed });
    this.#subscriptions = new Subscriptions({
      connection,
      reads,
      timeoutMs,
      onRetry,
      isAppending: () => this.#appendsInFlight.size > 0,
    });
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    checkStreamName(stream);
    if (this.#closing !== null) throw new StoreUnavailable('the event store is closed');
    const append = this.#append(stream, events, expected);
    this.#appendsInFlight.add(append);
    try {
      const appended = await append;
      this.#subscriptions.advanceHead(appended.position);
      return appended;
    } finally {
      this.#appendsInFlight.delete(append);
    }
  }

  readStream(stream: string, after: Revision | null = null): AsyncIterable<readonly RecordedEvent[]> {
    checkStreamName(stream);
    return this.#reads.stream(stream, after);
  }

  async readNewest(stream: string): Promise<RecordedEvent | null> {
    checkStreamName(stream);
    const [newest] = await this.#reads.streamTail(stream, { count: 1 });
    return newest ?? null;
  }

  readAll(after: Position | null, types?: readonly string[]): AsyncIterable<readonly RecordedEvent[]> {
    return types === undefined ? this.#reads.all(after) : this.#readTypes(types, after);
  }

  subscribe(after: Position | null, filter: EventFilter, signal: AbortSignal): AsyncIterable<Delivery> {
    return this.#subscriptions.subscribe(after, filter, signal);
  }

  async head(): Promise<Position | null> {
    const head = await this.#reads.head();
    this.#subscriptions.advanceHead(head);
    return head;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#subscriptions.close();
    const grace = new AbortController();
    await Promise.race([
      Promise.allSettled(this.#appendsInFlight).then(() => grace.abort()),
      // Aborted when all appends have settled.
      pause(CLOSE_GRACE_MS, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    this.#connection.close();
  }

  /** Reads by a subscription up to the current head: the client's reads have no filter, its subscriptions have. */
  async *#readTypes(types: readonly string[], after: Position | null): AsyncGenerator<readonly RecordedEvent[], void> {
    const head = await this.head();
    if (head === null || head <= (after ?? -1) || types.length === 0) return;
    const never = new AbortController().signal;
    for await (const { events, upTo } of this.#subscriptions.subscribe(after, types, never)) {
      const wanted = events.filter(({ position }) => position <= head);
      if (wanted.length > 0) yield wanted;
      if (upTo >= head) return;
    }
    throw new StoreUnavailable('the event store was closed during a read');
  }
}
