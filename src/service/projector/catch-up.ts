import type { Position } from '../kernel/ports/event-store.ts';

/** What is known at a moment of a projection that has not reached the head yet. */
export interface CatchUpState {
  readonly checkpoint: Position | null;
  readonly head: Position | null;
  /** Ms of the monotonic clock. */
  readonly now: number;
}

/** How far a projection has come since it began, as type aliases are spread into health and log. */
export type CatchUpProgress = {
  readonly percent: number;
  /** Null until it can be told. */
  readonly readyInSeconds: number | null;
};

const MS_PER_SECOND = 1000;

/** Tells how far a projection is on its first way to the head, and when it will be there if it goes on as so far. */
export class CatchUp {
  #start: { readonly at: Position; readonly since: number } | null = null;

  progress({ checkpoint, head, now }: CatchUpState): CatchUpProgress {
    const at = checkpoint ?? 0;
    const start = (this.#start ??= { at, since: now });
    const [done, whole] = [at - start.at, (head ?? 0) - start.at];
    if (whole <= done) return { percent: 100, readyInSeconds: 0 };
    const left = done <= 0 ? null : ((now - start.since) / done) * (whole - done);
    return {
      percent: Math.floor((Math.max(0, done) / whole) * 100),
      readyInSeconds: left === null ? null : Math.ceil(left / MS_PER_SECOND),
    };
  }

  /** To be called when the head is reached, or another process projects: the next way begins anew. */
  end(): void {
    this.#start = null;
  }
}
