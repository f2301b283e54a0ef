import { BUILT_IN_VERSION } from '../../projections/index.ts';
import type { RunnerStatus } from '../kernel/projection/projection-runner.ts';
import type { CheckpointNotifier } from '../kernel/projection/checkpoint-waiter.ts';
import type { ReadStore } from '../kernel/ports/read-store.ts';
import { pause } from '../kernel/ports/system.ts';
import { runGeneration, type GenerationRunner, type GenerationRunnerOptions } from './generation-runner.ts';
import { dropped, leaderElected, retired, promoted, type GenerationState } from './generation-state.ts';
import { RETIRE_AFTER_MS, REFRESH_EVERY_MS, type Generations } from './generations.ts';

/** What leading takes. */
export interface LeaderOptions extends GenerationRunnerOptions {
  readonly readStore: Pick<ReadStore, 'drop'>;
  readonly generations: Generations;
  /** Told of how far the current generation has come. */
  readonly notifier: CheckpointNotifier;
  /** Makes the next generation, to be ready; called while the current one is of an older version. */
  readonly rebuild: (state: GenerationState, signal: AbortSignal) => Promise<void>;
  readonly onPromoted: (namespace: string) => void;
}

/** The lead, for as long as it is held. */
export interface Leadership {
  /** Aborts when it is lost. */
  readonly held: AbortSignal;
  /** Counts the leads: the newest one is the one that counts. */
  readonly fence: number;
}

/** Longest time, in ms, that the next generation may need to where the current one is, for a switch to be tried. */
const MAX_CATCH_UP_MS = 500;

/** Longest pause, in ms, of the current generation while the next one comes past it; then it goes on, to try later. */
const MAX_PAUSE_MS = 500;

/**
 * What the holder of the lease does: feeds the current generation; when a next one is ready, goes over to it; feeds the
 * one before until all have left it, and drops it (DESIGN §4 "Generations").
 */
export class Leader {
  readonly #options: LeaderOptions;
  #current: GenerationRunner | null = null;
  #next: GenerationRunner | null = null;
  #retiring: { readonly runner: GenerationRunner; readonly since: number } | null = null;
  #rebuilding: Promise<void> | null = null;
  #status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };

  constructor(options: LeaderOptions) {
    this.#options = options;
  }

  /** Of the current generation. */
  get status(): RunnerStatus {
    return this.#current?.status() ?? this.#status;
  }

