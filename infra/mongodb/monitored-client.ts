import type { Db, MongoClient } from 'mongodb';

/** Time limits that a late command may take beyond its own before it counts as hanging. */
const HUNG_LIMITS = 3;

export type MonitoredClient = ReturnType<typeof monitored>;

/**
 * A client of the driver that detects whether it hangs. Driver 7.9.0 waits for ever for the answer to a command on a
 * connection that closes at that moment. When all connections are cut at once, that command is a heartbeat: no further
 * one starts, and the client never finds its server again.
 * @param timeoutMs time limit of a call, in ms.
 */
export function monitored(client: MongoClient, timeoutMs: number) {
  const db = client.db();
  /** When the heartbeats that have not ended should have, by address; monotonic, in ms. */
  const heartbeats = new Map<string, number>();
  /** Commands that were late and may still be under way on the server, and when they should have ended. */
  const late = new Map<Promise<unknown>, number>();
  let connected = false;
  const { heartbeatFrequencyMS, connectTimeoutMS } = client.options;
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
    // Connecting has two steps, and a server may be asked to wait for news before it answers.
    const limitMs = 2 * connectTimeoutMS + (awaited ? heartbeatFrequencyMS : 0);
    heartbeats.set(connectionId, performance.now() + limitMs);
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => heartbeats.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => heartbeats.delete(connectionId));
  client.on('serverClosed', ({ address }) => heartbeats.delete(address));
  return {
    db,
    /** Connects before the first call: a client whose first attempt failed does not try again by itself. */
    async call<T>(call: (db: Db) => Promise<T>): Promise<T> {
      if (!connected) {
        await client.connect();
        connected = true;
      }
      return call(db);
    },
    /** Remembers a command that was late; whether it fails in the end does not matter any more, as it is repeated. */
    addLate(work: Promise<unknown>): void {
      const ended = Promise.allSettled([work]);
      late.set(ended, performance.now() + HUNG_LIMITS * timeoutMs);
      void ended.then(() => late.delete(ended));
    },
    /** The commands that were late and have not ended. */
    late: (): readonly Promise<unknown>[] => [...late.keys()],
    /** Whether a heartbeat or a late command has waited longer than a server, or the driver's own limits, would let it. */
    isHung(): boolean {
      const now = performance.now();
      return [...heartbeats.values(), ...late.values()].some((due) => now > due);
    },
    close: () => client.close(),
  };
}
