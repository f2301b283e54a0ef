import { resolve } from 'node:path';
import { loadConfig } from '../../service/config/config.ts';
import { canTakeBackup, copyOtherParts, writeManifest } from '../../service/stores/backup.ts';
import { describeLocation } from '../history/location.ts';
import { EXIT, runCommand, UsageError, type Invocation } from './arguments.ts';
import { JSON_OPTION } from './options.ts';
import { copyEvents, reasonOfCopy } from './copy.ts';
import { formatCount } from './progress.ts';
import { sourceLocationOf } from './stores.ts';

const SYNTAX = {
  name: 'backup',
  argument: 'DIR',
  about: `
Makes a backup of the service in DIR, which is new or empty: the events, the uploaded files of the data directory, and
the key that signs licence files. The service may go on; what it records meanwhile may be in the backup or not, and
what is in it is whole.`,
  options: { json: JSON_OPTION },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL. Read models are left out: they are made from the events.
So are files in a bucket (S3_BUCKET) and a key in LICENSE_SIGNING_KEY.

To restore, start the service with DATA_DIR=DIR and without EVENTSTORE_URL. At that first start every file is compared
with the list that was made of it, backup.json; a damaged one is named, and nothing starts. To move the events back to
EventStoreDB, copy them: see sim-racing-timing copy --help. A backup that was broken off has no backup.json: the same
command goes on. Do not copy the directory of a running service by other means: such a copy may be unusable.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (run it again).`,
} as const;

/** Runs `sim-racing-timing backup`; the result is the exit code. */
export function runBackup(command: Invocation): Promise<number> {
  return runCommand(command, SYNTAX, async ({ json = false }, argument) => {
    if (argument === null) throw new UsageError('say where: DIR');
    try {
      return await backUp(command, resolve(argument), json);
    } catch (error) {
      const reason = reasonOfCopy(error);
      if (reason === null) throw error;
      command.err.write(`sim-racing-timing backup: ${reason}\n`);
      return EXIT.failed;
    }
  });
}

async function backUp(command: Invocation, directory: string, json: boolean): Promise<number> {
  const config = loadConfig(command.env);
  const from = sourceLocationOf(undefined, config);
  if (resolve(config.dataDir) === directory) throw new UsageError('DIR is the data directory of the service itself');
  if (!(await canTakeBackup(directory))) throw new UsageError(`${directory} is not empty, and no broken-off backup`);
  const copied = await copyEvents(command, { from, to: { dataDir: directory } });
  if (copied.checked === null) return EXIT.interrupted;
  await copyOtherParts(config.dataDir, directory);
  const { events } = copied.checked;
  const manifest = await writeManifest(directory, { createdAt: new Date().toISOString(), events });
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  const result = { result: 'done', directory, events, files: manifest.files.length, bytes };
  command.out.write(
    json
      ? `${JSON.stringify(result)}\n`
      : `Backed up ${formatCount(events)} events of ${describeLocation(from)} and ${formatCount(result.files)} files ` +
          `(${formatCount(bytes)} bytes) in ${directory}.\n`,
  );
  return EXIT.done;
}
