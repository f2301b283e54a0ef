import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { Clock } from '../kernel/ports/system.ts';
import type { Change } from './changes.ts';
import { Cursor } from './cursor.ts';
import { Yielder } from '../domain/give-way.ts';

/** The connection of a reader. */
export interface LiveSink {
  /** Sends bytes; does nothing when the reader has gone. */
  write(bytes: Uint8Array): void;
  /** Bytes that the reader has not taken yet. */
  readonly waiting: number;
  /** Calls `listener` once when the reader has taken all of them. */
  onTaken(listener: () => void): void;
}

/** A reader who is sent the changes of a board. */
export interface Reader {
  readonly sink: LiveSink;
  /** Position up to which the reader has all changes, as far as the broadcast needs to know. */
  after: Position;
}

/** When a broadcast sends changes. */
export interface Schedule {
  /** ms from now until the change may be sent; 0 or less: now. */
  readonly msUntil: (change: Change) => number;
  /** Takes over the readers once all changes have been sent. */
  readonly onEnd?: (readers: readonly Reader[]) => void;
}

/** Options of a broadcast. */
export interface BroadcastOptions {
  readonly filter: BoardFilter;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly onClose: () => void;
}

/** Bytes that may wait for a reader who catches up; past that, the reader is sent nothing until they are taken. */
const CATCH_UP_BYTES = 1_048_576;

/** Pause, in ms, before a retry. */
const RETRY_MS = 1_000;

/** Longest time, in ms, that a timer is set for: the next change may be another one by then. */
const LONGEST_TIMER_MS = 60_000;

/** Sends the changes of a board to its readers, the same bytes to all. */
export class Broadcast {
  readonly #cursor: Cursor;
  readonly #options: BroadcastOptions;
  readonly #readers = new Set<Reader>();
  /** Readers who have come back, until they have caught up with the others. */
  readonly #behind = new Set<Reader>();
  #board: { readonly position: Position; readonly frame: Buffer } | null = null;
  #isSending = false;
  #isCatchingUp = false;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(cursor: Cursor, options: BroadcastOptions) {
    this.#cursor = cursor;
    this.#options = options;
  }

  /** Adds a reader who has nothing: the whole board is sent first. */
  join(reader: Reader): void {
    const { position } = this.#cursor;
    if (this.#board?.position !== position) this.#board = { position, frame: this.#cursor.board() };
    reader.after = position;
    this.#readers.add(reader);
    reader.sink.write(this.#board.frame);
  }

  /** Adds a reader who has all changes up to `reader.after`: the next change is sent first. */
  resume(reader: Reader): void {
    if (reader.after >= this.#cursor.position) {
      this.#readers.add(reader);
      return;
    }
    this.#behind.add(reader);
    if (!this.#isCatchingUp) void this.#catchUp();
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
    this.#behind.delete(reader);
  }

  /** Call it when there may be something to send. */
  readonly wake = (): void => {
    if (!this.#isSending && !this.#isClosed) void this.#send();
  };

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#options.onClose();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    this.#cancelTimer();
    try {
      const yielder = new Yielder();
      for (let change = this.#due(); change !== null; change = this.#due()) {
        const frame = await this.#cursor.advance(change);
        if (frame !== null) this.#readers.forEach((reader) => sendTo(reader, change, frame));
        await yielder.step();
      }
    } catch (error) {
      this.#options.onError(error);
      this.#wakeIn(RETRY_MS);
    } finally {
      this.#isSending = false;
    }
  }

  /** The next change, if it is due; otherwise sets a timer for it. */
  #due(): Change | null {
    if (this.#isClosed) return null;
    const { next } = this.#cursor;
    if (next === undefined) {
      this.#handOver();
      return null;
    }
    const wait = this.#options.schedule.msUntil(next);
    if (wait <= 0) return next;
    this.#wakeIn(wait);
    return null;
  }

  #handOver(): void {
    const { onEnd } = this.#options.schedule;
    if (onEnd === undefined) return;
    const readers = [...this.#readers];
    this.#readers.clear();
    for (const reader of readers) reader.after = Math.max(reader.after, this.#cursor.position);
    onEnd(readers);
  }

  #wakeIn(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.after(Math.min(ms, LONGEST_TIMER_MS), this.wake);
  }

  /** Sends returning readers the changes that they missed: each is computed once for all of them. */
  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    while (this.#behind.size > 0 && !this.#isClosed) {
      try {
        await this.#catchUpGroup(new Set(this.#behind));
      } catch (error) {
        this.#options.onError(error);
        await new Promise<void>((resolve) => this.#options.clock.after(RETRY_MS, resolve));
      }
    }
    this.#isCatchingUp = false;
  }

  async #catchUpGroup(group: Set<Reader>): Promise<void> {
    const { timeline } = this.#cursor;
    const first = Math.min(...Array.from(group, ({ after }) => after));
    const cursor = await Cursor.at(timeline, this.#options.filter, timeline.indexAfter(first));
    const yielder = new Yielder();
    while (cursor.index < this.#cursor.index && cursor.next !== undefined) {
      const change = cursor.next;
      const frame = await cursor.advance(change);
      for (const reader of group) {
        if (!this.#behind.has(reader)) group.delete(reader);
        else if (frame !== null) sendTo(reader, change, frame);
        reader.after = Math.max(reader.after, change.position);
        if (reader.sink.waiting > CATCH_UP_BYTES) this.#setAside(reader, group);
      }
      if (group.size === 0) return;
      await yielder.step();
    }
    for (const reader of group) if (this.#behind.delete(reader)) this.#readers.add(reader);
  }

  /** Waits until a reader has taken what was sent, and then resumes it. */
  #setAside(reader: Reader, group: Set<Reader>): void {
    group.delete(reader);
    this.#behind.delete(reader);
    reader.sink.onTaken(() => {
      this.resume(reader);
    });
  }
}

function sendTo(reader: Reader, { position }: Change, frame: Buffer): void {
  if (reader.after < position) reader.sink.write(frame);
}
