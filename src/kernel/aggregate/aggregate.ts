import type { Decider } from './decider.ts';
import type { Message } from '../event-types.ts';
import type { EventMetadata, EventStore, Position, Revision } from '../ports/event-store.ts';

/** Name of an aggregate's stream. */
export function streamOf(category: string, id: string): string {
  return `${category}-${id}`;
}

/** Id of the aggregate that a stream belongs to: its name without the category. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** Category of the aggregate that a stream belongs to. */
export function categoryOf(stream: string): string {
  return stream.slice(0, Math.max(0, stream.indexOf('-')));
}

/** An aggregate, replayed from its stream. */
export interface LoadedAggregate<S> {
  readonly state: S;
  /** Revision and position of its newest event; null when there is none. */
  readonly revision: Revision | null;
  readonly position: Position | null;
  /** Metadata of its first event, of the one since which it exists as it does now, and of its newest. */
  readonly first: EventMetadata | null;
  readonly created: EventMetadata | null;
  readonly newest: EventMetadata | null;
  /** Whether the command with the id in question caused one of its events. */
  readonly hasCommand: boolean;
}

/** An aggregate without any event. */
export function notCreated<S>(decider: Decider<S, never>): LoadedAggregate<S> {
  const none = { revision: null, position: null, first: null, created: null, newest: null };
  return { state: decider.initial, ...none, hasCommand: false };
}

/**
 * Loads an aggregate by replaying its stream.
 * @throws {UnknownEvent} when it holds an event that this release does not know.
 * @throws {StoreUnavailable}
 */
export async function loadAggregate<S, C extends Message>(
  store: Pick<EventStore, 'readStream'>,
  decider: Decider<S, C>,
  { stream, commandId }: { readonly stream: string; readonly commandId?: string },
): Promise<LoadedAggregate<S>> {
  let { state, revision, position, first, created, newest, hasCommand }: LoadedAggregate<S> = notCreated(decider);
  for await (const batch of store.readStream(stream)) {
    for (const event of batch) {
      state = decider.replay(state, event);
      revision = event.revision;
      position = event.position;
      first ??= event.metadata;
      created = decider.exists(state) ? (created ?? event.metadata) : null;
      newest = event.metadata;
      hasCommand ||= event.metadata.commandId === commandId;
    }
  }
  return { state, revision, position, first, created, newest, hasCommand };
}
