import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { esdbUrl } from '../config/formats.ts';
import type { Config } from '../config/config.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { parseBound, type Bound } from '../history/bounds.ts';
import { openEventStore } from '../stores/stores.ts';
import { UsageError } from './arguments.ts';

/** An event store as a command's arguments name it: a data directory, or the address of servers. */
export type StoreLocation = { readonly dataDir: string } | { readonly eventStoreUrl: string };

/** Reads the value of an option that names an event store. @throws {UsageError} */
export function parseStoreLocation(option: string, value: string): StoreLocation {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return { dataDir: resolve(value) };
  const { success, error } = esdbUrl.safeParse(value);
  if (success) return { eventStoreUrl: value };
  const [problem] = error.issues;
  throw new UsageError(`--${option} takes a data directory or ${problem?.message ?? 'a URL'}`);
}

/** The store that an option names; left out, that of the environment. @throws {UsageError} */
export function storeLocationOf(
  option: string,
  value: string | undefined,
  { dataDir, eventStoreUrl }: Pick<Config, 'dataDir' | 'eventStoreUrl'>,
): StoreLocation {
  if (value !== undefined) return parseStoreLocation(option, value);
  return eventStoreUrl === null ? { dataDir: resolve(dataDir) } : { eventStoreUrl };
}

/** The place in words, without the name and password that an address may hold. */
export function describeLocation(location: StoreLocation): string {
  return 'dataDir' in location ? location.dataDir : location.eventStoreUrl.replace(/\/\/[^/?#]*@/, '//');
}

/** Whether an embedded store is there: opening one would make it. Servers show it at the first call. */
export function isMissing(location: StoreLocation): boolean {
  return 'dataDir' in location && !existsSync(join(location.dataDir, 'events'));
}

/** @throws {StoreUnavailable} when an embedded store cannot be opened. */
export function openStoreAt(location: StoreLocation, storeTimeoutMs: number): Promise<EventStore> {
  return openEventStore({ dataDir: '', eventStoreUrl: null, storeTimeoutMs, ...location }, null);
}

/** The point of the history that an option names, or null. @throws {UsageError} when it names none. */
export function parseBoundOption(option: string, value: string | undefined): Bound | null {
  const bound = value === undefined ? null : parseBound(value);
  if (value === undefined || bound !== null) return bound;
  throw new UsageError(`--${option} takes a position (a whole number) or a time such as 2026-03-01T18:00:00Z`);
}
