import { LRUCache } from 'lru-cache';
import type { Message } from '../event-types.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { RecordedEvent, EventMetadata, EventStore, Position, Revision } from '../ports/event-store.ts';
import type { Decider } from './decider.ts';

/** An aggregate, replayed from its stream. */
export interface LoadedAggregate<S> {
  readonly state: S;
  /** Revision and position of its newest event; null when there is none. */
  readonly revision: Revision | null;
  readonly position: Position | null;
  /** Metadata of its first event. */
  readonly first: EventMetadata | null;
  /** Metadata of the event that created it; of the latest such event, if it ceased to exist in between. */
  readonly created: EventMetadata | null;
  /** Metadata of its newest event. */
  readonly newest: EventMetadata | null;
  /** Whether one of its events was caused by the command that was looked for. */
  readonly hasCommand: boolean;
}

/** An aggregate without any event. */
export function notCreated<S, C extends Message>(decider: Decider<S, C>): LoadedAggregate<S> {
  return {
    state: decider.initial,
    revision: null,
    position: null,
    first: null,
    created: null,
    newest: null,
    hasCommand: false,
  };
}

/**
 * Loads an aggregate: replays the events of its stream that came after `from`. Looks for the command `commandId` among
 * them.
 * @throws {UnknownEvent} when it holds an event that this release does not know.
 * @throws {StoreUnavailable}
 */
export async function loadAggregate<S, C extends Message>(
  store: Pick<EventStore, 'readStream'>,
  decider: Decider<S, C>,
  stream: string,
  from: LoadedAggregate<S> = notCreated(decider),
  commandId: string | null = null,
): Promise<LoadedAggregate<S>> {
  let { state, revision, position, first, created, newest, hasCommand } = from;
  for await (const batch of store.readStream(stream, revision)) {
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

/** Revision from which an aggregate is remembered. Shorter streams are read as fast as a remembered one is updated. */
const LONG_STREAM_EVENTS = 50;

/** Most aggregates that are remembered at once. */
const MAX_REMEMBERED = 500;

/** Most streams whose first event is remembered at once. A first event never changes. */
const MAX_FIRST_EVENTS = 100_000;

/** Reader of aggregates. It remembers those with long streams, and reads only the events appended since. */
export class Aggregates {
  readonly #store: Pick<EventStore, 'readStream'>;
  /** The states by stream, with the decider that made each, since another one may read the same stream. */
  readonly #remembered = new LRUCache<string, { readonly decider: object; readonly loaded: LoadedAggregate<unknown> }>({
    max: MAX_REMEMBERED,
  });

  /** Metadata of first events, by stream. */
  readonly #first = new Map<string, EventMetadata>();

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store;
  }

  /** Reads the events of a stream, oldest first, in batches. */
  read(stream: string): AsyncIterable<readonly RecordedEvent[]> {
    return this.#store.readStream(stream);
  }

  /** Returns the metadata of a stream's first event, or null while it has none. @throws {StoreUnavailable} */
  async firstOf(stream: string): Promise<EventMetadata | null> {
    const known = this.#first.get(stream);
    if (known !== undefined) return known;
    for await (const [first] of this.#store.readStream(stream)) {
      if (first === undefined) continue;
      if (this.#first.size >= MAX_FIRST_EVENTS) this.#first.clear();
      this.#first.set(stream, first.metadata);
      return first.metadata;
    }
    return null;
  }

  /**
   * Returns the metadata of the first event of a stream that is known to have one.
   * @throws {StoreUnavailable} also when it is not there yet, as it was read from a follower that lags.
   */
  async requireFirstOf(stream: string): Promise<EventMetadata> {
    const first = await this.firstOf(stream);
    if (first === null) throw new StoreUnavailable('a follower of the event store is behind');
    return first;
  }

  /**
   * Loads an aggregate, including the events that other processes have appended.
   * @throws {UnknownEvent} when the stream holds an event that this release does not know.
   * @throws {StoreUnavailable}
   */
  async load<S>(decider: Decider<S, never>, stream: string): Promise<LoadedAggregate<S>> {
    const known = this.#remembered.get(stream);
    // The cast is right: this very decider has made the state.
    const from = known?.decider === decider ? (known.loaded as LoadedAggregate<S>) : notCreated(decider);
    const loaded = await loadAggregate(this.#store, decider, stream, from);
    if ((loaded.revision ?? 0) >= LONG_STREAM_EVENTS) this.#remembered.set(stream, { decider, loaded });
    return loaded;
  }
}
