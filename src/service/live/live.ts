import { LRUCache } from 'lru-cache';
import type { EventBoard } from '../../../queries/leaderboards/lap-board.ts';
import { racingEvents } from '../../../projections/racing-events.ts';
import { readOne } from '../../domain/documents.ts';
import type { EventSource } from '../http/event-source.ts';
import type { MarkedPosition } from '../http/marked-position.ts';
import type { AnyRequester } from '../http/requester.ts';
import { UnknownEvent } from '../../kernel/event-types.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { EventStore, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import type { CheckpointWaiter } from '../../kernel/projection/checkpoint-waiter.ts';
import { markOf } from './changes.ts';
import { Feed, type FeedOptions } from './feed.ts';
import { createHeartbeats, type Heartbeats } from './heartbeats.ts';
import { CachedBoards, type LapBoardRequest } from './cached-boards.ts';
import { requiredCars, requireDriven } from './listed-filter.ts';
import { loadTimeline } from './load-timeline.ts';
import { SharedYielder } from './shared-yielder.ts';
import { Subscriptions, type SubscriptionOptions, type SubscriptionRequest } from './subscriptions.ts';
import type { LiveSources, Timeline } from './timeline.ts';
import { untilAborted, type Turns } from './board-turns.ts';

export interface LiveRequest extends Omit<SubscriptionRequest, 'after'> {
  readonly eventId: string;
  /** Position up to which the reader has all changes; null: they have nothing. */
  readonly after: MarkedPosition | null;
}

export interface LiveOptions extends Pick<FeedOptions, 'clock' | 'onError' | 'outage'> {
  readonly store: Pick<EventStore, 'subscribe' | 'readStream' | 'head'>;
  readonly models: ReadModels;
  readonly checkpointWaiter: Pick<CheckpointWaiter, 'waitFor'>;
  /** Runs what takes long: loading events, making boards, sending the past. */
  readonly turns: Turns;
}

/** Longest wait, in ms, for the read models. */
const REFLECT_MS = 5_000;

/** Time, in ms, for which an event is kept after its last use: readers who were cut off come back, and boards are paged. */
const LINGER_MS = 300_000;

const MAX_EVENTS = 100;

/** Changes in memory, of all events, above which no more events are loaded. */
const MAX_CHANGES_IN_MEMORY = 500_000;

/** A racing event that has readers, or had some a moment ago. */
interface OpenEvent {
  /** Null: there is no such event. */
  loaded: Promise<Subscriptions | null>;
  /** Aborted when the last reader leaves before it is loaded. */
  readonly abandoned: AbortController;
  /** Null until it is loaded. */
  subscriptions: Subscriptions | null;
  /** Events of the log that arrived while it was being loaded. */
  readonly buffer: RecordedEvent[];
  users: number;
  cancelRemoval: () => void;
}

/** The live boards of a process; nothing runs before the first reader. */
export class Live {
  readonly #options: LiveOptions;
  readonly #sources: LiveSources;
  readonly #feed: Feed;
  readonly #heartbeats: Heartbeats;
  readonly #subscriptionOptions: SubscriptionOptions;
  readonly #events = new Map<string, OpenEvent>();
  readonly #boards = new CachedBoards();
  readonly #requested = new LRUCache<string, true>({ max: MAX_EVENTS, ttl: LINGER_MS });

