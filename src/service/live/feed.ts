import { eventQueueEvents } from '../../../commands/event-queues.ts';
import { lapEvents } from '../../../commands/laps.ts';
import { rigSeatEvents } from '../../../commands/rig-seats.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Delivery, EventStore, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { Outage } from '../../kernel/projection/projection-runner.ts';
import { createCheckpointNotifier, type CheckpointNotifier } from '../../kernel/projection/checkpoint-waiter.ts';
import { retry, type AttemptResult } from '../../kernel/retry.ts';
import { SHOWN_EVENTS } from './changes.ts';
import { RENAMING } from './name-cache.ts';

const FOLLOWED = [
  ...new Set([
    ...Object.keys(lapEvents),
    ...Object.keys(rigSeatEvents),
    ...Object.keys(eventQueueEvents),
    ...RENAMING,
    ...SHOWN_EVENTS,
  ]),
];

export interface FeedOptions {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly models: Pick<ReadModels, 'checkpoint'>;
  readonly clock: Clock;
  /** Called with each event, in the order of the log; the next one comes once the promise has resolved. */
  readonly onEvent: (event: RecordedEvent) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** The outage that errors may begin; a delivery ends it. */
  readonly outage?: Outage | undefined;
}

/** The one event subscription of a process, which feeds all live boards. After an outage it continues where it was. */
export class Feed {
  readonly #options: FeedOptions;
  #progress: CheckpointNotifier;
  #run: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null;
  #started: Promise<void> = Promise.resolve();
  /** Since when the log has been ahead of the feed, ms of the monotonic clock; null: it is not. */
  #behindSince: number | null = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#progress = createCheckpointNotifier(options.clock, null);
  }

  /** Position up to which all events have been passed on. */
  get position(): Position {
    return this.#progress.position() ?? 0;
  }

  /** Waits at most `ms` milliseconds until all events up to a position have been passed on; false if they have not. */
  reach(position: Position, ms: number): Promise<boolean> {
    return this.#progress.waitFor(position, ms);
  }

  /** For how long, in ms, the log has been ahead of the feed; 0: it is not. */
  get behindMs(): number {
    return this.#behindSince === null ? 0 : Math.round(this.#options.clock.monotonic() - this.#behindSince);
  }

  /** Starts the feed unless it runs; resolves when its position is known. @throws {StoreUnavailable} */
  start(): Promise<void> {
    if (this.#run === null) this.#started = this.#start();
    return this.#started;
  }

  async stop(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    run?.stop.abort();
    await run?.ended;
  }

  async #start(): Promise<void> {
    const { models, clock } = this.#options;
    this.#behindSince = clock.monotonic();
    const stop = new AbortController();
    const run = { stop, ended: Promise.resolve() };
    this.#run = run;
    try {
      this.#progress = createCheckpointNotifier(clock, await models.checkpoint());
    } catch (error) {
      if (this.#run === run) this.#run = null;
      throw error;
    }
    if (stop.signal.aborted) throw new StoreUnavailable('the live feed has been stopped');
    this.#run = { stop, ended: retry(clock, stop.signal, () => this.#attempt(stop.signal)) };
  }

  async #attempt(signal: AbortSignal): Promise<AttemptResult> {
    const before = this.#progress.position();
    try {
      for await (const delivery of this.#options.store.subscribe(before, FOLLOWED, signal))
        await this.#take(delivery, signal);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#behindSince ??= this.#options.clock.monotonic();
    return this.#progress.position() === before ? 'stuck' : 'progressed';
  }

  async #take({ events, upTo, caughtUp }: Delivery, signal: AbortSignal): Promise<void> {
    const { clock, onEvent, outage } = this.#options;
    for (const event of events) {
      await onEvent(event);
      // Another run may have started.
      if (signal.aborted) return;
      this.#progress.advance(event.position);
    }
    this.#progress.advance(upTo);
    this.#behindSince = caughtUp ? null : (this.#behindSince ?? clock.monotonic());
    if (outage?.isOut === true) outage.recovered();
  }
}
