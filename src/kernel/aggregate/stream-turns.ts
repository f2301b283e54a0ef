import { pause, type Clock } from '../ports/system.ts';

/** Time, in ms, without any progress after which a command no longer waits for earlier ones of its stream. */
const STUCK_MS = 1_000;

/** The commands that this process carries out on one stream, one after another. */
interface StreamTurns {
  /** The newest of them. */
  last: Promise<unknown>;
  /** Number of turns that have ended. */
  ended: number;
}

/** Runs work on a stream after the earlier work on that stream. */
export type StreamTurnQueue = <T>(stream: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue for each stream, so that this process carries out one command of a stream at a time. Commands would be
 * right without it, but slow: all but one lose each race for the next revision and decide again, so a hundred at once
 * would decide five thousand times. A command that waits for a store which does not answer delays the others only briefly.
 */
export function createStreamTurns(clock: Clock): StreamTurnQueue {
  const streams = new Map<string, StreamTurns>();
  return async (stream, work) => {
    const turns = streams.get(stream) ?? { last: Promise.resolve(), ended: 0 };
    const result = streams.has(stream) ? waitForTurn(turns, clock).then(work) : work();
    turns.last = result;
    streams.set(stream, turns);
    try {
      return await result;
    } finally {
      turns.ended += 1;
      if (turns.last === result) streams.delete(stream);
    }
  };
}

/** Waits until the newest command has ended, or no command has ended for `STUCK_MS`. */
async function waitForTurn(turns: StreamTurns, clock: Clock): Promise<void> {
  const over = new AbortController();
  void turns.last.then(
    () => over.abort(),
    () => over.abort(),
  );
  let ended: number;
  do {
    ended = turns.ended;
    await pause(clock, STUCK_MS, over.signal);
  } while (!over.signal.aborted && turns.ended > ended);
}
