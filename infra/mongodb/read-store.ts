import { MongoClient } from 'mongodb';
import { WrongStoreSettings } from '../../src/kernel/ports/errors.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { MongoReadModels } from './namespace.ts';
import { registersOf } from './registers.ts';
import { MongoServer } from './server.ts';

interface MongoReadStoreOptions {
  /** `mongodb://host[:port]/database[?options]`, several hosts for a replica set, or `mongodb+srv://…`. */
  readonly url: string;
  /** Time limit of each call, in ms. */
  readonly timeoutMs: number;
  /** Called each time a heartbeat of the driver fails; the driver tries again. */
  readonly onRetry?: (error: Error) => void;
}

/** A scheme, hosts, and a database name (https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions). */
const URL_WITH_DATABASE = /^mongodb(\+srv)?:\/\/[^/?]+\/[^/\\. "$?]+(\?.*)?$/;

/**
 * Opens a read store on a MongoDB server or replica set. Nothing is sent before the first call, so the server may be
 * down; a call that fails or exceeds the time limit throws {StoreUnavailable}, and the next one tries again. A message
 * with a code means that the server refused the command.
 * @throws {WrongStoreSettings} when the URL is malformed; the message does not quote it, as it may contain a password.
 */
export function openMongoReadStore({ url, timeoutMs, onRetry }: MongoReadStoreOptions): ReadStore {
  const connect = (): MongoClient => {
    const client = clientOf(url, timeoutMs);
    if (onRetry !== undefined) client.on('serverHeartbeatFailed', ({ failure }) => onRetry(failure));
    return client;
  };
  const server = new MongoServer(connect, timeoutMs);
  let closing: Promise<void> | null = null;
  return {
    namespace: async (name, collections) => new MongoReadModels(server, name, collections),
    drop: (name) => new MongoReadModels(server, name, []).drop(),
    // The operator of the server watches its disk.
    space: () => Promise.resolve(null),
    ...registersOf(server),
    close: () => (closing ??= server.close()),
  };
}

function clientOf(url: string, timeoutMs: number): MongoClient {
  if (!URL_WITH_DATABASE.test(url)) {
    throw new WrongStoreSettings('MongoDB', 'a MongoDB URL has the form mongodb://host[:port]/database');
  }
  try {
    return new MongoClient(url, {
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
      serverSelectionTimeoutMS: timeoutMs,
      // Half of the limit, to leave time for a response.
      connectTimeoutMS: Math.ceil(timeoutMs / 2),
      waitQueueTimeoutMS: timeoutMs,
    });
  } catch (error) {
    // Not as a cause: the driver quotes parts of the URL.
    throw new WrongStoreSettings('MongoDB', `the MongoDB URL is malformed: ${problemOf(error, url)}`);
  }
}

/** The options of the URL that the driver refuses; if it names none, the kind of its error. */
function problemOf(error: unknown, url: string): string {
  if (!(error instanceof Error)) return 'unknown';
  const query = url.slice(url.indexOf('?') + 1);
  // An unescaped `?` in a password would make its rest look like an option.
  const names = query.includes('@') ? [] : query.split('&').map((pair) => pair.split('=')[0] ?? '');
  const named = names.filter((name) => /^\w+$/.test(name) && new RegExp(`\\b${name}\\b`).test(error.message));
  return named.length === 0 ? error.name : `the driver does not take ${named.join(', ')}`;
}
