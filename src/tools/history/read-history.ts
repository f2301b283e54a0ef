import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { EventStore, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import { isAfter, within, type Bound } from './bounds.ts';

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
  { stream, types, since, until, follow }: HistoryQuery,
  { store, clock, signal, onUnavailable }: HistoryReaderOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const read = { last: null as RecordedEvent | null, ended: false };
  const first = since?.kind === 'position' ? since.position : null;
  const isShown = (event: RecordedEvent): boolean =>
    (since === null || isAfter(event, since) || (since.kind === 'time' && event.metadata.occurredAt === since.at)) &&
    (types.length === 0 || types.includes(event.type));
  /** Reads the events after the last one that was read. */
  async function* unread() {
    const batches =
      stream === null
        ? store.readAll(read.last?.position ?? first, types.length === 0 ? undefined : types)
        : store.readStream(stream, read.last?.revision);
    for await (const events of batches) {
      const wanted = within(events, until);
      read.last = events.at(-1) ?? read.last;
      read.ended = wanted.length < events.length;
      const shown = wanted.filter(isShown);
      if (shown.length > 0) yield shown;
      if (read.ended || signal.aborted) return;
    }
  }
  yield* unread();
  if (!follow) return;
  while (!read.ended && !signal.aborted) {
    await pause(clock, POLL_INTERVAL_MS, signal);
    try {
      yield* unread();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      onUnavailable(error);
    }
  }
}
