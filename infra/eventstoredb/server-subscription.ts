import {
  eventTypeFilter,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type Filter,
} from '@eventstore/db-client';
import type { EventFilter, Position } from '../../src/service/kernel/ports/event-store.ts';
import type { Handle } from './connection.ts';
import { positionAt } from './event-reader.ts';
import { entryOf, safePosition, typePattern, type LogEntry } from './events.ts';

/**
 * Events that the server searches before it ends a page without a match, and, with a checkpoint interval of 1, between
 * two checkpoints. Under load checkpoints must come more often than `subscription.ts` compares its position with the
 * head: reading the log costs twenty times as much. Without an interval small stores get no checkpoint at all.
 */
export const SEARCH_WINDOW = 32;

/**
 * Events in the buffer of the client, whatever their size: they are parsed already, and as large as a megabyte each.
 */
const CLIENT_BUFFER = 32;

/** Position that a server gives for the end of the log in some checkpoints: it does not say what was searched. */
const END_OF_LOG = 18_446_744_073_709_551_615n;

interface ServerSubscriptionOptions {
  readonly handle: Handle;
  readonly after: Position | null;
  readonly filter: EventFilter;
}

interface ServerSubscriptionListener {
  /** Whether more entries can be taken; if not, backpressure slows down the server. */
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
  readonly #fail = (error: Error): void => {
    if (this.#ended) return;
    this.end();
    this.#listener.onFailed(error);
  };
  #ended = false;
  /** Releases a checkpoint that waits until the listener takes more. */
  #proceed: () => void = () => undefined;

  constructor({ handle, after, filter }: ServerSubscriptionOptions, listener: ServerSubscriptionListener) {
    this.#listener = listener;
    this.#handle = handle;
    const options = {
      // Unlike in a read, the position itself is not included.
      fromPosition: positionAt(after),
      filter: serverFilterOf(filter, ({ commit }) => this.#checkpoint(commit)),
    };
    const subscription = handle.client.subscribeToAll(options, { highWaterMark: CLIENT_BUFFER });
    this.#subscription = subscription;
    handle.onLost.add(this.#fail);
    // Listeners are never removed: an error event without one would end the process.
    subscription.on('error', this.#fail);
    subscription.on('confirmation', () => listener.onConfirmed());
    // With both listeners events flow only as `pull` reads them.
    subscription.on('readable', () => this.pull());
    subscription.on('data', (resolved: AllStreamResolvedEvent) => this.#take(() => entryOf(resolved)));
    subscription.on('end', () => this.#fail(new Error('the server ended the subscription')));
    subscription.on('close', () => this.#fail(new Error('the subscription was closed')));
  }

  /** Takes entries from the client's buffer while the listener takes more. */
  pull(): void {
    let hasMore = true;
    while (hasMore && !this.#ended && this.#listener.wantsMore()) hasMore = this.#subscription.read() !== null;
    if (this.#ended || this.#listener.wantsMore()) this.#proceed();
  }

  end(): void {
    this.#ended = true;
    this.#handle.onLost.delete(this.#fail);
    this.#proceed();
    // Fails if the subscription was never established.
    this.#subscription.unsubscribe().catch(() => undefined);
  }

  /**
   * The client reports a checkpoint ahead of its buffered events, so those are taken first. It handles no further
   * message until this resolves.
   */
  async #checkpoint(commit: bigint): Promise<void> {
    this.pull();
    if (!this.#ended && !this.#listener.wantsMore()) {
      await new Promise<void>((resolve) => {
        this.#proceed = resolve;
      });
    }
    if (commit !== END_OF_LOG) this.#take(() => ({ position: safePosition(commit), event: null }));
  }

  #take(entry: () => LogEntry): void {
    if (this.#ended) return;
    try {
      this.#listener.onEntry(entry());
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** The filter as the server applies it. */
function serverFilterOf(filter: EventFilter, onCheckpoint: (position: { commit: bigint }) => Promise<void>): Filter {
  const options = {
    maxSearchWindow: SEARCH_WINDOW,
    checkpointInterval: 1,
    checkpointReached: (_: AllStreamSubscription, position: { commit: bigint }) => onCheckpoint(position),
  };
  return filter !== null && 'categories' in filter
    ? streamNameFilter({ ...options, prefixes: filter.categories.map((category) => `${category}-`) })
    : eventTypeFilter({ ...options, regex: typePattern(filter) });
}
