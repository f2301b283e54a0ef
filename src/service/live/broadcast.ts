import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';
import type { EventSink } from '../domain/event-source.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { pause, type Clock } from '../kernel/ports/system.ts';
import type { Change } from './changes.ts';
import { LiveBoard } from './live-board.ts';
import type { SharedYielder } from './shared-yielder.ts';
import type { Turns } from './waiting.ts';

export interface Reader {
  readonly sink: EventSink;
  /** Name of the client's address. */
  readonly address: string;
  /** Position up to which the reader has all changes, as far as the broadcast needs to know. */
  after: Position;
}

export interface Schedule {
  /** ms from now until the change may be sent; 0 or less: now. */
  readonly msUntil: (change: Change) => number;
  /** Of a replay: takes over its reader once all changes have been sent. */
  readonly onEnd?: (readers: readonly Reader[]) => void;
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
  readonly onClose: () => void;
}

/** Bytes that may wait for a reader of the past; beyond that, nothing more is computed for them until they are taken. */
const PAST_BYTES = 524_288;

const RETRY_MS = 1_000;

/** Longest time, in ms, that a timer is set for: the next change may be another one by then. */
const LONGEST_TIMER_MS = 60_000;

export class Broadcast {
  readonly #board: LiveBoard;
  readonly #options: BroadcastOptions;
  readonly #readers = new Set<Reader>();
  /** Readers who have come back, until they have caught up with the others. */
  readonly #behind = new Set<Reader>();
  /** Those of them who must first take what was sent. */
  readonly #stalled = new Set<Reader>();
  #isSending = false;
  /** Aborts when all of those who are being sent what they missed have left; null while there are none. */
  #catchingUp: AbortController | null = null;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(board: LiveBoard, options: BroadcastOptions) {
    this.#board = board;
    this.#options = options;
  }

  /** Adds a reader who has nothing: the whole board is sent first. */
  join(reader: Reader): void {
    reader.after = this.#board.position;
    this.#readers.add(reader);
    reader.sink.write(this.#board.frame());
  }

  /** Adds a reader who has all changes up to `reader.after`: the next change is sent first. */
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
      while (this.#isDue()) {
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
    for (const reader of this.#readers) {
      sendTo(reader, batch);
      const others = this.#options.yielder.step();
      if (others !== null) await others;
    }
  }

  readonly #isDue = (): boolean => {
    const { next } = this.#board;
    if (this.#isClosed || next === undefined || this.#stalledReplay() !== null) return false;
    return this.#options.schedule.msUntil(next) <= 0;
  };

  #wait(): void {
    const { next } = this.#board;
    const stalled = this.#stalledReplay();
    if (this.#isClosed) return;
    if (stalled !== null) stalled.sink.onTaken(this.wake);
    else if (next === undefined) this.#handOver();
    else this.#wakeIn(this.#options.schedule.msUntil(next));
  }

  /** The reader of a replay, if they must first take what was sent; null otherwise. */
  #stalledReplay(): Reader | null {
    if (this.#options.schedule.onEnd === undefined) return null;
    const [reader] = this.#readers;
    return reader !== undefined && reader.sink.waiting > PAST_BYTES ? reader : null;
  }

  #handOver(): void {
    const { onEnd } = this.#options.schedule;
    if (onEnd === undefined) return;
    const readers = [...this.#readers];
    this.#readers.clear();
    for (const reader of readers) reader.after = Math.max(reader.after, this.#board.position);
    onEnd(readers);
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
    const waiting = { address, signal };
    const after = Math.min(...Array.from(group, (reader) => reader.after));
    const past = await turns.run(waiting, () =>
      LiveBoard.at(timeline, timeline.indexAfter(after), { ...this.#options, signal }),
    );
    const isBehind = (): boolean => past.index < this.#board.index;
    while (isBehind()) {
      const batch = await turns.run(waiting, () => nextBatch(past, yielder, isBehind));
      for (const reader of group) {
        if (!this.#behind.has(reader)) group.delete(reader);
        else sendTo(reader, batch);
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

/** From then on a batch is full. */
const BATCH_BYTES = 65_536;

/** The events of successive changes that are due at once, of each change and of all: a reader gets them in one write. */
interface Batch {
  readonly frames: readonly { readonly position: Position; readonly frame: Buffer }[];
  readonly whole: Buffer;
}

async function nextBatch(board: LiveBoard, yielder: SharedYielder, isDue: () => boolean): Promise<Batch> {
  const frames = [];
  let bytes = 0;
  while (bytes < BATCH_BYTES && isDue()) {
    const others = yielder.step();
    if (others !== null) await others;
    const { next } = board;
    if (next === undefined) break;
    try {
      const frame = await board.advance(next);
      if (frame !== null) frames.push({ position: next.position, frame });
      bytes += frame?.length ?? 0;
    } catch (error) {
      // It is thrown again with the next batch, once what was taken before is sent.
      if (frames.length === 0) throw error;
      break;
    }
  }
  return { frames, whole: Buffer.concat(frames.map(({ frame }) => frame)) };
}

function sendTo({ sink, after }: Reader, { frames, whole }: Batch): void {
  const [first] = frames;
  if (first === undefined) return;
  if (after < first.position) sink.write(whole);
  else for (const { position, frame } of frames) if (after < position) sink.write(frame);
}
