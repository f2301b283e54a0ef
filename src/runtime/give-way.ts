/**
 * Turns of the event loop, and time in ms, that one call gives away while there is other work; a crowd of requests must
 * not stop the work for good. A lap needs some ten turns, and Node accepts one connection a turn.
 */
const MAX_TURNS = 10;
const MAX_TURNS_MS = 5;

/** A turn that takes less time, in ms, had no other work in it: accepting a connection takes 0.05 ms. */
const IDLE_TURN_MS = 0.02;

/** Time, in ms, that long work takes before other requests are served. */
const STEP_MS = 5;

/** The same of work that everybody waits for: requests get 5 ms and more of each turn that it gives away. */
const AWAITED_STEP_MS = 10;

/** Lets each request that waits go on by one step; for work that everybody waits for, who would wait longer otherwise. */
export function giveOneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Lets other work of the event loop run.
 * @param mostMs about the longest time, in ms, that is given away, for work that must be done beside a projector with a
 * backlog, each of whose turns is long
 * @throws the signal's reason when it has aborted
 */
export async function giveWay(signal?: AbortSignal, mostMs = Infinity): Promise<void> {
  const startedAt = performance.now();
  let turns = 0;
  let now = startedAt;
  while (true) {
    const turnStartedAt = now;
    await giveOneTurn();
    turns += 1;
    now = performance.now();
    const wasIdle = now - turnStartedAt < IDLE_TURN_MS;
    const givenMs = now - startedAt;
    const isOver = givenMs >= mostMs || (turns >= MAX_TURNS && givenMs >= MAX_TURNS_MS);
    if (wasIdle || isOver) break;
  }
  signal?.throwIfAborted();
}

/**
 * Splits long work into steps of about 5 ms, between which other requests are served. The result is to be called after
 * each part of the work, and awaited where it returns a promise, which rejects with the signal's reason when that has
 * aborted. `mostMs` is that of `giveWay`.
 */
export function createYielder(signal?: AbortSignal, mostMs = Infinity): () => Promise<void> | null {
  return inSteps(STEP_MS, () => giveWay(signal, mostMs));
}

/** The same for work that everybody waits for, laps too: it takes most of the time, and is over soon. */
export function createAwaitedYielder(): () => Promise<void> | null {
  return inSteps(AWAITED_STEP_MS, giveOneTurn);
}

function inSteps(stepMs: number, giveAway: () => Promise<void>): () => Promise<void> | null {
  let since = performance.now();
  const pause = async (): Promise<void> => {
    await giveAway();
    since = performance.now();
  };
  return () => (performance.now() - since < stepMs ? null : pause());
}
