import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../../service/config/config.ts';
import { canTakeRestore, restoreBackup } from '../../service/stores/restore.ts';
import { withStoreAt } from '../../service/stores/stores.ts';
import { erasuresIn, erasuresInFile, NoErasures, repeatErasures } from '../history/repeat-erasures.ts';
import type { RecordedErasure } from '../history/repeat-erasures.ts';
import { EXIT, JSON_OPTION, jsonLine, text, UsageError } from './command.ts';
import { formatCount } from './progress.ts';
import { expectPresent, isDirectory, storeCommand } from './stores.ts';

const SYNTAX = {
  name: 'restore',
  argument: 'DIR DATA_DIR',
  about: `
Copies the backup in DIR to DATA_DIR, which is new or empty, and checks every copied file. The backup is only read.`,
  options: {
    erasures: text(
      'PATH',
      `people who were erased since the backup was made are erased in DATA_DIR, too: PATH is the data directory that is
        being replaced, or a file that the command events has written (--type ParticipantErased)`,
    ),
    json: JSON_OPTION,
  },
  failureOf: (error: unknown) => (error instanceof NoErasures ? error.message : null),
  notes: `
Then start the service with DATA_DIR, and with an empty database if it uses MONGODB_URL. If a file is damaged or
missing, it is named, and DATA_DIR stays without events. The same command resumes an interrupted one. To move the
events to EventStoreDB, use sim-racing-timing copy. Exit codes: 0 done, 1 failed, 2 wrong usage.`,
} as const;

export const run = storeCommand(SYNTAX, async ({ argument, second, values, env, out, waiting }) => {
  if (argument === null || second === null) throw new UsageError('two arguments are needed: DIR DATA_DIR');
  const backup = resolve(argument);
  const dataDir = resolve(second);
  if (!(await canTakeRestore(dataDir))) throw new UsageError(`${dataDir} is not empty`);
  const { json = false } = values;
  const { storeTimeoutMs } = loadConfig(env);
  // Read first: where they cannot be read, nothing is restored.
  const erasures = values.erasures === undefined ? [] : await erasuresAt(resolve(values.erasures), storeTimeoutMs);
  const { createdAt, events, files } = await waiting.during(`the files of ${backup} to be copied and checked`, () =>
    restoreBackup(backup, dataDir),
  );
  const erased =
    erasures.length === 0
      ? 0
      : await withStoreAt({ dataDir }, storeTimeoutMs, (store) => repeatErasures(store, erasures)).catch(
          (error: unknown) => {
            throw new NoErasures(`${dataDir} lacks erasures: remove it, and restore again`, { cause: error });
          },
        );
  out.write(
    json
      ? jsonLine({ result: 'done', createdAt, dataDir, events, files: files.length, erased })
      : `Restored ${formatCount(events)} events and ${formatCount(files.length)} files of ${createdAt} to ${dataDir}.\n` +
          (erased === 0 ? '' : `Erased again: ${formatCount(erased)}.\n`),
  );
  return EXIT.done;
});

/** The erasures of a data directory, or in a list. @throws {UsageError} where there is neither */
async function erasuresAt(path: string, storeTimeoutMs: number): Promise<readonly RecordedErasure[]> {
  if (isDirectory(path)) {
    expectPresent({ dataDir: path });
    return withStoreAt({ dataDir: path }, storeTimeoutMs, erasuresIn);
  }
  if (!existsSync(path)) throw new UsageError(`--erasures: there is no ${path}`);
  return erasuresInFile(path);
}
