import { loadAggregate, type Decider, type LoadedAggregate } from './decider.ts';
import type { EventMetadata, EventStore, RecordedEvent } from '../ports/event-store.ts';

/** Fewest events of an aggregate that is remembered: shorter streams are read as quickly. */
const LONG_STREAM_EVENTS = 50;
/** Most aggregates that are remembered. */
const MAX_REMEMBERED = 500;

/** Most streams whose first event is remembered; it never changes. */
const MAX_FIRST_EVENTS = 100_000;

/** Reads aggregates. Those with long streams are remembered, so that only the events since then are read again. */
export class Aggregates {
  readonly #store: Pick<EventStore, 'readStream'>;
  /** By stream, the one that was asked for last at the end; with the decider that the state is one of. */
  readonly #remembered = new Map<string, { readonly decider: object; readonly loaded: LoadedAggregate<unknown> }>();

  /** Metadata of first events, by stream. */
  readonly #first = new Map<string, EventMetadata>();

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store;
  }

  /** Reads the events of a stream, oldest first, in batches. */
  read(stream: string): AsyncIterable<readonly RecordedEvent[]> {
    return this.#store.readStream(stream);
  }

  /** The metadata of the first event of a stream, or null while it has none. @throws {StoreUnavailable} */
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
   * Loads an aggregate by its stream, whatever other processes have appended.
   * @throws {UnknownEvent} when the stream holds an event that this release does not know.
   * @throws {StoreUnavailable}
   */
  async load<S>(decider: Decider<S, never>, stream: string): Promise<LoadedAggregate<S>> {
    const known = this.#remembered.get(stream);
    this.#remembered.delete(stream);
    // The state of this very decider.
    const from = known?.decider === decider ? (known.loaded as LoadedAggregate<S>) : decider.notCreated;
    const loaded = await loadAggregate(this.#store, decider, { stream, from });
    if ((loaded.revision ?? 0) >= LONG_STREAM_EVENTS) this.#remember(stream, decider, loaded);
    return loaded;
  }

  #remember(stream: string, decider: object, loaded: LoadedAggregate<unknown>): void {
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size < MAX_REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
    this.#remembered.set(stream, { decider, loaded });
  }
}
