import { BUILT_IN } from '../../projections/index.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { pause, type Clock } from '../kernel/ports/system.ts';
import type { ProjectionStores } from './generations.ts';
import { runExclusively } from './exclusive-job.ts';
import { compare, type CompareResult } from './compare.ts';
import {
  inSmallBatches,
  runGeneration,
  waitUntilCaughtUp,
  type GenerationRunnerOptions,
  type GenerationEvents,
} from './generation-runner.ts';
import type { RebuildProgress } from './rebuild.ts';

/** What a verification takes. */
export interface VerifyOptions {
  readonly stores: ProjectionStores;
  /** Term of the lease of the job, in ms. */
  readonly leaseTermMs: number;
  readonly signal: AbortSignal;
  readonly events: Omit<GenerationEvents, 'onBatch'>;
  /** The head is where the live documents are. */
  readonly onProgress: (progress: RebuildProgress) => void;
}

/** Namespace of the documents that the live ones are held against, and name of the lease of who makes them. */
export const VERIFY_LEASE = `verify ${BUILT_IN}`;

/**
 * Replays the history into a namespace of its own, holds every document of the current generation against it, and drops
 * it again; what an earlier run left, as it was killed, is dropped first. A service may go on meanwhile. Null when it
 * was told to stop.
 * @throws {AlreadyRunning} naming who is at it.
 * @throws {StoreUnavailable}
 */
export function verify(options: VerifyOptions): Promise<CompareResult | null> {
  const { stores, leaseTermMs: termMs, signal } = options;
  const { readStore } = stores;
  return runExclusively({ stores, name: VERIFY_LEASE, termMs, signal }, async (held) => {
    await readStore.drop(VERIFY_LEASE);
    try {
      return await compareCurrent(options, held);
    } finally {
      // Who has lost the lease leaves it to the next one, who may be at it already.
      if (!held.aborted || signal.aborted) await readStore.drop(VERIFY_LEASE);
    }
  });
}

/** Once more, should another generation become current on the way. */
async function compareCurrent(options: VerifyOptions, signal: AbortSignal): Promise<CompareResult | null> {
  const { store, generations } = options.stores;
  const replayed = await generations.open(VERIFY_LEASE);
  const replay = createReplay(options, signal);
  for (;;) {
    const {
      current: { namespace },
    } = await generations.refresh();
    const live = await generations.open(namespace);
    const catchUp = async (): Promise<Position | null> => replay((await live.checkpoint()) ?? 0);
    const compared = await compare({ live, replayed, catchUp, head: () => store.head(), signal });
    if (compared === null || (await generations.refresh()).current.namespace === namespace) return compared;
  }
}

/** Goes on with the replay up to a position, and gives it; null when it was told to stop. */
function createReplay(
  { stores, events, onProgress }: VerifyOptions,
  signal: AbortSignal,
): (limit: Position) => Promise<Position | null> {
  let count = 0;
  return async (limit) => {
    const generation = await runGeneration(
      {
        ...stores,
        store: endingAt(inSmallBatches(stores), { limit, clock: stores.clock }),
        events: {
          ...events,
          onBatch(some) {
            count += some;
            onProgress({ events: count, position: generation.checkpoint.position() ?? 0, head: limit });
          },
        },
      },
      VERIFY_LEASE,
    );
    try {
      return (await waitUntilCaughtUp(generation, signal)) ? limit : null;
    } finally {
      await generation.stop();
    }
  };
}

/** The store as it was when an event was its newest. */
function endingAt(
  store: GenerationRunnerOptions['store'],
  { limit, clock }: { readonly limit: Position; readonly clock: Clock },
): GenerationRunnerOptions['store'] {
  return {
    head: () => store.head(),
    async *subscribe(after, types, signal) {
      for await (const delivery of store.subscribe(after, types, signal)) {
        const { events, upTo } = delivery;
        if (upTo < limit) {
          yield { ...delivery, caughtUp: false };
          continue;
        }
        yield { events: events.filter(({ position }) => position <= limit), upTo: limit, caughtUp: true };
        while (!signal.aborted) await pause(clock, IDLE_MS, signal);
      }
    },
  };
}

/** How long, in ms, to stay where the bound is, again and again. */
const IDLE_MS = 60_000;
