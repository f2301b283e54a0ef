import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Delivery, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { TypeFilter, type Commit } from './event-records.ts';
import type { Reader } from './event-reader.ts';

/** How often a process looks for commits of other processes while it has subscriptions, in milliseconds. */
const POLL_INTERVAL_MS = 20;

/** Most that is handed to a subscription ahead of its consumer; past it, the subscription reads from disk again. */
const MAX_AHEAD_EVENTS = 1_024;
const MAX_AHEAD_CHARS = 4 * 1024 * 1024;

interface Follower {
  /** Told of every commit of this process. */
  offer(commit: Commit): void;
  wake(): void;
}

/**
 * The subscriptions of this process. A commit made here wakes them at once and brings its events along; commits of
 * other processes are found by one look at the head for all, every `POLL_INTERVAL_MS`.
 */
export class Subscriptions {
  readonly #reader: Reader;
  readonly #followers = new Set<Follower>();
  #timer: NodeJS.Timeout | null = null;
  #seenHead: Position = 0;
  #closed = false;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  offer(commit: Commit): void {
    this.#seenHead = Math.max(this.#seenHead, commit.upTo);
    for (const follower of this.#followers) follower.offer(commit);
  }

  /** Ends every subscription. */
  close(): void {
    this.#closed = true;
    this.#wakeAll();
  }

  async *follow(after: Position, types: readonly string[] | null, signal: AbortSignal): AsyncGenerator<Delivery, void> {
    const subscription = new Subscription(after, types === null ? null : new TypeFilter(types), this.#reader);
    const wake = (): void => subscription.wake();
    signal.addEventListener('abort', wake);
    this.#add(subscription);
    try {
      while (!signal.aborted && !this.#closed) {
        const delivery = subscription.next();
        if (delivery === null) await subscription.woken();
        else yield delivery;
        // A backlog must not keep the event loop from everything else.
        if (delivery?.caughtUp === false) await nextTurn();
      }
    } finally {
      this.#remove(subscription);
      signal.removeEventListener('abort', wake);
    }
  }

  #add(follower: Follower): void {
    this.#followers.add(follower);
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
  }

  #remove(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #poll(): void {
    if (this.#closed) return;
    try {
      const head = this.#reader.head();
      if (head <= this.#seenHead) return;
      this.#seenHead = head;
    } catch {
      // Each subscription meets the same error when it reads, and hands it to its consumer.
    }
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const follower of this.#followers) follower.wake();
  }
}

class Subscription implements Follower {
  readonly #filter: TypeFilter | null;
  readonly #reader: Reader;
  /** Everything up to here has been delivered. */
  #delivered: Position;
  /** Events after `#delivered`, up to `#aheadTo`, that commits have brought. */
  #ahead: RecordedEvent[] = [];
  #aheadChars = 0;
  #aheadTo: Position;
  #saidCaughtUp = false;
  #woken = false;
  #resolve: (() => void) | null = null;

  constructor(after: Position, filter: TypeFilter | null, reader: Reader) {
    this.#delivered = after;
    this.#aheadTo = after;
    this.#filter = filter;
    this.#reader = reader;
  }

  /** Takes the commit's events if it follows directly on what is known; otherwise they will be read from disk. */
  offer(commit: Commit): void {
    const hasRoom = this.#ahead.length < MAX_AHEAD_EVENTS && this.#aheadChars < MAX_AHEAD_CHARS;
    if (commit.after === this.#aheadTo && hasRoom) {
      for (const event of commit.events()) if (this.#filter?.matches(event) ?? true) this.#ahead.push(event);
      this.#aheadChars += commit.chars;
      this.#aheadTo = commit.upTo;
    }
    this.wake();
  }

  /** What there is to deliver now; null when there is nothing. */
  next(): Delivery | null {
    this.#woken = false;
    const delivery = this.#aheadTo > this.#delivered ? this.#takeAhead() : this.#readOn();
    if (delivery === null) return null;
    this.#delivered = delivery.upTo;
    this.#aheadTo = delivery.upTo;
    this.#saidCaughtUp = delivery.caughtUp;
    return delivery;
  }

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
  }

  /** Resolves when there may be something to deliver since the last `next`. */
  async woken(): Promise<void> {
    if (!this.#woken) await new Promise<void>((resolve) => (this.#resolve = resolve));
    this.#resolve = null;
  }

  #takeAhead(): Delivery {
    const events = this.#ahead;
    this.#ahead = [];
    this.#aheadChars = 0;
    return { events, upTo: this.#aheadTo, caughtUp: true };
  }

  #readOn(): Delivery | null {
    const head = this.#reader.head();
    if (head <= this.#delivered) {
      return this.#saidCaughtUp ? null : { events: [], upTo: this.#delivered, caughtUp: true };
    }
    const { events, upTo } = this.#reader.slice(this.#delivered, head, this.#filter);
    return { events, upTo, caughtUp: upTo === head };
  }
}
