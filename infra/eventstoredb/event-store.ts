import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { AppendResult, EventStore, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { APPEND_TIME_SHARE, createAppender } from './append.ts';
import { createBatchAppend } from './batch-append.ts';
import { createConnection } from './connection.ts';
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
  const { url, timeoutMs = TIMEOUT_MS, onReconnect, onRetry = () => undefined } = options;
  const connection = createConnection(url, onReconnect);
  const reads = new EventReader(connection, timeoutMs);
  const batchAppend = createBatchAppend(connection, Math.ceil(timeoutMs * APPEND_TIME_SHARE));
  const appendTo = createAppender({
    runningTime: connection.runningTime,
    batchAppend,
    reads,
    timeoutMs,
    onRetry,
    isClosed: () => connection.closed,
  });
  const appendsInFlight = new Set<Promise<AppendResult>>();
  const isAppending = (): boolean => appendsInFlight.size > 0;
  const subscriptions = new Subscriptions({ connection, reads, timeoutMs, onRetry, isAppending });
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    subscriptions.close();
    await settledWithin(CLOSE_GRACE_MS, appendsInFlight);
    connection.close();
  };
  const head = async (): Promise<Position | null> => {
    const position = await reads.head();
    subscriptions.advanceHead(position);
    return position;
  };
  return {
    async append(stream, events, expected) {
      checkStreamName(stream);
      if (closing !== null) throw new StoreUnavailable('the event store is closed');
      const append = appendTo(stream, events, expected);
      appendsInFlight.add(append);
      try {
        const appended = await append;
        subscriptions.advanceHead(appended.position);
        return appended;
      } finally {
        appendsInFlight.delete(append);
      }
    },
    readStream(stream, after = null) {
      checkStreamName(stream);
      return reads.stream(stream, after);
    },
    async readNewest(stream) {
      checkStreamName(stream);
      return (await reads.streamTail(stream, { count: 1 }))[0] ?? null;
    },
    readAll: (after, types) =>
      types === undefined ? reads.all(after) : readTypes({ head, subscriptions }, types, after),
    subscribe: (after, filter, signal) => subscriptions.subscribe(after, filter, signal),
    head,
    close: () => (closing ??= close()),
  };
}

async function settledWithin(ms: number, promises: Iterable<Promise<unknown>>): Promise<void> {
  const grace = new AbortController();
  await Promise.race([
    Promise.allSettled(promises).then(() => grace.abort()),
    pause(ms, undefined, { signal: grace.signal }).catch(() => undefined),
  ]);
}

/** Reads by a subscription up to the current head: the client's reads have no filter, its subscriptions have. */
async function* readTypes(
  { head, subscriptions }: Pick<EventStore, 'head'> & { readonly subscriptions: Subscriptions },
  types: readonly string[],
  after: Position | null,
): AsyncGenerator<readonly RecordedEvent[], void> {
  const newest = await head();
  if (newest === null || newest <= (after ?? -1) || types.length === 0) return;
  for await (const { events, upTo } of subscriptions.subscribe(after, types, new AbortController().signal)) {
    const wanted = events.filter(({ position }) => position <= newest);
    if (wanted.length > 0) yield wanted;
    if (upTo >= newest) return;
  }
  throw new StoreUnavailable('the event store was closed during a read');
}
