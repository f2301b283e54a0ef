import type { LapStore, QueuedLap } from '../delivery/lap-queue.ts';

/** A refusal, and how many laps met it. */
export interface Refusals {
  readonly reason: string;
  readonly laps: number;
}

/**
 * The laps of an import that wait to be sent, in memory: the file keeps them, and the service says which of them it
 * has. A lap that is refused because its key was used with another body has been recorded before.
 */
export class LapBuffer implements LapStore {
  #laps: QueuedLap[];
  #settled = 0;
  #putOff: readonly QueuedLap[] = [];
  #recordedBefore = 0;
  readonly #refused = new Map<string, number>();
  readonly #onSettled: (laps: number) => void;

  /** `onSettled`: called with the number of laps that were settled at a time. */
  constructor(laps: readonly QueuedLap[], onSettled: (laps: number) => void) {
    this.#laps = [...laps];
    this.#onSettled = onSettled;
  }

  get waiting(): number {
    return this.sendable;
  }

  get sendable(): number {
    return this.#laps.length - this.#settled + this.#putOff.length;
  }

  /** Laps that were recorded before, with another driver, event or time. */
  get recordedBefore(): number {
    return this.#recordedBefore;
  }

  get refused(): readonly Refusals[] {
    return Array.from(this.#refused, ([reason, laps]) => ({ reason, laps }));
  }

  next(most: number): readonly QueuedLap[] {
    return [...this.#laps.slice(this.#settled, this.#settled + most), ...this.#putOff].slice(0, most);
  }

  correct(corrected: ReadonlyMap<QueuedLap, QueuedLap>): void {
    if (corrected.size === 0) return;
    this.#laps = this.#laps.map((lap) => corrected.get(lap) ?? lap);
    this.#putOff = this.#putOff.map((lap) => corrected.get(lap) ?? lap);
  }

  settle(laps: readonly QueuedLap[], putOff: readonly QueuedLap[] = []): void {
    const before = new Set(this.#putOff);
    const settled = new Set(laps);
    this.#settled += laps.filter((lap) => !before.has(lap)).length;
    this.#putOff = [...this.#putOff.filter((lap) => !settled.has(lap)), ...putOff];
    this.#onSettled(laps.length - putOff.length);
  }

  /** Laps of an import have a driver. */
  retryDriverless(): void {}

  putAside(refused: readonly object[]): void {
    for (const one of refused) {
      const { type, detail } = problemIn(one);
      if (type.endsWith('key-reused')) this.#recordedBefore += 1;
      else this.#refused.set(detail, (this.#refused.get(detail) ?? 0) + 1);
    }
  }
}

/** Type and detail of the problem for which a lap was refused; empty where there is none. */
function problemIn(refused: object): { readonly type: string; readonly detail: string } {
  const problem: unknown = 'problem' in refused ? refused.problem : null;
  if (typeof problem !== 'object' || problem === null) return { type: '', detail: '' };
  const type = 'type' in problem && typeof problem.type === 'string' ? problem.type : '';
  const detail = 'detail' in problem && typeof problem.detail === 'string' ? problem.detail : '';
  return { type, detail };
}
