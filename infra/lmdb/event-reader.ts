import { setImmediate as nextTurn } from 'node:timers/promises';
import { DamagedStore, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import {
  MAX_BATCH_BYTES,
  type Position,
  type RecordedEvent,
  type Revision,
  type Delivery,
  type EventFilter,
} from '../../src/kernel/ports/event-store.ts';
import { decodeEvent, recordFilter, type Commit, type EventRecords, type RecordFilter } from './event-records.ts';

/** Most events read in one step, which blocks the event loop; a consumer holds one batch in memory. */
const MAX_BATCH_EVENTS = 256;

/** Most positions visited in one step: a filter may skip all of them. */
const MAX_BATCH_POSITIONS = 1_024;

/**
 * Reads events in bounded steps. Each step is synchronous and sees one snapshot; none stays open while the consumer
 * works, so a slow consumer does not keep LMDB from reusing pages.
 */
export class EventReader {
  readonly #records: EventRecords;
  #closed = false;

  constructor(records: EventRecords) {
    this.#records = records;
  }

  /** After this every read throws {StoreUnavailable}. */
  close(): void {
    this.#closed = true;
  }

  /** Position of the newest event that any process has committed, 0 when there is none. */
  head(): Position {
    return this.#step(() => this.#records.head());
  }

  /** The events after `after`, up to and including `to`, before a damaged one, or as far as one step goes: `upTo`. */
  slice(after: Position, to: Position, filter: RecordFilter) {
    return this.#step(() => {
      const batch = new Batch();
      const last = Math.min(to, after + MAX_BATCH_POSITIONS);
      let upTo = after;
      while (upTo < last && !batch.full) {
        const bytes = this.#records.bytes(++upTo);
        if (bytes === undefined || !filter.mayMatch(bytes)) continue;
        try {
          const { event } = decodeEvent(bytes, upTo);
          if (filter.matches(event)) batch.add(event, bytes.length);
        } catch (error) {
          // The next step begins with it.
          if (batch.events.length === 0) throw error;
          return { events: batch.events, upTo: upTo - 1 };
        }
      }
      return { events: batch.events, upTo };
    });
  }

  newest(stream: string): RecordedEvent | null {
    return this.#step(() => this.#newestWithPrevious(stream)?.event ?? null);
  }

  async *all(after: Position, filter: RecordFilter): AsyncGenerator<readonly RecordedEvent[], void> {
    const head = this.head();
    let position = after;
    while (position < head) {
      const { events, upTo } = this.slice(position, head, filter);
      position = upTo;
      if (events.length > 0) yield events;
      await nextTurn();
    }
  }

  async *stream(stream: string, after: Revision | null): AsyncGenerator<readonly RecordedEvent[], void> {
    const newest = this.#step(() => this.#newestWithPrevious(stream));
    if (newest === null || newest.event.revision <= (after ?? -1)) return;
    const wanted = newest.event.revision - (after ?? -1) - 1;
    const older = await this.#positionsBackFrom(newest.previous, wanted);
    while (older.length > 0) {
      yield this.#eventsAt(older);
      await nextTurn();
    }
    yield [newest.event];
  }

  #newestWithPrevious(stream: string): ReturnType<typeof decodeEvent> | null {
    const head = this.#records.streamHead(stream);
    if (head === null) return null;
    const bytes = this.#records.bytes(head.position);
    return bytes === undefined ? null : decodeEvent(bytes, head.position);
  }

  /** The positions of at most `wanted` events of a stream, from `newest` backwards: 8 bytes each. */
  async #positionsBackFrom(newest: Position, wanted: number): Promise<Position[]> {
    const positions: Position[] = [];
    let position = newest;
    const more = (): boolean => position > 0 && positions.length < wanted;
    while (more()) {
      this.#step(() => {
        for (let steps = 0; more() && steps < MAX_BATCH_POSITIONS; steps++) {
          positions.push(position);
          position = this.#records.previous(position);
        }
      });
      if (more()) await nextTurn();
    }
    return positions;
  }

  /** Removes a batch of positions from the end and reads their events, except those deleted meanwhile. */
  #eventsAt(positions: Position[]): readonly RecordedEvent[] {
    return this.#step(() => {
      const batch = new Batch();
      while (!batch.full) {
        const position = positions.pop();
        if (position === undefined) break;
        const bytes = this.#records.bytes(position);
        if (bytes !== undefined) batch.add(decodeEvent(bytes, position).event, bytes.length);
      }
      return batch.events;
    });
  }

  #step<T>(read: () => T): T {
    if (this.#closed) throw new StoreUnavailable('the event store is closed');
    try {
      this.#records.env.refresh();
      return read();
    } catch (cause) {
      if (cause instanceof DamagedStore) this.#records.noteDamage(cause);
      throw new StoreUnavailable('the event store could not be read', { cause });
    }
  }
}

class Batch {
  readonly events: RecordedEvent[] = [];
  #bytes = 0;

  get full(): boolean {
    return this.events.length >= MAX_BATCH_EVENTS || this.#bytes >= MAX_BATCH_BYTES;
  }

  add(event: RecordedEvent, bytes: number): void {
    this.events.push(event);
    this.#bytes += bytes;
  }
}

/** How often a process with subscriptions checks for commits of other processes, in ms. */
const POLL_INTERVAL_MS = 20;

/** Most events in the buffer of a subscription, and MAX_BATCH_BYTES; further events are read from disk. */
const MAX_BUFFERED_EVENTS = 1_024;

