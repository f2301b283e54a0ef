import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { TimeoutError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import { matcherOf } from '../../src/service/kernel/ports/event-store.ts';
import type { Delivery, EventFilter, Position } from '../../src/service/kernel/ports/event-store.ts';
import type { Connection, Handle } from './connection.ts';
import { EventBuffer } from './event-buffer.ts';
import { PAGE_EVENTS, type EventReader } from './event-reader.ts';
import type { LogEntry } from './events.ts';
import { isAnswer, isRefusedByServer, unavailable } from './refusals.ts';
import { SEARCH_WINDOW, subscribeOnServer, type ServerSubscription } from './server-subscription.ts';

/** Time without an event, in ms, after which the position is compared with the head. */
const HEAD_CHECK_IDLE_MS = 1_000;

/** The same when entries after the position are known to exist. */
const HEAD_CHECK_BEHIND_MS = 50;

/**
 * How long, in ms, a delivery that is not full waits for the events of own appends, and then for others. It ends after
 * this many turns of the event loop in a row without an event.
 */
const GATHER_MS = 5;
const QUIET_TURNS = 4;

/** Entries of `$all` that are read after each subscribing; see `#readAfterSubscribing`. */
const READ_AHEAD_ENTRIES = SEARCH_WINDOW + PAGE_EVENTS;

/**
 * Most subscriptions of a store. A server accepts 100 calls on a connection; the next one waits silently until another
 * one ends, and appends and reads also need calls.
 */
const MAX_SUBSCRIPTIONS = 64;

/** Consecutive failures after which the consumer gets an error; longest pause, in ms, after the first: it doubles. */
const MAX_FAILURES = 4;
const FIRST_PAUSE_MS = 50;

interface SubscriptionsOptions {
  readonly connection: Pick<Connection, 'handle' | 'discard'>;
  readonly reads: EventReader;
  readonly timeoutMs: number;
  readonly onRetry: () => void;
  /** Whether this store has appends under way. */
  readonly isAppending: () => boolean;
}

/** The subscriptions of a store, and the newest position that its operations have seen. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #subscribers = new Set<Subscriber>();
  #head: Position = -1;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Newest position that this process knows of, -1 for none. */
  get head(): Position {
    return this.#head;
  }

  /** Moves the known head: subscriptions go there without waiting for their next comparison with the head. */
  advanceHead(position: Position | null): void {
    if (position === null || position <= this.#head) return;
    this.#head = position;
    for (const subscriber of this.#subscribers) subscriber.onHeadMoved();
  }

  async *subscribe(after: Position | null, filter: EventFilter, signal: AbortSignal): AsyncGenerator<Delivery, void> {
    if (signal.aborted) return;
    if (this.#subscribers.size >= MAX_SUBSCRIPTIONS) {
      throw new StoreUnavailable(`more than ${MAX_SUBSCRIPTIONS} subscriptions at once`);
    }
    const subscriber = new Subscriber({ ...this.#options, after, filter, subscriptions: this });
    const end = (): void => subscriber.end();
    signal.addEventListener('abort', end);
    this.#subscribers.add(subscriber);
    try {
      yield* subscriber.deliveries();
    } finally {
      subscriber.end();
      this.#subscribers.delete(subscriber);
      signal.removeEventListener('abort', end);
    }
  }

  close(): void {
    for (const subscriber of this.#subscribers) subscriber.end();
  }
}

interface SubscriberOptions extends SubscriptionsOptions {
  readonly after: Position | null;
  readonly filter: EventFilter;
  readonly subscriptions: Subscriptions;
}

/**
 * Delivers events to one consumer. Two sources fill its buffer, which takes each position once and in order:
 *
 * - the server's filtered subscription: matching events, and checkpoints after long runs without a match. Both mean
 *   that all matching events up to there have arrived.
 * - when that is quiet although entries after the position exist, a plain read of `$all` from the position to the head.
 *   It returns the log without gaps, so its last position is as good as one of the server's subscription.
 *
 * Only the second one can find that the head is reached: a subscription reports nothing about what it filters out at
 * the end of `$all` (the server's own events, other types). So `upTo` reaches every position that `head()` has
 * returned.
 */
class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #matches: ReturnType<typeof matcherOf>;
  readonly #buffer: EventBuffer;
  #serverSubscription: ServerSubscription | null = null;
  /** Ended by its consumer, or with the store. */
  #ended = false;
  /** Whether no more entries will be added to the buffer. */
  #finished = false;
  #serverError: Error | null = null;
  #confirmed = false;
  /**
   * Start of the first attempt since the subscription last worked, on the monotonic clock. Null while it works: until the
   * plain read after subscribing is done, the server's subscription waits.
   */
  #tryingSince: number | null = null;
  /** Position that the server subscription has reached. */
  #receivedUpTo: Position = -1;
  /** Newest matching event that a plain read found first, and since when the subscription has delivered nothing. */
  #expectedFromServer: Position = -1;
  #expectedSince = 0;
  #wakeUp: () => void = () => undefined;
  /** Whether it waits and no entries after its position are known. */
  #idle = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#matches = matcherOf(options.filter);
    this.#buffer = new EventBuffer(options.after);
  }

  /** @throws {StoreUnavailable} when the store is away, or the subscription cannot be kept. */
  async *deliveries(): AsyncGenerator<Delivery, void> {
    const running = this.#run().finally(() => {
      this.#finished = true;
      this.#buffer.notify();
    });
    // Its failure is thrown to the consumer below, after all earlier deliveries.
    running.catch(() => undefined);
    while (!this.#ended) {
      await this.#gatherOwn();
      await this.#gather();
      const wasFull = this.#buffer.full;
      const delivery = this.#buffer.next(this.#options.subscriptions.head);
      if (delivery !== null) {
        if (wasFull) this.#wakeUp();
        this.#serverSubscription?.pull();
        yield delivery;
      } else if (this.#finished) {
        await running;
        return;
      } else {
        await this.#buffer.changed();
      }
    }
  }

  /**
   * Waits for the events of own appends, which arrive soon. Events that are delivered together are projected in one
   * transaction, and the clients that wait for it will append together again.
   */
  async #gatherOwn(): Promise<void> {
    if (!this.#expectsOwn()) return;
    const waiting = { isOver: false };
    const timer = setTimeout(() => {
      waiting.isOver = true;
      this.#buffer.notify();
    }, GATHER_MS);
    while (this.#expectsOwn() && !waiting.isOver) await this.#buffer.changed();
    clearTimeout(timer);
  }

  #expectsOwn(): boolean {
    const { isAppending, subscriptions } = this.#options;
    return this.#mayGrow() && (isAppending() || this.#buffer.position < subscriptions.head);
  }

  /** Whether there is a delivery that has room for more. */
  #mayGrow(): boolean {
    return this.#buffer.size > 0 && !this.#buffer.hasBatch && !this.#ended;
  }

  /**
   * Waits for events that are on their way, turn by turn of the event loop. The client hands them over one by one:
   * without it, each event of a backlog would be a delivery of its own.
   */
  async #gather(): Promise<void> {
    const deadline = performance.now() + GATHER_MS;
    for (let quiet = 0; this.#mayGrow();) {
      if (quiet >= QUIET_TURNS || performance.now() >= deadline) return;
      const before = this.#buffer.size;
      await nextTurn();
      quiet = this.#buffer.size > before ? 0 : quiet + 1;
    }
  }

  /** Ends the subscription: nothing more is delivered. */
  end(): void {
    this.#ended = true;
    this.#serverSubscription?.end();
    this.#buffer.notify();
    this.#wakeUp();
  }

  /** A method, because the compiler assumes that the field does not change after a check. */
  #hasEnded(): boolean {
    return this.#ended;
  }

  onHeadMoved(): void {
    // A waiting delivery checks again whether to wait.
    if (this.#buffer.size > 0) this.#buffer.notify();
    if (this.#idle && this.#buffer.position < this.#options.subscriptions.head) this.#wakeUp();
  }

  /** Subscribes, and after each failure again from the current position. */
  async #run(): Promise<void> {
    for (let failures = 0; !this.#hasEnded();) {
      await this.#waitForRoom();
      const began = performance.now();
      const { handle } = this.#options.connection;
      try {
        await this.#subscribeOnce(handle);
      } catch (error) {
        if (this.#hasEnded()) return;
        // ABORTED: the server found this consumer too slow; the connection is fine.
        const reason = error instanceof Error ? error : new Error(String(error));
        if (isRefusedByServer(error)) throw unavailable('the events could not be subscribed to', error);
        if (!(error instanceof TimeoutError || isAnswer(error))) this.#options.connection.discard(handle, reason);
        failures = performance.now() - began > this.#options.timeoutMs ? 1 : failures + 1;
        if (error instanceof StoreUnavailable) throw error;
        if (failures > MAX_FAILURES) throw unavailable('the subscription was lost', error);
        this.#options.onRetry();
        await pause(FIRST_PAUSE_MS * 2 ** (failures - 1) * Math.random());
      } finally {
        this.#serverSubscription?.end();
      }
    }
  }

  async #subscribeOnce(handle: Handle): Promise<void> {
    this.#tryingSince ??= performance.now();
    this.#confirmed = false;
    this.#serverError = null;
    this.#receivedUpTo = -1;
    this.#expectedFromServer = -1;
    const options = { handle, after: this.#buffer.position, filter: this.#options.filter };
    this.#serverSubscription = subscribeOnServer(options, {
      wantsMore: () => this.#tryingSince === null && !this.#buffer.full,
      onEntry: (entry) => {
        this.#receivedUpTo = entry.position;
        // The subscription may repeat much that the plain read has found; only a silent one is dead.
        this.#expectedSince = performance.now();
        this.#buffer.push(entry);
      },
      onConfirmed: () => {
        this.#confirmed = true;
        this.#wakeUp();
      },
      onFailed: (error) => {
        this.#serverError = error;
        this.#wakeUp();
      },
    });
    await this.#waitForConfirmation();
    await this.#readAfterSubscribing();
    while (!this.#ended) await this.#checkHeadWhenQuiet();
  }

  async #waitForConfirmation(): Promise<void> {
    const deadline = (this.#tryingSince ?? 0) + this.#options.timeoutMs;
    while (!this.#confirmed && !this.#ended) {
      const left = deadline - performance.now();
      if (left <= 0) throw new StoreUnavailable(`no subscription within ${this.#options.timeoutMs} ms`);
      await this.#sleep(left);
      if (this.#serverError !== null) throw this.#serverError;
    }
  }

  /**
   * Some versions of the server (23.10 among them) begin a filtered subscription after the first *matching* event in
   * the search window from the given position, if that position's own event does not match. So after each subscribing
   * the same number of entries of `$all` is read before anything of the subscription is used.
   */
  async #readAfterSubscribing(): Promise<void> {
    await this.#readUpToHead(READ_AHEAD_ENTRIES);
    this.#tryingSince = null;
    this.#serverSubscription?.pull();
  }

  /** Waits until no event has come for a while, then reads what is between the position and the head. */
  async #checkHeadWhenQuiet(): Promise<void> {
    const { subscriptions, timeoutMs } = this.#options;
    const position = this.#buffer.position;
    const behind = position < subscriptions.head;
    this.#idle = !behind;
    const quiet = await this.#sleep(behind ? HEAD_CHECK_BEHIND_MS : HEAD_CHECK_IDLE_MS);
    this.#idle = false;
    if (this.#serverError !== null) throw this.#serverError;
    if (this.#ended || this.#buffer.full) return;
    if (this.#receivedUpTo < this.#expectedFromServer && performance.now() - this.#expectedSince > timeoutMs) {
      throw new Error('the subscription no longer delivers events');
    }
    if (quiet && this.#buffer.position === position) await this.#readUpToHead(READ_AHEAD_ENTRIES);
  }

  /**
   * Reads `$all` from the position on, up to the head, the newest position known if it is ahead, or `limit` entries.
   */
  async #readUpToHead(limit: number): Promise<void> {
    const { reads, subscriptions } = this.#options;
    const head = this.#buffer.position < subscriptions.head ? subscriptions.head : await reads.head();
    subscriptions.advanceHead(head);
    if (head === null) return;
    for (let read = 0; this.#buffer.position < head && read < limit && !this.#ended;) {
      await this.#waitForRoom();
      const entries = await reads.pageOfAll(this.#buffer.position);
      if (entries.length === 0) break;
      read += entries.length;
      for (const entry of entries) this.#pushRead(entry);
    }
    if (this.#buffer.position >= head) this.#buffer.reachedHead();
  }

  #pushRead({ position, event }: LogEntry): void {
    const wanted = event !== null && this.#matches(event) ? event : null;
    if (!this.#buffer.push({ position, event: wanted }) || wanted === null) return;
    if (this.#expectedFromServer <= this.#receivedUpTo) this.#expectedSince = performance.now();
    this.#expectedFromServer = position;
  }

  async #waitForRoom(): Promise<void> {
    while (this.#buffer.full && !this.#hasEnded()) await this.#sleep(HEAD_CHECK_BEHIND_MS);
  }

  /** Waits; true when the time passed without a wake-up. */
  #sleep(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }
}
