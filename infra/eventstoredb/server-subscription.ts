import { eventTypeFilter, streamNameFilter } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, AllStreamSubscription, Filter } from '@eventstore/db-client';
import type { EventFilter, Position } from '../../src/kernel/ports/event-store.ts';
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

interface ServerSubscriptionListener {
  /** Whether more entries can be taken; if not, backpressure slows down the server. */
  readonly wantsMore: () => boolean;
  /** All matching events up to and including this position have arrived; `event` is null for a checkpoint. */
  readonly onEntry: (entry: LogEntry) => void;
  readonly onConfirmed: () => void;
  /** The subscription has failed; called once. */
  readonly onFailed: (error: Error) => void;
}

export type ServerSubscription = ReturnType<typeof subscribeOnServer>;

/** Opens a filtered subscription to `$all`, which is over at its first failure. */
export function subscribeOnServer(
  { handle, after, filter }: { readonly handle: Handle; readonly after: Position; readonly filter: EventFilter },
  { wantsMore, onEntry, onConfirmed, onFailed }: ServerSubscriptionListener,
) {
  let ended = false;
  /** Releases a checkpoint that waits until the listener takes more. */
  let proceed: () => void = () => undefined;
  const end = (): void => {
    ended = true;
    handle.onLost.delete(fail);
    proceed();
    // Fails if the subscription was never established.
    subscription.unsubscribe().catch(() => undefined);
  };
  const fail = (error: Error): void => {
    if (ended) return;
    end();
    onFailed(error);
  };
  const take = (entry: () => LogEntry): void => {
    if (ended) return;
    handle.lastHeardAt = performance.now();
    try {
      onEntry(entry());
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const takesMore = (): boolean => !ended && wantsMore();
  /** Takes entries from the client's buffer while the listener takes more. */
  const pull = (): void => {
    let hasMore = true;
    while (hasMore && takesMore()) hasMore = subscription.read() !== null;
    if (ended || wantsMore()) proceed();
  };
  /**
   * The client reports a checkpoint ahead of its buffered events, so those are taken first. It handles no further
   * message until this resolves.
   */
  const checkpoint = async (commit: bigint): Promise<void> => {
    pull();
    if (!ended && !wantsMore()) await new Promise<void>((resolve) => (proceed = resolve));
    if (commit !== END_OF_LOG) take(() => ({ position: safePosition(commit), event: null }));
  };
  const options = {
    // Unlike in a read, the position itself is not included.
    fromPosition: positionAt(after),
    filter: serverFilterOf(filter, ({ commit }) => checkpoint(commit)),
  };
  const subscription = handle.client.subscribeToAll(options, { highWaterMark: CLIENT_BUFFER });
  handle.onLost.add(fail);
  // Listeners are never removed: an error event without one would end the process.
  subscription.on('error', fail);
  subscription.on('confirmation', () => {
    handle.lastHeardAt = performance.now();
    onConfirmed();
  });
  // With both listeners events flow only as `pull` reads them.
  subscription.on('readable', pull);
  subscription.on('data', (resolved: AllStreamResolvedEvent) => take(() => entryOf(resolved)));
  subscription.on('end', () => fail(new Error('the server ended the subscription')));
  subscription.on('close', () => fail(new Error('the subscription was closed')));
  return { pull, end };
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
