import { MongoServerError } from 'mongodb';
import type { Db, MongoClient } from 'mongodb';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** The database of a read store, with a time limit for every call. */
export interface MongoServer {
  readonly db: Db;
  /** Time limit of a command on the server, in ms; the same as that of a call. */
  readonly maxTimeMS: number;
  /**
   * Runs a call.
   * @param what completes "MongoDB failed to …".
   * @param limitMs time limit in ms.
   * @throws {StoreUnavailable} with the cause when it fails or is late.
   */
  run<T>(what: string, call: (db: Db) => Promise<T>, limitMs?: number): Promise<T>;
  /** Closes the client; calls fail from then on. */
  close(): Promise<void>;
}

/**
 * The database that the client's URL names. The driver has separate limits for server selection, connecting and
 * waiting for a connection, and none for the response, so each call has one limit over all of them. A connection with an
 * overdue response returns to the pool when it arrives; if the server is gone, the driver's heartbeat notices and closes
 * it.
 */
export function mongoServer(client: MongoClient, timeoutMs: number): MongoServer {
  const db = client.db();
  let connectedOnce = false;
  let closed = false;

  /** Connects before the first call: a client whose first attempt failed does not try again by itself. */
  async function connected<T>(call: (db: Db) => Promise<T>): Promise<T> {
    if (closed) throw new Error('the store is closed');
    if (!connectedOnce) {
      await client.connect();
      connectedOnce = true;
    }
    return call(db);
  }
  async function limited<T>(what: string, work: Promise<T>, limitMs: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    });
    try {
      return await Promise.race([work, late]);
    } catch (cause) {
      throw new StoreUnavailable(`MongoDB failed to ${what}: ${reasonOf(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
  return {
    db,
    maxTimeMS: timeoutMs,
    run: (what, call, limitMs = timeoutMs) => limited(what, connected(call), limitMs),
    close() {
      closed = true;
      return limited('close', client.close(), timeoutMs);
    },
  };
}

/** The reason of a failure, with the code if the server refused the command; a lost connection has none. */
function reasonOf(cause: unknown): string {
  if (cause instanceof MongoServerError) {
    const name = typeof cause.codeName === 'string' ? ` (${cause.codeName})` : '';
    return `refused with code ${String(cause.code)}${name}: ${cause.message}`;
  }
  return cause instanceof Error ? cause.message : String(cause);
}
