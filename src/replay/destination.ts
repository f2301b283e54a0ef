import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ReadModels, ReadStore } from '../kernel/ports/read-store.ts';
import { openEmbeddedReadStore, openReadStore } from '../stores/stores.ts';
import { claim, type Claimed } from './namespace.ts';
import type { ReplayModule } from './module.ts';
import { writeAll, type Written } from './output.ts';
import type { Destination, Task } from './messages.ts';

/** Where a replay's documents are kept while it goes on, and what becomes of them. */
export interface Opened {
  readonly models: ReadModels;
  /** Makes the answer; its collections and how many documents each has. */
  readonly deliver: () => Promise<readonly Written[]>;
  /** `complete`: what is needed only to resume can go. */
  readonly close: (end: { readonly complete: boolean }) => Promise<void>;
}

/** Folder beside the output, and namespace in it. */
const SCRATCH = '.timing-replay';
const NAMESPACE = 'replay';

/**
 * Opens where the documents go, and takes it for this process.
 * @throws {ReplayRefused} when it holds something else.
 * @throws {StoreUnavailable}
 */
export async function openDestination(task: Task, module: ReplayModule): Promise<Opened> {
  const { destination } = task;
  if (destination.kind === 'namespace') return openNamespace(destination, task, module);
  return openScratch(destination, task, module);
}

async function openNamespace(
  { name: namespace, fresh }: Extract<Destination, { readonly kind: 'namespace' }>,
  task: Task,
  { projections, answers }: ReplayModule,
): Promise<Opened> {
  const { fingerprint, from, until } = task;
  const job = { fingerprint, from, until };
  return claimed(await openReadStore(task.settings, null), async (readStore) => {
    const taken = await claim({ readStore, namespace, projections, job, others: 'refuse', fresh });
    return {
      taken,
      deliver: () =>
        Promise.all(
          answers.map(async (collection) => ({
            collection,
            documents: await taken.models.count(collection, {}),
            file: null,
          })),
        ),
      clear: () => undefined,
    };
  });
}

async function openScratch(
  { target, fresh }: Extract<Destination, { readonly kind: 'output' }>,
  { fingerprint, from, until }: Task,
  { projections, answers }: ReplayModule,
): Promise<Opened> {
  const job = { fingerprint, from, until };
  const directory = scratchOf(target.file);
  return claimed(await openEmbeddedReadStore(directory), async (readStore) => {
    const taken = await claim({ readStore, namespace: NAMESPACE, projections, job, others: 'drop', fresh });
    return {
      taken,
      deliver: () => writeAll(taken.models, answers, target),
      clear: (complete) => {
        if (complete || target.file === null) removeScratch(directory);
      },
    };
  });
}

interface Taken {
  readonly taken: Claimed;
  readonly deliver: Opened['deliver'];
  readonly clear: (complete: boolean) => void;
}

async function claimed(readStore: ReadStore, take: (readStore: ReadStore) => Promise<Taken>): Promise<Opened> {
  try {
    const {
      taken: { models, release },
      deliver,
      clear,
    } = await take(readStore);
    return {
      models,
      deliver,
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

/** Beside the output it can be found again; what goes to standard output is never resumed. */
function scratchOf(file: string | null): string {
  if (file === null) return mkdtempSync(join(tmpdir(), 'timing-replay-'));
  const directory = join(dirname(file), SCRATCH, basename(file));
  mkdirSync(directory, { recursive: true });
  return directory;
}

function removeScratch(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  const parent = dirname(directory);
  if (basename(parent) !== SCRATCH) return;
  try {
    rmdirSync(parent);
  } catch (error) {
    // Other outputs beside this one have theirs there.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
  }
}
