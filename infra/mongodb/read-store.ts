import { MongoClient } from 'mongodb';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { MongoReadModels } from './read-models.ts';
import { readRegister, writeRegister } from './registers.ts';
import { mongoServer } from './server.ts';

export interface MongoReadStoreOptions {
  /** `mongodb://host[:port]/database[?options]`, several hosts for a replica set, or `mongodb+srv://…`. */
  readonly url: string;
  /** Longest wait for any answer, in ms. */
  readonly timeoutMs: number;
  /** Told each time the driver does not find a server where it looks for one; it goes on looking. */
  readonly onRetry?: (error: Error) => void;
}

/** A scheme, hosts, and a database name (https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions). */
const URL_WITH_DATABASE = /^mongodb(\+srv)?:\/\/[^/?]+\/[^/\\. "$?]+(\?.*)?$/;

/**
 * The read store on a MongoDB server or replica set. Nothing is sent before the first call, so the server may be down;
 * a call that fails or takes longer than the limit throws {StoreUnavailable}, and the next one tries again. A message
 * that names a code tells of something that the server refused.
 * @throws {TypeError} when the URL is malformed; it quotes nothing of it, for it may hold a password.
 */
export function openMongoReadStore({ url, timeoutMs, onRetry }: MongoReadStoreOptions): ReadStore {
  const client = clientOf(url, timeoutMs);
  if (onRetry !== undefined) {
    client.on('serverHeartbeatFailed', ({ failure }) => {
      onRetry(failure);
    });
  }
  const server = mongoServer(client, timeoutMs);
  let closing: Promise<void> | null = null;
  return {
    namespace: async (name, collections) => new MongoReadModels(server, name, collections),
    drop: (name) => new MongoReadModels(server, name, []).drop(),
    readRegister: (name) => readRegister(server, name),
    writeRegister: (name, value, expected) => writeRegister(server, name, { value, expected }),
    close: () => (closing ??= server.close()),
  };
}

function clientOf(url: string, timeoutMs: number): MongoClient {
  if (!URL_WITH_DATABASE.test(url)) throw new TypeError('a MongoDB URL has the form mongodb://host[:port]/database');
  try {
    return new MongoClient(url, {
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
      serverSelectionTimeoutMS: timeoutMs,
      // A connection that takes longer leaves no time for an answer.
      connectTimeoutMS: Math.ceil(timeoutMs / 2),
      waitQueueTimeoutMS: timeoutMs,
    });
  } catch (error) {
    // Not as a cause: the driver quotes parts of the URL.
    throw new TypeError(`the MongoDB URL is malformed (${error instanceof Error ? error.name : 'unknown'})`);
  }
}
