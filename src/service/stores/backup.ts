import { createReadStream } from 'node:fs';
import { constants, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { hasCode, move, sync } from '../../../infra/system/disk.ts';
import { sha256Of } from '../domain/sha256.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import { narrow } from './owner-only.ts';

/** File that makes a directory a whole backup: it is written last. */
export const MANIFEST_FILE = 'backup.json';

/** What a backup holds besides the events, below the data directory. */
export const OTHER_PARTS: readonly string[] = ['assets', 'license-signing-key.json'];

/** What embedded event stores note about processes and places: it says nothing of another place. */
const LOCAL_FILES = ['lock.mdb', 'gate', 'place'];

const Manifest = z.object({
  createdAt: z.string(),
  events: z.int().min(0),
  files: z.array(z.object({ path: z.string(), size: z.int(), sha256: z.string() })),
});

/**
 * Contents of a backup: when it was made (ISO 8601), its number of events, and its files with size in bytes and
 * SHA-256.
 */
export type BackupManifest = z.output<typeof Manifest>;

/** Whether a directory can take a backup: it is new, empty, or holds an unfinished backup. */
export async function canTakeBackup(directory: string): Promise<boolean> {
  const names = await namesIn(directory);
  return names.every((name) => name === 'events' || OTHER_PARTS.includes(name));
}

/** Whether a copy replaces what is there, or only adds what is not. */
export type CopyMode = 'replace' | 'add';

/** Copies uploaded files and the signing key, if they are in the data directory. */
export async function copyOtherParts(dataDir: string, directory: string, mode: CopyMode): Promise<void> {
  const present = await namesIn(dataDir);
  for (const name of OTHER_PARTS.filter((one) => present.includes(one)))
    await copyTree(join(dataDir, name), join(directory, name), mode);
}

/** Copies a file, or all files below a directory. One that is removed meanwhile is left out. */
async function copyTree(from: string, to: string, mode: CopyMode): Promise<void> {
  const paths = (await stat(from)).isDirectory() ? await filesBelow(from) : [''];
  const flag = mode === 'add' ? constants.COPYFILE_EXCL : 0;
  // Files that are still being written have no name of their own yet.
  for (const path of paths.filter((one) => !one.startsWith('incoming/'))) {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await copyFile(join(from, path), join(to, path), flag).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error;
    });
  }
}

/** Completes a backup: everything is on disk, and only for its owner, when this resolves. */
export async function writeManifest(directory: string, head: Pick<BackupManifest, 'createdAt' | 'events'>) {
  for (const name of LOCAL_FILES) await rm(join(directory, 'events', name), { recursive: true, force: true });
  // The directory may have been there, and copied files have the rights that they had.
  narrow(directory);
  const files = [];
  for (const path of await filesBelow(directory)) {
    await sync(join(directory, path));
    files.push({ path, ...(await digestOf(join(directory, path))) });
  }
  const manifest = { ...head, files };
  const draft = join(directory, `.${MANIFEST_FILE}`);
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await move(draft, join(directory, MANIFEST_FILE));
  await sync(directory);
  return manifest;
}

/** What is missing or damaged of the files of a backup, in a directory that holds them: a line each. */
export async function faultsOf({ files }: BackupManifest, directory: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { path, sha256 } of files) {
    const found = await digestOf(join(directory, path)).catch(() => null);
    if (found === null) faults.push(`${path} is missing or cannot be read`);
    else if (found.sha256 !== sha256) faults.push(`${path} is damaged`);
  }
  return faults;
}

/**
 * The manifest in a file; null where there is none. Backups of earlier releases list a file that reading them changes.
 * @throws {StoreUnavailable} when it is damaged.
 */
export async function readManifest(path: string): Promise<BackupManifest | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    // The stores report problems of the directory itself.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
  try {
    const manifest = Manifest.parse(JSON.parse(text));
    return { ...manifest, files: manifest.files.filter(({ path }) => path !== 'events/place') };
  } catch (cause) {
    throw new StoreUnavailable(`${path} is damaged`, { cause });
  }
}

async function digestOf(path: string): Promise<{ readonly size: number; readonly sha256: string }> {
  const sha256 = await sha256Of(createReadStream(path));
  return { size: (await stat(path)).size, sha256 };
}

/** The paths of the files below a directory, with slashes on every system, as the manifest names them. */
async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function namesIn(directory: string): Promise<readonly string[]> {
  await mkdir(directory, { recursive: true });
  return readdir(directory);
}
