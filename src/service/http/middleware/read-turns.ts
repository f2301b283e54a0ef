import type { RequestHandler } from 'express';
import { giveWay } from '../../../runtime/give-way.ts';
import { clientName } from '../client-address.ts';
import { isRead } from '../etags.ts';
import { FairQueue } from '../fair-queue.ts';

/**
 * Time, in ms, that reads get in a turn of the event loop. A lap needs some ten turns for its locks and transactions: with
 * 200 reads of 1 ms in each of them, it would wait for two seconds.
 */
const READS_MS = 10;

/**
 * Lets reads wait that arrive when reads had their share of this turn. `express-slow-down` and `toobusy-js` let whoever
 * comes too often, or everybody, wait for a time; here reads wait for writes, and the addresses take turns.
 */
export function readTurns(): RequestHandler {
  const turns = createReadTurns();
  return (req, res, next) => {
    // The first read of a connection waits, so that a client that has left meanwhile costs next to nothing: of
    // connections, one is accepted in each turn of the event loop.
    const waits = isRead(req) && (req.socket.bytesWritten === 0 || !turns.isFree(res.startedAt));
    if (!waits) {
      next();
      return;
    }
    turns.add(clientName(res.remoteAddress), () => {
      if (!res.settled) next();
    });
  };
}

/** What reads may take of a turn of the event loop. Later ones wait in fair turns per address; writes never wait. */
export function createReadTurns() {
  const queue = new FairQueue<() => void>();
  /** Until when, by the monotonic clock, reads of this turn need not wait; null: none has arrived in it. */
  let freeUntil: number | null = null;
  const begin = (now: number): number => {
    setImmediate(endTurn);
    return (freeUntil = now + READS_MS);
  };
  const endTurn = (): void => {
    freeUntil = null;
    if (queue.length > 0) void runWaiting();
  };
  /** Runs what waits; whatever arrives meanwhile waits behind it. */
  const runWaiting = async (): Promise<void> => {
    freeUntil = -Infinity;
    while (queue.length > 0) {
      await giveWay();
      const endsAt = performance.now() + READS_MS;
      while (queue.length > 0 && performance.now() < endsAt) {
        queue.take()?.();
        // What it does without waiting for anything counts.
        await new Promise<void>((resolve) => process.nextTick(resolve));
      }
    }
    freeUntil = null;
  };
  return {
    isFree: (now: number): boolean => now < (freeUntil ?? begin(now)),
    /** Runs a read of an address when its turn has come, which is never this one. */
    add(address: string, read: () => void): void {
      queue.add(address, read);
      if (freeUntil === null) begin(performance.now());
    },
  };
}
