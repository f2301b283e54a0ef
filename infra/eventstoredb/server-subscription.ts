import { eventTypeFilter, START, streamNameFilter } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import type { EventFilter, Position } from '../../src/kernel/ports/event-store.ts';
import type { Handle } from './connection.ts';
import { positionOf, recordedEventOf, safePosition, typePattern } from './events.ts';
import type { LogEntry } from './event-reader.ts';

/**
 * Events that the server searches before it ends a page without a match, and, with a checkpoint interval of 1, between
 * two checkpoints. By default a page is 32, and small stores get no checkpoint at all.
 */
export const SEARCH_WINDOW = 256;

/** Events in the buffer of the client, whatever their size: they are parsed already, and as large as a megabyte each. */
const CLIENT_BUFFER = 32;

/** Position that a server gives for the end of the log in some checkpoints: it says nothing about what was searched. */
const END_OF_LOG = 18_446_744_073_709_551_615n;

/** Options of a ServerSubscription. */
export interface ServerSubscriptionOptions {
  readonly handle: Handle;
  readonly after: Position | null;
  readonly filter: EventFilter;
}

/** Callbacks of a ServerSubscription. */
export interface ServerSubscriptionListener {
  /** Whether more entries can be taken; otherwise the server is slowed down by backpressure. */
  readonly wantsMore: () => boolean;
  /** All matching events up to and including this position have arrived; `event` is null for a checkpoint. */
  readonly onEntry: (entry: LogEntry) => void;
  readonly onConfirmed: () => void;
  /** The subscription has failed; called once. */
  readonly onFailed: (error: Error) => void;
}

/** One filtered subscription to `$all`, from its start to its first failure. */
export class ServerSubscription {
  readonly #subscription: AllStreamSubscription;
  readonly #listener: ServerSubscriptionListener;
  readonly #handle: Handle;
  readonly #lost = (error: Error): void => this.#fail(error);
  #ended = false;

  constructor({ handle, after, filter: wanted }: ServerSubscriptionOptions, listener: ServerSubscriptionListener) {
    this.#listener = listener;
    this.#handle = handle;
    const settings = {
      maxSearchWindow: SEARCH_WINDOW,
      checkpointInterval: 1,
      checkpointReached: (_: unknown, { commit }: { readonly commit: bigint }) => this.#checkpoint(commit),
    };
    const filter =
      wanted !== null && 'categories' in wanted
        ? streamNameFilter({ ...settings, prefixes: wanted.categories.map((category) => `${category}-`) })
        : eventTypeFilter({ ...settings, regex: typePattern(wanted) });
    // Unlike in a read, the position itself is not included.
    const fromPosition = after === null ? START : { commit: BigInt(after), prepare: BigInt(after) };
    this.#subscription = handle.client.subscribeToAll({ fromPosition, filter }, { highWaterMark: CLIENT_BUFFER });
    handle.onLost.add(this.#lost);
    // Listeners are never removed: an error event without one would end the process.
    this.#subscription.on('error', (error) => this.#fail(error));
    this.#subscription.on('confirmation', () => listener.onConfirmed());
    this.#subscription.on('readable', () => this.pull());
    this.#subscription.on('end', () => this.#fail(new Error('the server ended the subscription')));
    this.#subscription.on('close', () => this.#fail(new Error('the subscription was closed')));
  }

  /** Takes entries from the client's buffer while the listener wants more. */
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
    // Fails if the subscription was never established.
    void this.#subscription.unsubscribe().catch(() => undefined);
  }

  /**
   * The client reports a checkpoint at once, ahead of its buffered events, so those are taken first; if the listener
   * does not want them yet, the checkpoint is ignored.
   */
  #checkpoint(commit: bigint): void {
    this.pull();
    if (this.#ended || !this.#listener.wantsMore() || commit === END_OF_LOG) return;
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
