import { bounded } from '../processes/waits.ts';

/** Counts of what has happened since the double started (`appends`, `reads`) and what is open now. */
export interface Counts {
  /** Appends that arrived completely, refused ones included. */
  readonly appends: number;
  /** Reads begun, subscriptions excluded. */
  readonly reads: number;
  /** Subscriptions open now. */
  readonly subscriptions: number;
  /** Connections open now. */
  readonly connections: number;
  /** Connections taken since the double started. */
  readonly accepted: number;
}

/** Counts what the double sees; tests wait on it in place of sleeping. */
export class Counters {
  #counts: Counts = { appends: 0, reads: 0, subscriptions: 0, connections: 0, accepted: 0 };
  readonly #waiting = new Set<() => void>();

  get counts(): Counts {
    return this.#counts;
  }

  /** Resolves once the counts satisfy `reached`, at once if they do already. */
  async until(reached: (counts: Counts) => boolean): Promise<void> {
    while (!reached(this.#counts)) {
      const changed = new Promise<void>((resolve) => this.#waiting.add(resolve));
      await bounded(changed, () => `${reached.toString()} of ${JSON.stringify(this.#counts)}`);
    }
  }

  add(name: keyof Counts, difference: number): void {
    this.set(name, this.#counts[name] + difference);
  }

  set(name: keyof Counts, value: number): void {
    this.#counts = { ...this.#counts, [name]: value };
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
