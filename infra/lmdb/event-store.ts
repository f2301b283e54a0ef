import { mkdirSync } from 'node:fs';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type {
  Appended,
  Delivery,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  RecordedEvent,
} from '../../src/kernel/ports/event-store.ts';
import { Shared } from './environment.ts';
import { Reader } from './event-reader.ts';
import { checkStreamName, encodeEvent, Records, TypeFilter } from './event-records.ts';
import { Subscriptions } from './event-subscription.ts';
import { Writer } from './event-writer.ts';

export { MAX_STREAM_NAME_BYTES } from './event-records.ts';

export interface LmdbEventStoreOptions {
  /** Directory of the store, created where missing. Several processes may have it open at once. */
  readonly path: string;
}

/** The event stores that this process has open. */
const opened = new Shared<Records>();

/**
 * Opens the embedded event store. Positions are 1, 2, 3, …, and each event is on disk before anyone can read it
 * (DESIGN §3). Event data comes back as JSON carries it: `-0` as `0`.
 * @throws {StoreUnavailable} when the directory cannot be opened as a store.
 */
export function openLmdbEventStore({ path }: LmdbEventStoreOptions): EventStore {
  try {
    mkdirSync(path, { recursive: true });
    return new LmdbEventStore(opened.take(path, () => new Records(path)));
  } catch (cause) {
    throw new StoreUnavailable(`the event store in ${path} cannot be opened`, { cause });
  }
}

class LmdbEventStore implements EventStore {
  readonly #records: Records;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #subscriptions: Subscriptions;
  #closing: Promise<void> | null = null;

  constructor(records: Records) {
    this.#records = records;
    this.#reader = new Reader(records);
    this.#subscriptions = new Subscriptions(this.#reader);
    this.#writer = new Writer(records, (commit) => this.#subscriptions.offer(commit));
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    if (this.#closing !== null) throw new StoreUnavailable('the event store is closed');
    if (events.length === 0) throw new TypeError('an append needs at least one event');
    checkStreamName(stream);
    const encoded = events.map((event) => encodeEvent(stream, event));
    return this.#writer.append({ stream, events, encoded, expected });
  }

  readStream(stream: string): AsyncIterable<readonly RecordedEvent[]> {
    checkStreamName(stream);
    return this.#reader.stream(stream);
  }

  async readNewest(stream: string): Promise<RecordedEvent | null> {
    checkStreamName(stream);
    return this.#reader.newest(stream);
  }

  readAll(after: Position | null, types?: readonly string[]): AsyncIterable<readonly RecordedEvent[]> {
    return this.#reader.all(after ?? 0, types === undefined ? null : new TypeFilter(types));
  }

  subscribe(after: Position | null, types: readonly string[] | null, signal: AbortSignal): AsyncIterable<Delivery> {
    return this.#subscriptions.follow(after ?? 0, types, signal);
  }

  async head(): Promise<Position | null> {
    const head = this.#reader.head();
    return head === 0 ? null : head;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#subscriptions.close();
    await this.#writer.drained();
    this.#reader.close();
    await opened.leave(this.#records, () => this.#records.close());
  }
}
