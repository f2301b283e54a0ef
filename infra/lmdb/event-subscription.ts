import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Delivery, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { TypeFilter, type Commit } from './event-records.ts';
import type { EventReader } from './event-reader.ts';

/** How often a process with subscriptions checks for commits of other processes, in ms. */
const POLL_INTERVAL_MS = 20;

/** Size of the buffer of a subscription; when it is full, the subscription reads from disk. */
const MAX_BUFFERED_EVENTS = 1_024;
const MAX_BUFFERED_CHARS = 4 * 1024 * 1024;

/**
 * The subscriptions of this process. A commit of this process notifies them at once and passes its events; commits of
 * other processes are found by polling the head, once for all subscriptions, every `POLL_INTERVAL_MS`.
 */
export class Subscriptions {
  readonly #reader: EventReader;
  readonly #subscriptions = new Set<Subscription>();
  #timer: NodeJS.Timeout | null = null;
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

  /** Ends every subscription. */
  close(): void {
    this.#closed = true;
    this.#notifyAll();
  }

  async *subscribe(
    after: Position,
    types: readonly string[] | null,
    signal: AbortSignal,
  ): AsyncGenerator<Delivery, void> {
    const subscription = new Subscription(after, types === null ? null : new TypeFilter(types), this.#reader);
    const notify = (): void => subscription.notify();
    signal.addEventListener('abort', notify);
    this.#add(subscription);
    try {
      while (!signal.aborted && !this.#closed) {
        const delivery = subscription.next();
        if (delivery === null) await subscription.changed();
        else yield delivery;
        // A backlog must not block the event loop.
        if (delivery?.caughtUp === false) await nextTurn();
      }
    } finally {
      this.#remove(subscription);
      signal.removeEventListener('abort', notify);
    }
  }

  #add(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
  }

  #remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    if (this.#subscriptions.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #poll(): void {
    if (this.#closed) return;
    try {
      const head = this.#reader.head();
      if (head <= this.#knownHead) return;
      this.#knownHead = head;
    } catch {
      // Each subscription gets the same error when it reads, and throws it to its consumer.
    }
    this.#notifyAll();
  }

  #notifyAll(): void {
    for (const subscription of this.#subscriptions) subscription.notify();
  }
}

class Subscription {
  readonly #filter: TypeFilter | null;
  readonly #reader: EventReader;
  /** Everything up to here has been delivered. */
  #delivered: Position;
  /** Events after `#delivered` up to `#bufferedUpTo`, taken from commits. */
  #buffer: RecordedEvent[] = [];
  #bufferedChars = 0;
  #bufferedUpTo: Position;
  #reportedCaughtUp = false;
  #notified = false;
  #onNotify: (() => void) | null = null;

  constructor(after: Position, filter: TypeFilter | null, reader: EventReader) {
    this.#delivered = after;
    this.#bufferedUpTo = after;
    this.#filter = filter;
    this.#reader = reader;
  }

  /** Buffers the commit's events if they directly follow the buffered ones; otherwise they will be read from disk. */
  onCommit(commit: Commit): void {
    const hasRoom = this.#buffer.length < MAX_BUFFERED_EVENTS && this.#bufferedChars < MAX_BUFFERED_CHARS;
    if (commit.after === this.#bufferedUpTo && hasRoom) {
      for (const event of commit.events()) if (this.#filter?.matches(event) ?? true) this.#buffer.push(event);
      this.#bufferedChars += commit.chars;
      this.#bufferedUpTo = commit.upTo;
    }
    this.notify();
  }

  /** The next delivery; null when there is none now. */
  next(): Delivery | null {
    this.#notified = false;
    const delivery = this.#bufferedUpTo > this.#delivered ? this.#takeBuffered() : this.#readFromDisk();
    if (delivery === null) return null;
    this.#delivered = delivery.upTo;
    this.#bufferedUpTo = delivery.upTo;
    this.#reportedCaughtUp = delivery.caughtUp;
    return delivery;
  }

  notify(): void {
    this.#notified = true;
    this.#onNotify?.();
  }

  /** Resolves when there may be something to deliver since the last `next`. */
  async changed(): Promise<void> {
    if (!this.#notified) await new Promise<void>((resolve) => (this.#onNotify = resolve));
    this.#onNotify = null;
  }

  #takeBuffered(): Delivery {
    const events = this.#buffer;
    this.#buffer = [];
    this.#bufferedChars = 0;
    return { events, upTo: this.#bufferedUpTo, caughtUp: true };
  }

  #readFromDisk(): Delivery | null {
    const head = this.#reader.head();
    if (head <= this.#delivered) {
      return this.#reportedCaughtUp ? null : { events: [], upTo: this.#delivered, caughtUp: true };
    }
    const { events, upTo } = this.#reader.slice(this.#delivered, head, this.#filter);
    return { events, upTo, caughtUp: upTo === head };
  }
}
