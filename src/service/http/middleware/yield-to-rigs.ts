import type { RequestHandler } from 'express';
import { giveWay } from '../../../runtime/give-way.ts';
import { clientName } from '../client-address.ts';
import { isRead } from '../etags.ts';
import { FairQueue } from '../fair-queue.ts';
import { pathOf } from '../problem-responses.ts';

/**
 * Time, in ms, that requests other than laps get in a turn of the event loop. A lap needs some ten turns for its locks and
 * transactions: with 200 requests of 1 ms in each of them, it would wait for two seconds.
 */
const SHARE_MS = 5;

/**
 * Lets requests wait when others like them had their share of this turn of the event loop: all but what rigs record, which
 * are laps. Changes wait as reads do, as a crowd of them costs as much. `express-slow-down` and `toobusy-js` let whoever
 * comes too often, or everybody, wait for a time; here the others wait for laps, and their addresses take turns.
 * @param recorded paths at which rigs record: a `POST` there never waits
 */
export function yieldToRigs(recorded: ReadonlySet<string>): RequestHandler {
  const turns = createSharedTurns();
  return (req, res, next) => {
    if (req.method === 'POST' && recorded.has(pathOf(req))) {
      next();
      return;
    }
    // The first read of a connection waits, so that a client that has left meanwhile costs next to nothing: of
    // connections, one is accepted in each turn of the event loop.
    const isFirstRead = isRead(req) && req.socket.bytesWritten === 0;
    if (!isFirstRead && turns.isFree(res.startedAt)) {
      next();
      return;
    }
    turns.add(clientName(res.remoteAddress), () => {
      if (!res.settled) next();
    });
  };
}

/** The share of a turn of the event loop that requests other than laps may take. Later ones wait in fair turns. */
export function createSharedTurns() {
  const queue = new FairQueue<() => void>();
  /** Until when, by the monotonic clock, requests of this turn need not wait; null: none has arrived in it. */
  let freeUntil: number | null = null;
  const begin = (now: number): number => {
    setImmediate(endTurn);
    freeUntil = now + SHARE_MS;
    return freeUntil;
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
      const endsAt = performance.now() + SHARE_MS;
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
    /** Runs a request of an address when its turn has come, which is never this one. */
    add(address: string, run: () => void): void {
      queue.add(address, run);
      if (freeUntil === null) begin(performance.now());
    },
  };
}
