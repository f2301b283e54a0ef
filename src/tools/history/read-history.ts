import { StoreUnavailable } from '../../service/kernel/ports/errors.ts';
import type { EventStore, Position, RecordedEvent } from '../../service/kernel/ports/event-store.ts';
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
  const { clock, signal } = options;
  const progress: ReadProgress = {
    after: query.since?.kind === 'position' ? query.since.position : null,
    ended: false,
  };
  yield* readAvailable(query, options, progress);
  while (query.follow && !progress.ended && !signal.aborted) {
    await pause(clock, POLL_INTERVAL_MS, signal);
    try {
      yield* readAvailable(query, options, progress);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      options.onUnavailable(error);
    }
  }
}

interface ReadProgress {
  after: Position | null;
  ended: boolean;
}

async function* readAvailable(
  query: HistoryQuery,
  options: HistoryReaderOptions,
  progress: ReadProgress,
): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const events of readAfter(query, options.store, progress.after)) {
    progress.after = events.at(-1)?.position ?? progress.after;
    const { shown, ended } = select(query, events);
    progress.ended = ended;
    if (shown.length > 0) yield shown;
    if (ended || options.signal.aborted) return;
  }
}

/** Reads after a position. A stream is read from its start each time: the port has no other way. */
async function* readAfter(
  { stream, types }: HistoryQuery,
  store: HistoryReaderOptions['store'],
  after: Position | null,
): AsyncGenerator<readonly RecordedEvent[]> {
  if (stream === null) {
    yield* store.readAll(after, types.length === 0 ? undefined : types);
    return;
  }
  for await (const events of store.readStream(stream)) {
    const later = events.filter(
      ({ position, type }) => position > (after ?? -1) && (types.length === 0 || types.includes(type)),
    );
    if (later.length > 0) yield later;
  }
}

function select({ since, until }: HistoryQuery, events: readonly RecordedEvent[]) {
  const end = until === null ? -1 : events.findIndex((event) => isAfter(event, until));
  const within = end < 0 ? events : events.slice(0, end);
  const from = since?.kind === 'time' ? since.at : '';
  return { shown: within.filter(({ metadata }) => metadata.occurredAt >= from), ended: end >= 0 };
}
