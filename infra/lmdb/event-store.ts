import { join } from 'node:path';
import { DamagedStore, StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/errors.ts';
import {
  MAX_APPEND_BYTES,
  requireAppendable,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../../src/kernel/ports/event-store.ts';
import { requireStreamName } from '../../src/kernel/stream-names.ts';
import { SharedInstances } from './environment.ts';
import { walkPages } from './page-walk.ts';
import { forgetDamage, noteDamage } from './damage.ts';
import { checkEvents } from './event-check.ts';
import { expectWholeCopy, rememberDataFile } from './copied-store.ts';
import { DATA_FILE } from './preflight.ts';
import { ProcessLock, type EmbeddedStoreOptions, type LockOptions } from './process-lock.ts';
import { enterDirectory, type EnteredDirectory } from './process-table.ts';
import { EventReader, Subscriptions } from './event-reader.ts';
import { EventRecords, recordFilter } from './event-records.ts';
import type { EncodedEvent, EventText, StreamHead } from './event-records.ts';

/** The event stores that this process has open. */
const openStores = new SharedInstances<EventRecords>();

/**
 * Opens the embedded event store in a directory, which is created where missing; several processes may have it open at
 * once. Positions are 1, 2, 3, …, and each event is on disk before anyone can read it
 * (docs/architecture.md#durability). Event data is returned as JSON represents it: `-0` as `0`.
 * @throws {StoreUnavailable} when the directory cannot be opened as a store, another process holds its lock for too
 * long, or a process of another container has it open.
 */
export async function openLmdbEventStore({ path, timeoutMs }: EmbeddedStoreOptions): Promise<EventStore> {
  return withEntered(path, async ({ isShared, leave }) => {
    const open = async (): Promise<EventRecords> => {
      await expectWholeCopy(path, isShared);
      const records = await EventRecords.open(path, { isShared, timeoutMs });
      await rememberDataFile(path);
      return records;
    };
    const { value, release } = await openStores.acquire(path, open).catch(async (error: unknown) => {
      await leave();
      throw error;
    });
    const onClose = async (): Promise<void> => {
      await release();
      await leave();
    };
    return eventStoreOf(value, onClose);
  });
}

/**
 * Checks every page, event and stream of an embedded event store that this process does not have open. Other processes
 * cannot write while it reads the pages. Damage is noted, or forgotten where all is whole; `onEvent` gets each whole event.
 * @throws {StoreUnavailable} when pages are damaged, or another process holds the lock for too long.
 */
export async function checkLmdbEventStore(
  { path, timeoutMs }: EmbeddedStoreOptions,
  onEvent: (event: RecordedEvent) => void,
) {
  return withEntered(path, async ({ isShared, leave }) => {
    try {
      const pages = await walkLockedPages(path, { isShared, timeoutMs });
      const records = await EventRecords.open(path, { isShared, timeoutMs });
      try {
        const found = await checkEvents(records, onEvent);
        const [fault] = found.damage;
        if (fault === undefined) forgetDamage(path);
        else noteDamage(path, new DamagedStore(fault));
        return { ...pages, ...found };
      } finally {
        await records.close();
      }
    } finally {
      await leave();
    }
  });
}

async function walkLockedPages(path: string, options: LockOptions) {
  const lock = await ProcessLock.open(path, options);
  try {
    return await lock.run(() => walkPages(join(path, DATA_FILE)));
  } catch (error) {
    if (error instanceof DamagedStore) noteDamage(path, error);
    throw error;
  } finally {
    await lock.close();
  }
}

/** Does work in a directory that this process enters; the work leaves it. */
async function withEntered<T>(path: string, work: (entered: EnteredDirectory) => Promise<T>): Promise<T> {
  try {
    return await work(await enterDirectory(path));
  } catch (cause) {
    throw new StoreUnavailable(`the event store in ${path} cannot be opened`, { cause });
  }
}

function eventStoreOf(records: EventRecords, onClose: () => Promise<void>): EventStore {
  const reader = new EventReader(records);
  const subscriptions = new Subscriptions(reader);
  const writer = new Writer(records, subscriptions);
  const close = async (): Promise<void> => {
    subscriptions.close();
    await writer.close();
    reader.close();
    await onClose();
  };
  let closing: Promise<void> | null = null;
  return {
    append: writer.append.bind(writer),
    readStream(stream, after = null) {
      requireStreamName(stream);
      return reader.stream(stream, after);
    },
    async readNewest(stream) {
      requireStreamName(stream);
      return reader.newest(stream);
    },
    readAll: (after, types) => reader.all(after ?? 0, recordFilter(types ?? null)),
    subscribe: (after, filter, signal) => subscriptions.subscribe(after ?? 0, filter, signal),
    async head() {
      const head = reader.head();
      return head === 0 ? null : head;
    },
    close: () => (closing ??= close()),
  };
}

/**
 * Most appends, and most characters of text, in one transaction, whose work blocks the event loop.
 */
const MAX_BATCH_APPENDS = 1_024;
const MAX_BATCH_CHARS = 4 * 1024 * 1024;

/** Characters of text from which an append may be too large: a character takes three bytes at most. */
const SURELY_APPENDABLE_CHARS = MAX_APPEND_BYTES / 3;

interface QueuedAppend {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
  readonly encoded: readonly EncodedEvent[];
  /** Characters of its text. */
  readonly chars: number;
  readonly resolve: (appended: AppendResult) => void;
  readonly reject: (error: Error) => void;
  /** Set by the transaction; null when the stream was not at the expected revision. */
  appended: StreamHead | null;
}

/**
 * Group commit: appends queue up, and each transaction takes all that are queued when it begins, so that they share its
 * fdatasync. Each is checked inside the transaction, and settled when the transaction is on disk.
 */
export class Writer {
  readonly #records: EventRecords;
  readonly #subscriptions: Pick<Subscriptions, 'publish'>;
  #queue: QueuedAppend[] = [];
  /** Whether no event came after the head when this process first appended; no process adds one there. */
  #isHeadLast = false;
  /** The loop that commits the queue; null when nothing is queued. */
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(records: EventRecords, subscriptions: Pick<Subscriptions, 'publish'>) {
    this.#records = records;
    this.#subscriptions = subscriptions;
  }

  /** The `append` of the port. */
  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (this.#isClosed) throw new StoreUnavailable('the event store is closed');
    if (events.length === 0) throw new TypeError('an append needs at least one event');
    requireStreamName(stream);
    const encoded: EncodedEvent[] = [];
    let chars = 0;
    for (const { id, type, data, metadata } of events) {
      const parts: EventText = [type, stream, id, data, metadata];
      const text = JSON.stringify(parts);
      encoded.push({ type, text });
      chars += text.length;
    }
    if (chars > SURELY_APPENDABLE_CHARS) requireAppendable(events);
    return new Promise((resolve, reject) => {
      this.#queue.push({ stream, events, expected, encoded, chars, resolve, reject, appended: null });
      this.#running ??= this.#run();
    });
  }

  /** Refuses further appends; resolves when all queued ones have been settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      let batch: QueuedAppend[] = [];
      let after = 0;
      let upTo = 0;
      try {
        await this.#records.env.write(() => {
          // Already taken when the transaction is repeated.
          if (batch.length === 0) batch = this.#takeBatch();
          after = this.#records.head();
          upTo = after;
          if (!this.#isHeadLast) this.#records.requireNoneAfter(after);
          this.#isHeadLast = true;
          for (const queued of batch) {
            queued.appended = this.#write(queued, upTo);
            upTo = queued.appended?.position ?? upTo;
          }
          if (upTo > after) this.#records.putHead(upTo);
        }, 'childTransaction');
      } catch (error) {
        this.#fail(batch, error);
        continue;
      }
      const events: RecordedEvent[] = [];
      let chars = 0;
      for (const queued of batch) {
        const { stream, expected, appended } = queued;
        if (appended === null) {
          queued.reject(new WrongExpectedRevision(stream, expected));
          continue;
        }
        queued.resolve(appended);
        chars += queued.chars;
        // As a reader would return them.
        let revision = appended.revision - queued.events.length;
        let position = appended.position - queued.events.length;
        for (const { id, type, data, metadata } of queued.events) {
          revision += 1;
          position += 1;
          events.push({ id, type, data, metadata, stream, revision, position });
        }
      }
      if (upTo > after) this.#subscriptions.publish({ after, upTo, chars, events });
    }
    this.#running = null;
  }

  #takeBatch(): QueuedAppend[] {
    let chars = 0;
    let count = 0;
    while (count < this.#queue.length && count < MAX_BATCH_APPENDS && chars < MAX_BATCH_CHARS) {
      chars += this.#queue[count]?.chars ?? 0;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** Writes an append after the head; null where the stream is not at the expected revision. */
  #write({ stream, expected, encoded }: QueuedAppend, head: Position): StreamHead | null {
    const before = this.#records.streamHead(stream);
    const at = before?.revision ?? 'no_stream';
    if (expected !== 'any' && expected !== 'newest_only' && expected !== at) return null;
    let newest: StreamHead = { revision: before?.revision ?? -1, position: head };
    let previous = before?.position ?? 0;
    if (expected === 'newest_only') previous = this.#removeChain(previous);
    for (const event of encoded) {
      newest = { revision: newest.revision + 1, position: newest.position + 1 };
      this.#records.putEvent(newest, previous, event);
      previous = newest.position;
    }
    this.#records.putStreamHead(stream, newest);
    return newest;
  }

  /** Deletes an event and all before it in its stream; returns 0, the `previous` of the next event. */
  #removeChain(newest: Position): Position {
    let position = newest;
    while (position > 0) {
      const previous = this.#records.previous(position);
      this.#records.removeEvent(position);
      position = previous;
    }
    return 0;
  }

  /** Rejects the batch. It is empty when the transaction could not begin: then the whole queue is rejected. */
  #fail(batch: readonly QueuedAppend[], cause: unknown): void {
    const failed = batch.length > 0 ? batch : this.#queue.splice(0);
    const unavailable = new StoreUnavailable('the event store could not commit', { cause });
    for (const { reject } of failed) reject(unavailable);
  }
}
