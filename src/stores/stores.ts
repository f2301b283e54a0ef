import { join } from 'node:path';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import { openLmdbReadStore } from '../../infra/lmdb/read-store.ts';
import type { Config } from '../config/config.ts';
import { openGenerations, type Generations } from '../projector/generations.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { ReadModels, ReadStore } from '../kernel/ports/read-store.ts';
import type { Metrics } from '../observability/metrics.ts';

/**
 * The stores that all else stands on: what a projector needs, and the ground of the API. `models` are the built-in read
 * models, of the generation that is current at each call.
 */
export interface Stores {
  readonly store: EventStore;
  readonly readStore: ReadStore;
  readonly models: ReadModels;
  readonly generations: Generations;
  close(): Promise<void>;
}

/** The settings that say which stores, and where. */
export type StoreSettings = Pick<Config, 'dataDir' | 'eventStoreUrl' | 'mongodbUrl' | 'storeTimeoutMs'>;

/**
 * Opens the stores: servers where the settings name them, embedded ones in the data directory otherwise. Servers are
 * not waited for: until they answer, whatever needs them fails with {StoreUnavailable}.
 * @throws {StoreUnavailable} when an embedded store cannot be opened.
 */
export async function openStores(settings: StoreSettings, metrics: Metrics | null = null): Promise<Stores> {
  const store = await openEventStore(settings, metrics);
  const readStore = await openReadStore(settings, metrics);
  const generations = await openGenerations(readStore);
  return {
    store,
    readStore,
    models: generations.models,
    generations,
    async close() {
      generations.close();
      await store.close();
      await readStore.close();
    },
  };
}

// The drivers of servers are loaded where they are used only: each costs a start a tenth of a second and 20 MB.

/** Opens the event store that the settings name. */
export async function openEventStore(
  settings: Pick<StoreSettings, 'dataDir' | 'eventStoreUrl' | 'storeTimeoutMs'>,
  metrics: Metrics | null,
): Promise<EventStore> {
  const { eventStoreUrl: url, dataDir, storeTimeoutMs: timeoutMs } = settings;
  if (url === null) return openLmdbEventStore({ path: join(dataDir, 'events') });
  const { openEventStoreDb } = await import('../../infra/eventstoredb/event-store.ts');
  return openEventStoreDb({
    url,
    timeoutMs,
    onReconnect: () => metrics?.observeSetback('event_store', 'reconnect'),
    onRetry: () => metrics?.observeSetback('event_store', 'retry'),
  });
}

/** Opens the read store that the settings name. */
export async function openReadStore(settings: StoreSettings, metrics: Metrics | null): Promise<ReadStore> {
  const { mongodbUrl: url, dataDir, storeTimeoutMs: timeoutMs } = settings;
  if (url === null) return openLmdbReadStore({ path: join(dataDir, 'read-models') });
  const { openMongoReadStore } = await import('../../infra/mongodb/read-store.ts');
  return openMongoReadStore({ url, timeoutMs, onRetry: () => metrics?.observeSetback('read_store', 'retry') });
}
