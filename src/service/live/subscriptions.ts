import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';
import type { EventSource } from '../http/event-source.ts';
import type { AnyRequester } from '../http/requester.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import { Broadcast, type BroadcastServices, type Schedule } from './broadcast.ts';
import type { Change } from './changes.ts';
import { HEARTBEAT_MS, REPLAY_HEARTBEAT_MS, type Heartbeats } from './heartbeats.ts';
import { LiveBoard } from './live-board.ts';
import { Replay } from './replay.ts';
import type { Timeline } from './timeline.ts';
import { untilAborted } from './board-turns.ts';
import { chargeBoard } from './charges.ts';

export interface SubscriptionRequest extends BoardFilter {
  /** Position up to which the reader has all changes; null: they have nothing. */
  readonly after: Position | null;
  /** By how long, in ms, everything is delayed. */
  readonly delayMs: number;
  /** Sends past changes again: from this moment (epoch ms), this many times as fast. */
  readonly replay: { readonly from: number; readonly speed: number } | null;
}

/** Most changes on the boards of all events, each summed up separately; the usual boards do not count. */
const MAX_ON_BOARDS = 2_000_000;

/** Changes that every board counts as at least: each change of the event costs as much on a board of few laps. */
const LEAST_ON_BOARD = 10_000;

export interface SubscriptionOptions extends BroadcastServices {
  readonly heartbeats: Heartbeats;
  /** Changes that boards show, of all events. */
  readonly load: { changes: number };
}

interface SharedBroadcast {
  readonly key: string;
  readonly opened: Promise<Broadcast>;
  /** Aborts when its last user has left. */
  readonly abandoned: AbortController;
  /** Whether most people watch it. */
  readonly isUsual: boolean;
  users: number;
  isOpen: boolean;
  cancelClosing: () => void;
}

interface BroadcastStart {
  readonly filter: BoardFilter;
  /** Number of changes that its first board shows. */
  readonly index: number;
  readonly schedule: Schedule;
  readonly isUsual: boolean;
}

/** The past of a subscription. */
interface Past {
  readonly replay: Replay;
  /** Frees what it takes; may be called again. */
  readonly end: () => void;
}

/**
 * Most changes that a returning reader may have missed to get them together with others who were away for a moment. A reader
 * who has missed more gets a replay.
 */
export const NEAR_CHANGES = 1_000;

/** Time, in ms, for which a usual board is kept after its last reader has left, for readers who come back. */
const LINGER_MS = 60_000;

/** The subscriptions of readers to the boards of one racing event. */
export class Subscriptions {
  readonly timeline: Timeline;
  readonly #options: SubscriptionOptions;
  readonly #shared = new Map<string, SharedBroadcast>();

