import { BUILT_IN_VERSION } from '../resources/built-in.ts';
import type { RunnerStatus } from '../../kernel/projection/projection-runner.ts';
import type { CheckpointNotifier } from '../../kernel/projection/checkpoint-waiter.ts';
import type { ReadStore } from '../../kernel/ports/read-store.ts';
import { OtherHistory } from '../../kernel/ports/errors.ts';
import type { LineageCheck } from '../../kernel/projection/lineage.ts';
import { pause } from '../../kernel/ports/system.ts';
import { lineageCheck, runGeneration } from './generation-runner.ts';
import type { GenerationRunner, GenerationRunnerOptions } from './generation-runner.ts';
import {
  dropped,
  isOutOfDate,
  isRequested,
  leaderElected,
  promoted,
  retired,
  type GenerationState,
} from './generation-state.ts';
import type { Generations } from './generations.ts';
import { orderOf } from './model-versions.ts';

export interface LeaderOptions extends GenerationRunnerOptions {
  readonly readStore: Pick<ReadStore, 'drop'>;
  readonly generations: Generations;
  /** Notified of the checkpoints of the current generation. */
  readonly notifier: CheckpointNotifier;
  /**
   * Builds the next generation until it is ready; called while the current one is of an older version, or on request.
   */
  readonly rebuild: (state: GenerationState, signal: AbortSignal) => Promise<void>;
  readonly onPromoted: (namespace: string) => void;
}

/** Longest pause, in ms, between two steps of the leader. */
const STEP_EVERY_MS = 500;

/** Longest wait, in ms, for the next generation to reach the current one; only then is a promotion tried. */
const MAX_CATCH_UP_MS = 500;

/**
 * Longest pause, in ms, of the current generation while the next one overtakes it; after that the promotion is tried
 * again later.
 */
const MAX_PAUSE_MS = 500;

/**
 * The leader: the work of the process that holds the projector's lease. It projects into the current generation,
 * promotes the next one when that is ready, keeps the previous one up to date until no process uses it, and then drops
 * it (docs/architecture.md#generations).
 */
