import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { UploadedFile } from './endpoint.ts';

/** The file of an upload, and what frees its disk. */
export interface ReceivedFile extends UploadedFile {
  release(): Promise<void>;
}

export type TemporaryFile = ReturnType<typeof temporaryFile>;

/** A file without a name: only this process sees it, and the system frees it when it is closed, after a kill -9 too. */
function temporaryFile(handle: FileHandle, onClose: () => void) {
  let source: Readable | null = null;
  let writing: Promise<void> = Promise.resolve();
  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    source?.destroy();
    await Promise.allSettled([writing]);
    onClose();
    await handle.close();
  }
  return {
    /** Writes a stream to its end; to be called once. */
    write(from: Readable): Promise<void> {
      source = from;
      writing = writeFile(handle, from);
      return writing;
    },
    /** The written bytes, which may be read any number of times. */
    async content(): Promise<UploadedFile> {
      const { size } = await handle.stat();
      const read = () => handle.createReadStream({ start: 0, autoClose: false });
      return { size, content: { [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]() } };
    },
    /** Frees the disk, in the middle of writing too. It may be called more than once. */
    close(): Promise<void> {
      closing ??= close();
      return closing;
    },
  };
}

/** Opens an empty file on the disk of this directory. `onClose` is called when it is closed, or cannot be made. */
export async function openTemporaryFile(directory: string, onClose: () => void): Promise<TemporaryFile> {
  try {
    await mkdir(directory, { recursive: true });
    const path = join(directory, randomUUID());
    const file = temporaryFile(await open(path, 'wx+', 0o600), onClose);
    // Another process that starts just now may have been first.
    await rm(path, { force: true });
    return file;
  } catch (error) {
    onClose();
    throw error;
  }
}

/** Removes what a killed process left; uploads under way lose only names that they lose anyway. Returns its path. */
export async function swept(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
  return directory;
}
