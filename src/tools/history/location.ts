import { resolve } from 'node:path';

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
