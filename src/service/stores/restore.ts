import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { move, sync } from '../../../infra/system/disk.ts';
import type { Config } from '../config/config.ts';
import { sameJson } from '../../kernel/json.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { faultOf, faultsOf, faultsOfList, MANIFEST_FILE, openFileOf, OTHER_PARTS, readManifest } from './backup.ts';
import type { BackupManifest } from './backup.ts';
import { narrow } from './owner-only.ts';

/** File in a restored data directory: the manifest of the backup that it was made from. */
const ORIGIN_FILE = 'restored.json';

/** Beginning of the name of the directory that holds the files until they are checked. */
const DRAFT = '.restoring-';

/** Whether a backup can be restored to a directory: it is new, empty, or holds an interrupted restore. */
export async function canTakeRestore(dataDir: string): Promise<boolean> {
  await mkdir(dataDir, { recursive: true });
  const names = await readdir(dataDir);
  return names.every((name) => name.startsWith(DRAFT) || name === ORIGIN_FILE || OTHER_PARTS.includes(name));
}

/**
 * Copies a backup to a directory that can take it, and checks the copies. The backup is only read. The events get their
 * place last, so no service starts on a part of a backup.
 * @throws {StoreUnavailable} when there is no backup, or a file is damaged or missing: nothing is restored then.
 */
export async function restoreBackup(backup: string, dataDir: string): Promise<BackupManifest> {
  const manifest = await readManifest(join(backup, MANIFEST_FILE));
  if (manifest === null) throw new StoreUnavailable(`${backup} holds no complete backup: there is no ${MANIFEST_FILE}`);
  const draft = await mkdtemp(join(dataDir, DRAFT));
  try {
    await copyFiles(manifest, { from: backup, to: draft });
    for (const name of (await readdir(draft)).sort((a, b) => Number(a === 'events') - Number(b === 'events'))) {
      if (name !== 'events') await remove(join(dataDir, name));
      await move(join(draft, name), join(dataDir, name));
    }
    // Drafts of restores that were killed.
    for (const name of await readdir(dataDir)) if (name.startsWith(DRAFT)) await remove(join(dataDir, name));
    await sync(dataDir);
  } finally {
    await remove(draft);
  }
  return manifest;
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Bytes that are copied at a time. */
const COPY_BYTES = 1_048_576;

/**
 * Copies the files of a backup and its manifest to a directory that is new, so that each file is created. Nothing is
 * copied where the list names anything but plain files of a backup.
 * @throws {StoreUnavailable} when the copies are not complete.
 */
async function copyFiles(manifest: BackupManifest, { from, to }: { readonly from: string; readonly to: string }) {
  const refuseIf = (faults: readonly string[]): void => {
    if (faults.length === 0) return;
    const cause = new Error(`${faults.join(', ')}; restore another backup`);
    throw new StoreUnavailable(`the backup of ${manifest.createdAt} in ${from} cannot be used`, { cause });
  };
  refuseIf(faultsOfList(manifest));
  const faults: string[] = [];
  for (const { path } of manifest.files) {
    const source = await openFileOf(from, path).catch((error: unknown) => {
      faults.push(faultOf(path, error));
      return null;
    });
    if (source === null) continue;
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // This closes the source, too.
    await pipeline(
      source.createReadStream({ highWaterMark: COPY_BYTES }),
      createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
    );
  }
  refuseIf(faults);
  const origin = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(to, ORIGIN_FILE), origin, { flag: 'wx', mode: 0o600, flush: true });
  narrow(to);
  refuseIf(await faultsOf(manifest, to));
}

/**
 * The configuration itself or, if its data directory is a backup, the same with a copy of that as its data directory. The
 * copy is made beside the backup at the first start, and used again by later ones. `say` gets a sentence about it.
 * @throws {StoreUnavailable} when something else is in its place, or the backup is damaged.
 */
export async function onCopyOfBackup<C extends Pick<Config, 'dataDir'>>(
  config: C,
  say: (text: string) => void,
): Promise<C> {
  const backup = resolve(config.dataDir);
  const manifest = await readManifest(join(backup, MANIFEST_FILE));
  if (manifest === null) return config;
  const dataDir = `${backup}-restored`;
  const isThere = async (): Promise<boolean> => {
    const origin = await readManifest(join(dataDir, ORIGIN_FILE));
    return origin !== null && sameJson(origin, manifest) && existsSync(join(dataDir, 'events'));
  };
  if (!(await isThere())) {
    if (!(await canTakeRestore(dataDir))) {
      const what = `${backup} is a backup, which stays as it is, and ${dataDir}, where a copy of it would go, is not empty`;
      throw new StoreUnavailable(`${what}: restore the backup elsewhere (sim-racing-timing restore)`);
    }
    await restoreBackup(backup, dataDir).catch(async (error: unknown) => {
      // Another process may have been faster.
      if (!(await isThere())) throw error;
    });
  }
  say(`DATA_DIR is the backup of ${manifest.createdAt}, which stays as it is. Work goes on in a copy: ${dataDir}`);
  return { ...config, dataDir };
}
