import { archiveEntries, isArchive, unpacked } from './archive.ts';
import { UnreadableSource } from './unreadable-source.ts';

/** Most files of one import. */
const MAX_FILES = 1_000;
/** Most bytes that the files of one import have in all, unpacked. */
const MAX_TOTAL_BYTES = 1024 ** 3;

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

/** How much one import may still read. */
export class Budget {
  readonly maxFileBytes: number;
  #files = 0;
  #bytes = 0;

  constructor(maxFileBytes: number) {
    this.maxFileBytes = maxFileBytes;
  }

  /** Takes a file into account, before it is read. @throws {UnreadableSource} beyond the limits of an import. */
  spend(path: string, bytes: number): void {
    if (bytes > this.maxFileBytes) {
      throw new UnreadableSource(path, `it has ${bytes} bytes; at most ${this.maxFileBytes} are read`);
    }
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > MAX_FILES) {
      throw new UnreadableSource(path, `there are more than ${MAX_FILES} files; import fewer at once`);
    }
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw new UnreadableSource(
        path,
        `the files have more than ${MAX_TOTAL_BYTES} bytes in all; import fewer at once`,
      );
    }
  }
}

/**
 * The file itself, or, if it is a zip archive, the files in it, one at a time. Archives in archives are given as they
 * are.
 * @throws {UnreadableSource} for an archive that cannot be read, and beyond the limits of an import.
 */
export async function* filesOf(file: FoundFile, budget: Budget): AsyncGenerator<FoundFile> {
  const { path, bytes } = file;
  if (!isArchive(bytes)) {
    yield file;
    return;
  }
  for (const entry of archiveEntries(path, bytes)) {
    const place = `${path}:${entry.name}`;
    budget.spend(place, entry.size);
    yield { path: place, bytes: await unpacked(place, bytes, entry), changedAt: entry.changedAt, isNamed: false };
  }
}
