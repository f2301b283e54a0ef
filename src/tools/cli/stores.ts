import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig, type Config } from '../../service/config/config.ts';
import { esdbUrl } from '../../service/config/formats.ts';
import { cannotEnd, reasonOf } from '../../service/config/start-failure.ts';
import { parsePoint, UnknownPoint, type Point } from '../history/bounds.ts';
import { describeLocation, locationIn, type StoreLocation } from '../history/location.ts';
import { AlreadyRunning } from '../../service/projector/exclusive-job.ts';
import { withGenerations, type ProjectionStores } from '../../service/projector/generations.ts';
import { onCopyOfBackup } from '../../service/stores/restore.ts';
import { openStores } from '../../service/stores/stores.ts';
import { command, EXIT, jsonLine, text, UsageError } from './command.ts';
import type { Given, Options, Run, Syntax } from './command.ts';

export const FROM_OPTION = text(
  'STORE',
  `a data directory (the service's DATA_DIR) or an address such as esdb://host:2113?tls=false; default: the store
    of the environment (EVENTSTORE_URL, else DATA_DIR, else ./data). A service may keep using it`,
);
export const UNTIL_OPTION = text(
  'POINT',
  `the position or the id of the last event to read, or a time such as 2026-03-01T18:00Z (without an offset, UTC):
    the first event that happened later ends it; default: the newest event. An id, unlike a position, is refused where
    an older backup was restored and the history no longer has that event`,
);

/** Parses the value of an option that names an event store. @throws {UsageError} */
export function parseStoreLocation(option: string, value: string): StoreLocation {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return { dataDir: resolve(value) };
  const { success, error } = esdbUrl.safeParse(value);
  if (success) return { eventStoreUrl: value };
  const [problem] = error.issues;
  throw new UsageError(`--${option} takes a data directory or ${problem?.message ?? 'a URL'}`);
}

/** The store that `--from` names, or that of the environment. @throws {UsageError} also when there is none. */
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

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Parses the value of an option that names a point of the history; null where it is left out. @throws {UsageError} */
export function parsePointOption(option: string, value: string | undefined): Point | null {
  if (value === undefined) return null;
  const point = parsePoint(value);
  if (point !== null) return point;
  throw new UsageError(
    `--${option} takes a position (a whole number), the id of an event, or a time such as 2026-03-01T18:00:00Z`,
  );
}

interface StoreCommandSyntax<O extends Options> extends Syntax<O> {
  /** Why it failed, in a line, where it knows better than `reasonOf`; null for other errors. */
  readonly failureOf?: (error: unknown) => string | null;
  readonly failuresInJson?: boolean;
}

/** Declares a command that reports in a line why it failed, unless that is a fault of our own. */
export function storeCommand<const O extends Options>(
  syntax: StoreCommandSyntax<O>,
  work: (given: Given<O>) => Promise<number>,
): Run {
  return command(syntax, async (given) => {
    try {
      return await work(given);
    } catch (error) {
      const reason = syntax.failureOf?.(error) ?? failureOf(error);
      if (reason === null) throw error;
      given.err.write(`sim-racing-timing ${syntax.name}: ${reason}\n`);
      if (syntax.failuresInJson === true && given.values['json'] === true)
        given.out.write(jsonLine({ result: 'failed', error: reason }));
      return EXIT.failed;
    }
  });
}

function failureOf(error: unknown): string | null {
  if (cannotEnd(error)) return null;
  if (error instanceof UnknownPoint) return error.message;
  return error instanceof AlreadyRunning ? `refused: ${error.message}` : reasonOf(error);
}

/** Names the stores of a service, without passwords. */
function describeStores(config: Config): string {
  const events = describeLocation(locationIn(config));
  return config.mongodbUrl === null ? events : `${events}, and that of MONGODB_URL`;
}

export interface ServiceStores {
  readonly stores: ProjectionStores;
  readonly config: Config;
}

/** A command on the stores of the service, opened after `prepare`. No embedded event store is ever created. */
export function serviceCommand<const O extends Options>(
  syntax: Syntax<O>,
  prepare: (given: Given<O>) => (opened: ServiceStores) => Promise<number>,
): Run {
  return storeCommand(syntax, async (given) => {
    const work = prepare(given);
    const say = (text: string): unknown => given.err.write(`${text}\n`);
    const config = await onCopyOfBackup(loadConfig(given.env), say);
    if (config.eventStoreUrl === null && isMissing(config)) {
      const directory = resolve(config.dataDir);
      given.err.write(`sim-racing-timing ${syntax.name}: there is no event store in ${directory}; see DATA_DIR\n`);
      return EXIT.failed;
    }
    const { waiting } = given;
    return waiting.during(`the stores of the service: ${describeStores(config)}`, async () => {
      const stores = await withGenerations(await openStores(config), config);
      try {
        return await work({ stores, config });
      } finally {
        await stores.close();
      }
    });
  });
}
