import { resolve } from 'node:path';
import type { EventStore } from '../../service/kernel/ports/event-store.ts';
import { openEventStore } from '../../service/stores/stores.ts';

export type StoreLocation = { readonly dataDir: string } | { readonly eventStoreUrl: string };

export function locationIn(settings: {
  readonly dataDir: string;
  readonly eventStoreUrl: string | null;
}): StoreLocation {
  const { dataDir, eventStoreUrl } = settings;
  return eventStoreUrl === null ? { dataDir: resolve(dataDir) } : { eventStoreUrl };
}

/** The location as text for people, without the user name and password of a connection string. */
export function describeLocation(location: StoreLocation): string {
  return 'dataDir' in location ? location.dataDir : location.eventStoreUrl.replace(/\/\/[^/?#]*@/, '//');
}

/** Does work on an event store, and closes it. @throws {StoreUnavailable} when an embedded store cannot be opened. */
export async function withStoreAt<T>(
  location: StoreLocation,
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