/**
 * The subscriptions of this process. A commit of this process passes its events to them at once. Every
 * `POLL_INTERVAL_MS` the head is polled, once for all: for commits of other processes, and for those of this one in which
 * a subscription has no event, so that it learns how far the log is without being woken by each.
 */
export class Subscriptions {
  readonly #reader: EventReader;
  readonly #subscriptions = new Set<Subscription>();
  #timer: NodeJS.Timeout | undefined;
  #knownHead: Position = 0;
  #closed = false;

  constructor(reader: EventReader) {
    this.#reader = reader;
  }

  /** Passes a commit of this process to every subscription. */
  publish(commit: Commit): void {
    this.#knownHead = Math.max(this.#knownHead, commit.upTo);
    for (const subscription of this.#subscriptions) subscription.onCommit(commit);
  }

  close(): void {
    this.#closed = true;
    for (const subscription of this.#subscriptions) subscription.notify();
  }

  async *subscribe(after: Position, filter: EventFilter, signal: AbortSignal): AsyncGenerator<Delivery, void> {
    const subscription = new Subscription(after, recordFilter(filter), this.#reader);
    const notify = (): void => subscription.notify();
    signal.addEventListener('abort', notify);
    this.#subscriptions.add(subscription);
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
    try {
      while (!signal.aborted && !this.#closed) {
        const next = subscription.next();
        if (next === null) {
          await subscription.notified();
          continue;
        }
        yield next;
        // A backlog must not block the event loop.
        if (!next.caughtUp) await nextTurn();
      }
    } finally {
      signal.removeEventListener('abort', notify);
      this.#subscriptions.delete(subscription);
      if (this.#subscriptions.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  #poll(): void {
    if (this.#closed) return;
    let isNew = true;
    try {
      const head = this.#reader.head();
      isNew = head > this.#knownHead;
      this.#knownHead = Math.max(this.#knownHead, head);
    } catch {
      // Each subscription gets the same error when it reads, and throws it to its consumer.
    }
    for (const subscription of this.#subscriptions) subscription.onPoll(isNew);
  }
}

class Subscription {
  readonly #filter: RecordFilter;
  readonly #reader: EventReader;
  /** Everything up to here has been delivered. */
  #delivered: Position;
  /** Events after `#delivered` up to `#bufferedUpTo`, taken from commits. */
  #buffer: RecordedEvent[] = [];
  #bufferedChars = 0;
  #bufferedUpTo: Position;
  /** Whether a commit has not been buffered. */
  #hasMoreOnDisk = false;
  #reportedCaughtUp = false;
  #notified = false;
  #onNotify: (() => void) | null = null;

  constructor(after: Position, filter: RecordFilter, reader: EventReader) {
    this.#delivered = after;
    this.#bufferedUpTo = after;
    this.#filter = filter;
    this.#reader = reader;
  }

  /** Buffers the commit's events if they directly follow the buffered ones; otherwise they will be read from disk. */
  onCommit(commit: Commit): void {
    const hasRoom = this.#buffer.length < MAX_BUFFERED_EVENTS && this.#bufferedChars + commit.chars <= MAX_BATCH_BYTES;
    if (commit.after === this.#bufferedUpTo && hasRoom) {
      const { length } = this.#buffer;
      for (const event of commit.events) if (this.#filter.matches(event)) this.#buffer.push(event);
      if (this.#buffer.length > length) this.#bufferedChars += commit.chars;
      this.#bufferedUpTo = commit.upTo;
    } else this.#hasMoreOnDisk = true;
    if (this.#hasMoreOnDisk || this.#buffer.length > 0) this.notify();
  }

  /** Resolves when there may be a further delivery. Call it at once after `next` has returned null. */
  notified(): Promise<void> {
    return new Promise((resolve) => (this.#onNotify = resolve));
  }

  /** The next delivery; null when there is none yet. */
  next(): Delivery | null {
    if (!this.#notified && this.#reportedCaughtUp) return null;
    this.#notified = false;
    let delivery: Delivery | null = null;
    if (this.#bufferedUpTo > this.#delivered) {
      delivery = { events: this.#buffer, upTo: this.#bufferedUpTo, caughtUp: !this.#hasMoreOnDisk };
      this.#buffer = [];
      this.#bufferedChars = 0;
    } else delivery = this.#readFromDisk();
    if (delivery === null) return null;
    this.#delivered = delivery.upTo;
    this.#bufferedUpTo = delivery.upTo;
    this.#reportedCaughtUp = delivery.caughtUp;
    return delivery;
  }

  /** Wakes it when commits have not been delivered; where there are new ones, it reads from disk after the buffer. */
  onPoll(isNew: boolean): void {
    if (isNew) this.#hasMoreOnDisk = true;
    if (this.#hasMoreOnDisk || this.#bufferedUpTo > this.#delivered) this.notify();
  }

  notify(): void {
    this.#notified = true;
    this.#onNotify?.();
    this.#onNotify = null;
  }

  #readFromDisk(): Delivery | null {
    this.#hasMoreOnDisk = false;
    const head = this.#reader.head();
    if (head <= this.#delivered) {
      return this.#reportedCaughtUp ? null : { events: [], upTo: this.#delivered, caughtUp: true };
    }
    const { events, upTo } = this.#reader.slice(this.#delivered, head, this.#filter);
    return { events, upTo, caughtUp: upTo === head };
  }
}
