import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openEmbeddedReadStore, openReadStore, type StoreSettings } from '../../service/stores/stores.ts';
import type { LineageCheck } from '../../kernel/projection/lineage.ts';
import { isOfHistory, reserveNamespace, type ReserveOptions } from './namespace.ts';
import { ReplayRefused } from './refused.ts';
import { writeAll, type OutputTarget, type WrittenCollection } from './output.ts';

/** Destination of the documents of a replay: a namespace of the read store, or an output. */
export type Destination =
  { readonly kind: 'namespace'; readonly name: string } | { readonly kind: 'output'; readonly target: OutputTarget };

export interface DestinationOptions extends JobOptions {
  /** The history that the documents are made from. */
  readonly lineage: LineageCheck;
  readonly signal: AbortSignal;
  readonly destination: Destination;
  readonly settings: StoreSettings;
  readonly results: readonly string[];
}

/** Working directory beside the output file, and the namespace of the read store in it. */
const WORKING_DIRECTORY = '.timing-replay';
const NAMESPACE = 'replay';
/** Mode of a directory that only its owner may enter. */
const OWNER_ONLY = 0o700;

/**
 * Opens the destination, and reserves it for this process. `writeResult` writes the output, if any, and returns the
 * collections and how many documents each has. `close` deletes what is needed only to resume, where it is `complete`.
 * @throws {ReplayRefused} when it holds something else, or documents of another history.
 * @throws {StoreUnavailable}
 */
export async function openDestination(options: DestinationOptions) {
  const { destination, settings, results, lineage, signal } = options;
  if (destination.kind === 'namespace') {
    const readStore = await openReadStore(settings, null);
    const opened = await reserveIn({ ...options, readStore, namespace: destination.name, otherJob: 'refuse' });
    if (!(await isOpenedOfHistory(opened, lineage, signal))) {
      await opened.close();
      throw new ReplayRefused(
        `${destination.name} holds documents made from events that this history does not have, as an older backup was ` +
          'restored; --fresh drops them and starts again',
      );
    }
    const count = async (collection: string): Promise<WrittenCollection> => {
      return { collection, documents: await opened.models.count(collection, {}), file: null };
    };
    return { ...opened, writeResult: () => Promise.all(results.map(count)) };
  }
  const { target } = destination;
  const working = await openWorkingDirectory(target.file, NAMESPACE, options, lineage, signal);
  return { ...working, writeResult: () => writeAll(working.models, results, target) };
}

/**
 * Documents of a job, in a directory beside its output: what a killed run of the same job has left is resumed, if it was
 * made from the same history.
 */
export async function openWorkingDirectory(
  file: string | null,
  namespace: string,
  options: JobOptions,
  lineage: LineageCheck,
  signal: AbortSignal,
) {
  const directory = workingDirectoryOf(file);
  const open = async (fresh: boolean) => {
    const readStore = await openEmbeddedReadStore(directory);
    return reserveIn({ ...options, fresh, readStore, namespace, otherJob: 'drop' });
  };
  let opened = await open(options.fresh);
  if (!(await isOpenedOfHistory(opened, lineage, signal))) {
    await opened.close();
    opened = await open(true);
  }
  const { models, close } = opened;
  return {
    models,
    async close({ complete }: { readonly complete: boolean }) {
      await close();
      if (complete || file === null) removeWorkingDirectory(directory);
    },
  };
}

/** The same as `isOfHistory`; what was opened is closed where that cannot be told. */
async function isOpenedOfHistory(
  opened: Awaited<ReturnType<typeof reserveIn>>,
  lineage: LineageCheck,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await isOfHistory(opened.models, lineage, signal);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

type JobOptions = Pick<ReserveOptions, 'projections' | 'job' | 'fresh'>;

/** Reserves a namespace; the read store is closed with it, and when that fails. */
async function reserveIn(options: ReserveOptions) {
  const { readStore } = options;
  try {
    const { models, release } = await reserveNamespace(options);
    return { models, close: () => release().then(() => readStore.close()) };
  } catch (error) {
    await readStore.close();
    throw error;
  }
}

/** Creates a working directory: beside the output file, where the next run finds it; else a temporary one. */
function workingDirectoryOf(file: string | null): string {
  if (file === null) return mkdtempSync(join(tmpdir(), 'timing-replay-'));
  const directory = join(dirname(file), WORKING_DIRECTORY, basename(file));
  // The documents hold names of people, even if the output leaves them out.
  mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
  return directory;
}

/** Removes a working directory, and the directory of all of them once there are no others. */
function removeWorkingDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  const parent = dirname(directory);
  if (basename(parent) !== WORKING_DIRECTORY) return;
  try {
    rmdirSync(parent);
  } catch (error) {
    // Replays to other files in this directory have theirs there.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
  }
}