export class Leader {
  readonly #options: LeaderOptions;
  #current: GenerationRunner | null = null;
  #next: GenerationRunner | null = null;
  #retiring: { readonly runner: GenerationRunner; readonly since: number } | null = null;
  #rebuilding: Promise<void> | null = null;
  #status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };
  readonly #lineage: LineageCheck;
  /** When the history was last checked, ms of the monotonic clock. */
  #lineageCheckedAt = -Infinity;
  /** Why the current generation must not be projected into any more. */
  #refusal: Error | null = null;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#lineage = lineageCheck(options);
  }

  get status(): RunnerStatus {
    const status = this.#current?.status() ?? this.#status;
    return this.#refusal === null ? status : { ...status, state: 'stopped', error: this.#refusal };
  }

  get #isOver(): boolean {
    return this.status.state === 'stopped' && this.#next === null && this.#rebuilding === null;
  }

  /** Forgets why it stopped: that is over. */
  reset(): void {
    this.#refusal = null;
    this.#status = { ...this.#status, state: 'idle', error: null };
  }

  /**
   * Works until the lease is lost (`held` aborts), or until the current generation has stopped and there is no next one.
   * `fence` is the fencing token of the lease.
   */
  async run(held: AbortSignal, fence: number): Promise<void> {
    this.#status = { ...this.#status, state: 'running', caughtUp: false, error: null };
    this.#refusal = null;
    try {
      while (!held.aborted && !this.#isOver) {
        await this.#step(held, fence).catch((error: unknown) => this.#reportError(error));
        await this.#rest(held);
      }
    } finally {
      const runners = [this.#current, this.#next, this.#retiring?.runner];
      await Promise.all([...runners.map((runner) => runner?.stop()), this.#rebuilding]);
      this.#status = { ...this.status, state: 'stopped' };
      this.#current = null;
      this.#next = null;
      this.#retiring = null;
      this.#options.notifier.stop();
    }
  }

  async #reportError(error: unknown): Promise<void> {
    const known = error instanceof Error ? error : new Error(String(error));
    if (known instanceof NewerReadModels || known instanceof OtherHistory) {
      this.#refusal = known;
      await this.#current?.stop();
    }
    // If the next generation is about to replace one of another history, nothing is wrong.
    const isExpected = known instanceof OtherHistory && this.#next !== null;
    if (!isExpected) this.#options.events.onError?.(known);
  }

  /** Waits until it is time for the next step, the current generation has stopped, or the lease is lost. */
  async #rest(held: AbortSignal): Promise<void> {
    const stopped = new AbortController();
    const timer = pause(this.#options.clock, STEP_EVERY_MS, AbortSignal.any([held, stopped.signal]));
    // A runner that has stopped already would end the pause at once.
    const isRunning = this.#current !== null && this.#current.status().state !== 'stopped';
    await Promise.race([timer, isRunning ? this.#current?.ended : timer]);
    stopped.abort();
  }

  async #step(held: AbortSignal, fence: number): Promise<void> {
    const state = await this.#options.generations.update(leaderElected(fence));
    // A newer leader exists, and this lease is about to be lost.
    if (state.leader > fence) return;
    refuseNewer(state);
    if (this.#current?.namespace !== state.current.namespace) await this.#startCurrent(state);
    await this.#retire(state);
    if (isOutOfDate(state)) this.#rebuild(state, held);
    await this.#startNext(state);
    await this.#dropUnused(state);
    if (this.#next !== null && state.retiring === null) await this.#promote(fence);
    await this.#expectSameHistory();
    if (isRequested(state)) this.#rebuild(state, held);
  }

  /**
   * Checks the history of the current generation now and then: a server that was away may have come back with other
   * events.
   * @throws {OtherHistory}
   */
  async #expectSameHistory(): Promise<void> {
    const now = this.#options.clock.monotonic();
    if (this.status.state === 'stopped' || now - this.#lineageCheckedAt < HISTORY_CHECK_EVERY_MS) return;
    this.#lineageCheckedAt = now;
    if (this.#current !== null) await this.#lineage.expectSame(this.#current.models);
  }

  /** Options of the runner of a generation that is about to be replaced: it may be of another history. */
  get #whileReplaced(): LeaderOptions {
    const { events } = this.#options;
    const onError = (error: Error): void => {
      if (!(error instanceof OtherHistory)) events.onError?.(error);
    };
    return { ...this.#options, events: { ...events, onError } };
  }

  /** Starts the current generation: at first, after a failed promotion, and when another process has promoted one. */
  async #startCurrent({ current: { namespace }, next }: GenerationState): Promise<void> {
    await Promise.all([this.#current?.stop(), this.#retiring?.runner.stop()]);
    this.#current = null;
    this.#retiring = null;
    this.#refusal = null;
    const isBeingReplaced = next !== null && isReadyOfThisVersion(next);
    this.#current = await runGeneration(isBeingReplaced ? this.#whileReplaced : this.#options, namespace);
    this.#current.checkpoint.forwardTo(this.#options.notifier);
  }

  /** Starts the next generation when it is ready, unless another release made it. */
  async #startNext({ next }: GenerationState): Promise<void> {
    const namespace = next !== null && isReadyOfThisVersion(next) ? next.namespace : null;
    if (this.#next?.namespace === namespace) return;
    await this.#next?.stop();
    this.#next = null;
    if (namespace !== null) this.#next = await runGeneration(this.#options, namespace);
  }

  /**
   * Pauses the current generation, waits until the next one has overtaken it, and makes that the current one in one write.
   *
   * An example: `built-in` is at position 1,000 and `built-in-2` at 990.
   *
   * 1. Catch up: wait, without pausing anything, until `built-in-2` has reached 1,000.
   * 2. Pause: stop the runner of `built-in`, which has meanwhile reached 1,003. Readers still get `built-in`, which stands
   *    still, so writes may be answered with 202 for a moment.
   * 3. Overtake: wait until `built-in-2` has reached 1,003 and `built-in` still is at 1,003. If a former leader, whose
   *    lease ran out, has moved it to 1,004, give up: a reader could otherwise see 1,004 and then, in `built-in-2`, 1,003.
   * 4. Promote: one conditional write that names the fence of this leader; a newer leader makes it fail.
   *
   * If 3 or 4 fails, the current generation is started again, and the next step tries anew.
   */
  async #promote(fence: number): Promise<void> {
    const current = this.#current;
    const next = this.#next;
    if (current === null || next === null || !next.status().caughtUp) return;
    const { generations, notifier, onPromoted } = this.#options;
    const { state: ofCurrent } = current.status();
    const hasStopped = ofCurrent === 'stopped';
    // One that has not started, or is retrying, may turn out to be of another history: the promotion is tried again.
    if (!hasStopped && ofCurrent !== 'running') return;
    if (!hasStopped && !(await next.checkpoint.waitFor(current.checkpoint.position() ?? 0, MAX_CATCH_UP_MS))) return;
    this.#status = current.status();
    this.#current = null;
    await current.stop();
    const at = new Date(this.#options.clock.now()).toISOString();
    const overtaken = hasStopped || (await hasOvertaken(next, current));
    const state = await generations.update((now) => (overtaken ? promoted(next.namespace, fence, at)(now) : null));
    if (state.current.namespace !== next.namespace) return this.#startCurrent(state);
    this.#current = next;
    this.#next = null;
    this.#refusal = null;
    next.checkpoint.forwardTo(notifier);
    onPromoted(next.namespace);
    await this.#retire(state);
  }

  async #retire({ retiring }: GenerationState): Promise<void> {
    if (retiring === null || this.#current === null) return;
    this.#retiring ??= {
      runner: await runGeneration(this.#whileReplaced, retiring.namespace, this.#current.checkpoint),
      since: this.#options.clock.monotonic(),
    };
    if (this.#options.clock.monotonic() - this.#retiring.since < this.#options.generations.retireAfterMs) return;
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

  #rebuild(state: GenerationState, held: AbortSignal): void {
    if (this.#rebuilding !== null || (state.next !== null && isReadyOfThisVersion(state.next))) return;
    this.#rebuilding = this.#options
      .rebuild(state, held)
      .catch(async (error: unknown) => {
        await this.#reportError(error);
        await pause(this.#options.clock, REBUILD_RETRY_MS, held);
      })
      .finally(() => {
        this.#rebuilding = null;
      });
  }
}

const HISTORY_CHECK_EVERY_MS = 5_000;

/** Pause, in ms, after a rebuild that failed. */
const REBUILD_RETRY_MS = 10_000;

/** Thrown when the read models were made by a newer release, whose documents this one does not know. */
export class NewerReadModels extends Error {
  override readonly name = 'NewerReadModels';
}

/** Whether read models are of a newer release, and no generation of this one is ready to replace them. */
export function areNewer({ current, next }: GenerationState): boolean {
  return orderOf(current) === 'newer' && (next === null || !isReadyOfThisVersion(next));
}

/** @throws {NewerReadModels} */
function refuseNewer(state: GenerationState): void {
  if (!areNewer(state)) return;
  const { version } = state.current;
  throw new NewerReadModels(
    `the read models are of version ${version}, made by a newer release than this one (${BUILT_IN_VERSION}): start ` +
      'that release, or go back for good: sim-racing-timing rebuild of this one, and then start it again',
  );
}

function isReadyOfThisVersion(next: NonNullable<GenerationState['next']>): boolean {
  return next.ready && orderOf(next) === 'same';
}

/** Waits until the next generation has passed the checkpoint of the current one, which is paused. */
async function hasOvertaken(next: GenerationRunner, { models }: GenerationRunner): Promise<boolean> {
  const reached = await models.checkpoint();
  if (reached === null) return true;
  // A former leader may still write for a moment: the next generation must have passed those writes, too.
  return (await next.checkpoint.waitFor(reached, MAX_PAUSE_MS)) && (await models.checkpoint()) === reached;
}
