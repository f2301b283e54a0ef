import { setTimeout as pause } from 'node:timers/promises';
import { TimeoutError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { Delivery, Position } from '../../src/kernel/ports/event-store.ts';
import type { Connection, Handle } from './connection.ts';
import { Inbox } from './inbox.ts';
import { type Entry, PAGE_EVENTS, type Reads } from './reads.ts';
import { SEARCH_WINDOW, Source } from './source.ts';

/** Quiet time, in ms, after which the place is compared with the head. */
const WATCH_MS = 1_000;

/** Quiet time, in ms, after which it is when something is known to lie past the place. */
const GAP_MS = 50;

/** Entries read after each subscribing; see `#bridge`. */
const BRIDGE_ENTRIES = SEARCH_WINDOW + PAGE_EVENTS;

/**
 * Most subscriptions of a store. A server takes 100 calls on a connection; the next one waits unsaid until another
 * ends, and appends and reads need some too.
 */
const MAX_SUBSCRIPTIONS = 64;

/** Failures in a row after which the consumer is told, and longest pause after the first, in ms; doubled each time. */
const MAX_SETBACKS = 4;
const FIRST_PAUSE_MS = 50;

export interface SubscriptionParts {
  readonly connection: Pick<Connection, 'lease' | 'retire'>;
  readonly reads: Reads;
  readonly timeoutMs: number;
  readonly onRetry: () => void;
}

/** The subscriptions of a store, and the newest position that its operations have seen. */
export class Subscriptions {
  readonly #parts: SubscriptionParts;
  readonly #followers = new Set<Follower>();
  #head: Position = -1;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** Newest position that this process knows of, -1 for none. */
  get head(): Position {
    return this.#head;
  }

  /** Something is at this position: subscriptions get there without waiting for their next look at the head. */
  note(position: Position | null): void {
    if (position === null || position <= this.#head) return;
    this.#head = position;
    for (const follower of this.#followers) follower.headMoved();
  }

  async *follow(
    after: Position | null,
    types: readonly string[] | null,
    signal: AbortSignal,
  ): AsyncGenerator<Delivery, void> {
    if (signal.aborted) return;
    if (this.#followers.size >= MAX_SUBSCRIPTIONS) {
      throw new StoreUnavailable(`more than ${MAX_SUBSCRIPTIONS} subscriptions at once`);
    }
    const follower = new Follower({ ...this.#parts, after, types, hub: this });
    const end = (): void => follower.end();
    signal.addEventListener('abort', end);
    this.#followers.add(follower);
    try {
      yield* follower.deliveries();
    } finally {
      follower.end();
      this.#followers.delete(follower);
      signal.removeEventListener('abort', end);
    }
  }

  close(): void {
    for (const follower of this.#followers) follower.end();
  }
}

interface FollowerParts extends SubscriptionParts {
  readonly after: Position | null;
  readonly types: readonly string[] | null;
  readonly hub: Subscriptions;
}

/**
 * Keeps one consumer supplied. Two ways lead into the inbox, which takes each position once and in order:
 *
 * - the server's filtered subscription: matching events, and checkpoints where it has looked at many without a match.
 *   Both say: all that matches up to here has come.
 * - when that is quiet and something lies past the place, a plain read of `$all` from the place to the head. What it
 *   brings is the log itself without a gap, so its last position is a place as good as the server's.
 *
 * Only the second can say that the head is reached: a subscription stays silent about what it filters out at the end
 * of `$all` (the server's own events, other types). So `upTo` reaches whatever `head()` has answered.
 */
class Follower {
  readonly #parts: FollowerParts;
  readonly #types: ReadonlySet<string> | null;
  readonly #inbox: Inbox;
  #source: Source | null = null;
  /** While the bridge is read, the subscription waits. */
  #held = false;
  /** By its consumer, or with the store. */
  #ended = false;
  /** Nothing more comes in. */
  #over = false;
  #sourceError: Error | null = null;
  #confirmed = false;
  /** When the first attempt began since the subscription last worked, in ms; null while it works. */
  #tryingSince: number | null = null;
  /** Where the subscription itself has got to. */
  #heard: Position = -1;
  /** Newest matching event that a plain read brought first, and since when the subscription has owed it, in ms. */
  #owed: Position = -1;
  #owedSince = 0;
  #rouse: () => void = () => undefined;
  /** Whether it waits for nothing in particular. */
  #unhurried = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#types = parts.types === null ? null : new Set(parts.types);
    this.#inbox = new Inbox(parts.after);
  }

  /** @throws {StoreUnavailable} when the store is away, or the subscription cannot be kept. */
  async *deliveries(): AsyncGenerator<Delivery, void> {
    const keeping = this.#keep().finally(() => {
      this.#over = true;
      this.#inbox.wake();
    });
    // Its failure is for the consumer, after all that came before.
    keeping.catch(() => undefined);
    while (!this.#ended) {
      const delivery = this.#inbox.next(this.#parts.hub.head);
      if (delivery !== null) {
        this.#source?.pull();
        yield delivery;
      } else if (this.#over) {
        await keeping;
        return;
      } else {
        await this.#inbox.changed();
      }
    }
  }

  /** Delivers nothing more. */
  end(): void {
    this.#ended = true;
    this.#source?.end();
    this.#inbox.wake();
    this.#rouse();
  }

  /** A method, so that the compiler does not take one answer for all that follow. */
  #hasEnded(): boolean {
    return this.#ended;
  }

  /** The head has moved. */
  headMoved(): void {
    if (this.#unhurried && this.#inbox.place < this.#parts.hub.head) this.#rouse();
  }

  /** Subscribes again after each failure, from its own place. */
  async #keep(): Promise<void> {
    for (let setbacks = 0; !this.#hasEnded();) {
      while (this.#inbox.full && !this.#hasEnded()) await this.#nap(GAP_MS);
      const began = performance.now();
      const { lease } = this.#parts.connection;
      try {
        await this.#attempt(lease);
      } catch (error) {
        if (this.#hasEnded()) return;
        // ABORTED: the server found us too slow, nothing is wrong with the connection.
        if (!(error instanceof TimeoutError)) this.#parts.connection.retire(lease);
        setbacks = performance.now() - began > this.#parts.timeoutMs ? 1 : setbacks + 1;
        if (error instanceof StoreUnavailable) throw error;
        if (setbacks > MAX_SETBACKS) throw new StoreUnavailable('the subscription was lost', { cause: error });
        this.#parts.onRetry();
        await pause(FIRST_PAUSE_MS * 2 ** (setbacks - 1) * Math.random());
      } finally {
        this.#source?.end();
      }
    }
  }

  async #attempt(lease: Handle): Promise<void> {
    this.#held = true;
    this.#tryingSince ??= performance.now();
    this.#confirmed = false;
    this.#sourceError = null;
    this.#heard = -1;
    this.#owed = -1;
    const options = { lease, after: this.#inbox.resumeAt, types: this.#parts.types };
    this.#source = new Source(options, {
      wantsMore: () => !this.#held && !this.#inbox.full,
      take: (entry) => {
        this.#heard = entry.position;
        this.#inbox.take(entry);
      },
      confirmed: () => {
        this.#confirmed = true;
        this.#rouse();
      },
      failed: (error) => {
        this.#sourceError = error;
        this.#rouse();
      },
    });
    await this.#confirmation();
    await this.#bridge();
    while (!this.#ended) await this.#watch();
  }

  async #confirmation(): Promise<void> {
    const deadline = (this.#tryingSince ?? 0) + this.#parts.timeoutMs;
    while (!this.#confirmed && !this.#ended) {
      const left = deadline - performance.now();
      if (left <= 0) throw new StoreUnavailable(`no subscription within ${this.#parts.timeoutMs} ms`);
      await this.#nap(left);
      if (this.#sourceError !== null) throw this.#sourceError;
    }
  }

  /**
   * Some versions of the server (23.10 among them) begin a filtered subscription after the first *matching* event in
   * the search window from the position given, where that position's own event does not match. So after each
   * subscribing as many entries are read plainly, before anything of the subscription is taken.
   */
  async #bridge(): Promise<void> {
    await this.#readOn(BRIDGE_ENTRIES);
    this.#held = false;
    this.#tryingSince = null;
    this.#source?.pull();
  }

  /** Waits for a quiet time, then reads what lies between the place and the head. */
  async #watch(): Promise<void> {
    const { hub, timeoutMs } = this.#parts;
    const place = this.#inbox.place;
    const behind = place < hub.head;
    this.#unhurried = !behind;
    const quiet = await this.#nap(behind ? GAP_MS : WATCH_MS);
    this.#unhurried = false;
    if (this.#sourceError !== null) throw this.#sourceError;
    if (this.#ended || this.#inbox.full) return;
    if (this.#heard < this.#owed && performance.now() - this.#owedSince > timeoutMs) {
      throw new Error('the subscription has fallen silent');
    }
    if (quiet && this.#inbox.place === place) await this.#readOn(BRIDGE_ENTRIES);
  }

  /** Reads `$all` from the place on, up to the head or so many entries. */
  async #readOn(limit: number): Promise<void> {
    const head = await this.#parts.reads.head();
    this.#parts.hub.note(head);
    if (head === null) return;
    for (let read = 0; this.#inbox.place < head && read < limit && !this.#ended;) {
      const entries = await this.#parts.reads.allPage(this.#inbox.resumeAt);
      if (entries.length === 0) break;
      read += entries.length;
      for (const entry of entries) this.#takeRead(entry);
    }
    if (this.#inbox.place >= head) this.#inbox.reachedHead();
  }

  #takeRead({ position, event }: Entry): void {
    const wanted = event !== null && (this.#types?.has(event.type) ?? true) ? event : null;
    if (!this.#inbox.take({ position, event: wanted }) || wanted === null) return;
    if (this.#owed <= this.#heard) this.#owedSince = performance.now();
    this.#owed = position;
  }

  /** Whether the time passed undisturbed. */
  async #nap(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const quiet = await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), ms);
      this.#rouse = () => resolve(false);
    });
    clearTimeout(timer);
    this.#rouse = () => undefined;
    return quiet;
  }
}
