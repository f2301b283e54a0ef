import { MongoServerError } from 'mongodb';
import type { Db, MongoClient } from 'mongodb';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** The database of one read store, and the limit that every call on it has. */
export interface MongoServer {
  readonly db: Db;
  /** How long a command may take on the server, in ms; the same as the limit of a call. */
  readonly maxTimeMS: number;
  /**
   * Runs one call.
   * @param what completes "MongoDB failed to …".
   * @param limitMs ms to wait for it.
   * @throws {StoreUnavailable} with the cause when it fails or is late.
   */
  run<T>(what: string, call: (db: Db) => Promise<T>, limitMs?: number): Promise<T>;
  /** Closes the client; calls fail from then on. */
  close(): Promise<void>;
}

/**
 * The database that the client's URL names. The driver's own limits cover server selection, connecting and the queue
 * for a connection one after the other, and none covers the answer, so each call has one limit over all of them. A
 * connection on which an answer is overdue goes back to the pool when it comes; if the server is gone, the driver's
 * heartbeat notices and closes it.
 */
export function mongoServer(client: MongoClient, timeoutMs: number): MongoServer {
  const db = client.db();
  let connectedOnce = false;
  let closed = false;

  /** A client that did not find its server at first stays useless until it is told to connect again. */
  async function connected<T>(call: (db: Db) => Promise<T>): Promise<T> {
    if (closed) throw new Error('the store is closed');
    if (!connectedOnce) {
      await client.connect();
      connectedOnce = true;
    }
    return call(db);
  }
  async function limited<T>(what: string, work: Promise<T>, limitMs: number): Promise<T> {
    const { late, cancel } = timeout(limitMs);
    try {
      return await Promise.race([work, late]);
    } catch (cause) {
      throw new StoreUnavailable(`MongoDB failed to ${what}: ${reasonOf(cause)}`, { cause });
    } finally {
      cancel();
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

function timeout(ms: number): { readonly late: Promise<never>; readonly cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ms} ms`));
    }, ms);
  });
  return {
    late,
    cancel: () => {
      clearTimeout(timer);
    },
  };
}

/** What the server refused has a code, and will be refused again; a lost connection has none. */
function reasonOf(cause: unknown): string {
  if (cause instanceof MongoServerError) {
    const name = typeof cause.codeName === 'string' ? ` (${cause.codeName})` : '';
    return `refused with code ${String(cause.code)}${name}: ${cause.message}`;
  }
  return cause instanceof Error ? cause.message : String(cause);
}
