import type { EventSink } from '../http/event-source.ts';
import type { AnyRequester } from '../http/requester.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { LiveBoard } from './live-board.ts';
import type { SharedYielder } from './shared-yielder.ts';

export interface Reader {
  readonly sink: EventSink;
  /** Name of the client's address. */
  readonly address: string;
  /** Usage that is charged for work that is done for this reader alone, or for few; undefined: nothing is charged. */
  readonly usage: AnyRequester['usage'];
  /** Position up to which the reader has all changes, as far as the broadcast needs to know. */
  after: Position;
}

/** Bytes that may wait for a reader of the past. Beyond that, nothing more is computed until the reader has taken them. */
export const PAST_BYTES = 524_288;

/** Time, in ms, before a retry after a failure. */
export const RETRY_MS = 1_000;

/** Longest time, in ms, that a timer is set for, as another change may have become the next one by then. */
export const LONGEST_TIMER_MS = 60_000;

/** Size of a full batch, in bytes, and in changes, most of which the board may not show. */
const BATCH_BYTES = 65_536;
const BATCH_CHANGES = 1_000;

/** The events of successive changes that are due together, which a reader gets in one write. */
export interface Batch {
  /** Number of changes, including those that the board does not show. */
  readonly changes: number;
  /** The events of each change that the board shows. */
  readonly frames: readonly { readonly position: Position; readonly frame: Buffer }[];
  /** All frames joined. */
  readonly whole: Buffer;
  /** Time, in ms, that was spent on it, without the time that others got meanwhile. */
  readonly ms: number;
}

/**
 * Advances a board by the changes that are due, as far as it is prepared for them and until the batch is full.
 * @throws the error of the first change
 */
export async function nextBatch(board: LiveBoard, yielder: SharedYielder, isDue: () => boolean): Promise<Batch> {
  const frames = [];
  let changes = 0;
  let bytes = 0;
  let ms = 0;
  while (bytes < BATCH_BYTES && changes < BATCH_CHANGES && isDue()) {
    const others = yielder.step();
    if (others !== null) await others;
    const { next } = board;
    if (next === undefined || !board.isPrepared(next)) break;
    const startedAt = performance.now();
    try {
      const frame = await board.advance(next);
      if (frame !== null) frames.push({ position: next.position, frame });
      changes += 1;
      bytes += frame?.length ?? 0;
    } catch (error) {
      // The next batch throws it again, once the changes before it are sent.
      if (changes === 0) throw error;
      break;
    } finally {
      ms += performance.now() - startedAt;
    }
  }
  return { changes, frames, whole: Buffer.concat(frames.map(({ frame }) => frame)), ms };
}

/** Sends a reader the part of a batch that they do not have, and returns its size in bytes. */
export function sendTo({ sink, after }: Reader, { frames, whole }: Batch): number {
  const [first] = frames;
  if (first === undefined) return 0;
  if (after < first.position) {
    sink.write(whole);
    return whole.length;
  }
  let bytes = 0;
  for (const { position, frame } of frames) {
    if (after >= position) continue;
    sink.write(frame);
    bytes += frame.length;
  }
  return bytes;
}
