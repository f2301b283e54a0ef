import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import { pause, type Clock } from '../kernel/ports/system.ts';
import { isAfter, type Bound } from './bounds.ts';

/** How often one who follows looks for new events, in ms. Any type may come, which no subscription offers. */
const POLL_INTERVAL_MS = 500;

/** Which events to look at. */
export interface HistoryQuery {
  /** Null: of all streams, in global order. */
  readonly stream: string | null;
  /** Empty: all types. */
  readonly types: readonly string[];
  /** Only events after this position, or not before this time; null: from the first one on. */
  readonly since: Bound | null;
  /** Only events up to this position, or up to the first that happened after this time; null: no bound. */
  readonly until: Bound | null;
  /** Whether to wait for events to come. */
  readonly follow: boolean;
}

/** What looking needs. */
export interface HistoryReaderOptions {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told when the store is away, while it is waited for. */
  readonly onUnavailable: (error: StoreUnavailable) => void;
}

/**
 * The wanted events in batches, in order; ends at the newest one or, when following, at the bound or when `signal`
 * aborts.
 * @throws {StoreUnavailable} at the first read; a later one is tried again when following.
 */
export async function* readHistory(query: HistoryQuery, options: HistoryReaderOptions): AsyncGenerator<readonly RecordedEvent[]> {
  const { clock, signal } = options;
  const progress: ReadProgress = { after: query.since?.kind === 'position' ? query.since.position : null, ended: false };
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

/** How far one has looked. */
interface ReadProgress {
  after: Position | null;
  ended: boolean;
}

/** What there is now. */
async function* readAvailable(query: HistoryQuery, options: HistoryReaderOptions, progress: ReadProgress): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const events of readAfter(query, options.store, progress.after)) {
    progress.after = events.at(-1)?.position ?? progress.after;
    const { shown, over } = select(query, events);
    progress.ended = over;
    if (shown.length > 0) yield shown;
    if (over || options.signal.aborted) return;
  }
}

/** A stream is read from its start each time: there is nothing else to read it by. */
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
  return { shown: within.filter(({ metadata }) => metadata.occurredAt >= from), over: end >= 0 };
}