  constructor(timeline: Timeline, options: SubscriptionOptions) {
    this.timeline = timeline;
    this.#options = options;
    timeline.onChange = () => {
      for (const { opened } of this.#shared.values()) void opened.then(wake, ignore);
    };
  }

  /**
   * Subscribes a reader; `onEnd` is called when the subscription ends.
   * @throws {StoreUnavailable}
   * @throws the signal's reason; an error that can be answered when the reader may not have it now
   */
  async subscribe(request: SubscriptionRequest, requester: AnyRequester, onEnd: () => void): Promise<EventSource> {
    const shared = this.#broadcastFor(request, requester);
    shared.users += 1;
    try {
      const live = await untilAborted(shared.opened, requester.signal);
      const past = await this.#openPast(request, live, requester);
      return this.#subscription(live, past, request.after, requester, () => {
        this.#leave(shared);
        onEnd();
      });
    } catch (error) {
      this.#leave(shared);
      throw error;
    }
  }

  /** Closes boards that nobody watches any more. */
  close(): void {
    for (const shared of this.#shared.values()) if (shared.users === 0) this.#close(shared);
  }

  #subscription(
    live: Broadcast,
    past: Past | null,
    after: Position | null,
    { address, usage }: AnyRequester,
    onEnd: () => void,
  ): EventSource {
    const { heartbeats } = this.#options;
    let hasLeft = false;
    let leave = (): void => undefined;
    let stopHeartbeats = (): void => undefined;
    return {
      start: (sink) => {
        const reader = { sink, address, usage, after: after ?? 0 };
        leave = () => live.leave(reader);
        if (past === null) {
          if (after === null) live.join(reader);
          else live.resume(reader);
          stopHeartbeats = heartbeats.start(sink, HEARTBEAT_MS);
          return;
        }
        stopHeartbeats = heartbeats.start(sink, REPLAY_HEARTBEAT_MS);
        past.replay.start(reader, after !== null, () => {
          past.end();
          if (hasLeft) return;
          stopHeartbeats();
          live.resume(reader);
          stopHeartbeats = heartbeats.start(sink, HEARTBEAT_MS);
        });
      },
      end: () => {
        hasLeft = true;
        past?.end();
        leave();
        stopHeartbeats();
        onEnd();
      },
    };
  }

  /** The broadcast that all identical requests share. */
  #broadcastFor(request: SubscriptionRequest, { address, usage }: AnyRequester): SharedBroadcast {
    const { trackLayoutId, carId, carClassId, validOnly, delayMs } = request;
    const key = JSON.stringify([trackLayoutId, carId, carClassId, validOnly, delayMs]);
    const known = this.#shared.get(key);
    if (known !== undefined) {
      known.cancelClosing();
      return known;
    }
    const index = this.#releasedIndex(delayMs);
    const isUsual = delayMs === 0 && this.#isUsual(request);
    if (!isUsual) chargeBoard(usage, index);
    const abandoned = new AbortController();
    const start = { filter: request, index, schedule: this.#schedule(delayMs), isUsual };
    const opened = this.#open(start, { address, signal: abandoned.signal });
    const shared = { key, opened, abandoned, isUsual, users: 0, isOpen: false, cancelClosing: () => undefined };
    this.#shared.set(key, shared);
    void opened.then((broadcast) => {
      shared.isOpen = true;
      broadcast.wake();
    }, ignore);
    return shared;
  }

  #leave(shared: SharedBroadcast): void {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (!shared.isUsual || !shared.isOpen) {
      this.#close(shared);
      return;
    }
    shared.cancelClosing = this.#options.clock.after(LINGER_MS, () => this.#close(shared));
  }

  #close(shared: SharedBroadcast): void {
    shared.cancelClosing();
    if (this.#shared.get(shared.key) === shared) this.#shared.delete(shared.key);
    shared.abandoned.abort();
    void shared.opened.then((broadcast) => broadcast.close(), ignore);
  }

  async #open({ filter, index, schedule, isUsual }: BroadcastStart, requester: AnyRequester): Promise<Broadcast> {
    const { turns } = this.#options;
    const onClose = isUsual ? (): void => undefined : this.#takeLoad(index);
    const options = { ...this.#options, filter, schedule, isUsual, onClose, signal: requester.signal };
    try {
      const board = await LiveBoard.at(this.timeline, index, options, (work) => turns.run(requester, work));
      return new Broadcast(board, options);
    } catch (error) {
      onClose();
      throw error;
    }
  }

  /** Counts a board; returns what frees it. @throws {StoreUnavailable} when too many are being watched */
  #takeLoad(index: number): () => void {
    const { load } = this.#options;
    const changes = Math.max(index, LEAST_ON_BOARD);
    if (load.changes + changes > MAX_ON_BOARDS) throw new StoreUnavailable('too many boards are being watched');
    load.changes += changes;
    return once(() => {
      load.changes -= changes;
    });
  }

  /** The past that a reader is sent first; null: they get what they have missed from the broadcast. */
  async #openPast(request: SubscriptionRequest, live: Broadcast, requester: AnyRequester): Promise<Past | null> {
    const { after, replay } = request;
    const missed = after === null ? 0 : live.index - this.timeline.indexAfter(after);
    if (replay === null && missed <= NEAR_CHANGES) {
      if (missed > 0) requester.usage?.requireShare();
      return null;
    }
    const { index, msUntil } = this.#pastOf(request);
    const leavePlace = requester.replays?.take() ?? ((): void => undefined);
    try {
      chargeBoard(requester.usage, index);
      const freeLoad = this.#takeLoad(index);
      try {
        const isAtEnd = (at: number): boolean => at >= live.index;
        const options = { ...this.#options, timeline: this.timeline, filter: request, index, msUntil, isAtEnd };
        const opened = await Replay.open(options, requester);
        const end = once(() => {
          opened.close();
          freeLoad();
          leavePlace();
        });
        return { replay: opened, end };
      } catch (error) {
        freeLoad();
        throw error;
      }
    } catch (error) {
      leavePlace();
      throw error;
    }
  }

  /** The beginning of the past of a request, and the schedule of its changes. */
  #pastOf({ after, delayMs, replay }: SubscriptionRequest) {
    const { clock } = this.#options;
    const { changes } = this.timeline;
    const delayed = this.#schedule(delayMs).msUntil;
    const first = after === null ? this.timeline.indexAt(replay?.from ?? 0) : this.timeline.indexAfter(after);
    const index = Math.min(first, this.#releasedIndex(delayMs));
    if (replay === null) return { index, msUntil: delayed };
    const { from, speed } = replay;
    // A returning reader continues at the moment of the last change that they have.
    const anchor = Math.max(from, after === null ? from : (changes[index - 1]?.moment ?? from));
    const startedAt = clock.monotonic();
    const msUntil = (change: Change): number =>
      Math.max((change.moment - anchor) / speed - (clock.monotonic() - startedAt), delayed(change));
    return { index, msUntil };
  }

  /** Whether it is the unfiltered board of a layout of the event: there are few of them. */
  #isUsual({ trackLayoutId, carId, carClassId }: BoardFilter): boolean {
    if (carId !== undefined || carClassId !== undefined) return false;
    return trackLayoutId === undefined || this.timeline.event.trackLayoutIds.includes(trackLayoutId);
  }

  #schedule(delayMs: number): Schedule {
    const { clock } = this.#options;
    return { msUntil: ({ learntAt }) => (delayMs === 0 ? 0 : learntAt + delayMs - clock.monotonic()) };
  }

  #releasedIndex(delayMs: number): number {
    const { timeline } = this;
    return delayMs === 0 ? timeline.changes.length : timeline.indexLearntAt(this.#options.clock.monotonic() - delayMs);
  }
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

const wake = (broadcast: Broadcast): void => broadcast.wake();

/** Ignores an error that the subscriber gets. */
const ignore = (): void => undefined;
