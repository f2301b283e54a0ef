import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';
import { CaptureRecords } from './capture.ts';
import type { GameName } from './games/games.ts';
import { CapturePlan, type BridgePlan } from './plan.ts';

/** The plan of a capture, or the reason why it cannot be read. */
export type ReadCapture =
  { readonly outcome: 'read'; readonly plan: BridgePlan } | { readonly outcome: 'refused'; readonly reason: string };

/** Most bytes of a capture, unpacked: about half a day of a game. */
const MAX_UNPACKED_BYTES = 8 * 2 ** 30;

/** Reads a capture, a piece at a time, and makes its plan. One that was cut off is read as far as it goes. */
export async function readCapture(path: string, game: GameName, signal: AbortSignal): Promise<ReadCapture> {
  const plan = new CapturePlan(game);
  const records = new CaptureRecords();
  let unpacked = 0;
  const addPieces = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of pieces) {
      unpacked += piece.length;
      if (unpacked > MAX_UNPACKED_BYTES) throw new CaptureTooLarge();
      for (const { at, payload } of records.push(piece)) plan.add(payload, at);
    }
  };
  try {
    await readPieces(path, signal, addPieces);
  } catch (error) {
    const reason = captureFault(error);
    if (reason === null) throw error;
    return { outcome: 'refused', reason };
  }
  if (unpacked === 0) return { outcome: 'refused', reason: 'it is empty' };
  if (records.remaining > 0) {
    if (plan.read === 0) return { outcome: 'refused', reason: 'what it holds are no records of a capture' };
    plan.note('The capture ends in the middle of a record, which is left out.');
  }
  return { outcome: 'read', plan: plan.finish() };
}

/**
 * Reads a capture, unpacked, a piece at a time. What a recorder was writing when the power went is lost; what it had
 * written before is read.
 * @throws an error that `captureFault` knows, what `take` throws, or the reason of the signal.
 */
export async function readPieces(
  path: string,
  signal: AbortSignal,
  take: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const unzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  await pipeline(createReadStream(path), unzip, take, { signal });
}

/** Thrown inside `readCapture` when a capture unpacks to more than any game sends. */
class CaptureTooLarge extends Error {
  override readonly name = 'CaptureTooLarge';
}

/** Why a file cannot be read; null where something else is wrong. */
export function captureFault(error: unknown): string | null {
  if (error instanceof CaptureTooLarge) return `it has over ${MAX_UNPACKED_BYTES} bytes when it is unpacked`;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (error.code.startsWith('Z_')) return `it is not compressed with gzip, or damaged (${error.message})`;
  return error.code === 'ABORT_ERR' ? null : error.message;
}