  constructor(options: LiveOptions) {
    this.#options = options;
    const { store, models, checkpointWaiter, clock } = options;
    const reflect = async (position: Position): Promise<void> => {
      if (position === 0 || (await checkpointWaiter.waitFor(position, REFLECT_MS))) return;
      throw new StoreUnavailable('the read models are behind the live feed');
    };
    this.#sources = { store, models, reflect, clock };
    this.#feed = new Feed({ ...options, onEvent: (event) => this.#take(event) });
    this.#heartbeats = createHeartbeats(clock, () => this.#feed.behindMs);
    this.#subscriptionOptions = {
      ...options,
      yielder: new SharedYielder(),
      heartbeats: this.#heartbeats,
      load: { changes: 0 },
    };
  }

  /**
   * Subscribes to the board of an event; null when there is no such event. Ends at once when the signal aborts, with its
   * reason.
   * @throws {NotInEvent} when the filter names what the event neither lists nor has a lap of
   * @throws {OverBudget} when the event has too many laps
   * @throws {StoreUnavailable}
   */
  async watch(request: LiveRequest, requester: AnyRequester): Promise<EventSource | null> {
    const { eventId } = request;
    const { models } = this.#options;
    const document = await readOne(models, racingEvents, eventId);
    if (document === null) return null;
    const required = await requiredCars(request, document, models);
    requester.signal.throwIfAborted();
    const event = this.#use(eventId, requester);
    const release = (): void => this.#release(eventId, event);
    try {
      const subscriptions = await untilAborted(event.loaded, requester.signal);
      if (subscriptions === null) {
        release();
        return null;
      }
      const { timeline } = subscriptions;
      requireDriven(required, timeline.named.car);
      const after = await this.#knownPosition(timeline, request, requester);
      return await subscriptions.subscribe({ ...request, after }, requester, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * The board of the laps of an event that pass a filter, with all changes that the read models have; null when there is
   * no such event.
   * @throws {OverBudget} when the event has too many laps
   * @throws {StoreUnavailable}
   */
  async lapBoard(request: LapBoardRequest): Promise<EventBoard | null> {
    const { eventId } = request.filter;
    const event = this.#use(eventId, request);
    try {
      const subscriptions = await untilAborted(event.loaded, request.signal);
      if (subscriptions === null) return null;
      await this.#catchUp();
      return await this.#boards.board(subscriptions.timeline, request);
    } finally {
      this.#release(eventId, event);
    }
  }

  /** Whether the laps of an event are in memory, or this method was called for it within the last minutes. */
  isFollowed(eventId: string): boolean {
    const isFollowed = this.#events.has(eventId) || this.#requested.has(eventId);
    this.#requested.set(eventId, true);
    return isFollowed;
  }

  /** Number of readers, and racing events and changes in memory; and how far, in ms, it is behind the log. */
  status() {
    const behindMs = this.#events.size === 0 ? 0 : this.#feed.behindMs;
    return {
      readers: this.#heartbeats.readers(),
      events: this.#events.size,
      changes: this.#changesInMemory(),
      behindMs,
    };
  }

  async stop(): Promise<void> {
    this.#heartbeats.stop();
    for (const [eventId, event] of this.#events) this.#remove(eventId, event);
    await this.#feed.stop();
  }

  /**
   * The position that a reader names; null if this log does not have it, or has another change there, as an older backup
   * was restored: the reader gets a whole board. A position without a mark is taken as one of this log.
   * @throws {StoreUnavailable} when the feed does not reach it
   */
  async #knownPosition(timeline: Timeline, { after, carClassId }: LiveRequest, requester: AnyRequester) {
    if (after === null) return null;
    const { position, mark } = after;
    // The class that a car had before is not kept, so the reader needs a new board.
    const hasMovedCars = () => timeline.hasMovedCars(position);
    if (carClassId !== undefined && (await this.#options.turns.run(requester, hasMovedCars))) return null;
    const isReached = position <= Math.max(timeline.position, this.#feed.position);
    if (!isReached && position > ((await this.#options.store.head()) ?? 0)) return null;
    if (mark === null) return position;
    // Another node has sent it, which is further than this one.
    if (!isReached && !(await this.#feed.reach(position, REFLECT_MS)))
      throw new StoreUnavailable('the live feed is behind the position of a reader');
    const change = timeline.changeAt(position);
    return change !== undefined && markOf(change) === mark ? position : null;
  }

  /** Waits until the timelines have all changes that the read models have. */
  async #catchUp(): Promise<void> {
    const { models, store } = this.#options;
    const position = (await models.checkpoint()) ?? 0;
    if (position <= this.#feed.position) return;
    // A subscription need not report positions after its last event at once; asking for the head makes it do so.
    await store.head();
    if (await this.#feed.reach(position, REFLECT_MS)) return;
    throw new StoreUnavailable('the live feed is behind the read models');
  }

  /** @throws an error that can be answered when the event must be loaded, and the share of the client is used up */
  #use(eventId: string, requester: AnyRequester): OpenEvent {
    const event = this.#events.get(eventId) ?? this.#add(eventId, requester);
    event.users += 1;
    event.cancelRemoval();
    return event;
  }

  /** Begins to load an event. The client that asks first is charged for the laps that are read. */
  #add(eventId: string, { address, usage }: AnyRequester): OpenEvent {
    usage?.requireShare();
    const abandoned = new AbortController();
    const event: OpenEvent = {
      loaded: Promise.resolve(null),
      abandoned,
      subscriptions: null,
      buffer: [],
      users: 0,
      cancelRemoval: () => undefined,
    };
    this.#events.set(eventId, event);
    event.loaded = this.#load(eventId, event, { address, signal: abandoned.signal, usage });
    return event;
  }

  #release(eventId: string, event: OpenEvent): void {
    event.users -= 1;
    if (event.users > 0) return;
    const remove = (): void => this.#remove(eventId, event);
    if (event.subscriptions === null || this.#events.get(eventId) !== event) {
      remove();
      return;
    }
    event.cancelRemoval = this.#options.clock.after(LINGER_MS, remove);
    // In the order of their last use.
    this.#events.delete(eventId);
    this.#events.set(eventId, event);
  }

  #remove(eventId: string, event: OpenEvent): void {
    event.cancelRemoval();
    event.abandoned.abort();
    if (event.subscriptions !== null) this.#boards.drop(event.subscriptions.timeline);
    event.subscriptions?.close();
    if (this.#events.get(eventId) === event) this.#events.delete(eventId);
    if (this.#events.size === 0) void this.#feed.stop();
  }

  /** Loads the changes up to the position of the feed, and adds what the feed has brought since. */
  async #load(
    eventId: string,
    event: OpenEvent,
    { address, signal, usage }: AnyRequester,
  ): Promise<Subscriptions | null> {
    await this.#feed.start();
    const { position } = this.#feed;
    const sources = this.#sources;
    await sources.reflect(position);
    const load = async (): Promise<Subscriptions | null> => {
      this.#makeRoom();
      const timeline = await loadTimeline({ eventId, position, sources, signal, visits: usage });
      if (timeline === null) return null;
      const { buffer } = event;
      while (true) {
        const next = buffer.shift();
        if (next === undefined) break;
        await this.#takeInto(timeline, next);
      }
      event.subscriptions = new Subscriptions(timeline, this.#subscriptionOptions);
      return event.subscriptions;
    };
    // Without the usage: others who wait for the same event must not depend on this client's share.
    return this.#options.turns.run({ address, signal }, load).finally(() => usage?.settle());
  }

  /** @throws {StoreUnavailable} when too many laps are in memory */
  #makeRoom(): void {
    for (const [eventId, event] of this.#events) {
      if (this.#changesInMemory() <= MAX_CHANGES_IN_MEMORY && this.#events.size <= MAX_EVENTS) return;
      if (event.users === 0) this.#remove(eventId, event);
    }
    if (this.#changesInMemory() > MAX_CHANGES_IN_MEMORY) throw new StoreUnavailable('too many laps are being watched');
  }

  #changesInMemory(): number {
    let changes = 0;
    for (const { subscriptions } of this.#events.values()) changes += subscriptions?.timeline.changes.length ?? 0;
    return changes;
  }

  async #take(recorded: RecordedEvent): Promise<void> {
    for (const { subscriptions, buffer } of this.#events.values()) {
      if (subscriptions === null) buffer.push(recorded);
      else await this.#takeInto(subscriptions.timeline, recorded);
    }
  }

  async #takeInto(timeline: Timeline, recorded: RecordedEvent): Promise<void> {
    try {
      await timeline.take(recorded);
    } catch (error) {
      if (!(error instanceof UnknownEvent)) throw error;
      // A newer release has written the event; the read models park it.
      this.#options.onError(error);
    }
  }
}
