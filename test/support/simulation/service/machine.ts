import type { Clock } from '../../../../src/kernel/ports/system.ts';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import { settled } from '../../kernel/manual-clock.ts';
import { happened, type RandomSource } from '../random.ts';

/** Fault rates: once in this many steps; 0: never. */
export interface Faults {
  /** A process ends with everything in flight. */
  readonly crash: number;
  /** A process stands still for some seconds. */
  readonly pause: number;
  /** A call fails before it has an effect; or it has its effect, but its answer is lost. */
  readonly lost: number;
  readonly unanswered: number;
  /** A call takes much longer than usual; it counts as lost. */
  readonly slow: number;
  /** An append arrives long after it was given up. */
  readonly late: number;
}

export const NO_FAULTS: Faults = { crash: 0, pause: 0, lost: 0, unanswered: 0, slow: 0, late: 0 };

/** Maximum length of a usual call, a slow call and a pause, in ms. */
const USUAL_MS = 4;
const SLOW_MS = 400;
const PAUSE_MS = 9_000;

/** Start of the simulated time, in ms since 1970. */
const EPOCH = Date.UTC(2026, 0, 1);

interface Requester {
  readonly process: SimulatedProcess | null;
  /** Earliest time of its turn, in ms. */
  at: number;
  readonly run: () => void;
}

/**
 * The machine on which simulated processes run, with one clock and one step at a time. A step is one call to a port.
 * The seed alone determines which of the due steps comes next, how long it takes, and which faults occur.
 */
export class Machine {
  readonly chances: RandomSource;
  faults: Faults = NO_FAULTS;
  /** ms since the start. */
  now = 0;
  /** Steps made, and processes that crashed. */
  steps = 0;
  crashes = 0;
  #waiting: Requester[] = [];
  readonly processes: SimulatedProcess[] = [];
  /** Called when a process crashes at random. */
  onCrash: (process: SimulatedProcess) => void = () => undefined;

  constructor(chances: RandomSource) {
    this.chances = chances;
  }

  start(name: string): SimulatedProcess {
    const process = new SimulatedProcess(this, name);
    this.processes.push(process);
    return process;
  }

  /** True if a fault occurs now. */
  strikes(fault: keyof Faults): boolean {
    const rate = this.faults[fault];
    if (rate === 0 || !this.chances.oneIn(rate)) return false;
    if (fault === 'pause') happened.pauses += 1;
    else if (fault !== 'crash') happened.lostCalls += 1;
    return true;
  }

  /** Runs a callback after `ms`, unless its process (null: none) has crashed. */
  schedule(process: SimulatedProcess | null, ms: number, run: () => void): () => void {
    const waiting = { process, at: this.now + ms, run };
    this.#waiting.push(waiting);
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
    };
  }

  /** How long the next call takes. */
  latency(): number {
    return this.strikes('slow') ? this.chances.below(SLOW_MS) : this.chances.below(USUAL_MS);
  }

  /**
   * Runs until a condition holds; false if it does not within the limits, or if nothing is left to run.
   */
  async until(isDone: () => boolean, bound: { readonly steps: number; readonly ms: number }): Promise<boolean> {
    const end = { steps: this.steps + bound.steps, ms: this.now + bound.ms };
    await settled();
    while (!isDone()) {
      if (this.steps >= end.steps || this.now > end.ms || !(await this.#turn())) return false;
    }
    return true;
  }

  /** Ends the simulation: Node would keep for ever the composite signals that processes still listen to. */
  end(): void {
    for (const process of this.processes) {
      process.end();
      process.over.abort();
    }
  }

  async #turn(): Promise<boolean> {
    this.#waiting = this.#waiting.filter(({ process }) => process === null || process.isAlive);
    const first = Math.min(...this.#waiting.map(({ at }) => at));
    if (first === Infinity) return false;
    this.now = Math.max(this.now, first);
    const next = this.chances.pick(this.#waiting.filter(({ at }) => at <= this.now));
    const { process } = next;
    if (process !== null && process.pausedUntil > this.now) {
      next.at = process.pausedUntil;
      return true;
    }
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.steps += 1;
    happened.steps += 1;
    if (process !== null && this.#strikesDown(process)) return true;
    next.run();
    await settled();
    return true;
  }

  #strikesDown(process: SimulatedProcess): boolean {
    if (process.isToCrash() || this.strikes('crash')) {
      process.crash();
      return true;
    }
    if (!this.strikes('pause')) return false;
    process.pausedUntil = this.now + this.chances.below(PAUSE_MS);
    return false;
  }
}

/** One simulated process. What it awaits when it crashes never settles. */
export class SimulatedProcess {
  readonly name: string;
  readonly clock: Clock;
  readonly #machine: Machine;
  isAlive = true;
  pausedUntil = 0;
  /** Aborted when the simulation is over, not when it crashes. */
  readonly over = new AbortController();
  /** Number of its calls, and the call before which it crashes (null: none). */
  calls = 0;
  crashBefore: number | null = null;
  /** A call that has to wait, while the others of the process go on; null: none. */
  held: { readonly call: number; readonly until: Promise<void> } | null = null;

  constructor(machine: Machine, name: string) {
    this.#machine = machine;
    this.name = name;
    // Clocks of two machines differ by some seconds, which must not matter.
    const skew = machine.chances.below(4_000) - 2_000;
    this.clock = {
      now: () => EPOCH + Math.floor(machine.now) + skew,
      monotonic: () => machine.now + skew + 1e6,
      after: (ms, run) => machine.schedule(this, ms, run),
    };
  }

  /** True if it crashes before its next call. */
  isToCrash(): boolean {
    return this.crashBefore !== null && this.calls >= this.crashBefore;
  }

  crash(): void {
    this.isAlive = false;
    this.#machine.crashes += 1;
    happened.crashes += 1;
    this.#machine.onCrash(this);
  }

  /** Ends it; what it still awaits never settles. */
  end(): void {
    this.isAlive = false;
  }

  /** One call to a port, which takes its time and then happens at once or not at all. */
  step<T>(act: () => T | Promise<T>): Promise<T> {
    const machine = this.#machine;
    return new Promise((resolve, reject) => {
      machine.schedule(this, machine.latency(), () => {
        this.calls += 1;
        const waits = this.held?.call === this.calls ? this.held.until : Promise.resolve();
        if (machine.strikes('lost')) reject(new StoreUnavailable('the call was lost'));
        else waits.then(act).then(resolve, reject);
      });
    });
  }

  /** The same for a call with an effect, whose answer may also be lost. */
  write<T>(act: () => Promise<T>): Promise<T> {
    return this.step(async () => {
      const result = await act();
      if (this.#machine.strikes('unanswered')) throw new StoreUnavailable('the answer was lost');
      return result;
    });
  }
}
