import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';
import type { AnyRequester } from '../http/requester.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import { LONGEST_TIMER_MS, nextBatch, PAST_BYTES, RETRY_MS, sendTo, type Batch, type Reader } from './batches.ts';
import type { Change } from './changes.ts';
import { LiveBoard } from './live-board.ts';
import type { SharedYielder } from './shared-yielder.ts';
import type { Timeline } from './timeline.ts';
import type { Turns } from './board-turns.ts';
import { chargeChanges } from './charges.ts';

export interface ReplayOptions {
  readonly timeline: Timeline;
  readonly filter: BoardFilter;
  /** Number of changes that its first board shows. */
  readonly index: number;
  /** ms from now until a change may be sent; 0 or less: now. */
  readonly msUntil: (change: Change) => number;
  /** Whether a board of so many changes is as far as those of everybody else. */
  readonly isAtEnd: (index: number) => boolean;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly yielder: SharedYielder;
  readonly onError: (error: unknown) => void;
}

/**
 * Past changes for one reader, until they have all of them: at the original pace, or as fast as the client may have them. Each
 * batch takes a turn and is charged. The next one waits until the reader has taken it and their address may have more.
 */
export class Replay {
  readonly #board: LiveBoard;
  readonly #options: ReplayOptions;
  readonly #requester: AnyRequester;
  readonly #closed = new AbortController();

  private constructor(board: LiveBoard, options: ReplayOptions, requester: AnyRequester) {
    this.#board = board;
    this.#options = options;
    this.#requester = requester;
  }

  /** Makes the first board. @throws the signal's reason */
  static async open(options: ReplayOptions, requester: AnyRequester): Promise<Replay> {
    const { timeline, filter, index, turns, yielder } = options;
    const { address, signal } = requester;
    const board = await LiveBoard.at(timeline, index, { filter, yielder, signal }, (work) =>
      turns.run({ address, signal }, work),
    );
    return new Replay(board, options, requester);
  }

  /**
   * Begins for a reader: with the whole board, unless they have all changes up to `reader.after`. `onEnd` is called when
   * they have what everybody else has.
   */
  start(reader: Reader, hasBoard: boolean, onEnd: () => void): void {
    if (!hasBoard) {
      const frame = this.#board.frame();
      reader.after = this.#board.position;
      reader.sink.write(frame);
      this.#charge(0, frame.length);
    }
    void this.#run(reader, onEnd);
  }

  close(): void {
    this.#closed.abort();
  }

  #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  async #run(reader: Reader, onEnd: () => void): Promise<void> {
    const { clock, msUntil, isAtEnd, onError } = this.#options;
    const { signal } = this.#closed;
    while (!this.#isClosed()) {
      const { next } = this.#board;
      if (next === undefined || isAtEnd(this.#board.index)) {
        reader.after = Math.max(reader.after, this.#board.position);
        onEnd();
        return;
      }
      const ms = Math.max(msUntil(next), this.#requester.usage?.restMs() ?? 0);
      if (ms > 0) {
        await pause(clock, Math.min(ms, LONGEST_TIMER_MS), signal);
        continue;
      }
      if (reader.sink.waiting > PAST_BYTES) {
        await this.#taken(reader);
        continue;
      }
      try {
        const batch = await this.#nextBatch(next);
        if (this.#isClosed()) return;
        this.#charge(batch.changes, sendTo(reader, batch));
        reader.after = Math.max(reader.after, this.#board.position);
      } catch (error) {
        if (this.#isClosed()) return;
        onError(error);
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  async #nextBatch(next: Change): Promise<Batch> {
    const { turns, yielder, msUntil } = this.#options;
    const board = this.#board;
    const { address, usage } = this.#requester;
    const { signal } = this.#closed;
    await board.prepare(next);
    const isDue = (): boolean => board.next !== undefined && msUntil(board.next) <= 0;
    const batch = await turns.run({ address, signal }, () => nextBatch(board, yielder, isDue));
    usage?.worked(batch.ms);
    return batch;
  }

  #charge(changes: number, bytes: number): void {
    chargeChanges(this.#requester.usage, changes, bytes);
  }

  /** Resolves when the reader has taken what was sent, or the replay is closed. */
  #taken({ sink }: Reader): Promise<void> {
    const { signal } = this.#closed;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      sink.onTaken(resolve);
    });
  }
}
