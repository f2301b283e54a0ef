import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';
import type { EventSource } from '../domain/event-source.ts';
import type { AnyWaiting } from '../domain/waiting.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { Broadcast, type BroadcastServices, type Reader, type Schedule } from './broadcast.ts';
import type { Change } from './changes.ts';
import { LiveBoard } from './live-board.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Timeline } from './timeline.ts';
import { chargeBoard, untilAborted } from './waiting.ts';

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

/** What a board counts as at least: each change of the event costs as much on a board of few laps. */
const LEAST_ON_BOARD = 10_000;

export interface SubscriptionOptions extends BroadcastServices {
  readonly heartbeats: Heartbeats;
  /** Changes that boards show, of all events. */
  readonly load: { changes: number };
}

interface SharedBroadcast {
  readonly key: string;
  readonly opened: Promise<Broadcast>;
  readonly left: AbortController;
  users: number;
}

interface Beginning {
  readonly filter: BoardFilter;
  /** Number of changes that its first board shows. */
  readonly index: number;
  readonly schedule: Schedule;
  /** Whether most people watch it. */
  readonly isUsual: boolean;
}

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
   * @throws the signal's reason
   */
  async subscribe(request: SubscriptionRequest, waiting: AnyWaiting, onEnd: () => void): Promise<EventSource> {
    const shared = this.#broadcastFor(request, waiting);
    shared.users += 1;
    try {
      const live = await untilAborted(shared.opened, waiting.signal);
      const replay = request.replay && (await this.#openReplay({ ...request, ...request.replay }, live, waiting));
      return this.#subscription([live, replay], { ...request, ...waiting }, () => {
        this.#leave(shared);
        onEnd();
      });
    } catch (error) {
      this.#leave(shared);
      throw error;
    }
  }

  #subscription(
    [live, replay]: readonly [live: Broadcast, replay: Broadcast | null],
    { after, address }: Pick<SubscriptionRequest & AnyWaiting, 'after' | 'address'>,
    onEnd: () => void,
  ): EventSource {
    const { heartbeats } = this.#options;
    let leave = (): void => undefined;
    return {
      start: (sink) => {
        const reader = { sink, address, after: after ?? 0 };
        const first = replay ?? live;
        if (after === null) first.join(reader);
        else first.resume(reader);
        const stopHeartbeats = heartbeats.start(sink);
        leave = () => {
          live.leave(reader);
          replay?.leave(reader);
          stopHeartbeats();
        };
        // A replay begins with its reader.
        replay?.wake();
      },
      end: () => {
        replay?.close();
        leave();
        onEnd();
      },
    };
  }

  /** The broadcast that all identical requests share. */
  #broadcastFor(request: SubscriptionRequest, { address, usage }: AnyWaiting): SharedBroadcast {
    const { trackLayoutId, carId, carClassId, validOnly, delayMs } = request;
    const key = JSON.stringify([trackLayoutId, carId, carClassId, validOnly, delayMs]);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const index = this.#releasedIndex(delayMs);
    const isUsual = delayMs === 0 && this.#isUsual(request);
    if (!isUsual) chargeBoard(usage, index);
    const left = new AbortController();
    const beginning = { filter: request, index, schedule: this.#schedule(delayMs), isUsual };
    const opened = this.#open(beginning, { address, signal: left.signal });
    const shared = { key, opened, left, users: 0 };
    this.#shared.set(key, shared);
    void opened.then(wake, ignore);
    return shared;
  }

  #leave(shared: SharedBroadcast): void {
    shared.users -= 1;
    if (shared.users > 0) return;
    this.#shared.delete(shared.key);
    shared.left.abort();
    void shared.opened.then((broadcast) => broadcast.close(), ignore);
  }

  async #open({ filter, index, schedule, isUsual }: Beginning, waiting: AnyWaiting): Promise<Broadcast> {
    const { load, turns } = this.#options;
    const changes = isUsual ? 0 : Math.max(index, LEAST_ON_BOARD);
    if (load.changes + changes > MAX_ON_BOARDS) throw new StoreUnavailable('too many boards are being watched');
    load.changes += changes;
    const onClose = (): void => {
      load.changes -= changes;
    };
    const options = { ...this.#options, filter, schedule, onClose, signal: waiting.signal };
    try {
      return new Broadcast(await turns.run(waiting, () => LiveBoard.at(this.timeline, index, options)), options);
    } catch (error) {
      onClose();
      throw error;
    }
  }

  /** A broadcast for one reader, who joins the others once all past changes were sent. */
  async #openReplay(
    request: SubscriptionRequest & NonNullable<SubscriptionRequest['replay']>,
    live: Broadcast,
    { address, signal, usage }: AnyWaiting,
  ): Promise<Broadcast> {
    const { clock } = this.#options;
    const { changes } = this.timeline;
    const { after, delayMs, from, speed } = request;
    const first = after === null ? this.timeline.indexAt(from) : this.timeline.indexAfter(after);
    const index = Math.min(first, this.#releasedIndex(delayMs));
    // A returning reader continues at the moment of the last change that they have.
    const anchor = Math.max(from, after === null ? from : (changes[index - 1]?.at ?? from));
    const startedAt = clock.monotonic();
    const delayed = this.#schedule(delayMs);
    const msUntil = (change: Change): number =>
      Math.max((change.at - anchor) / speed - (clock.monotonic() - startedAt), delayed.msUntil(change));
    const onEnd = (readers: readonly Reader[]): void => {
      for (const reader of readers) live.resume(reader);
    };
    chargeBoard(usage, index);
    const beginning = { filter: request, index, schedule: { msUntil, onEnd }, isUsual: false };
    return this.#open(beginning, { address, signal });
  }

  /** Whether it is the unfiltered board of a layout of the event: there are few of them. */
  #isUsual({ trackLayoutId, carId, carClassId }: BoardFilter): boolean {
    if (carId !== undefined || carClassId !== undefined) return false;
    return trackLayoutId === undefined || this.timeline.event.trackLayoutIds.includes(trackLayoutId);
  }

  #schedule(delayMs: number): Schedule {
    const { clock } = this.#options;
    return { msUntil: ({ at }) => (delayMs === 0 ? 0 : at + delayMs - clock.now()) };
  }

  #releasedIndex(delayMs: number): number {
    const { timeline } = this;
    return delayMs === 0 ? timeline.changes.length : timeline.indexAt(this.#options.clock.now() - delayMs);
  }
}

const wake = (broadcast: Broadcast): void => broadcast.wake();

/** The subscriber gets the error. */
const ignore = (): void => undefined;
