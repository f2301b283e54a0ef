import { BUILT_IN_VERSION } from '../../projections/index.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { ProjectionStores } from './generations.ts';
import { runExclusively } from './exclusive-job.ts';
import { inSmallBatches, runGeneration, waitUntilCaughtUp, type GenerationEvents } from './generation-runner.ts';
import { created, ready } from './generation-state.ts';
import { REBUILD_LEASE } from './leases.ts';

/** How far a rebuild has come. */
export interface RebuildProgress {
  readonly events: number;
  readonly position: Position;
  readonly head: Position;
}

/** What a rebuild takes. */
export interface RebuildOptions {
  readonly stores: ProjectionStores;
  /** Term of the lease of the job, in ms. */
  readonly leaseTermMs: number;
  readonly keepOld: boolean;
  readonly signal: AbortSignal;
  readonly events: GenerationEvents;
  readonly onProgress: (progress: RebuildProgress) => void;
}

/** What a rebuild has made. */
export interface RebuildResult {
  readonly namespace: string;
  /** Events that were projected by this run. */
  readonly events: number;
  /** Whether an earlier run had begun it. */
  readonly resumed: boolean;
}

/**
 * Makes the next generation, up to the head of the event store; null when it was told to stop. What an earlier run of
 * this version has begun is gone on with. To go over to it is the projector's business.
 * @throws {AlreadyRunning} naming who is at it.
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
  const generation = await runGeneration(
    {
      ...stores,
      store: inSmallBatches(stores),
      events: {
        ...events,
        onBatch(some, ms) {
          count += some;
          events.onBatch(some, ms);
          onProgress({ events: count, position: generation.checkpoint.position() ?? 0, head });
        },
      },
    },
    namespace,
  );
  try {
    if (!(await waitUntilCaughtUp(generation, held))) return null;
  } finally {
    await generation.stop();
  }
  await stores.generations.update(ready(namespace, keepOld));
  return { namespace, resumed, events: count };
}

/** Names the next generation: that which an earlier run of this version has begun, or a new, empty one. */
async function resumeOrCreate({ generations }: ProjectionStores, head: Position) {
  const { next: before } = await generations.refresh();
  const reached = before === null ? null : await (await generations.open(before.namespace)).checkpoint();
  // Past the head, it is of another history.
  const instead = before !== null && (reached ?? 0) > head ? before.namespace : null;
  const { next } = await generations.update(created(BUILT_IN_VERSION, instead));
  if (next === null) throw new Error('a generation was begun, and is not there');
  return { namespace: next.namespace, resumed: next.namespace === before?.namespace };
}
