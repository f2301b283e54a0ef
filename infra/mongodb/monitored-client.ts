import type { Db, MongoClient } from 'mongodb';

/** Time limits that a late command may take beyond its own before it counts as hanging. */
const HUNG_LIMITS = 3;

/**
 * A client of the driver that detects whether it hangs. Driver 7.9.0 waits for ever for the answer to a command on a
 * connection that closes at that moment. When all connections are cut at once, that command is a heartbeat: no further
 * one starts, and the client never finds its server again.
 */
export class MonitoredClient {
  readonly db: Db;
  readonly #client: MongoClient;
  readonly #timeoutMs: number;
  /** When the heartbeats that have not ended should have, by address; monotonic, in ms. */
  readonly #heartbeats = new Map<string, number>();
  /** Commands that were late and may still be under way on the server, and when they should have ended. */
  readonly #late = new Map<Promise<unknown>, number>();
  #connected = false;

  /** @param timeoutMs time limit of a call, in ms. */
  constructor(client: MongoClient, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.db = client.db();
    const { heartbeatFrequencyMS, connectTimeoutMS } = client.options;
    client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
      // Connecting has two steps, and a server may be asked to wait for news before it answers.
      const limitMs = 2 * connectTimeoutMS + (awaited ? heartbeatFrequencyMS : 0);
      this.#heartbeats.set(connectionId, performance.now() + limitMs);
    });
    client.on('serverHeartbeatSucceeded', ({ connectionId }) => this.#heartbeats.delete(connectionId));
    client.on('serverHeartbeatFailed', ({ connectionId }) => this.#heartbeats.delete(connectionId));
    client.on('serverClosed', ({ address }) => this.#heartbeats.delete(address));
  }

  /** Connects before the first call: a client whose first attempt failed does not try again by itself. */
  async call<T>(call: (db: Db) => Promise<T>): Promise<T> {
    if (!this.#connected) {
      await this.#client.connect();
      this.#connected = true;
    }
    return call(this.db);
  }

  /** Remembers a command that was late; whether it fails in the end does not matter any more, as it is repeated. */
  addLate(work: Promise<unknown>): void {
    const ended = Promise.allSettled([work]);
    this.#late.set(ended, performance.now() + HUNG_LIMITS * this.#timeoutMs);
    void ended.then(() => this.#late.delete(ended));
  }

  /** The commands that were late and have not ended. */
  get late(): readonly Promise<unknown>[] {
    return [...this.#late.keys()];
  }

  /**
   * Whether a heartbeat or a late command has waited longer than a server, or the driver's own limits, would let it.
   */
  isHung(): boolean {
    const now = performance.now();
    return [...this.#heartbeats.values(), ...this.#late.values()].some((due) => now > due);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
