import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ReplayRefused } from './refused.ts';

/** Ending of the name of a file that is being written. */
export const PART_ENDING = '.part';

/** Where a file is written: under a hidden name, which readers of a whole directory skip. */
function partOf(path: string): string {
  return join(dirname(path), `.${basename(path)}${PART_ENDING}`);
}

/** A file that gets its name once it is whole; until then it has a temporary one. */
export class PartFile {
  readonly path: string;
  readonly #handle: number;
  #bytes = 0;
  #open = true;

  /** @throws {ReplayRefused} when it cannot be created. */
  constructor(path: string) {
    this.path = path;
    this.#handle = naming(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      return openSync(partOf(path), 'w');
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws {ReplayRefused} when the file system refuses it, for example because it is full. */
  write(content: string | Uint8Array): void {
    naming(this.path, () => writeWhole(this.#handle, content));
    this.#bytes += typeof content === 'string' ? Buffer.byteLength(content) : content.length;
  }

  /** Flushes the whole content to disk; nothing more can be written. @throws {ReplayRefused} */
  end(): void {
    naming(this.path, () => fsyncSync(this.#handle));
    this.#close();
  }

  /** Gives it its name. @throws {ReplayRefused} */
  publish(): void {
    naming(this.path, () => renameSync(partOf(this.path), this.path));
  }

  /** Deletes what was written, unless it has been published. */
  discard(): void {
    this.#close();
    rmSync(partOf(this.path), { force: true });
  }

  #close(): void {
    if (this.#open) closeSync(this.#handle);
    this.#open = false;
  }
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

export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
