import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedStore, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { PERSONAL_KEY_BYTES } from '../../src/kernel/ports/personal-keys.ts';
import type { AppliedErasures, PersonalKeys } from '../../src/kernel/ports/personal-keys.ts';
import { hasCode, replaceOpenFile, sync } from '../system/disk.ts';
import type { KeyWrapping } from '../system/key-wrapping.ts';

/** A lock between all processes that share the directory. */
export interface KeyStoreLock {
  /** Runs work while holding the lock. @throws {StoreUnavailable} when another process holds it for too long. */
  run<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface FilesystemPersonalKeysOptions {
  readonly directory: string;
  readonly wrapping: KeyWrapping;
  readonly lock: KeyStoreLock;
}

/** A line of the file: its head, a key, an erasure, or how far the erasures of the event store were applied. */
type Line =
  | { readonly check: string | null }
  | { readonly subject: string; readonly key: string }
  | { readonly subject: string; readonly erasedAt: string }
  | { readonly applied: AppliedErasures };

/** A subject in the file: their key, as it is kept there, or when they were erased. */
type Entry = { readonly key: string } | { readonly erasedAt: string };

/** Everything in the file. */
interface Content {
  check: string | null | undefined;
  readonly entries: Map<string, Entry>;
  applied: AppliedErasures | null;
}

/** Subjects whose keys are made by one holder of the lock: they share one sync. */
interface Batch {
  readonly subjects: Set<string>;
  readonly made: Promise<void>;
}

const FILE = 'keys';
/** The file before an erasure, until it is overwritten. */
const OLD_FILE = 'keys.old';
const DRAFT = 'keys.new';

const OWNER_ONLY = 0o700;

/**
 * Keeps keys in a file of a directory of its own, a line of JSON each: appended and synced when a key is made, written anew
 * at an erasure, after which the bytes of the old file are overwritten and it is removed. Several processes may share the
 * directory: who writes holds the lock, who reads notices that the file has grown or was replaced.
 * @throws {WrongStoreSettings} when the keys were made with another secret.
 * @throws {StoreUnavailable} when the directory cannot be used.
 */
export async function openFilesystemPersonalKeys(options: FilesystemPersonalKeysOptions): Promise<PersonalKeys> {
  const { directory, wrapping, lock } = options;
  const path = join(directory, FILE);
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY });
  const file = new KeyFile(path);
  /** The keys that the next holder of the lock makes; null: nobody waits for it. */
  let waiting: Batch | null = null;
  let closed = false;

  const locked = <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new StoreUnavailable('the key store is closed'));
    return lock.run(() => asUnavailable(work));
  };

  async function prepare(): Promise<void> {
    await overwriteOld(directory);
    const { check } = await file.read();
    if (check === undefined) {
      await replaceFile(directory, [{ check: wrapping.check }]);
    } else {
      wrapping.expectSame(check);
    }
  }

  async function makeKeys(subjects: ReadonlySet<string>): Promise<void> {
    const { entries } = await file.read();
    const made: Line[] = [];
    for (const subject of subjects) {
      if (!entries.has(subject)) made.push({ subject, key: wrapping.wrap(subject, randomBytes(PERSONAL_KEY_BYTES)) });
    }
    if (made.length > 0) await file.append(made);
  }

  /** A batch that takes subjects until it holds the lock. */
  function openBatch(): Batch {
    const subjects = new Set<string>();
    const close = (): void => {
      if (waiting?.subjects === subjects) waiting = null;
    };
    const make = (): Promise<void> => {
      close();
      return makeKeys(subjects);
    };
    // A step later, as the lock may be free: the batch is open before it is closed.
    const made = Promise.resolve()
      .then(() => locked(make))
      .finally(close);
    return { subjects, made };
  }

  await locked(prepare);
  return {
    async find(subjects) {
      const { entries } = await asUnavailable(() => file.read());
      const found = new Map<string, Uint8Array | null>();
      for (const subject of subjects) {
        if (entries.has(subject)) found.set(subject, keyIn(entries, subject, wrapping));
      }
      return found;
    },
    async create(subject) {
      const { entries } = await asUnavailable(() => file.read());
      if (entries.has(subject)) return keyIn(entries, subject, wrapping);
      waiting ??= openBatch();
      const { subjects, made } = waiting;
      subjects.add(subject);
      await made;
      return keyIn((await asUnavailable(() => file.read())).entries, subject, wrapping);
    },
    async erase(subject, erasedAt) {
      await locked(async () => {
        const { check = null, entries, applied } = await file.read();
        const before = entries.get(subject);
        if (before !== undefined && 'erasedAt' in before) return;
        if (before === undefined) {
          await file.append([{ subject, erasedAt }]);
          return;
        }
        const lines: Line[] = [{ check }];
        if (applied !== null) lines.push({ applied });
        for (const [each, entry] of entries) {
          if (each !== subject) lines.push({ subject: each, ...entry });
        }
        lines.push({ subject, erasedAt });
        await replaceFile(directory, lines);
      });
    },
    appliedUpTo: async () => (await asUnavailable(() => file.read())).applied,
    async setAppliedUpTo(applied) {
      await locked(() => file.append([{ applied }]));
    },
    async close() {
      if (closed) return;
      closed = true;
      await lock.close();
    },
  };
}

