import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ReadModels } from '../../service/kernel/ports/read-store.ts';
import { openEmbeddedReadStore, openReadStore } from '../../service/stores/stores.ts';
import { reserveNamespace, type ReserveOptions } from './namespace.ts';
import type { ReplayModule } from './module.ts';
import { writeAll, type WrittenCollection } from './output.ts';
import type { ReplayTask } from './messages.ts';

/** An open destination: the read models that a replay writes to, and what to do with their documents. */
export interface OpenDestination {
  readonly models: ReadModels;
  /** Writes the output, if any; the collections and how many documents each has. */
  readonly writeResult: () => Promise<readonly WrittenCollection[]>;
  /** `complete`: deletes what is needed only to resume. */
  readonly close: (end: { readonly complete: boolean }) => Promise<void>;
}

/** Working directory beside the output file, and the namespace of the read store in it. */
const WORKING_DIRECTORY = '.timing-replay';
const NAMESPACE = 'replay';
/** Mode of a directory that only its owner may enter. */
const OWNER_ONLY = 0o700;

/**
 * Opens the destination, and reserves it for this process.
 * @throws {ReplayRefused} when it holds something else.
 * @throws {StoreUnavailable}
 */
export async function openDestination(
  task: ReplayTask,
  { projections, answers }: ReplayModule,
): Promise<OpenDestination> {
  const { fingerprint, from, until, destination } = task;
  const { readStore, namespace, otherJob, writeResult, clear } = await placeOf(task, answers);
  try {
    const job = { fingerprint, from, until };
    const { fresh } = destination;
    const { models, release } = await reserveNamespace({ readStore, namespace, projections, job, otherJob, fresh });
    return {
      models,
      writeResult: () => writeResult(models),
      async close({ complete }) {
        await release();
        await readStore.close();
        clear(complete);
      },
    };
  } catch (error) {
    await readStore.close();
    throw error;
  }
}

/** Where a destination keeps its documents, and what to do with them and with that place in the end. */
interface Place extends Pick<ReserveOptions, 'readStore' | 'namespace' | 'otherJob'> {
  readonly writeResult: (models: ReadModels) => Promise<readonly WrittenCollection[]>;
  readonly clear: (complete: boolean) => void;
}

async function placeOf({ destination, settings }: ReplayTask, answers: readonly string[]): Promise<Place> {
  if (destination.kind === 'namespace') {
    return {
      readStore: await openReadStore(settings, null),
      namespace: destination.name,
      otherJob: 'refuse',
      writeResult: (models) => Promise.all(answers.map((collection) => counted(models, collection))),
      clear: () => undefined,
    };
  }
  const { target } = destination;
  const directory = workingDirectoryOf(target.file);
  return {
    readStore: await openEmbeddedReadStore(directory),
    namespace: NAMESPACE,
    otherJob: 'drop',
    writeResult: (models) => writeAll(models, answers, target),
    clear: (complete) => {
      if (complete || target.file === null) removeWorkingDirectory(directory);
    },
  };
}

async function counted(models: ReadModels, collection: string): Promise<WrittenCollection> {
  return { collection, documents: await models.count(collection, {}), file: null };
}

/** Makes a working directory: beside the output file, where the next run finds it; that of standard output is never resumed. */
export function workingDirectoryOf(file: string | null): string {
  if (file === null) return mkdtempSync(join(tmpdir(), 'timing-replay-'));
  const directory = join(dirname(file), WORKING_DIRECTORY, basename(file));
  // Whatever is left out of the output, names of people are in the documents.
  mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
  return directory;
}

/** Removes a working directory, and the directory of all of them once there are no others. */
export function removeWorkingDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  const parent = dirname(directory);
  if (basename(parent) !== WORKING_DIRECTORY) return;
  try {
    rmdirSync(parent);
  } catch (error) {
    // Replays to other files of this directory have theirs there.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
  }
}
