import { join } from 'node:path';
import { openLmdbEventStore } from '../infra/event-store/lmdb.ts';
import { openLmdbReadStore } from '../infra/read-store/lmdb.ts';
import { builtInProjections, BUILT_IN } from '../projections/index.ts';
import type { Config } from './config.ts';
import { collectionsOf, createProjectionRunner } from './kernel/projection-runner.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { systemClock } from './system.ts';

const MS_PER_SECOND = 1000;

/**
 * The stores and what projects from one into the other: all that a projector needs, and the ground that the API stands
 * on.
 */
export async function openStores({ dataDir }: Pick<Config, 'dataDir'>) {
  const store = openLmdbEventStore({ path: join(dataDir, 'events') });
  const readStore = await openLmdbReadStore({ path: join(dataDir, 'read-models') });
  const models = await readStore.namespace(BUILT_IN, collectionsOf(builtInProjections));
  return {
    store,
    models,
    async close() {
      await store.close();
      await readStore.close();
    },
  };
}

type Stores = Awaited<ReturnType<typeof openStores>>;

/** The runner of the built-in read models. */
export function builtInRunner(
  { store, models }: Stores,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics | null },
) {
  return createProjectionRunner({
    store,
    models,
    projections: builtInProjections,
    clock: systemClock,
    onBatch: (events, ms) => metrics?.observeProjection(events, ms / MS_PER_SECOND),
    onError: (error) => {
      log.error({ err: error }, 'projection failed');
    },
  });
}
