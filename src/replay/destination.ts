import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ReadModels, ReadStore } from '../kernel/ports/read-store.ts';
import { openEmbeddedReadStore, openReadStore } from '../stores/stores.ts';
import { reserveNamespace, type ReservedNamespace } from './namespace.ts';
import type { ReplayModule } from './module.ts';
import { writeAll, type WrittenCollection } from './output.ts';
import type { Destination, ReplayTask } from './messages.ts';

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

/**
 * Opens the destination, and reserves it for this process.
 * @throws {ReplayRefused} when it holds something else.
 * @throws {StoreUnavailable}
 */
export async function openDestination(task: ReplayTask, module: ReplayModule): Promise<OpenDestination> {
  const { destination } = task;
  if (destination.kind === 'namespace') return openNamespace(destination, task, module);
  return openOutput(destination, task, module);
}

async function openNamespace(
  { name: namespace, fresh }: Extract<Destination, { readonly kind: 'namespace' }>,
  task: ReplayTask,
  { projections, answers }: ReplayModule,
): Promise<OpenDestination> {
  const { fingerprint, from, until } = task;
  const job = { fingerprint, from, until };
  return openWith(await openReadStore(task.settings, null), async (readStore) => {
    const reserved = await reserveNamespace({ readStore, namespace, projections, job, otherJob: 'refuse', fresh });
    return {
      namespace: reserved,
      writeResult: () =>
        Promise.all(
          answers.map(async (collection) => ({
            collection,
            documents: await reserved.models.count(collection, {}),
            file: null,
          })),
        ),
      clear: () => undefined,
    };
  });
}

async function openOutput(
  { target, fresh }: Extract<Destination, { readonly kind: 'output' }>,
  { fingerprint, from, until }: ReplayTask,
  { projections, answers }: ReplayModule,
): Promise<OpenDestination> {
  const job = { fingerprint, from, until };
  const directory = workingDirectoryOf(target.file);
  return openWith(await openEmbeddedReadStore(directory), async (readStore) => {
    const reserved = await reserveNamespace({
      readStore,
      namespace: NAMESPACE,
      projections,
      job,
      otherJob: 'drop',
      fresh,
    });
    return {
      namespace: reserved,
      writeResult: () => writeAll(reserved.models, answers, target),
      clear: (complete) => {
        if (complete || target.file === null) removeWorkingDirectory(directory);
      },
    };
  });
}

interface DestinationParts {
  readonly namespace: ReservedNamespace;
  readonly writeResult: OpenDestination['writeResult'];
  readonly clear: (complete: boolean) => void;
}

async function openWith(
  readStore: ReadStore,
  open: (readStore: ReadStore) => Promise<DestinationParts>,
): Promise<OpenDestination> {
  try {
    const {
      namespace: { models, release },
      writeResult,
      clear,
    } = await open(readStore);
    return {
      models,
      writeResult,
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

/** Beside the output file, where the next run finds it; output to standard output is never resumed. */
function workingDirectoryOf(file: string | null): string {
  if (file === null) return mkdtempSync(join(tmpdir(), 'timing-replay-'));
  const directory = join(dirname(file), WORKING_DIRECTORY, basename(file));
  mkdirSync(directory, { recursive: true });
  return directory;
}

function removeWorkingDirectory(directory: string): void {
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
