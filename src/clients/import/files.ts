import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPromise, validateFileName, type Entry, type ZipFile } from 'yauzl';

/** Most files of one import. */
const MAX_FILES = 1_000;
/** Most bytes that the files of one import have in all, unpacked. */
const MAX_TOTAL_BYTES = 1024 ** 3;
/** Deepest folder in a folder. */
const MAX_DEPTH = 16;
/** Most entries of an archive, those that are no files included. */
const MAX_ENTRIES = 10_000;
/** The first bytes of a zip archive: of an entry, or of the directory of an empty one. */
const ZIP_SIGNATURES = ['PK\u0003\u0004', 'PK\u0005\u0006'];
const SIGNATURE_BYTES = 4;

/** How archives are opened: entries are read one at a time, and have the size that they say. */
const ARCHIVE = { autoClose: false, lazyEntries: true, validateEntrySizes: true } as const;

/** A file that is to be imported. */
export interface FoundFile {
  /** Where it is: its path, and behind a colon its path within an archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** When it was last changed, epoch ms. */
  readonly changedAt: number;
  /** Whether it was named by the user, not found in a folder or an archive. */
  readonly isNamed: boolean;
}

/** Thrown when a file, folder or archive cannot be read; the message begins with its path. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}

/**
 * Reads files, those in folders, and those in zip archives, one at a time, in the order of their paths. What an archive
 * says about sizes is not trusted: an entry that unpacks to more than it says, or than `maxFileBytes`, is refused.
 * Links are not followed inside folders. Archives in archives are given as they are.
 * @throws {UnreadableSource} for what cannot be read, and beyond the limits of an import.
 */
export async function* filesIn(paths: readonly string[], maxFileBytes: number): AsyncGenerator<FoundFile> {
  const budget = new Budget(maxFileBytes);
  for (const path of paths) yield* filesAt(path, budget, 0);
}

/** The bytes of one file, as they are. @throws {UnreadableSource} if it is larger than that, or no file. */
export async function fileAt(path: string, maxFileBytes: number): Promise<Uint8Array> {
  const stats = await readable(path, () => stat(path));
  if (!stats.isFile()) throw new UnreadableSource(`${path} cannot be read: it is no file`);
  new Budget(maxFileBytes).spend(path, stats.size);
  return readable(path, () => readFile(path));
}

/** How much one import may still read. */
class Budget {
  readonly maxFileBytes: number;
  #files = 0;
  #bytes = 0;

  constructor(maxFileBytes: number) {
    this.maxFileBytes = maxFileBytes;
  }

  /** @throws {UnreadableSource} */
  spend(path: string, bytes: number): void {
    if (bytes > this.maxFileBytes) {
      throw new UnreadableSource(
        `${path} cannot be read: it has ${bytes} bytes; at most ${this.maxFileBytes} are read`,
      );
    }
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > MAX_FILES) {
      throw new UnreadableSource(
        `${path} cannot be read: there are more than ${MAX_FILES} files; import fewer at once`,
      );
    }
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw new UnreadableSource(
        `${path} cannot be read: the files have more than ${MAX_TOTAL_BYTES} bytes in all; import fewer at once`,
      );
    }
  }
}

async function* filesAt(path: string, budget: Budget, depth: number): AsyncGenerator<FoundFile> {
  const stats = await readable(path, () => (depth === 0 ? stat(path) : lstat(path)));
  if (stats.isDirectory()) {
    if (depth >= MAX_DEPTH) {
      throw new UnreadableSource(`${path} cannot be read: it lies more than ${MAX_DEPTH} folders deep`);
    }
    const names = await readable(path, () => readdir(path));
    for (const name of names.sort()) yield* filesAt(join(path, name), budget, depth + 1);
    return;
  }
  if (!stats.isFile()) {
    if (depth === 0) throw new UnreadableSource(`${path} cannot be read: it is neither a file nor a folder`);
    return;
  }
  budget.spend(path, stats.size);
  const bytes = await readable(path, () => readFile(path));
  if (isZip(bytes)) {
    yield* filesInArchive(path, budget);
    return;
  }
  yield { path, bytes, changedAt: stats.mtimeMs, isNamed: depth === 0 };
}

function isZip(bytes: Uint8Array): boolean {
  const signature = String.fromCharCode(...bytes.subarray(0, SIGNATURE_BYTES));
  return ZIP_SIGNATURES.includes(signature);
}

async function* filesInArchive(path: string, budget: Budget): AsyncGenerator<FoundFile> {
  const archive = await readable(path, () => openPromise(path, ARCHIVE));
  try {
    if (archive.entryCount > MAX_ENTRIES) {
      throw new UnreadableSource(`${path} cannot be read: it has more than ${MAX_ENTRIES} entries`);
    }
    const entries = await readable(path, () => entriesOf(archive));
    for (const entry of entries) {
      const name = entry.fileName;
      if (name.endsWith('/') || basename(name).startsWith('.') || name.startsWith('__MACOSX/')) continue;
      const place = `${path}:${name}`;
      budget.spend(place, entry.uncompressedSize);
      const bytes = await readable(place, () => unpacked(archive, entry));
      yield { path: place, bytes, changedAt: entry.getLastModDate().getTime(), isNamed: false };
    }
  } finally {
    archive.close();
  }
}

async function entriesOf(archive: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of archive.eachEntry()) {
    const fault = validateFileName(entry.fileName);
    if (fault !== null) throw new Error(fault);
    entries.push(entry);
  }
  return entries;
}

/** The bytes of an entry: the stream fails as soon as it has more of them than the entry says. */
async function unpacked(archive: ZipFile, entry: Entry): Promise<Uint8Array> {
  return buffer(await archive.openReadStreamPromise(entry));
}

/** Runs a step of reading; what goes wrong with the path is told with it. */
async function readable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UnreadableSource(`${path} cannot be read: ${error.message}`, { cause: error });
  }
}
