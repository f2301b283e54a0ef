import { constants, copyFile, lstat, mkdir, readdir, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { hasCode, move, NoPlainFile, openPlainFile, sync } from '../../../infra/system/disk.ts';
import { sha256Of } from './sha256.ts';
import { isStoredPath, placeOf } from './stored-path.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { narrow } from './owner-only.ts';

/** File that makes a directory a whole backup: it is written last. */
export const MANIFEST_FILE = 'backup.json';

/** The parts of a backup besides the events, by their names below the data directory. */
const SIGNING_KEY = 'license-signing-key.json';
export const OTHER_PARTS: readonly string[] = ['assets', SIGNING_KEY];

/** The folders below which the files of a backup are; the signing key is beside them. */
const FOLDERS: readonly string[] = ['events', 'assets'];

/** Files in which embedded event stores record processes and directories. They mean nothing in another directory. */
const LOCAL_FILES = ['lock.mdb', 'gate', 'place'];

const Manifest = z.object({
  createdAt: z.string(),
  events: z.int().min(0),
  files: z.array(z.object({ path: z.string(), size: z.int().min(0), sha256: z.string() })),
});

/**
 * Contents of a backup: when it was made (ISO 8601), its number of events, and its files with size in bytes and
 * SHA-256.
 */
export type BackupManifest = z.output<typeof Manifest>;

/**
 * Whether a directory can take a backup: it is new, empty, or holds an unfinished backup, and no link, which would lead
 * out of it.
 */
export async function canTakeBackup(directory: string): Promise<boolean> {
  const names = await namesIn(directory);
  if (!names.every((name) => name === 'events' || OTHER_PARTS.includes(name))) return false;
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.every((entry) => entry.isFile() || entry.isDirectory());
}

/** Whether a copy replaces existing files, or only adds missing ones. */
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
    files.push({ path, ...(await digestOf(directory, path)) });
  }
  const manifest = { ...head, files };
  const draft = join(directory, `.${MANIFEST_FILE}`);
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true, flag: 'wx' });
  await move(draft, join(directory, MANIFEST_FILE));
  await sync(directory);
  return manifest;
}

/** The files of a backup that are missing or damaged in a directory, a line each. */
export async function faultsOf(manifest: BackupManifest, directory: string): Promise<readonly string[]> {
  const faults = [...faultsOfList(manifest)];
  if (faults.length > 0) return faults;
  for (const { path, size, sha256 } of manifest.files) {
    try {
      const found = await digestOf(directory, path);
      if (found.size !== size || found.sha256 !== sha256) faults.push(`${path} is damaged`);
    } catch (error) {
      faults.push(faultOf(path, error));
    }
  }
  return faults;
}

/** A line about a file of a backup that could not be opened or read. */
export function faultOf(path: string, error: unknown): string {
  return error instanceof NoPlainFile ? `${path} is a link, or no plain file` : `${path} is missing or cannot be read`;
}

/**
 * The faults of the list of files in a backup, a line each. A forged list could name any file of the machine that the
 * backup is restored on.
 */
export function faultsOfList({ files }: BackupManifest): readonly string[] {
  const faults: string[] = [];
  const places = new Set<string>();
  const folders = new Set<string>();
  for (const { path } of files) {
    const place = placeOf(path);
    if (!isPathOfBackup(path)) faults.push(`${JSON.stringify(path)} is no path of a file of a backup`);
    else if (places.has(place)) faults.push(`${path} is named twice`);
    places.add(place);
    for (let end = place.indexOf('/'); end >= 0; end = place.indexOf('/', end + 1)) folders.add(place.slice(0, end));
  }
  for (const { path } of files) if (folders.has(placeOf(path))) faults.push(`${path} is a file and a folder`);
  if (!files.some(({ path }) => path.startsWith('events/'))) faults.push('no events are named');
  return faults;
}

function isPathOfBackup(path: string): boolean {
  if (path === SIGNING_KEY) return true;
  return isStoredPath(path) && FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

/** Opens a file of a backup; neither it nor a folder on the way is a link. @throws {NoPlainFile} */
export async function openFileOf(directory: string, path: string): Promise<FileHandle> {
  const names = path.split('/');
  for (let depth = 1; depth < names.length; depth += 1) {
    const folder = join(directory, ...names.slice(0, depth));
    if (!(await lstat(folder)).isDirectory()) throw new NoPlainFile(folder);
  }
  return openPlainFile(join(directory, ...names));
}

/**
 * The manifest in a file; null where there is none. Backups of earlier releases list a file that reading them changes.
 * @throws {StoreUnavailable} when it is damaged.
 */
export async function readManifest(path: string): Promise<BackupManifest | null> {
  let text: string;
  try {
    const handle = await openPlainFile(path);
    try {
      text = await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    // The stores report problems of the directory itself.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    if (error instanceof NoPlainFile) throw new StoreUnavailable(`${path} is a link, or no plain file`);
    throw error;
  }
  try {
    const manifest = Manifest.parse(JSON.parse(text));
    return { ...manifest, files: manifest.files.filter(({ path }) => path !== 'events/place') };
  } catch (cause) {
    throw new StoreUnavailable(`${path} is damaged`, { cause });
  }
}

async function digestOf(directory: string, path: string): Promise<{ readonly size: number; readonly sha256: string }> {
  const handle = await openFileOf(directory, path);
  try {
    const { size } = await handle.stat();
    return { size, sha256: await sha256Of(handle.createReadStream({ autoClose: false })) };
  } finally {
    await handle.close();
  }
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
