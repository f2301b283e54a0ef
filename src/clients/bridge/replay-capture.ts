import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../connection.ts';
import { CaptureRecords } from './capture.ts';
import { captureFault, readPieces } from './read-capture.ts';

/** A capture is known by its beginning, of so many bytes, unpacked: one that was cut off later is the same one. */
const KNOWN_BY_BYTES = 65_536;
/** Length of the name of a capture, in hexadecimal digits. */
const NAME_DIGITS = 16;
/** How often, in ms, a source says how late it is while nothing comes: a lap may wait for something that never comes. */
export const TICK_MS = 250;

/** How a capture is played, and who hears it. */
export interface Replay {
  readonly path: string;
  /** How many times as fast as it was recorded. */
  readonly speed: number;
  readonly signal: AbortSignal;
  /** Hears what came; `at`: when, in ms since the start of the capture. */
  readonly onPayload: (payload: Uint8Array, at: number) => void;
  /** Hears what time it is in the capture. */
  readonly onTick: (at: number) => void;
}

/** A name for a capture, made of its content. @throws {Failure} when it cannot be read. */
export async function nameOfCapture(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const enough = new AbortController();
  let left = KNOWN_BY_BYTES;
  await readOrExplain(path, AbortSignal.any([signal, enough.signal]), async (pieces) => {
    for await (const piece of pieces) {
      hash.update(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) {
        // Captures of a whole evening have gigabytes.
        enough.abort();
        return;
      }
    }
  });
  return hash.digest('hex').slice(0, NAME_DIGITS);
}

/** Plays a capture, in its own time or faster, until it ends or the signal aborts. @throws {Failure} when it cannot be read. */
export async function replayCapture({ path, speed, signal, onPayload, onTick }: Replay): Promise<void> {
  const records = new CaptureRecords();
  const start = performance.now();
  const now = (): number => (performance.now() - start) * speed;
  const waitUntil = async (at: number): Promise<void> => {
    while (at > now()) {
      await pause(Math.min(TICK_MS, (at - now()) / speed), undefined, { signal });
      if (at > now()) onTick(Math.floor(now()));
    }
  };
  let played = 0;
  await readOrExplain(path, signal, async (pieces) => {
    for await (const piece of pieces) {
      for (const { at, payload } of records.push(piece)) {
        played += 1;
        await waitUntil(at);
        onPayload(payload, at);
      }
      signal.throwIfAborted();
    }
  });
  if (played === 0 && !signal.aborted) throw new Failure(`${path} cannot be read: it holds no records of a capture`);
}

/** @throws {Failure} */
async function readOrExplain(
  path: string,
  signal: AbortSignal,
  take: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  try {
    await readPieces(path, signal, take);
  } catch (error) {
    if (signal.aborted) return;
    const reason = captureFault(error);
    if (reason === null) throw error;
    throw new Failure(`${path} cannot be read: ${reason}`, { cause: error });
  }
}
