import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Bytes per read. */
const READ_BYTES = 65_536;

/**
 * Removes what a process left that was killed between opening a file and taking its name away. Files of uploads under
 * way lose nothing but a name that they are about to lose. Gives the directory.
 */
export async function swept(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
  return directory;
}

/**
 * A file without a name: only this process sees it, and the system frees it when it is closed, after a kill -9 too.
 */
export class TemporaryFile {
  readonly #handle: FileHandle;
  #source: Readable | null = null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** An empty file, on the disk of this directory. */
  static async create(directory: string): Promise<TemporaryFile> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, randomUUID());
    const file = new TemporaryFile(await open(path, 'wx+', 0o600));
    // Another process that starts just now may have been first.
    await rm(path, { force: true });
    return file;
  }

  /** Writes a stream to its end; to be called once. */
  write(source: Readable): Promise<void> {
    this.#source = source;
    this.#writing = writeFile(this.#handle, source);
    return this.#writing;
  }

  /** What was written, to be read as often as one likes. */
  async content() {
    const { size } = await this.#handle.stat();
    return { size, content: { [Symbol.asyncIterator]: () => this.#read(size) } };
  }

  async *#read(size: number): AsyncGenerator<Uint8Array, void> {
    for (let position = 0; position < size;) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
      if (bytesRead === 0) throw new Error('an upload on disk ended early');
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Frees the disk, in the middle of writing too. */
  async close(): Promise<void> {
    this.#source?.destroy();
    await Promise.allSettled([this.#writing]);
    await this.#handle.close();
  }
}
