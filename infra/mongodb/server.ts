import { MongoServerError, MongoServerSelectionError } from 'mongodb';
import type { Db, MongoClient } from 'mongodb';
import { OverBudget, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { monitored, type MonitoredClient } from './monitored-client.ts';

/**
 * Share of a time limit after which the server ends a command itself, so that its answer still comes within the limit.
 */
const SERVER_SHARE = 0.9;

/** Error code of the server for a command that it has ended after its time limit. */
const MAX_TIME_EXPIRED = 50;

/** Thrown when there is no answer within the time limit. */
class Late extends Error {
  override readonly name = 'Late';
}

/** Smallest share of the usual size; a batch has at least one document. */
const SMALLEST_PART = 1 / 1_024;

/** A command that takes less than this share of its time limit could take twice as many documents. */
const QUICK_SHARE = 0.25;

/**
 * Sizes of the write commands of a server: halved after a late command, doubled after a quick one. A batch that takes
 * longer than its time limit would do so again, and a projection would stand still for ever.
 */
class WriteBatches {
  /** Part of the usual size. */
  #part = 1;

  /** Size of a batch that usually has this many documents. */
  sizeOf(usual: number): number {
    return Math.max(1, Math.floor(usual * this.#part));
  }

  /** Called when a command was late. */
  halve(): void {
    this.#part = Math.max(SMALLEST_PART, this.#part / 2);
  }

  /** Called when a command has succeeded. */
  succeeded(tookMs: number, limitMs: number): void {
    if (tookMs < limitMs * QUICK_SHARE) this.#part = Math.min(1, this.#part * 2);
  }
}

/**
 * The database of a read store, the one that the client's URL names, with a time limit for every call. The driver has
 * separate limits for server selection, connecting and waiting for a connection, and none for the response, so each
 * call has one limit over all of them. A connection with an overdue response returns to the pool when it arrives; if
 * the server is gone, the driver's heartbeat notices and closes it. A client that hangs is replaced at the next call.
 */
export class MongoServer {
  /** Time limit of a command on the server, in ms: somewhat less than the limit of a call. */
  readonly maxTimeMS: number;
  /** Sizes of the batches of `write`. */
  readonly batches = new WriteBatches();
  readonly #connect: () => MongoClient;
  readonly #timeoutMs: number;
  #current: MonitoredClient;
  #closed = false;

  /** @param connect makes a client, which has sent nothing yet. @param timeoutMs time limit of a call, in ms. */
  constructor(connect: () => MongoClient, timeoutMs: number) {
    this.#connect = connect;
    this.#timeoutMs = timeoutMs;
    this.#current = monitored(connect(), timeoutMs);
    this.maxTimeMS = Math.ceil(timeoutMs * SERVER_SHARE);
  }

  /** The database, of the client of this moment. */
  get db(): Db {
    return this.#current.db;
  }

  /**
   * Runs a call.
   * @param what completes "MongoDB failed to …".
   * @param limitMs time limit in ms, if it differs.
   * @throws {StoreUnavailable} with the cause when it fails or is late.
   */
  run<T>(what: string, call: (db: Db) => Promise<T>, limitMs?: number): Promise<T> {
    return this.#limited(what, this.#call(call), limitMs);
  }

  /**
   * The same for a command that writes. It first waits for an earlier command that was late and may still run on the
   * server, so that a slow server does not get ever more to do.
   * @throws {StoreUnavailable}
   */
  async write<T>(what: string, call: (db: Db) => Promise<T>): Promise<T> {
    const late = this.#notHung().late();
    if (late.length > 0) await this.#limited(`end an earlier command before it can ${what}`, Promise.all(late));
    const began = performance.now();
    const client = this.#notHung();
    const work = this.#call(call);
    try {
      const written = await this.#limited(what, work);
      this.batches.succeeded(performance.now() - began, this.#timeoutMs);
      return written;
    } catch (error) {
      if (isLate(error)) this.batches.halve();
      client.addLate(work);
      throw error;
    }
  }

  /** Closes the client; calls fail from then on. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#limited('close', this.#current.close());
  }

  async #call<T>(call: (db: Db) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the store is closed');
    return this.#notHung().call(call);
  }

  /** The client, or, in place of one that hangs, a new one. */
  #notHung(): MonitoredClient {
    if (this.#current.isHung() && !this.#closed) {
      // Nothing depends on how it ends.
      void this.#current.close().catch(() => undefined);
      this.#current = monitored(this.#connect(), this.#timeoutMs);
    }
    return this.#current;
  }

  async #limited<T>(what: string, work: Promise<T>, limitMs = this.#timeoutMs): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Late(`no answer within ${limitMs} ms`)), limitMs);
    });
    try {
      return await Promise.race([work, late]);
    } catch (cause) {
      if (cause instanceof OverBudget) throw cause;
      const refusal = refusalOf(cause);
      throw new StoreUnavailable(`MongoDB failed to ${what}: ${refusal ?? reasonOf(cause)}`, { cause, refusal });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether a call took too long: for us, or for the server, which has ended it then. */
function isLate(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : null;
  return cause instanceof Late || (cause instanceof MongoServerError && cause.code === MAX_TIME_EXPIRED);
}

/** Reasons for refusing a user, by the server's code: its own text may quote the command. */
const REFUSALS: ReadonlyMap<unknown, string> = new Map([
  [13, 'its user has not the right (code 13); it needs the role readWrite on the database'],
  [18, 'it does not accept the user name and password (code 18)'],
]);

/** Node's messages about a certificate that it does not accept. */
const NO_TLS = /certificate|altnames|unable to get/i;

/** Why the server refuses this service; null for a failure that may pass by itself. */
function refusalOf(cause: unknown): string | null {
  if (cause instanceof MongoServerError) return REFUSALS.get(cause.code) ?? null;
  const isTls = cause instanceof MongoServerSelectionError && NO_TLS.test(cause.message);
  return isTls ? `no TLS connection is possible: ${cause.message.split(/[.:;]/)[0]}` : null;
}

/** The reason of a failure, with the code if the server refused the command; a lost connection has none. */
function reasonOf(cause: unknown): string {
  if (cause instanceof MongoServerError) {
    const name = typeof cause.codeName === 'string' ? ` (${cause.codeName})` : '';
    return `refused with code ${String(cause.code)}${name}: ${cause.message}`;
  }
  return cause instanceof Error ? cause.message : String(cause);
}
