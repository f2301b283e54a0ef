import { BUILT_IN_VERSION } from '../projections/index.ts';
import { feed, switchOver, type Feeder, type Feeding } from './feeding.ts';
import { LEAVE_MS, LOOK_EVERY_MS, type GenerationState } from './generations.ts';
import type { RunnerStatus } from './kernel/projection-runner.ts';
import type { Milestones } from './kernel/progress.ts';
import type { ReadStore } from './kernel/read-store.ts';
import { pause } from './kernel/time.ts';
import { systemClock } from './system.ts';

/** What leading takes. */
export interface Leading extends Feeding {
  readonly readStore: Pick<ReadStore, 'drop'>;
  /** Told of how far the current generation has come. */
  readonly milestones: Milestones;
  /** Makes the next generation, to be ready; called while the current one is of an older version. */
  readonly rebuild: (state: GenerationState, signal: AbortSignal) => Promise<void>;
  readonly onSwitch: (namespace: string) => void;
}

/**
 * What the holder of the lease does: feeds the current generation; when a next one is ready, goes over to it; feeds the
 * one before until all have left it, and drops it.
 */
export class Leader {
  readonly #leading: Leading;
  #current: Feeder | null = null;
  #next: Feeder | null = null;
  #retiring: { readonly feeder: Feeder; readonly since: number } | null = null;
  #rebuilding: Promise<void> | null = null;
  #status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };

  constructor(leading: Leading) {
    this.#leading = leading;
  }

  /** Of the current generation. */
  get status(): RunnerStatus {
    return this.#current?.status() ?? this.#status;
  }

  /** Leads until `held` aborts, or the current generation cannot be fed. */
  async run(held: AbortSignal): Promise<void> {
    const { milestones, events } = this.#leading;
    try {
      while (!held.aborted && this.status.state !== 'stopped') {
        await this.#turn(held).catch((error: unknown) => {
          events.onError(error instanceof Error ? error : new Error(String(error)));
        });
        await this.#rest(held);
      }
    } finally {
      const feeders = [this.#current, this.#next, this.#retiring?.feeder];
      await Promise.all([...feeders.map((feeder) => feeder?.stop()), this.#rebuilding]);
      this.#status = { ...this.status, state: 'stopped' };
      [this.#current, this.#next, this.#retiring] = [null, null, null];
      milestones.stop();
    }
  }

  /** Until it is time to look again, or there is nothing to lead any more. */
  async #rest(held: AbortSignal): Promise<void> {
    const rested = new AbortController();
    const wake = (): void => rested.abort();
    held.addEventListener('abort', wake);
    const resting = pause(systemClock, LOOK_EVERY_MS, rested.signal);
    await Promise.race([resting, this.#current?.ended ?? resting]);
    rested.abort();
    held.removeEventListener('abort', wake);
  }

  async #turn(held: AbortSignal): Promise<void> {
    const { generations, milestones } = this.#leading;
    const state = await generations.look();
    if (this.#current?.namespace !== state.current.namespace) await this.#feedCurrent(state);
    await this.#retire(state);
    this.#rebuildIfOld(state, held);
    const { next } = state;
    if (next?.ready !== true || state.retiring !== null || this.#current === null) return;
    if (this.#next?.namespace !== next.namespace) {
      await this.#next?.stop();
      this.#next = await feed(this.#leading, next.namespace);
    }
    const { current, done } = await switchOver(this.#leading, this.#current, this.#next);
    this.#current = current;
    current.leadOn(milestones);
    if (!done) return;
    this.#next = null;
    this.#leading.onSwitch(current.namespace);
    await this.#turn(held);
  }

  /** At the start, and when another process has switched, which none should. */
  async #feedCurrent({ current: { namespace } }: GenerationState): Promise<void> {
    await Promise.all([this.#current?.stop(), this.#retiring?.feeder.stop()]);
    [this.#current, this.#retiring] = [null, null];
    this.#current = await feed(this.#leading, namespace);
    this.#current.leadOn(this.#leading.milestones);
  }

  async #retire({ retiring }: GenerationState): Promise<void> {
    if (retiring === null || this.#current === null) return;
    this.#retiring ??= {
      feeder: await feed(this.#leading, retiring.namespace, this.#current.progress), since: systemClock.now(),
    };
    if (systemClock.now() - this.#retiring.since < LEAVE_MS) return;
    await this.#retiring.feeder.stop();
    const { namespace, keep } = retiring;
    if (!keep) await this.#leading.readStore.drop(namespace);
    await this.#leading.generations.update((state) => (
      { ...state, retiring: null, kept: keep ? namespace : state.kept }));
    this.#retiring = null;
  }

  #rebuildIfOld(state: GenerationState, held: AbortSignal): void {
    const old = state.current.version < BUILT_IN_VERSION && state.next?.ready !== true;
    if (!old || this.#rebuilding !== null) return;
    const { rebuild, events } = this.#leading;
    this.#rebuilding = rebuild(state, held)
      .catch((error: unknown) => {
        events.onError(error instanceof Error ? error : new Error(String(error)));
        return pause(systemClock, REBUILD_AGAIN_MS, held);
      })
      .finally(() => {
        this.#rebuilding = null;
      });
  }
}

/** How long, in ms, to wait after a rebuild that failed. */
const REBUILD_AGAIN_MS = 10_000;
