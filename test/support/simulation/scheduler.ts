import { happened, type RandomSource } from './random.ts';

/** Maximum length of a pause, in steps. */
export const LONGEST_PAUSE = 120;

/** More steps than any correct run needs. */
const MOST_STEPS = 1_000_000;

/** One call to a port. It waits for its turn, which never comes after a crash, and then happens at once. */
export type Step = <T>(act: () => T | Promise<T>) => Promise<T>;

/** Fault rates: once in this many steps; 0: never. */
export interface FaultRates {
  readonly crash: number;
  readonly pause: number;
}

interface Waiting {
  readonly run: () => void;
  /** The earliest step at which it may run. */
  readonly until: number;
}

/** Runs actors one step at a time, in an order determined by the seed. */
export interface Scheduler {
  /** Starts an actor after at least `delay` steps. It makes its own steps in order. */
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
  /** Resolves when everything started by `act` has ended or waits for its turn. */
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
