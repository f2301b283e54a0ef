import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { encodeRecord } from './capture.ts';

/** A recorder of what a game sends, into a capture. */
export interface CaptureRecorder {
  /** Records what came at a moment, in ms since the start. */
  readonly add: (payload: Uint8Array, at: number) => void;
  /** Completes the file. */
  readonly close: () => Promise<void>;
}

/** A record has its length in two bytes; longer segments of a connection are written in parts. */
const MAX_PAYLOAD_BYTES = 0xff_ff;
/** After how long, in ms, what was recorded is written: a power cut loses no more. */
const FLUSH_MS = 1_000;

/**
 * Opens a new capture.
 * @throws an error with a code such as EEXIST when the file is there already, or cannot be written.
 */
export async function recordCapture(path: string): Promise<CaptureRecorder> {
  const file = createWriteStream(path, { flags: 'wx' });
  await once(file, 'open');
  const zip = createGzip();
  const written = finished(zip.pipe(file));
  let failure: Error | null = null;
  const ended = written.catch((error: unknown) => {
    // Whoever closes the recorder hears of it.
    failure = error instanceof Error ? error : new Error(String(error));
  });
  let flush: NodeJS.Timeout | null = null;
  return {
    add: (payload, at) => {
      if (failure !== null) return;
      for (let from = 0; from === 0 || from < payload.length; from += MAX_PAYLOAD_BYTES) {
        zip.write(encodeRecord({ at, payload: payload.subarray(from, from + MAX_PAYLOAD_BYTES) }));
      }
      flush ??= setTimeout(() => {
        flush = null;
        zip.flush(constants.Z_SYNC_FLUSH);
      }, FLUSH_MS);
    },
    close: async () => {
      if (flush !== null) clearTimeout(flush);
      zip.end();
      await ended;
      if (failure !== null) throw failure;
    },
  };
}
