import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { moveBlocking } from '../../../infra/system/disk.ts';
import { ReplayRefused } from './refused.ts';

/** Ending of the name of a file that is being written. */
export const PART_ENDING = '.part';

export type PartFile = ReturnType<typeof createPartFile>;

/** Creates a file that gets its name once it is complete. @throws {ReplayRefused} when it cannot be created. */
export function createPartFile(path: string) {
  // Readers of a whole directory skip hidden names.
  const part = join(dirname(path), `.${basename(path)}${PART_ENDING}`);
  const handle = naming(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    // A link that somebody else has put there is removed, not followed.
    rmSync(part, { force: true });
    return openSync(part, 'wx');
  });
  let bytes = 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  return {
    get bytes() {
      return bytes;
    },
    /** @throws {ReplayRefused} when the file system refuses it, for example because it is full. */
    write(content: string | Uint8Array): void {
      naming(path, () => writeWhole(handle, content));
      bytes += typeof content === 'string' ? Buffer.byteLength(content) : content.length;
    },
    /** Flushes the whole content to disk; nothing more can be written. @throws {ReplayRefused} */
    end(): void {
      naming(path, () => fsyncSync(handle));
      close();
    },
    /** Gives it its name. @throws {ReplayRefused} */
    publish: (): void => naming(path, () => moveBlocking(part, path)),
    /** Deletes what was written, unless it has been published. */
    discard(): void {
      close();
      rmSync(part, { force: true });
    },
  };
}

/** How long to wait, in ms, when the reader of a pipe is slow. */
const SLOW_READER_PAUSE_MS = 5;

/** Writes the whole content: a pipe may take only a part at a time, or nothing for now. */
export function writeWhole(handle: number, content: string | Uint8Array): void {
  let left = typeof content === 'string' ? Buffer.from(content) : content;
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(handle, left));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, SLOW_READER_PAUSE_MS);
    }
  }
}

/** Runs an operation on a file. @throws {ReplayRefused} naming the file, when the system refuses it. */
export function naming<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new ReplayRefused(`${path} cannot be written: ${error.message}`);
  }
}
