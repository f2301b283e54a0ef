import { randomUUID } from 'node:crypto';
import { StoreUnavailable, WrongExpectedRevision } from '../../kernel/ports/errors.ts';
import type { EventStore, NewEvent } from '../../kernel/ports/event-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { Logger } from '../observability/log.ts';
import { reasonOf } from '../observability/outage-log.ts';

interface AppendObserver {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly onAppend: (seconds: number) => void;
  readonly onFailure: () => void;
  /** Aborts when the service ends; what fails from then on says nothing about the store. */
  readonly signal: AbortSignal;
}

const MS_PER_SECOND = 1_000;

/** Time, in ms, without an append after which a check of health tries one. */
const QUIET_MS = 2_000;

/** A stream that never begins: an append after its first event is always refused, and nothing is recorded. */
const PROBE_STREAM = 'health-probe';

/**
 * Notices when appends fail and when they work again: in the log (once per change), in a metric and for health. Reads
 * say nothing about appends: a cluster without a majority answers them for as long as their connection lasts. A node that
 * gets no requests, because it is unready, learns by a probe: an append at a wrong revision, which needs the leader and
 * the right to append.
 */
export function instrumentAppends(store: EventStore, observer: AppendObserver) {
  const { clock, log, signal, onAppend, onFailure } = observer;
  /** When an append last worked, ms of the monotonic clock. */
  let workedAt = -Infinity;
  /** When an append last worked or failed, ms of the monotonic clock. */
  let settledAt = -Infinity;
  let failure: StoreUnavailable | null = null;
  let probing = false;
  const noteSuccess = (): void => {
    workedAt = clock.monotonic();
    settledAt = workedAt;
    if (failure !== null) log.info('The event store takes appends again');
    failure = null;
  };
  const noteFailure = (error: StoreUnavailable, startedAt: number): void => {
    // An append that began before another one worked belongs to an outage that is over.
    if (signal.aborted || startedAt < workedAt) return;
    settledAt = clock.monotonic();
    onFailure();
    if (failure === null) log.warn(`The event store takes no appends, so writes get 503: ${reasonOf(error)}`);
    failure = error;
  };
  const append: EventStore['append'] = async (stream, events, expected) => {
    const startedAt = clock.monotonic();
    try {
      const appended = await store.append(stream, events, expected);
      noteSuccess();
      onAppend((settledAt - startedAt) / MS_PER_SECOND);
      return appended;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) noteSuccess();
      // Recording the use of a key needs a right of its own. Its caller reports failures.
      else if (error instanceof StoreUnavailable && expected !== 'newest_only') noteFailure(error, startedAt);
      throw error;
    }
  };
  const probe = async (): Promise<void> => {
    if (probing || signal.aborted || clock.monotonic() - settledAt < QUIET_MS) return;
    probing = true;
    // `append` notes its outcome.
    await append(PROBE_STREAM, [probeEvent(clock)], 0).catch(() => undefined);
    probing = false;
  };
  /** Why appends fail; null while they work. Asking tries an append where there was none for a while. */
  const appendFailure = (): StoreUnavailable | null => {
    void probe();
    return failure;
  };
  return { store: { ...store, append }, appendFailure };
}

function probeEvent(clock: Clock): NewEvent {
  const id = randomUUID();
  const occurredAt = new Date(clock.now()).toISOString();
  return { id, type: 'Probe', data: {}, metadata: { version: 1, occurredAt, commandId: id, correlationId: 'health' } };
}
