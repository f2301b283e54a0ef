import { z } from 'zod';
import type { LapStore, QueuedLap } from '../rig/lap-queue.ts';

const RefusedLap = z.object({ problem: z.object({ type: z.string().optional(), detail: z.string().default('') }) });

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

  constructor(laps: readonly QueuedLap[]) {
    this.#laps = [...laps];
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
  }

  /** Laps of an import have a driver. */
  retryDriverless(): void {}

  putAside(refused: readonly object[]): void {
    for (const one of refused) {
      const { problem } = RefusedLap.parse(one);
      if (problem.type?.endsWith('key-reused') === true) this.#recordedBefore += 1;
      else this.#refused.set(problem.detail, (this.#refused.get(problem.detail) ?? 0) + 1);
    }
  }
}
