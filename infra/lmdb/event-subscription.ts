import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Delivery, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { TypeFilter, type Commit } from './event-records.ts';
import type { EventReader } from './event-reader.ts';

/** How often a process looks for commits of other processes while it has subscriptions, in milliseconds. */
const POLL_INTERVAL_MS = 20;

/** Most that is handed to a subscription ahead of its consumer; past it, the subscription reads from disk again. */
const MAX_BUFFERED_EVENTS = 1_024;
const MAX_BUFFERED_CHARS = 4 * 1024 * 1024;

interface Subscriber {
  /** Told of every commit of this process. */
  onCommit(commit: Commit): void;
  notify(): void;
}

/**
 * The subscriptions of this process. A commit made here wakes them at once and brings its events along; commits of
 * other processes are found by one look at the head for all, every `POLL_INTERVAL_MS`.
 */
export class Subscriptions {
  readonly #reader: EventReader;
  readonly #subscribers = new Set<Subscriber>();
  #timer: NodeJS.Timeout | null = null;
  #knownHead: Position = 0;
  #closed = false;

  constructor(reader: EventReader) {
    this.#reader = reader;
  }

  publish(commit: Commit): void {
    this.#knownHead = Math.max(this.#knownHead, commit.upTo);
    for (const follower of this.#subscribers) follower.onCommit(commit);
  }

  /** Ends every subscription. */
  close(): void {
    this.#closed = true;
    this.#wakeAll();
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
        // A backlog must not keep the event loop from everything else.
        if (delivery?.caughtUp === false) await nextTurn();
      }
    } finally {
      this.#remove(subscription);
      signal.removeEventListener('abort', notify);
    }
  }

  #add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
  }

  #remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0 || this.#timer === null) return;
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
      // Each subscription meets the same error when it reads, and hands it to its consumer.
    }
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const follower of this.#subscribers) follower.notify();
  }
}

class Subscription implements Subscriber {
  readonly #filter: TypeFilter | null;
  readonly #reader: EventReader;
  /** Everything up to here has been delivered. */
  #delivered: Position;
  /** Events after `#delivered`, up to `#aheadTo`, that commits have brought. */
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

  /** Takes the commit's events if it follows directly on what is known; otherwise they will be read from disk. */
  onCommit(commit: Commit): void {
    const hasRoom = this.#buffer.length < MAX_BUFFERED_EVENTS && this.#bufferedChars < MAX_BUFFERED_CHARS;
    if (commit.after === this.#bufferedUpTo && hasRoom) {
      for (const event of commit.events()) if (this.#filter?.matches(event) ?? true) this.#buffer.push(event);
      this.#bufferedChars += commit.chars;
      this.#bufferedUpTo = commit.upTo;
    }
    this.notify();
  }

  /** What there is to deliver now; null when there is nothing. */
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
