import { StoreUnavailable } from '../../service/kernel/ports/errors.ts';
import type { EventStore, RecordedEvent } from '../../service/kernel/ports/event-store.ts';
import { pause, type Clock } from '../../service/kernel/ports/system.ts';
import { isAfter, type Bound } from './bounds.ts';

/** How often to read again with `follow`, in ms. Polled, since no subscription delivers events of all types. */
const POLL_INTERVAL_MS = 500;

export interface HistoryQuery {
  /** Null: of all streams, in global order. */
  readonly stream: string | null;
  /** Empty: all types. */
  readonly types: readonly string[];
  /** Only events after this position, or not before this time; null: from the first one on. */
  readonly since: Bound | null;
  /** Only events up to this position, or up to the first that happened after this time; null: no bound. */
  readonly until: Bound | null;
  /** Whether to continue with new events after the newest. */
  readonly follow: boolean;
}

export interface HistoryReaderOptions {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called, with `follow`, each time the store is unavailable; reading is tried again. */
  readonly onUnavailable: (error: StoreUnavailable) => void;
}

/**
 * The events of a query in batches, in order; ends at the newest one or, with `follow`, at the bound or when `signal`
 * aborts.
 * @throws {StoreUnavailable} when the first read fails; with `follow`, later reads are tried again.
 */
export async function* readHistory(
  query: HistoryQuery,
  options: HistoryReaderOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const { clock, signal, onUnavailable } = options;
  const read: Reading = { last: null, ended: false };
  yield* unread(query, options, read);
  while (query.follow && !read.ended && !signal.aborted) {
    await pause(clock, POLL_INTERVAL_MS, signal);
    try {
      yield* unread(query, options, read);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      onUnavailable(error);
    }
  }
}

interface Reading {
  last: RecordedEvent | null;
  ended: boolean;
}

/** Reads what there is after the last event that was read. */
async function* unread(query: HistoryQuery, { store, signal }: HistoryReaderOptions, read: Reading) {
  for await (const events of batchesAfter(query, store, read.last)) {
    const { shown, ended } = select(query, events);
    [read.last, read.ended] = [events.at(-1) ?? read.last, ended];
    if (shown.length > 0) yield shown;
    if (ended || signal.aborted) return;
  }
}

function batchesAfter(
  { stream, types, since }: HistoryQuery,
  store: HistoryReaderOptions['store'],
  last: Reading['last'],
) {
  if (stream !== null) return store.readStream(stream, last?.revision);
  const first = since?.kind === 'position' ? since.position : null;
  return store.readAll(last?.position ?? first, types.length === 0 ? undefined : types);
}

function select({ types, since, until }: HistoryQuery, events: readonly RecordedEvent[]) {
  const end = until === null ? -1 : events.findIndex((event) => isAfter(event, until));
  const within = end < 0 ? events : events.slice(0, end);
  const isSince = (event: RecordedEvent): boolean =>
    since === null || isAfter(event, since) || (since.kind === 'time' && event.metadata.occurredAt === since.at);
  return {
    shown: within.filter((event) => isSince(event) && (types.length === 0 || types.includes(event.type))),
    ended: end >= 0,
  };
}