  /** Leads until the lead is lost, or the current generation cannot be fed and no other is to come. */
  async run(leadership: Leadership): Promise<void> {
    const { held } = leadership;
    this.#status = { ...this.#status, state: 'running', caughtUp: false, error: null };
    try {
      while (!held.aborted && (this.status.state !== 'stopped' || this.#next !== null)) {
        await this.#step(leadership).catch((error: unknown) => this.#reportError(error));
        await this.#rest(held);
      }
    } finally {
      const runners = [this.#current, this.#next, this.#retiring?.runner];
      await Promise.all([...runners.map((runner) => runner?.stop()), this.#rebuilding]);
      this.#status = { ...this.status, state: 'stopped' };
      [this.#current, this.#next, this.#retiring] = [null, null, null];
      this.#options.notifier.stop();
    }
  }

  #reportError(error: unknown): void {
    const known = error instanceof Error ? error : new Error(String(error));
    if (known instanceof NewerReadModels) this.#status = { ...this.#status, state: 'stopped', error: known };
    this.#options.events.onError(known);
  }

  /** Until it is time to look again, or there is nothing to lead any more. */
  async #rest(held: AbortSignal): Promise<void> {
    const stopped = new AbortController();
    const timer = pause(this.#options.clock, REFRESH_EVERY_MS, AbortSignal.any([held, stopped.signal]));
    await Promise.race([timer, this.#current?.ended ?? timer]);
    stopped.abort();
  }

  async #step(leadership: Leadership): Promise<void> {
    const state = await this.#options.generations.update(leaderElected(leadership.fence));
    // A newer leader is here, and the lease about to be lost.
    if (state.leader > leadership.fence) return;
    refuseNewer(state);
    if (this.#current?.namespace !== state.current.namespace) await this.#startCurrent(state);
    await this.#retire(state);
    this.#rebuildIfOld(state, leadership.held);
    await this.#startNext(state);
    await this.#dropUnused(state);
    if (this.#next !== null && state.retiring === null) await this.#promote(leadership);
  }

  /** At the start, after a switch that did not come about, and when another process has switched. */
  async #startCurrent({ current: { namespace } }: GenerationState): Promise<void> {
    await Promise.all([this.#current?.stop(), this.#retiring?.runner.stop()]);
    [this.#current, this.#retiring] = [null, null];
    this.#current = await runGeneration(this.#options, namespace);
    this.#current.notify(this.#options.notifier);
  }

  /** What another release makes is not fed: that release goes over to it. */
  async #startNext({ next }: GenerationState): Promise<void> {
    const wanted = next !== null && isReadyOfThisVersion(next) ? next.namespace : null;
    if (this.#next?.namespace === wanted) return;
    await this.#next?.stop();
    this.#next = null;
    if (wanted !== null) this.#next = await runGeneration(this.#options, wanted);
  }

  /** Pauses the current generation, brings the next past it, and makes it the current one in one write. */
  async #promote({ fence }: Leadership): Promise<void> {
    const [current, next] = [this.#current, this.#next];
    if (current === null || next === null || !next.status().caughtUp) return;
    const { generations, notifier, onPromoted } = this.#options;
    const broken = current.status().state === 'stopped';
    if (!broken && !(await next.checkpoint.waitFor(current.checkpoint.position() ?? 0, MAX_CATCH_UP_MS))) return;
    this.#status = current.status();
    this.#current = null;
    await current.stop();
    const overtook = broken || (await hasOvertaken(next, current));
    const state = await generations.update((now) => (overtook ? promoted(next.namespace, fence)(now) : null));
    if (state.current.namespace !== next.namespace) return this.#startCurrent(state);
    [this.#current, this.#next] = [next, null];
    next.notify(notifier);
    onPromoted(next.namespace);
    await this.#retire(state);
  }

  async #retire({ retiring }: GenerationState): Promise<void> {
    if (retiring === null || this.#current === null) return;
    this.#retiring ??= {
      runner: await runGeneration(this.#options, retiring.namespace, this.#current.checkpoint),
      since: this.#options.clock.now(),
    };
    if (this.#options.clock.now() - this.#retiring.since < RETIRE_AFTER_MS) return;
    await this.#retiring.runner.stop();
    this.#retiring = null;
    await this.#options.generations.update(retired());
  }

  async #dropUnused({ dropping }: GenerationState): Promise<void> {
    for (const namespace of dropping) {
      await this.#options.readStore.drop(namespace);
      await this.#options.generations.update(dropped(namespace));
    }
  }

  #rebuildIfOld(state: GenerationState, held: AbortSignal): void {
    const {
      current: { version },
      next,
    } = state;
    if (version >= BUILT_IN_VERSION || this.#rebuilding !== null || (next !== null && isReadyOfThisVersion(next)))
      return;
    this.#rebuilding = this.#options
      .rebuild(state, held)
      .catch((error: unknown) => {
        this.#reportError(error);
        return pause(this.#options.clock, REBUILD_RETRY_MS, held);
      })
      .finally(() => {
        this.#rebuilding = null;
      });
  }
}

/** How long, in ms, to wait after a rebuild that failed. */
const REBUILD_RETRY_MS = 10_000;

/** The read models were made by a newer release, whose documents this one does not know. */
class NewerReadModels extends Error {
  override readonly name = 'NewerReadModels';
}

/** @throws {NewerReadModels} unless those of this release are ready to take their place. */
function refuseNewer({ current: { version }, next }: GenerationState): void {
  if (version <= BUILT_IN_VERSION || (next !== null && isReadyOfThisVersion(next))) return;
  throw new NewerReadModels(
    `the read models are of version ${version}, made by a newer release than this one (${BUILT_IN_VERSION}): start ` +
      'that release, or go back for good: sim-racing-timing rebuild of this one, and then start it again',
  );
}

function isReadyOfThisVersion({ version, ready }: NonNullable<GenerationState['next']>): boolean {
  return ready && version === BUILT_IN_VERSION;
}

/** Waits until the next generation is past all that anybody has written to the current one, which is not fed now. */
async function hasOvertaken(next: GenerationRunner, { models }: GenerationRunner): Promise<boolean> {
  const reached = await models.checkpoint();
  if (reached === null) return true;
  // A leader of the past may write on for a moment: what it wrote counts, too.
  return (await next.checkpoint.waitFor(reached, MAX_PAUSE_MS)) && (await models.checkpoint()) === reached;
}
