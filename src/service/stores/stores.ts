import { join } from 'node:path';
import { knownDamage } from '../../../infra/lmdb/damage.ts';
import { checkLmdbEventStore, openLmdbEventStore } from '../../../infra/lmdb/event-store.ts';
import { openLmdbReadStore } from '../../../infra/lmdb/read-store.ts';
import { systemProcesses } from '../../../infra/system/processes.ts';
import { systemClock, systemIds } from '../../../infra/system/system.ts';
import type { Config } from '../config/config.ts';
import { DamagedStore, ReadOnlyStore, WrongExpectedRevision } from '../../kernel/ports/errors.ts';
import type { EventStore, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { ReadStore } from '../../kernel/ports/read-store.ts';
import type { Stores } from '../../kernel/ports/stores.ts';
import type { System } from '../../kernel/ports/system.ts';
import type { Metrics } from '../observability/metrics.ts';
import { partOf } from './owner-only.ts';

export const system: System = { clock: systemClock, ids: systemIds, processes: systemProcesses };

export type StoreSettings = Pick<Config, 'dataDir' | 'eventStoreUrl' | 'mongodbUrl' | 'storeTimeoutMs'> & {
  /** Whether nothing will be appended, so damage of the events is no reason not to open them. */
  readonly readOnly?: boolean;
};

/**
 * Opens the stores: on servers where the configuration names them, else embedded ones in the data directory. Servers are
 * not waited for: until they respond, calls fail with {StoreUnavailable}.
 * @throws {StoreUnavailable} when an embedded store cannot be opened.
 */
export async function openStores(settings: StoreSettings, metrics: Metrics | null = null): Promise<Stores> {
  const { readOnly = false, eventStoreUrl, dataDir } = settings;
  if (eventStoreUrl === null && !readOnly) expectUndamaged(dataDir);
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

/** @throws {DamagedStore} when damage was met in the embedded event store of a data directory. */
function expectUndamaged(dataDir: string): void {
  const damage = knownDamage(join(dataDir, 'events'));
  if (damage === null) return;
  const way = `${WAY_OUT}, or start with --read-only to see what can be read`;
  throw new DamagedStore(`the event store in ${dataDir} is damaged (${damage}): ${way}`);
}

/** Advice about a damaged event store. */
export const WAY_OUT =
  'find the newest complete backup (sim-racing-timing backup --check DIR) and restore it to a new directory ' +
  '(sim-racing-timing restore DIR DATA_DIR)';

export function readOnlyStore(store: EventStore): EventStore {
  return {
    ...store,
    append: async (stream, _, expected) => {
      // A retry finds what it made before.
      const exists = expected === 'no_stream' && (await store.readNewest(stream)) !== null;
      throw exists ? new WrongExpectedRevision(stream, expected) : new ReadOnlyStore();
    },
  };
}

// Drivers of servers are loaded only where they are used: each takes a tenth of a second and 20 MB.

export async function openEventStore(
  settings: Pick<StoreSettings, 'dataDir' | 'eventStoreUrl' | 'storeTimeoutMs'>,
  metrics: Metrics | null,
): Promise<EventStore> {
  const { eventStoreUrl: url, dataDir, storeTimeoutMs: timeoutMs } = settings;
  if (url === null) return openLmdbEventStore({ path: partOf(dataDir, 'events'), timeoutMs });
  const { openEventStoreDb } = await import('../../../infra/eventstoredb/event-store.ts');
  return openEventStoreDb({
    url,
    timeoutMs,
    onReconnect: () => metrics?.observeStoreFailure('event_store', 'reconnect'),
    onRetry: () => metrics?.observeStoreFailure('event_store', 'retry'),
  });
}

/** Does work on an event store, and closes it. @throws {StoreUnavailable} when an embedded store cannot be opened. */
export async function withStoreAt<T>(
  location: Partial<Pick<StoreSettings, 'dataDir' | 'eventStoreUrl'>>,
  storeTimeoutMs: number,
  work: (store: EventStore) => Promise<T>,
): Promise<T> {
  const store = await openEventStore({ dataDir: '', eventStoreUrl: null, storeTimeoutMs, ...location }, null);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Checks every page and event of the embedded event store in a data directory; `onEvent` gets each whole event.
 * @throws {StoreUnavailable} when pages are damaged.
 */
export const checkEventsIn = (
  { dataDir, storeTimeoutMs: timeoutMs }: Pick<StoreSettings, 'dataDir' | 'storeTimeoutMs'>,
  onEvent: (event: RecordedEvent) => void,
) => checkLmdbEventStore({ path: partOf(dataDir, 'events'), timeoutMs }, onEvent);

export async function openReadStore(settings: StoreSettings, metrics: Metrics | null): Promise<ReadStore> {
  const { mongodbUrl: url, dataDir, storeTimeoutMs: timeoutMs } = settings;
  if (url === null) return openLmdbReadStore({ path: partOf(dataDir, 'read-models'), timeoutMs });
  const { openMongoReadStore } = await import('../../../infra/mongodb/read-store.ts');
  return openMongoReadStore({ url, timeoutMs, onRetry: () => metrics?.observeStoreFailure('read_store', 'retry') });
}

export const openEmbeddedReadStore = (path: string): Promise<ReadStore> => openLmdbReadStore({ path });
