import { happened, type RandomSource } from './random.ts';

/** Steps that an actor sleeps at most when it is paused. */
export const LONGEST_PAUSE = 120;

/** More steps than any correct run needs. */
const MOST_STEPS = 1_000_000;

/** One call to a port: waits for its turn, then happens at once. An actor that crashed never gets its turn. */
export type Step = <T>(act: () => T | Promise<T>) => Promise<T>;

/** How often faults occur: once in so many steps, or never (0). */
export interface FaultRates {
  readonly crash: number;
  readonly pause: number;
}

interface Waiting {
  readonly run: () => void;
  /** The step before which it is not its turn. */
  readonly until: number;
}

/** Takes turns, one step at a time, in an order that only the seed decides. */
export interface Scheduler {
  /** Lets an actor begin, so many steps from now at the earliest. It makes its own steps one after the other. */
  readonly start: (actor: (step: Step) => Promise<void>, delay?: number) => void;
  /** Runs until every actor has ended or crashed. */
  readonly run: () => Promise<void>;
  /** Steps made so far. */
  readonly steps: () => number;
}

export function createScheduler(chances: RandomSource, luck: FaultRates): Scheduler {
  let waiting: Waiting[] = [];
  let steps = 0;
  const failures: unknown[] = [];
  let quiet = (): void => undefined;

  const step: Step = (act) =>
    new Promise((resolve, reject) => {
      const run = (): void => {
        Promise.resolve().then(act).then(resolve, reject);
      };
      waiting.push({ run, until: 0 });
      quiet();
    });
  /** Resolves when what `act` set going has ended or waits for its next turn. */
  const settled = async (act: () => void): Promise<void> => {
    const idle = new Promise<void>((resolve) => {
      quiet = resolve;
    });
    act();
    await idle;
  };
  const ended = (work: Promise<void>): void => {
    work
      .catch((error: unknown) => {
        failures.push(error);
      })
      .finally(() => quiet());
  };

  async function turn(): Promise<void> {
    const awake = waiting.filter(({ until }) => until <= steps);
    const next = chances.pick(awake.length > 0 ? awake : waiting);
    waiting = waiting.filter((each) => each !== next);
    steps += 1;
    happened.steps += 1;
    if (luck.crash > 0 && chances.oneIn(luck.crash)) {
      happened.crashes += 1;
      return;
    }
    if (luck.pause > 0 && chances.oneIn(luck.pause)) {
      happened.pauses += 1;
      waiting.push({ ...next, until: steps + chances.below(LONGEST_PAUSE) });
    } else await settled(next.run);
  }
  return {
    start: (actor, delay = 0) => {
      waiting.push({ run: () => ended(actor(step)), until: steps + delay });
    },
    async run() {
      while (waiting.length > 0 && failures.length === 0 && steps < MOST_STEPS) await turn();
      if (failures.length > 0) throw new AggregateError(failures, 'an actor failed');
      if (steps === MOST_STEPS) throw new Error('the actors never come to an end');
    },
    steps: () => steps,
  };
}
