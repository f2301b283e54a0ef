import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Clock } from '../kernel/ports/system.ts';
import type { Change } from './changes.ts';
import { Channel, type LiveSink, type Pace, type Reader } from './channel.ts';
import { Cursor } from './cursor.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Timeline } from './timeline.ts';
import type { Turnstile } from './turns.ts';

/** A board that is to be watched, and how. */
export interface SeatRequest extends BoardFilter {
  /** Position up to which the reader has all changes; null: they have nothing. */
  readonly after: Position | null;
  /** For how long, in ms, everything is held back. */
  readonly delayMs: number;
  /** From when on, epoch ms, and how many times as fast, what has happened is shown once more; null: it is not. */
  readonly replay: { readonly from: number; readonly speed: number } | null;
}

/** A place at a live board, for one reader. */
export interface LiveSeat {
  /** Begins to send. */
  start(sink: LiveSink): void;
  /** Gives the place up; to be called once in any case. */
  end(): void;
}

/**
 * Changes that the boards of all events may show together, at most: each keeps its own sums of them. Those that most people
 * watch do not count, so that nobody can use up their room.
 */
const MAX_ON_BOARDS = 2_000_000;

/** Boards that are put together at a time. */
export const FOLDS = 2;

/** What the channels of a process share. */
export interface SeatOptions {
  readonly clock: Clock;
  readonly heartbeats: Heartbeats;
  readonly onError: (error: unknown) => void;
  /** Changes that boards show, of all events. */
  readonly load: { changes: number };
  readonly folds: Turnstile;
}

/** A channel, and how many use it or are about to. */
interface SharedChannel {
  readonly key: string;
  readonly opened: Promise<OpenChannel>;
  users: number;
}

interface OpenChannel {
  readonly channel: Channel;
  readonly close: () => void;
}

/** The places at the boards of one event. */
export class Seats {
  readonly #timeline: Timeline;
  readonly #options: SeatOptions;
  readonly #channels = new Map<string, SharedChannel>();

  constructor(timeline: Timeline, options: SeatOptions) {
    this.#timeline = timeline;
    this.#options = options;
    timeline.onChange = () => {
      for (const { opened } of this.#channels.values()) void opened.then(({ channel }) => channel.wake(), ignore);
    };
  }

  /**
   * Finds a place; `released` is called when it is given up.
   * @throws {StoreUnavailable}
   */
  async seat(request: SeatRequest, released: () => void): Promise<LiveSeat> {
    const shared = this.#channelFor(request);
    shared.users += 1;
    try {
      const { channel } = await shared.opened;
      const replay = request.replay === null ? null : await this.#openReplay(request, request.replay, channel);
      const leave = (): void => {
        this.#leave(shared);
        released();
      };
      return new Seat({ live: channel, replay, after: request.after, heartbeats: this.#options.heartbeats, leave });
    } catch (error) {
      this.#leave(shared);
      throw error;
    }
  }

  /** The channel of all who want the same. */
  #channelFor(request: SeatRequest): SharedChannel {
    const { trackLayoutId, carId, carClassId, validOnly, delayMs } = request;
    const key = JSON.stringify([trackLayoutId, carId, carClassId, validOnly, delayMs]);
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const opened = this.#open(request, this.#releasedIndex(delayMs), this.#pace(delayMs));
    const shared = { key, opened, users: 0 };
    this.#channels.set(key, shared);
    void opened.then(({ channel }) => channel.wake(), ignore);
    return shared;
  }

  #leave(shared: SharedChannel): void {
    shared.users -= 1;
    if (shared.users > 0) return;
    this.#channels.delete(shared.key);
    void shared.opened.then(({ close }) => close(), ignore);
  }

  async #open(filter: BoardFilter, index: number, pace: Pace): Promise<OpenChannel> {
    const { clock, onError, load, folds } = this.#options;
    const changes = pace.isUsual === true && this.#isUsual(filter) ? 0 : index;
    if (load.changes + changes > MAX_ON_BOARDS) throw new StoreUnavailable('too many boards are being watched');
    load.changes += changes;
    const release = (): void => {
      load.changes -= changes;
    };
    try {
      const channel = new Channel(await folds.pass(() => Cursor.at(this.#timeline, filter, index)), {
        ...{ filter, pace, clock, onError },
      });
      const close = (): void => {
        channel.close();
        release();
      };
      return { channel, close };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** A channel of one reader, who goes on with the others when all that has been was shown. */
  async #openReplay(
    request: SeatRequest,
    { from, speed }: NonNullable<SeatRequest['replay']>,
    live: Channel,
  ): Promise<OpenChannel> {
    const { clock } = this.#options;
    const { changes } = this.#timeline;
    const wanted = request.after === null ? this.#timeline.indexAt(from) : this.#timeline.indexAfter(request.after);
    const index = Math.min(wanted, this.#releasedIndex(request.delayMs));
    // Who comes back goes on at the moment of the last change that they have.
    const anchor = Math.max(from, request.after === null ? from : (changes[index - 1]?.at ?? from));
    const startedAt = clock.monotonic();
    const delayed = this.#pace(request.delayMs);
    const msUntil = (change: Change): number =>
      Math.max((change.at - anchor) / speed - (clock.monotonic() - startedAt), delayed.msUntil(change));
    const onEnd = (readers: readonly Reader[]): void => {
      for (const reader of readers) live.resume(reader);
    };
    return this.#open(request, index, { msUntil, onEnd });
  }

  /** Whether it is the board of a layout of the event, of which there are few. */
  #isUsual({ trackLayoutId, carId, carClassId }: BoardFilter): boolean {
    if (carId !== undefined || carClassId !== undefined) return false;
    return trackLayoutId === undefined || this.#timeline.event.trackLayoutIds.includes(trackLayoutId);
  }

  #pace(delayMs: number): Pace {
    const { clock } = this.#options;
    return { isUsual: delayMs === 0, msUntil: ({ at }) => (delayMs === 0 ? 0 : at + delayMs - clock.now()) };
  }

  /** Number of changes that may be shown by now. */
  #releasedIndex(delayMs: number): number {
    return delayMs === 0 ? this.#timeline.changes.length : this.#timeline.indexAt(this.#options.clock.now() - delayMs);
  }
}

const ignore = (): void => undefined; // Who waited for the channel knows.

interface SeatChannels {
  readonly live: Channel;
  readonly replay: OpenChannel | null;
  readonly after: Position | null;
  readonly heartbeats: Heartbeats;
  readonly leave: () => void;
}

class Seat implements LiveSeat {
  readonly #channels: SeatChannels;
  #reader: Reader | null = null;
  #turn = 0;

  constructor(channels: SeatChannels) {
    this.#channels = channels;
  }

  start(sink: LiveSink): void {
    const { live, replay, after, heartbeats } = this.#channels;
    const reader = { sink, after: after ?? 0 };
    this.#reader = reader;
    this.#turn = heartbeats.add(sink);
    const channel = replay?.channel ?? live;
    if (after === null) channel.join(reader);
    else channel.resume(reader);
    // Whether the board is that of now, nobody could say before the first round.
    heartbeats.tell(sink);
    // A replay begins with its reader.
    if (replay !== null) channel.wake();
  }

  end(): void {
    const { live, replay, heartbeats, leave } = this.#channels;
    replay?.close();
    if (this.#reader !== null) {
      live.leave(this.#reader);
      replay?.channel.leave(this.#reader);
      heartbeats.remove(this.#reader.sink, this.#turn);
    }
    leave();
  }
}
