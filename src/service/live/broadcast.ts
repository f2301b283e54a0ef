import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import { LONGEST_TIMER_MS, nextBatch, PAST_BYTES, RETRY_MS, sendTo, type Batch, type Reader } from './batches.ts';
import type { Change } from './changes.ts';
import { LiveBoard } from './live-board.ts';
import type { SharedYielder } from './shared-yielder.ts';
import type { Turns } from './board-turns.ts';
import { chargeChanges, chargePass, chargeSent } from './charges.ts';

export interface Schedule {
  /** ms from now until the change may be sent; 0 or less: now. */
  readonly msUntil: (change: Change) => number;
}

export interface BroadcastServices {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly turns: Turns;
  readonly yielder: SharedYielder;
}

export interface BroadcastOptions extends BroadcastServices {
  readonly filter: BoardFilter;
  readonly schedule: Schedule;
  /** Whether most people watch it: nobody is charged for its changes then. */
  readonly isUsual: boolean;
  readonly onClose: () => void;
}

/** A board for all readers who requested the same one: each of its changes is computed once. */
export class Broadcast {
  readonly #board: LiveBoard;
  readonly #options: BroadcastOptions;
  readonly #readers = new Set<Reader>();
  /** Readers who have come back, until they have caught up with the others. */
  readonly #behind = new Set<Reader>();
  /** Readers who must first take what was sent to them. */
  readonly #stalled = new Set<Reader>();
  #isSending = false;
  /** Aborts when all readers who are catching up have left; null while there are none. */
  #catchingUp: AbortController | null = null;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(board: LiveBoard, options: BroadcastOptions) {
    this.#board = board;
    this.#options = options;
  }

  /** Adds a reader who has nothing: the whole board is sent first. */
  join(reader: Reader): void {
    const frame = this.#board.frame();
    reader.after = this.#board.position;
    this.#readers.add(reader);
    reader.sink.write(frame);
    chargeSent(reader.usage, frame.length);
  }

  /** Number of changes that its board shows. */
  get index(): number {
    return this.#board.index;
  }

  /**
   * Adds a reader who has all changes up to `reader.after`: the next change is sent first. They have missed few: a
   * reader who has missed many first gets a replay of their own, so that nobody waits behind them here.
   */
  resume(reader: Reader): void {
    if (reader.after >= this.#board.position) {
      this.#readers.add(reader);
      return;
    }
    this.#behind.add(reader);
    if (this.#catchingUp === null) void this.#catchUp();
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
    this.#stalled.delete(reader);
    if (this.#behind.delete(reader) && this.#behind.size === 0) this.#catchingUp?.abort();
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
    const { yielder, onError } = this.#options;
    this.#isSending = true;
    this.#cancelTimer();
    try {
      while (this.#isDue() && this.#restMs() <= 0) {
        const { next } = this.#board;
        if (next !== undefined) await this.#board.prepare(next);
        const batch = await nextBatch(this.#board, yielder, this.#isDue);
        await this.#sendToAll(batch);
      }
      this.#wait();
    } catch (error) {
      if (this.#isClosed) return;
      onError(error);
      this.#wakeIn(RETRY_MS);
    } finally {
      this.#isSending = false;
    }
  }

  async #sendToAll(batch: Batch): Promise<void> {
    this.#charge(batch);
    for (const reader of this.#readers) {
      sendTo(reader, batch);
      const others = this.#options.yielder.step();
      if (others !== null) await others;
    }
  }

  /** Charges the readers of a board that few watch for what is made for them: each for a part. */
  #charge({ changes, whole }: Batch): void {
    if (this.#options.isUsual) return;
    const { size } = this.#readers;
    for (const { usage } of this.#readers) chargeChanges(usage, changes / size, whole.length / size);
  }

  /** Time, in ms, until a reader of a board that few watch may have more; 0: at once. */
  #restMs(): number {
    if (this.#options.isUsual || this.#readers.size === 0) return 0;
    let least = Infinity;
    for (const { usage } of this.#readers) least = Math.min(least, usage?.restMs() ?? 0);
    return least;
  }

  readonly #isDue = (): boolean => {
    const { next } = this.#board;
    return !this.#isClosed && next !== undefined && this.#options.schedule.msUntil(next) <= 0;
  };

  #wait(): void {
    const { next } = this.#board;
    if (this.#isClosed || next === undefined) return;
    this.#wakeIn(Math.max(this.#options.schedule.msUntil(next), this.#restMs()));
  }

  #wakeIn(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.after(Math.min(ms, LONGEST_TIMER_MS), this.wake);
  }

  /** Sends returning readers the changes that they missed: each is computed once for all of them. */
  async #catchUp(): Promise<void> {
    const { clock, onError } = this.#options;
    while (this.#behind.size > 0) {
      this.#catchingUp = new AbortController();
      const { signal } = this.#catchingUp;
      try {
        await this.#catchUpGroup(new Set(this.#behind), signal);
      } catch (error) {
        if (signal.aborted) continue;
        onError(error);
        await pause(clock, RETRY_MS, signal);
      }
    }
    this.#catchingUp = null;
  }

  /** The past of a group of readers, in turns of one batch. */
  async #catchUpGroup(group: Set<Reader>, signal: AbortSignal): Promise<void> {
    const { timeline } = this.#board;
    const { turns, yielder } = this.#options;
    const [{ address } = { address: '' }] = group;
    const requester = { address, signal };
    const after = Math.min(...Array.from(group, (reader) => reader.after));
    const past = await LiveBoard.at(timeline, timeline.indexAfter(after), { ...this.#options, signal }, (work) =>
      turns.run(requester, work),
    );
    for (const { usage } of group) chargePass(usage, past.index / group.size);
    const isBehind = (): boolean => past.index < this.#board.index;
    while (isBehind()) {
      if (past.next !== undefined) await past.prepare(past.next);
      const batch = await turns.run(requester, () => nextBatch(past, yielder, isBehind));
      for (const reader of group) {
        if (!this.#behind.has(reader)) group.delete(reader);
        else chargeChanges(reader.usage, batch.changes / group.size, sendTo(reader, batch));
        reader.after = Math.max(reader.after, past.position);
        if (reader.sink.waiting > PAST_BYTES) this.#stall(reader, group);
        const others = yielder.step();
        if (others !== null) await others;
      }
      if (group.size === 0) return;
    }
    for (const reader of group) if (this.#behind.delete(reader)) this.#readers.add(reader);
  }

  /** Waits until a reader has taken what was sent, and then resumes it. */
  #stall(reader: Reader, group: Set<Reader>): void {
    group.delete(reader);
    if (this.#behind.delete(reader)) this.#stalled.add(reader);
    reader.sink.onTaken(() => {
      if (this.#stalled.delete(reader)) this.resume(reader);
    });
  }
}
