import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { UploadedFile } from './endpoint.ts';

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
 * The bytes of an upload on disk, in a file that loses its name as soon as it is open: the system frees it when the
 * handle closes, after a kill -9 too.
 */
export class Spool {
  readonly #handle: FileHandle;
  readonly #source: Readable;
  #size = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(handle: FileHandle, source: Readable) {
    this.#handle = handle;
    this.#source = source;
  }

  static async open(directory: string, source: Readable): Promise<Spool> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, randomUUID());
    const handle = await open(path, 'wx+', 0o600);
    const spool = new Spool(handle, source);
    // Another process that starts just now may have been first.
    await rm(path, { force: true });
    return spool;
  }

  /** Writes the source to its end. */
  fill(): Promise<void> {
    this.#writing = this.#copy();
    return this.#writing;
  }

  async #copy(): Promise<void> {
    for await (const chunk of this.#source) {
      // A byte stream without encoding yields Buffers only.
      const bytes = chunk as Buffer;
      await this.#handle.writeFile(bytes);
      this.#size += bytes.length;
    }
  }

  file(contentType: string): UploadedFile {
    const content = { [Symbol.asyncIterator]: () => this.#read() };
    return { contentType, size: this.#size, content };
  }

  async *#read(): AsyncGenerator<Uint8Array, void> {
    for (let position = 0; position < this.#size;) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
      if (bytesRead === 0) throw new Error('an upload on disk ended early');
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Frees the disk, in the middle of writing too. */
  async release(): Promise<void> {
    this.#source.destroy();
    await Promise.allSettled([this.#writing]);
    await this.#handle.close();
  }
}
