import { resolve } from 'node:path';
import { canTakeRestore, restoreBackup } from '../../service/stores/restore.ts';
import { EXIT, JSON_OPTION, jsonLine, UsageError } from './command.ts';
import { formatCount } from './progress.ts';
import { storeCommand } from './stores.ts';

const SYNTAX = {
  name: 'restore',
  argument: 'DIR DATA_DIR',
  about: `
Copies the backup in DIR to DATA_DIR, which is new or empty, and checks every copied file. The backup is only read.`,
  options: { json: JSON_OPTION },
  notes: `
Then start the service with DATA_DIR, and with an empty database if it uses MONGODB_URL. If a file is damaged or
missing, it is named, and DATA_DIR stays without events. The same command resumes an interrupted one. To move the
events to EventStoreDB, use sim-racing-timing copy. Exit codes: 0 done, 1 failed, 2 wrong usage.`,
} as const;

export const run = storeCommand(SYNTAX, async ({ argument, second, values: { json = false }, out, waiting }) => {
  if (argument === null || second === null) throw new UsageError('two arguments are needed: DIR DATA_DIR');
  const backup = resolve(argument);
  const dataDir = resolve(second);
  if (!(await canTakeRestore(dataDir))) throw new UsageError(`${dataDir} is not empty`);
  const { createdAt, events, files } = await waiting.during(`the files of ${backup} to be copied and checked`, () =>
    restoreBackup(backup, dataDir),
  );
  out.write(
    json
      ? jsonLine({ result: 'done', createdAt, dataDir, events, files: files.length })
      : `Restored ${formatCount(events)} events and ${formatCount(files.length)} files of ${createdAt} to ${dataDir}.\n`,
  );
  return EXIT.done;
});
