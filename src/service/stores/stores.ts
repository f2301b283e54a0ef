import { join } from 'node:path';
import { checkEventPages, openLmdbEventStore } from '../../../infra/lmdb/event-store.ts';
import { openLmdbReadStore } from '../../../infra/lmdb/read-store.ts';
import { systemProcesses } from '../../../infra/system/processes.ts';
import { systemClock, systemIds } from '../../../infra/system/system.ts';
import type { Config } from '../config/config.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { ReadStore } from '../kernel/ports/read-store.ts';
import type { Stores } from '../kernel/ports/stores.ts';
import type { System } from '../kernel/ports/system.ts';
import type { Metrics } from '../observability/metrics.ts';
import { partOf } from './owner-only.ts';

/** The machine's clock, ids and processes. */
export const system: System = { clock: systemClock, ids: systemIds, processes: systemProcesses };

/** The part of the configuration that names the stores. */
export type StoreSettings = Pick<Config, 'dataDir' | 'eventStoreUrl' | 'mongodbUrl' | 'storeTimeoutMs'>;

/**
 * Opens the stores: on servers where the configuration names them, else embedded ones in the data directory. Servers are
 * not waited for: until they respond, calls fail with {StoreUnavailable}.
 * @throws {StoreUnavailable} when an embedded store cannot be opened.
 */
export async function openStores(settings: StoreSettings, metrics: Metrics | null = null): Promise<Stores> {
  const store = await openEventStore(settings, metrics);
  const readStore = await openReadStore(settings, metrics).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    ...system,
    store,
    readStore,
    async close() {
      try {
        await store.close();
      } finally {
        await readStore.close();
      }
    },
  };
}

// Drivers of servers are loaded only where they are used: each takes a tenth of a second and 20 MB.

/** Opens the event store that the configuration names. */
export async function openEventStore(
  settings: Pick<StoreSettings, 'dataDir' | 'eventStoreUrl' | 'storeTimeoutMs'>,
  metrics: Metrics | null,
): Promise<EventStore> {
  const { eventStoreUrl: url, dataDir, storeTimeoutMs: timeoutMs } = settings;
  const onAppend = metrics?.observeAppend;
  if (url === null) return openLmdbEventStore({ path: partOf(dataDir, 'events'), timeoutMs, onAppend });
  const { openEventStoreDb } = await import('../../../infra/eventstoredb/event-store.ts');
  return openEventStoreDb({
    url,
    timeoutMs,
    onAppend,
    onReconnect: () => metrics?.observeStoreFailure('event_store', 'reconnect'),
    onRetry: () => metrics?.observeStoreFailure('event_store', 'retry'),
  });
}

/**
 * Checks every page of the embedded event store in a data directory; returns the number of pages and their size in bytes.
 * @throws {StoreUnavailable} when they are damaged.
 */
export const checkEvents = ({ dataDir, storeTimeoutMs }: Pick<StoreSettings, 'dataDir' | 'storeTimeoutMs'>) =>
  checkEventPages({ path: join(dataDir, 'events'), timeoutMs: storeTimeoutMs });

/** Opens the read store that the configuration names. */
export async function openReadStore(settings: StoreSettings, metrics: Metrics | null): Promise<ReadStore> {
  const { mongodbUrl: url, dataDir, storeTimeoutMs: timeoutMs } = settings;
  if (url === null) return openLmdbReadStore({ path: partOf(dataDir, 'read-models'), timeoutMs });
  const { openMongoReadStore } = await import('../../../infra/mongodb/read-store.ts');
  return openMongoReadStore({ url, timeoutMs, onRetry: () => metrics?.observeStoreFailure('read_store', 'retry') });
}

/** Opens an embedded read store in a directory. */
export const openEmbeddedReadStore = (path: string): Promise<ReadStore> => openLmdbReadStore({ path });
