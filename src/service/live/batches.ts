import type { EventSink } from '../http/event-source.ts';
import type { AnyWaiting } from '../http/requester.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { LiveBoard } from './live-board.ts';
import type { SharedYielder } from './shared-yielder.ts';

export interface Reader {
  readonly sink: EventSink;
  /** Name of the client's address. */
  readonly address: string;
  /** What is charged for what is made for them alone, or for few; undefined: nothing is. */
  readonly usage: AnyWaiting['usage'];
  /** Position up to which the reader has all changes, as far as the broadcast needs to know. */
  after: Position;
}

/** Bytes that may wait for a reader of the past; beyond that, nothing more is computed for them until they are taken. */
export const PAST_BYTES = 524_288;

/** Time, in ms, after which what has failed is tried again. */
export const RETRY_MS = 1_000;

/** Longest time, in ms, that a timer is set for: the next change may be another one by then. */
export const LONGEST_TIMER_MS = 60_000;

/** From then on a batch is full: bytes, and changes, most of which a board may not show. */
const BATCH_BYTES = 65_536;
const BATCH_CHANGES = 1_000;

/** The events of successive changes that are due at once, of each change and of all: a reader gets them in one write. */
export interface Batch {
  /** Number of changes, those included that the board does not show. */
  readonly changes: number;
  readonly frames: readonly { readonly position: Position; readonly frame: Buffer }[];
  readonly whole: Buffer;
  /** Time, in ms, that it took, without that which others had meanwhile. */
  readonly ms: number;
}

/**
 * Advances a board by the changes that are due, as far as it is prepared for them and until the batch is full.
 * @throws what the first of them throws
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
      // It is thrown again with the next batch, once what was taken before is sent.
      if (changes === 0) throw error;
      break;
    } finally {
      ms += performance.now() - startedAt;
    }
  }
  return { changes, frames, whole: Buffer.concat(frames.map(({ frame }) => frame)), ms };
}

/** Sends a reader what they do not have of a batch; returns how many bytes that are. */
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
