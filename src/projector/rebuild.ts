import { BUILT_IN_VERSION } from '../../projections/index.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { ProjectionStores } from './generations.ts';
import { runExclusively } from './exclusive-job.ts';
import { inSmallBatches, projectToHead, type GenerationEvents } from './generation-runner.ts';
import { created, ready } from './generation-state.ts';
import { REBUILD_LEASE } from './leases.ts';

/** Progress of a rebuild. */
export interface RebuildProgress {
  readonly events: number;
  readonly position: Position;
  readonly head: Position;
}

/** Options of a rebuild. */
export interface RebuildOptions {
  readonly stores: ProjectionStores;
  /** Term of the job's lease, in ms. */
  readonly leaseTermMs: number;
  readonly keepOld: boolean;
  readonly signal: AbortSignal;
  readonly events: GenerationEvents;
  readonly onProgress: (progress: RebuildProgress) => void;
}

/** Result of a rebuild. */
export interface RebuildResult {
  readonly namespace: string;
  /** Events that this run has projected. */
  readonly events: number;
  /** Whether an earlier run had created the generation. */
  readonly resumed: boolean;
}

/**
 * Builds the next generation up to the head of the event store; null when `signal` aborts. One that an earlier run of
 * this version has created is continued. Promoting it is left to the projector.
 * @throws {AlreadyRunning} naming the process that rebuilds already.
 * @throws {StoreUnavailable}
 */
export function buildNextGeneration(options: RebuildOptions): Promise<RebuildResult | null> {
  const { stores, leaseTermMs: termMs, signal } = options;
  return runExclusively({ stores, name: REBUILD_LEASE, termMs, signal }, (held) => build(options, held));
}

async function build(
  { stores, keepOld, events, onProgress }: RebuildOptions,
  held: AbortSignal,
): Promise<RebuildResult | null> {
  const head = (await stores.store.head()) ?? 0;
  const { namespace, resumed } = await resumeOrCreate(stores, head);
  let count = 0;
  const options = { ...stores, store: inSmallBatches(stores), events };
  const isComplete = await projectToHead(options, namespace, {
    signal: held,
    onProgress: (some, position) => {
      count += some;
      onProgress({ events: count, position, head });
    },
  });
  if (!isComplete) return null;
  await stores.generations.update(ready(namespace, keepOld));
  return { namespace, resumed, events: count };
}

/** Returns the next generation: the one that an earlier run of this version has created, or a new, empty one. */
async function resumeOrCreate({ generations }: ProjectionStores, head: Position) {
  const { next: before } = await generations.refresh();
  const checkpoint = before === null ? null : await (await generations.open(before.namespace)).checkpoint();
  // A checkpoint past the head belongs to another history.
  const unusable = before !== null && (checkpoint ?? 0) > head ? before.namespace : null;
  const { next } = await generations.update(created(BUILT_IN_VERSION, unusable));
  if (next === null) throw new Error('the next generation was created and is missing');
  return { namespace: next.namespace, resumed: next.namespace === before?.namespace };
}
