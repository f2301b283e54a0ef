import { join, resolve } from 'node:path';
import { loadConfig, type Config } from '../../service/config/config.ts';
import {
  canTakeBackup,
  copyOtherParts,
  faultsOf,
  MANIFEST_FILE,
  readManifest,
  writeManifest,
  type BackupManifest,
} from '../../service/stores/backup.ts';
import { describeLocation, type StoreLocation } from '../history/location.ts';
import { EXIT, flag, JSON_OPTION, jsonLine, UsageError, type Output, type WatchedInvocation } from './command.ts';
import { copyEvents, reasonOfCopy } from './copy.ts';
import { checkHistory, type CheckedHistory } from './files.ts';
import { recordCopyOf } from './personal-copies.ts';
import { formatCount } from './progress.ts';
import { sourceLocationOf, storeCommand } from './stores.ts';

const SYNTAX = {
  name: 'backup',
  argument: 'DIR',
  about: `
Makes a backup of the service in DIR, which is new or empty: the events, the uploaded files of the data directory, and
the key that signs licence files. The service may keep running: the backup is consistent, with or without what is
recorded meanwhile. The log of the service says when it was made, by whom and where to. With --check: checks the backup in DIR, which is only read.`,
  options: { check: flag('compare every file of the backup in DIR with the list in backup.json'), json: JSON_OPTION },
  failureOf: reasonOfCopy,
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL. Not in the backup: read models, which are made from the
events; files in a bucket (S3_BUCKET); a key in LICENSE_SIGNING_KEY.

To restore, use sim-racing-timing restore. A service whose DATA_DIR is a backup says so, and works on a copy beside it.
To move the events back to EventStoreDB, use sim-racing-timing copy. An interrupted backup has no backup.json: the same
command resumes it. Do not copy the directory of a running service by other means: such a copy may be unusable.
Exit codes: 0 done, 1 failed or damaged, 2 wrong usage, 130 interrupted (run it again).`,
} as const;

export const run = storeCommand(SYNTAX, async ({ argument, values: { check, json = false }, ...invocation }) => {
  if (argument === null) throw new UsageError('an argument is needed: DIR');
  const directory = resolve(argument);
  const { waiting } = invocation;
  if (check === true) {
    return waiting.during(`the files of ${directory} to be read`, () => checkBackup(invocation.out, directory, json));
  }
  const config = loadConfig(invocation.env);
  const from = sourceLocationOf(undefined, config);
  if (resolve(config.dataDir) === directory) throw new UsageError('DIR is the data directory of the service itself');
  if (!(await canTakeBackup(directory)))
    throw new UsageError(`${directory} is not empty, and is not an interrupted backup`);
  await recordCopyOf(from, config.storeTimeoutMs, { what: 'backup', where: directory }, invocation.err);
  const copied = await copyWhole(invocation, from, directory, config);
  if (copied === null) return EXIT.interrupted;
  const { events, faults } = copied;
  for (const fault of faults)
    invocation.err.write(`The uploaded file ${fault} in the backup, which is otherwise complete.\n`);
  const manifest = await waiting.during(`the files of ${directory} to be on disk, and their sums`, () =>
    writeManifest(directory, { createdAt: new Date().toISOString(), events }),
  );
  invocation.out.write(
    json
      ? jsonLine({ result: 'done', directory, ...countsOf(manifest) })
      : `Backed up ${textOf(manifest)} of ${describeLocation(from)} in ${directory}.\n`,
  );
  return EXIT.done;
});

function countsOf({ events, files }: BackupManifest) {
  return { events, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

function textOf(manifest: BackupManifest): string {
  const { events, files, bytes } = countsOf(manifest);
  return `${formatCount(events)} events and ${formatCount(files)} files (${formatCount(bytes)} bytes)`;
}

/** @throws {UsageError} where there is no backup */
async function checkBackup(out: Output, directory: string, json: boolean): Promise<number> {
  const manifest = await readManifest(join(directory, MANIFEST_FILE));
  if (manifest === null) throw new UsageError(`${directory} holds no complete backup: there is no ${MANIFEST_FILE}`);
  const { createdAt } = manifest;
  const faults = await faultsOf(manifest, directory);
  const isIntact = faults.length === 0;
  if (json) out.write(jsonLine({ result: isIntact ? 'whole' : 'damaged', createdAt, ...countsOf(manifest), faults }));
  else if (isIntact) out.write(`The backup of ${createdAt} in ${directory} is complete: ${textOf(manifest)}.\n`);
  else
    out.write(
      `The backup of ${createdAt} in ${directory} cannot be restored; use another one:\n${faults.join('\n')}\n`,
    );
  return isIntact ? EXIT.done : EXIT.failed;
}

/** How often a backup copies newer events because files were replaced meanwhile. */
const MAX_PASSES = 5;

/**
 * Copies the events, and what else a backup holds; null if it was interrupted. A file that was replaced between the two
 * no longer has the bytes that the copied events name: then newer events are copied as well, until both match.
 */
async function copyWhole(
  invocation: WatchedInvocation,
  from: StoreLocation,
  directory: string,
  config: Config,
): Promise<Pick<CheckedHistory, 'events' | 'faults'> | null> {
  const to = { dataDir: directory };
  let pass = 1;
  let before = -1;
  while (true) {
    const { checked } = await copyEvents(invocation, { from, to });
    if (checked === null) return null;
    await invocation.waiting.during('the uploaded files to be copied', () =>
      copyOtherParts(config.dataDir, directory, pass === 1 ? 'replace' : 'add'),
    );
    // Files in a bucket are not in the backup.
    if (config.s3Bucket !== null) return { events: checked.events, faults: [] };
    const found = await invocation.waiting.during(`the copied events in ${directory} to be checked`, () =>
      checkHistory(to, config),
    );
    if (found.faults.length === 0 || found.events === before || pass === MAX_PASSES) return found;
    before = found.events;
    pass += 1;
  }
}
