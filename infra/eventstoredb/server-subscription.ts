import type { EventFilter, Position } from '../../src/service/kernel/ports/event-store.ts';
import type { Handle } from './connection.ts';
import { ReadCall } from './read-call.ts';
import { subscribeToAll } from './read-request.ts';
import type { LogEntry, ReadResponse } from './read-response.ts';

/**
 * Events that the server searches before it ends a page without a match, and, with a checkpoint interval of 1, between
 * two checkpoints. By default a page is 32, and small stores get no checkpoint at all.
 */
export const SEARCH_WINDOW = 256;

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
  readonly #call: ReadCall;
  readonly #listener: ServerSubscriptionListener;

  constructor({ handle, after, filter }: ServerSubscriptionOptions, listener: ServerSubscriptionListener) {
    this.#listener = listener;
    // Unlike in a read, the position itself is not included.
    this.#call = new ReadCall(handle, subscribeToAll(after, filter, SEARCH_WINDOW), {
      onResponse: (response) => this.#take(response),
      onEnd: () => listener.onFailed(new Error('the server ended the subscription')),
      onFailed: listener.onFailed,
    });
  }

  /** Goes on where the listener wants more. */
  pull(): void {
    if (this.#listener.wantsMore()) this.#call.resume();
  }

  end(): void {
    this.#call.cancel();
  }

  #take(response: ReadResponse): void {
    if (response.kind === 'confirmation') this.#listener.onConfirmed();
    else if (response.kind === 'entry') this.#listener.onEntry(response.entry);
    else if (response.kind === 'checkpoint' && response.position !== null) {
      this.#listener.onEntry({ position: response.position, event: null });
    }
    if (!this.#listener.wantsMore()) this.#call.pause();
  }
}
