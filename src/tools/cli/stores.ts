import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig, type Config } from '../../service/config/config.ts';
import { esdbUrl } from '../../service/config/formats.ts';
import { cannotEnd, reasonOf } from '../../service/config/start-failure.ts';
import { parseBound, type Bound } from '../history/bounds.ts';
import { describeLocation, locationIn, type StoreLocation } from '../history/location.ts';
import type { EventStore } from '../../service/kernel/ports/event-store.ts';
import { AlreadyRunning } from '../../service/projector/exclusive-job.ts';
import { withGenerations, type ProjectionStores } from '../../service/projector/generations.ts';
import { openEventStore, openStores } from '../../service/stores/stores.ts';
import { EXIT, UsageError, type Invocation } from './arguments.ts';
import { text } from './options.ts';

/** Options of commands that read the history. */
export const FROM_OPTION = text(
  'STORE',
  `a data directory (the service's DATA_DIR) or an address such as esdb://host:2113?tls=false; default: the store
    of the environment (EVENTSTORE_URL, else DATA_DIR, else ./data). A service may go on there`,
);
export const UNTIL_OPTION = text(
  'POINT',
  `the position of the last event to read, or a time such as 2026-03-01T18:00Z (without an offset, UTC): the first
    event that happened later ends it; default: the newest event`,
);

/** Parses the value of an option that names an event store. @throws {UsageError} */
export function parseStoreLocation(option: string, value: string): StoreLocation {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return { dataDir: resolve(value) };
  const { success, error } = esdbUrl.safeParse(value);
  if (success) return { eventStoreUrl: value };
  const [problem] = error.issues;
  throw new UsageError(`--${option} takes a data directory or ${problem?.message ?? 'a URL'}`);
}

/**
 * The store to read: the one that `--from` names; where that is left out, that of the environment.
 * @throws {UsageError} also when there is none.
 */
export function sourceLocationOf(
  from: string | undefined,
  config: Pick<Config, 'dataDir' | 'eventStoreUrl'>,
): StoreLocation {
  const location = from === undefined ? locationIn(config) : parseStoreLocation('from', from);
  expectPresent(location);
  return location;
}

/** @throws {UsageError} when there is no embedded store that `--from` names. */
export function expectPresent(from: StoreLocation): void {
  if (isMissing(from)) throw new UsageError(`--from: there is no event store in ${describeLocation(from)}`);
}

/** Whether an embedded store does not exist; opening it would create it. False for servers, which are not asked. */
function isMissing(location: StoreLocation): boolean {
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

/** The stores that the service uses, and its configuration. */
export interface ServiceStores {
  readonly stores: ProjectionStores;
  readonly config: Config;
}

/**
 * Opens the stores of the service, runs `work` on them and closes them; the result is the exit code. Where there is no
 * embedded event store none is created: the directory was probably mistyped.
 */
export async function withServiceStores(
  { env, err }: Invocation,
  name: string,
  work: (opened: ServiceStores) => Promise<number>,
): Promise<number> {
  return withFailures(err, name, async () => {
    const config = loadConfig(env);
    if (config.eventStoreUrl === null && isMissing(config)) {
      err.write(`sim-racing-timing ${name}: there is no event store in ${resolve(config.dataDir)}; see DATA_DIR\n`);
      return EXIT.failed;
    }
    const stores = await withGenerations(await openStores(config), config);
    try {
      return await work({ stores, config });
    } finally {
      await stores.close();
    }
  });
}

/** Does a command's work, and reports in a line why it failed unless that is a fault of our own; the exit code. */
export async function withFailures(err: Invocation['err'], name: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof AlreadyRunning ? `refused: ${error.message}` : reasonOf(error);
    if (reason === null || cannotEnd(error)) throw error;
    err.write(`sim-racing-timing ${name}: ${reason}\n`);
    return EXIT.failed;
  }
}
