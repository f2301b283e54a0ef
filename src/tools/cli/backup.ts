import { resolve } from 'node:path';
import { loadConfig } from '../../service/config/config.ts';
import { canTakeBackup, copyOtherParts, writeManifest } from '../../service/stores/backup.ts';
import { describeLocation } from '../history/location.ts';
import { EXIT, JSON_OPTION, jsonLine, UsageError } from './command.ts';
import { copyEvents, reasonOfCopy } from './copy.ts';
import { formatCount } from './progress.ts';
import { sourceLocationOf, storeCommand } from './stores.ts';

const SYNTAX = {
  name: 'backup',
  argument: 'DIR',
  about: `
Makes a backup of the service in DIR, which is new or empty: the events, the uploaded files of the data directory, and
the key that signs licence files. The service may keep running: the backup is consistent, with or without what is
recorded meanwhile.`,
  options: { json: JSON_OPTION },
  failureOf: reasonOfCopy,
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL. Not in the backup: read models, which are made from the
events; files in a bucket (S3_BUCKET); a key in LICENSE_SIGNING_KEY.

To restore, start the service with DATA_DIR=DIR and without EVENTSTORE_URL. Its first start compares every file with the
list in backup.json, and names a damaged one instead of starting. To move the events back to EventStoreDB, use
sim-racing-timing copy. An interrupted backup has no backup.json: the same command resumes it. Do not copy the directory
of a running service by other means: such a copy may be unusable.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (run it again).`,
} as const;

export const run = storeCommand(SYNTAX, async ({ argument, values: { json = false }, ...invocation }) => {
  if (argument === null) throw new UsageError('say where: DIR');
  const directory = resolve(argument);
  const config = loadConfig(invocation.env);
  const from = sourceLocationOf(undefined, config);
  if (resolve(config.dataDir) === directory) throw new UsageError('DIR is the data directory of the service itself');
  if (!(await canTakeBackup(directory))) throw new UsageError(`${directory} is not empty, and no broken-off backup`);
  const { checked } = await copyEvents(invocation, { from, to: { dataDir: directory } });
  if (checked === null) return EXIT.interrupted;
  await copyOtherParts(config.dataDir, directory);
  const { events } = checked;
  const manifest = await writeManifest(directory, { createdAt: new Date().toISOString(), events });
  const files = manifest.files.length;
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  invocation.out.write(
    json
      ? jsonLine({ result: 'done', directory, events, files, bytes })
      : `Backed up ${formatCount(events)} events of ${describeLocation(from)} and ${formatCount(files)} files ` +
          `(${formatCount(bytes)} bytes) in ${directory}.\n`,
  );
  return EXIT.done;
});
