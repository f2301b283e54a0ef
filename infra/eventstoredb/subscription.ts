import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { TimeoutError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { matcherOf } from '../../src/kernel/ports/event-store.ts';
import type { Delivery, EventFilter, Position } from '../../src/kernel/ports/event-store.ts';
import type { Connection, Handle } from './connection.ts';
import { createEventBuffer, type EventBuffer } from './event-buffer.ts';
import { PAGE_EVENTS, type EventReader } from './event-reader.ts';
import type { LogEntry } from './events.ts';
import { isRefusedByServer, unavailable } from './refusals.ts';
import { SEARCH_WINDOW, subscribeOnServer, type ServerSubscription } from './server-subscription.ts';

/** Time without an event, in ms, after which the position is compared with the head. */
const HEAD_CHECK_IDLE_MS = 1_000;

/** The same when entries after the position are known to exist. */
const HEAD_CHECK_BEHIND_MS = 50;

/**
 * Time, in ms, for which a delivery that is not full waits for the events of own appends, and then for others. It ends after
 * this many turns of the event loop in a row without an event.
 */
const GATHER_MS = 5;
const QUIET_TURNS = 4;

/** Most entries of `$all` that are read at once: as many as are read after each subscribing. */
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
  readonly connection: Pick<Connection, 'handle' | 'judge' | 'runningTime'>;
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

/** Thrown when the server does not confirm a subscription. */
class NotConfirmed extends Error {}

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
  /** Aborted by its consumer, or with the store. */
  readonly #stop = new AbortController();
  #serverError: Error | null = null;
  #confirmed = false;
  /**
   * Start of the first attempt since the subscription last worked, on the clock of running time. Null while it works:
   * until the plain read after subscribing is done, the server's subscription waits.
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
    this.#buffer = createEventBuffer(options.after);
  }

  /**
   * Subscribes, and after each failure again from the current position. What the server sends while the consumer works
   * is kept in the buffer; a failure counts once that is delivered. A server that drops a slow consumer, which goes on
   * between two drops, is no failure. Reads have judged the connection already when they fail.
   * @throws {StoreUnavailable} when the store is away, or the subscription cannot be kept.
   */
  async *deliveries(): AsyncGenerator<Delivery, void> {
    let failures = 0;
    let failedAt: Position = -1;
    while (!this.#hasEnded()) {
      const began = performance.now();
      const { handle } = this.#options.connection;
      try {
        yield* this.#deliveriesOn(handle);
      } catch (error) {
        if (this.#hasEnded()) return;
        if (error instanceof StoreUnavailable) throw error;
        const reason = error instanceof Error ? error : new Error(String(error));
        if (isRefusedByServer(error)) throw unavailable('the events could not be subscribed to', error);
        this.#options.connection.judge(handle, reason, began);
        if (error instanceof NotConfirmed) throw unavailable('the events could not be subscribed to', error);
        const hasGoneOn = this.#buffer.position() > failedAt;
        failedAt = this.#buffer.position();
        // ABORTED: the server found this consumer too slow.
        if (error instanceof TimeoutError && hasGoneOn) {
          failures = 0;
          continue;
        }
        failures = hasGoneOn || performance.now() - began > this.#options.timeoutMs ? 1 : failures + 1;
        if (failures > MAX_FAILURES) throw unavailable('the subscription was lost', error);
        this.#options.onRetry();
        const pauseMs = FIRST_PAUSE_MS * 2 ** (failures - 1) * Math.random();
        await pause(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      } finally {
        this.#serverSubscription?.end();
      }
    }
  }

  async *#deliveriesOn(handle: Handle): AsyncGenerator<Delivery, void> {
    this.#tryingSince ??= this.#options.connection.runningTime.now();
    this.#confirmed = false;
    this.#serverError = null;
    this.#receivedUpTo = -1;
    this.#expectedFromServer = -1;
    const options = { handle, after: this.#buffer.position(), filter: this.#options.filter };
    this.#serverSubscription = subscribeOnServer(options, {
      wantsMore: () => this.#tryingSince === null && !this.#buffer.isFull(),
      onEntry: (entry) => {
        this.#receivedUpTo = entry.position;
        // The subscription may repeat much that the plain read has found; only a silent one is dead.
        this.#expectedSince = performance.now();
        if (this.#buffer.push(entry)) this.#wakeUp();
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
    // Some versions of the server (23.10 among them) begin a filtered subscription after the first *matching* event in
    // the search window from the given position, if that position's own event does not match. So after each subscribing
    // the same number of entries of `$all` is read before anything of the subscription is used.
    yield* this.#readUpToHead();
    this.#tryingSince = null;
    this.#serverSubscription.pull();
    while (!this.#hasEnded()) {
      await this.#gather();
      const delivery = this.#next();
      if (delivery === null) yield* this.#waitForMore();
      else yield delivery;
    }
  }

  async #waitForConfirmation(): Promise<void> {
    const { timeoutMs, connection } = this.#options;
    const { runningTime } = connection;
    const left = (this.#tryingSince ?? 0) + timeoutMs - runningTime.now();
    const endWait = runningTime.after(left, () => {
      this.#serverError = new NotConfirmed(`no subscription within ${timeoutMs} ms`);
      this.#wakeUp();
    });
    try {
      while (!this.#confirmed && !this.#hasEnded()) {
        await this.#woken();
        if (this.#serverError !== null) throw this.#serverError;
      }
    } finally {
      endWait();
    }
  }

  /** The next delivery, in place of which the server may send more; null when there is none. */
  #next(): Delivery | null {
    const delivery = this.#buffer.next(this.#options.subscriptions.head);
    if (delivery !== null) this.#serverSubscription?.pull();
    return delivery;
  }

  /** Waits for an entry; when none has come for a while, reads what is between the position and the head. */
  async *#waitForMore(): AsyncGenerator<Delivery, void> {
    const { subscriptions } = this.#options;
    if (this.#serverError !== null) throw this.#serverError;
    const behind = this.#buffer.position() < subscriptions.head;
    this.#idle = !behind;
    const quiet = await this.#sleep(behind ? HEAD_CHECK_BEHIND_MS : HEAD_CHECK_IDLE_MS);
    this.#idle = false;
    if (this.#isOverdue()) {
      // What has arrived while this process stood still is not read yet.
      await nextTurn();
      if (this.#isOverdue()) throw new Error('the subscription no longer delivers events');
    }
    if (quiet) yield* this.#readUpToHead();
  }

  /** Whether the server has delivered nothing for too long although a plain read has found an event. */
  #isOverdue(): boolean {
    if (this.#receivedUpTo >= this.#expectedFromServer) return false;
    return performance.now() - this.#expectedSince > this.#options.timeoutMs;
  }

  /**
   * Reads `$all` from the position on, up to the head, the newest position known if it is ahead, or some entries. Yields
   * only where there is no room for more.
   */
  async *#readUpToHead(): AsyncGenerator<Delivery, void> {
    const { reads, subscriptions } = this.#options;
    const { signal } = this.#stop;
    if (this.#hasEnded()) return;
    const head = this.#buffer.position() < subscriptions.head ? subscriptions.head : await reads.head(signal);
    subscriptions.advanceHead(head);
    if (head === null) return;
    let read = 0;
    while (this.#buffer.position() < head && read < READ_AHEAD_ENTRIES && !signal.aborted) {
      const entries = await reads.pageOfAll(this.#buffer.position(), signal);
      if (entries.length === 0) break;
      read += entries.length;
      for (const entry of entries) this.#pushRead(entry);
      while (this.#buffer.isFull()) {
        const delivery = this.#next();
        if (delivery !== null) yield delivery;
      }
    }
    if (this.#buffer.position() >= head) this.#buffer.reachedHead();
  }

  #pushRead({ position, event }: LogEntry): void {
    const wanted = event !== null && this.#matches(event) ? event : null;
    if (!this.#buffer.push({ position, event: wanted }) || wanted === null) return;
    if (this.#expectedFromServer <= this.#receivedUpTo) this.#expectedSince = performance.now();
    this.#expectedFromServer = position;
  }

  /**
   * Waits for events that belong to the next delivery. First for those of own appends, which arrive soon: events that are
   * delivered together are projected in one transaction, and the clients that wait for it will append together again.
   * Then for events that are on their way, turn by turn of the event loop: the client hands them over one by one, so
   * without it, each event of a backlog would be a delivery of its own.
   */
  async #gather(): Promise<void> {
    const { isAppending, subscriptions } = this.#options;
    const expectsOwn = (): boolean => isAppending() || this.#buffer.position() < subscriptions.head;
    const ownDeadline = performance.now() + GATHER_MS;
    while (this.#mayGrow() && expectsOwn()) {
      const remaining = ownDeadline - performance.now();
      if (remaining <= 0) break;
      await this.#sleep(remaining);
    }
    const deadline = performance.now() + GATHER_MS;
    let quiet = 0;
    while (this.#mayGrow() && quiet < QUIET_TURNS && performance.now() < deadline) {
      const before = this.#buffer.size();
      await nextTurn();
      quiet = this.#buffer.size() > before ? 0 : quiet + 1;
    }
  }

  /** Whether there is a delivery that has room for more. */
  #mayGrow(): boolean {
    return this.#buffer.size() > 0 && !this.#buffer.hasBatch() && !this.#hasEnded();
  }

  /** Ends the subscription: nothing more is delivered. */
  end(): void {
    this.#stop.abort();
    this.#serverSubscription?.end();
    this.#wakeUp();
  }

  /** A method, because the compiler assumes that the property does not change after a check. */
  #hasEnded(): boolean {
    return this.#stop.signal.aborted;
  }

  onHeadMoved(): void {
    // A waiting delivery checks again whether to wait.
    const isBehind = this.#idle && this.#buffer.position() < this.#options.subscriptions.head;
    if (isBehind || this.#buffer.size() > 0) this.#wakeUp();
  }

  /** Waits for a wake-up. */
  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeUp = resolve;
    });
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
