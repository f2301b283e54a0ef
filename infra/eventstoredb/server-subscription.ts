import { eventTypeFilter, START } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import type { Position } from '../../src/kernel/ports/event-store.ts';
import type { Handle } from './connection.ts';
import { positionOf, recordedEventOf, safePosition, typePattern } from './events.ts';
import type { LogEntry } from './event-reader.ts';

/**
 * Events that the server looks at before it ends a page that the filter leaves empty, and with an interval of 1 also
 * from one checkpoint to the next: by default a page is 32, and small stores see no checkpoint at all.
 */
export const SEARCH_WINDOW = 256;

/** Events that the client holds ready, unread. */
const CLIENT_BUFFER = 256;

export interface ServerSubscriptionOptions {
  readonly handle: Handle;
  readonly after: Position | null;
  /** Null: all. */
  readonly types: readonly string[] | null;
}

/** What a source tells its follower. */
export interface ServerSubscriptionListener {
  /** Whether the follower takes more; where it does not, the server is held back. */
  readonly wantsMore: () => boolean;
  /** Every matching event up to and with this position has come; `event` is null for a checkpoint. */
  readonly onEntry: (entry: LogEntry) => void;
  readonly onConfirmed: () => void;
  /** The subscription is over: told once. */
  readonly onFailed: (error: Error) => void;
}

/** One filtered subscription to `$all`, from its start to its first failure. */
export class ServerSubscription {
  readonly #subscription: AllStreamSubscription;
  readonly #listener: ServerSubscriptionListener;
  readonly #handle: Handle;
  readonly #lost = (error: Error): void => this.#fail(error);
  #ended = false;

  constructor({ handle, after, types }: ServerSubscriptionOptions, listener: ServerSubscriptionListener) {
    this.#listener = listener;
    this.#handle = handle;
    const filter = eventTypeFilter({
      regex: typePattern(types),
      maxSearchWindow: SEARCH_WINDOW,
      checkpointInterval: 1,
      checkpointReached: (_, { commit }) => this.#checkpoint(commit),
    });
    // Exclusive, unlike a read.
    const fromPosition = after === null ? START : { commit: BigInt(after), prepare: BigInt(after) };
    this.#subscription = handle.client.subscribeToAll({ fromPosition, filter }, { highWaterMark: CLIENT_BUFFER });
    handle.onLost.add(this.#lost);
    // Listeners stay for good: an error event that nobody hears would end the process.
    this.#subscription.on('error', (error) => this.#fail(error));
    this.#subscription.on('confirmation', () => listener.onConfirmed());
    this.#subscription.on('readable', () => this.pull());
    this.#subscription.on('end', () => this.#fail(new Error('the server ended the subscription')));
    this.#subscription.on('close', () => this.#fail(new Error('the subscription was closed')));
  }

  /** Takes what has come off the client's buffer, as far as the follower wants it. */
  pull(): void {
    while (!this.#ended && this.#listener.wantsMore()) {
      // The stream's type says only what `for await` yields.
      const resolved = this.#subscription.read() as AllStreamResolvedEvent | null;
      if (resolved === null) return;
      this.#failOnError(() =>
        this.#listener.onEntry({ position: positionOf(resolved), event: recordedEventOf(resolved) }),
      );
    }
  }

  end(): void {
    this.#ended = true;
    this.#handle.onLost.delete(this.#lost);
    // A subscription that never began cannot be ended.
    void this.#subscription.unsubscribe().catch(() => undefined);
  }

  /**
   * The client tells a checkpoint past its buffer of events, so those before it are taken first; where the follower
   * does not want them yet, the checkpoint is forgotten.
   */
  #checkpoint(commit: bigint): void {
    this.pull();
    if (this.#ended || !this.#listener.wantsMore()) return;
    this.#failOnError(() => this.#listener.onEntry({ position: safePosition(commit), event: null }));
  }

  #failOnError(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    this.end();
    this.#listener.onFailed(error);
  }
}
