import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ReadModels } from '../../service/kernel/ports/read-store.ts';
import { openEmbeddedReadStore, openReadStore, type StoreSettings } from '../../service/stores/stores.ts';
import { reserveNamespace, type ReserveOptions } from './namespace.ts';
import { writeAll, type OutputTarget, type WrittenCollection } from './output.ts';

/** Destination of the documents of a replay: a namespace of the read store, or an output. */
export type Destination =
  { readonly kind: 'namespace'; readonly name: string } | { readonly kind: 'output'; readonly target: OutputTarget };

export interface DestinationOptions extends JobOptions {
  readonly destination: Destination;
  readonly settings: StoreSettings;
  readonly results: readonly string[];
}

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
export async function openDestination(options: DestinationOptions): Promise<OpenDestination> {
  const { destination, settings, results } = options;
  if (destination.kind === 'namespace') {
    const readStore = await openReadStore(settings, null);
    const place = { readStore, namespace: destination.name, otherJob: 'refuse' } as const;
    const { models, close } = await reserveIn(place, options);
    const count = async (collection: string) => {
      return { collection, documents: await models.count(collection, {}), file: null };
    };
    return { models, writeResult: () => Promise.all(results.map(count)), close };
  }
  const { target } = destination;
  const working = await openWorkingDirectory(target.file, NAMESPACE, options);
  return { ...working, writeResult: () => writeAll(working.models, results, target) };
}

/** Documents of a job, in a directory beside its output: what a killed run of the same job has left is resumed. */
export async function openWorkingDirectory(file: string | null, namespace: string, options: JobOptions) {
  const directory = workingDirectoryOf(file);
  const readStore = await openEmbeddedReadStore(directory);
  const { models, close } = await reserveIn({ readStore, namespace, otherJob: 'drop' }, options);
  return {
    models,
    async close({ complete }: { readonly complete: boolean }) {
      await close();
      if (complete || file === null) removeWorkingDirectory(directory);
    },
  };
}

type JobOptions = Pick<ReserveOptions, 'projections' | 'job' | 'fresh'>;
type Place = Pick<ReserveOptions, 'readStore' | 'namespace' | 'otherJob'>;

/** Reserves a namespace; the read store is closed with it, and when that fails. */
async function reserveIn(place: Place, { projections, job, fresh }: JobOptions) {
  try {
    const { models, release } = await reserveNamespace({ ...place, projections, job, fresh });
    const close = async (): Promise<void> => {
      await release();
      await place.readStore.close();
    };
    return { models, close };
  } catch (error) {
    await place.readStore.close();
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
