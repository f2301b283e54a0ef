import { MongoClient } from 'mongodb';
import { WrongStoreSettings } from '../../src/kernel/ports/errors.ts';
import { MongoServer } from './server.ts';

/** Options of the stores on a MongoDB server. */
export interface MongoServerOptions {
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
 * Makes a server ready for calls; nothing is sent before the first one.
 * @throws {WrongStoreSettings} when the URL is malformed; the message does not quote it, as it may contain a password.
 */
export function openMongoServer({ url, timeoutMs, onRetry }: MongoServerOptions): MongoServer {
  const connect = (): MongoClient => {
    const client = clientOf(url, timeoutMs);
    if (onRetry !== undefined) client.on('serverHeartbeatFailed', ({ failure }) => onRetry(failure));
    return client;
  };
  return new MongoServer(connect, timeoutMs);
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