function keyIn(entries: ReadonlyMap<string, Entry>, subject: string, wrapping: KeyWrapping): Uint8Array | null {
  const entry = entries.get(subject);
  return entry === undefined || 'erasedAt' in entry ? null : wrapping.unwrap(subject, entry.key);
}

function emptyContent(): Content {
  return { check: undefined, entries: new Map(), applied: null };
}

/** The file, of which only what is new is read. */
class KeyFile {
  readonly #path: string;
  #content = emptyContent();
  /** Which file was read, and up to which byte: the end of its last whole line. */
  #read = { inode: 0n, end: 0 };
  /** The reading under way, which others wait for. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** The content at this moment. @throws {DamagedStore} */
  read(): Promise<Content> {
    const content = this.#reading.then(() => this.#readNew());
    // Its failure is that of who asked; the next one tries again.
    this.#reading = content.catch(() => undefined);
    return content;
  }

  /** Appends lines, on disk. Only under the lock: it cuts off a line that a writer who was killed has left unfinished. */
  async append(lines: readonly Line[]): Promise<void> {
    await this.read();
    const handle = await open(this.#path, 'r+');
    try {
      await handle.truncate(this.#read.end);
      await handle.write(textOf(lines), this.#read.end, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async #readNew(): Promise<Content> {
    const found = await stat(this.#path, { bigint: true }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    });
    if (found === null) {
      this.#forget();
      return this.#content;
    }
    if (found.ino === this.#read.inode && Number(found.size) === this.#read.end) return this.#content;
    const handle = await open(this.#path, 'r');
    try {
      const { ino, size } = await handle.stat({ bigint: true });
      if (ino !== this.#read.inode || Number(size) < this.#read.end) this.#forget();
      const bytes = Buffer.alloc(Number(size) - this.#read.end);
      await readFully(handle, bytes, this.#read.end);
      const length = bytes.lastIndexOf('\n') + 1;
      for (const line of bytes.subarray(0, length).toString('utf8').split('\n')) {
        if (line !== '') apply(this.#content, lineIn(line, this.#path));
      }
      this.#read = { inode: ino, end: this.#read.end + length };
    } finally {
      await handle.close();
    }
    return this.#content;
  }

  #forget(): void {
    this.#content = emptyContent();
    this.#read = { inode: 0n, end: 0 };
  }
}

async function readFully(handle: FileHandle, bytes: Buffer, from: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, from + done);
    if (bytesRead === 0) throw new DamagedStore('the file of the key store became shorter while it was read');
    done += bytesRead;
  }
}

/** @throws {DamagedStore} */
function lineIn(text: string, path: string): Line {
  try {
    // Only this module writes the file.
    return JSON.parse(text) as Line;
  } catch (cause) {
    throw new DamagedStore(`${path} is damaged: restore the newest backup of the key store`, { cause });
  }
}

function apply(content: Content, line: Line): void {
  if ('check' in line) content.check = line.check;
  else if ('applied' in line) content.applied = line.applied;
  else if ('key' in line) content.entries.set(line.subject, { key: line.key });
  else content.entries.set(line.subject, { erasedAt: line.erasedAt });
}

function textOf(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Writes the file anew; the old one, which has a key that must not be found any more, is overwritten and removed. */
async function replaceFile(directory: string, lines: readonly Line[]): Promise<void> {
  const path = join(directory, FILE);
  const draft = join(directory, DRAFT);
  await writeFile(draft, textOf(lines), { mode: 0o600, flush: true });
  try {
    // A second name for the old file, so that it is found after a crash.
    await link(path, join(directory, OLD_FILE));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  await replaceOpenFile(draft, path);
  await sync(directory);
  await overwriteOld(directory);
}

/** Overwrites and removes the file from before an erasure, and a draft, if there are any. */
async function overwriteOld(directory: string): Promise<void> {
  const old = join(directory, OLD_FILE);
  const current = await stat(join(directory, FILE)).catch(() => null);
  const found = await stat(old).catch(() => null);
  // A crash after the second name was given and before the first was taken away: it is still the file itself.
  if (found !== null && found.ino !== current?.ino) {
    const handle = await open(old, 'r+');
    try {
      await handle.write(Buffer.alloc(found.size), 0, found.size, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await rm(old, { force: true });
  await rm(join(directory, DRAFT), { force: true });
  await sync(directory);
}

/** Does work on files. @throws {StoreUnavailable} in place of errors of the operating system. */
async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new StoreUnavailable(`the key store cannot be used: ${cause.message}`, { cause });
  }
}
