import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { esdbUrl } from '../config/formats.ts';
import type { Config } from '../config/config.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { parseBound, type Bound } from '../history/bounds.ts';
import { openEventStore } from '../stores/stores.ts';
import { UsageError } from './arguments.ts';

/** Location of an event store: a data directory, or a connection string. */
export type StoreLocation = { readonly dataDir: string } | { readonly eventStoreUrl: string };

/** Parses the value of an option that names an event store. @throws {UsageError} */
export function parseStoreLocation(option: string, value: string): StoreLocation {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return { dataDir: resolve(value) };
  const { success, error } = esdbUrl.safeParse(value);
  if (success) return { eventStoreUrl: value };
  const [problem] = error.issues;
  throw new UsageError(`--${option} takes a data directory or ${problem?.message ?? 'a URL'}`);
}

/** The store that an option names; where it is left out, that of the environment. @throws {UsageError} */
export function storeLocationOf(
  option: string,
  value: string | undefined,
  { dataDir, eventStoreUrl }: Pick<Config, 'dataDir' | 'eventStoreUrl'>,
): StoreLocation {
  if (value !== undefined) return parseStoreLocation(option, value);
  return eventStoreUrl === null ? { dataDir: resolve(dataDir) } : { eventStoreUrl };
}

/** The location as text for people, without the user name and password of a connection string. */
export function describeLocation(location: StoreLocation): string {
  return 'dataDir' in location ? location.dataDir : location.eventStoreUrl.replace(/\/\/[^/?#]*@/, '//');
}

/** Whether an embedded store does not exist; opening it would create it. False for servers, which are not asked. */
export function isMissing(location: StoreLocation): boolean {
  return 'dataDir' in location && !existsSync(join(location.dataDir, 'events'));
}

/** Opens the event store. @throws {StoreUnavailable} when an embedded store cannot be opened. */
export function openStoreAt(location: StoreLocation, storeTimeoutMs: number): Promise<EventStore> {
  return openEventStore({ dataDir: '', eventStoreUrl: null, storeTimeoutMs, ...location }, null);
}

/** Parses the value of an option that names a point of the history; null where it is left out. @throws {UsageError} */
export function parseBoundOption(option: string, value: string | undefined): Bound | null {
  const bound = value === undefined ? null : parseBound(value);
  if (value === undefined || bound !== null) return bound;
  throw new UsageError(`--${option} takes a position (a whole number) or a time such as 2026-03-01T18:00:00Z`);
}
