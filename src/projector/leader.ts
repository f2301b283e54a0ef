import { BUILT_IN_VERSION } from '../../projections/index.ts';
import type { RunnerStatus } from '../kernel/projection/projection-runner.ts';
import type { Milestones } from '../kernel/projection/checkpoint-waiter.ts';
import type { ReadStore } from '../kernel/ports/read-store.ts';
import { pause } from '../kernel/ports/clock.ts';
import { systemClock } from '../../infra/system/system.ts';
import { feed, type Feeder, type Feeding } from './generation-runner.ts';
import { dropped, ledBy, left, switched, type GenerationState } from './generation-state.ts';
import { LEAVE_MS, LOOK_EVERY_MS, type Generations } from './generations.ts';

/** What leading takes. */
export interface Leading extends Feeding {
  readonly readStore: Pick<ReadStore, 'drop'>;
  readonly generations: Generations;
  /** Told of how far the current generation has come. */
  readonly milestones: Milestones;
  /** Makes the next generation, to be ready; called while the current one is of an older version. */
  readonly rebuild: (state: GenerationState, signal: AbortSignal) => Promise<void>;
  readonly onSwitch: (namespace: string) => void;
}

/** The lead, for as long as it is held. */
export interface Lead {
  /** Aborts when it is lost. */
  readonly held: AbortSignal;
  /** Counts the leads: the newest one is the one that counts. */
  readonly fence: number;
}

/** Longest time, in ms, that the next generation may need to where the current one is, for a switch to be tried. */
const CLOSE_MS = 500;

/** Longest pause, in ms, of the current generation while the next one comes past it; then it goes on, to try later. */
const SWITCH_MS = 500;

/**
 * What the holder of the lease does: feeds the current generation; when a next one is ready, goes over to it; feeds the
 * one before until all have left it, and drops it (DESIGN §4 "Generations").
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

  /** Leads until the lead is lost, or the current generation cannot be fed and no other is to come. */
  async run(lead: Lead): Promise<void> {
    const { held } = lead;
    this.#status = { ...this.#status, state: 'running', caughtUp: false, error: null };
    try {
      while (!held.aborted && (this.status.state !== 'stopped' || this.#next !== null)) {
        await this.#turn(lead).catch((error: unknown) => this.#failed(error));
        await this.#rest(held);
      }
    } finally {
      const feeders = [this.#current, this.#next, this.#retiring?.feeder];
      await Promise.all([...feeders.map((feeder) => feeder?.stop()), this.#rebuilding]);
      this.#status = { ...this.status, state: 'stopped' };
      [this.#current, this.#next, this.#retiring] = [null, null, null];
      this.#leading.milestones.stop();
    }
  }

  #failed(error: unknown): void {
    const known = error instanceof Error ? error : new Error(String(error));
    if (known instanceof NewerReadModels) this.#status = { ...this.#status, state: 'stopped', error: known };
    this.#leading.events.onError(known);
  }

  /** Until it is time to look again, or there is nothing to lead any more. */
  async #rest(held: AbortSignal): Promise<void> {
    const rested = new AbortController();
    const resting = pause(systemClock, LOOK_EVERY_MS, AbortSignal.any([held, rested.signal]));
    await Promise.race([resting, this.#current?.ended ?? resting]);
    rested.abort();
  }

  async #turn(lead: Lead): Promise<void> {
    const state = await this.#leading.generations.update(ledBy(lead.fence));
    // A newer leader is here, and the lease about to be lost.
    if (state.leader > lead.fence) return;
    refuseNewer(state);
    if (this.#current?.namespace !== state.current.namespace) await this.#feedCurrent(state);
    await this.#retire(state);
    this.#rebuildIfOld(state, lead.held);
    await this.#feedNext(state);
    await this.#sweep(state);
    if (this.#next !== null && state.retiring === null) await this.#goOver(lead);
  }

  /** At the start, after a switch that did not come about, and when another process has switched. */
  async #feedCurrent({ current: { namespace } }: GenerationState): Promise<void> {
    await Promise.all([this.#current?.stop(), this.#retiring?.feeder.stop()]);
    [this.#current, this.#retiring] = [null, null];
    this.#current = await feed(this.#leading, namespace);
    this.#current.leadOn(this.#leading.milestones);
  }

  /** What another release makes is not fed: that release goes over to it. */
  async #feedNext({ next }: GenerationState): Promise<void> {
    const wanted = next !== null && isOurs(next) ? next.namespace : null;
    if (this.#next?.namespace === wanted) return;
    await this.#next?.stop();
    this.#next = null;
    if (wanted !== null) this.#next = await feed(this.#leading, wanted);
  }

  /** Pauses the current generation, brings the next past it, and makes it the current one in one write. */
  async #goOver({ fence }: Lead): Promise<void> {
    const [current, next] = [this.#current, this.#next];
    if (current === null || next === null || !next.status().caughtUp) return;
    const { generations, milestones, onSwitch } = this.#leading;
    const broken = current.status().state === 'stopped';
    if (!broken && !(await next.progress.reached(current.progress.position() ?? 0, CLOSE_MS))) return;
    this.#status = current.status();
    this.#current = null;
    await current.stop();
    const passed = broken || (await hasPassed(next, current));
    const state = await generations.update((now) => (passed ? switched(next.namespace, fence)(now) : null));
    if (state.current.namespace !== next.namespace) return this.#feedCurrent(state);
    [this.#current, this.#next] = [next, null];
    next.leadOn(milestones);
    onSwitch(next.namespace);
    await this.#retire(state);
  }

  async #retire({ retiring }: GenerationState): Promise<void> {
    if (retiring === null || this.#current === null) return;
    this.#retiring ??= {
      feeder: await feed(this.#leading, retiring.namespace, this.#current.progress),
      since: systemClock.now(),
    };
    if (systemClock.now() - this.#retiring.since < LEAVE_MS) return;
    await this.#retiring.feeder.stop();
    this.#retiring = null;
    await this.#leading.generations.update(left());
  }

  async #sweep({ dropping }: GenerationState): Promise<void> {
    for (const namespace of dropping) {
      await this.#leading.readStore.drop(namespace);
      await this.#leading.generations.update(dropped(namespace));
    }
  }

  #rebuildIfOld(state: GenerationState, held: AbortSignal): void {
    const {
      current: { version },
      next,
    } = state;
    if (version >= BUILT_IN_VERSION || this.#rebuilding !== null || (next !== null && isOurs(next))) return;
    this.#rebuilding = this.#leading
      .rebuild(state, held)
      .catch((error: unknown) => {
        this.#failed(error);
        return pause(systemClock, REBUILD_AGAIN_MS, held);
      })
      .finally(() => {
        this.#rebuilding = null;
      });
  }
}

/** How long, in ms, to wait after a rebuild that failed. */
const REBUILD_AGAIN_MS = 10_000;

/** The read models were made by a newer release, whose documents this one does not know. */
class NewerReadModels extends Error {
  override readonly name = 'NewerReadModels';
}

/** @throws {NewerReadModels} unless those of this release are ready to take their place. */
function refuseNewer({ current: { version }, next }: GenerationState): void {
  if (version <= BUILT_IN_VERSION || (next !== null && isOurs(next))) return;
  throw new NewerReadModels(
    `the read models are of version ${version}, made by a newer release than this one (${BUILT_IN_VERSION}): start ` +
      'that release, or go back for good: sim-racing-timing rebuild of this one, and then start it again',
  );
}

function isOurs({ version, ready }: NonNullable<GenerationState['next']>): boolean {
  return ready && version === BUILT_IN_VERSION;
}

/** Waits until the next generation is past all that anybody has written to the current one, which is not fed now. */
async function hasPassed(next: Feeder, { models }: Feeder): Promise<boolean> {
  const reached = await models.checkpoint();
  if (reached === null) return true;
  // A leader of the past may write on for a moment: what it wrote counts, too.
  return (await next.progress.reached(reached, SWITCH_MS)) && (await models.checkpoint()) === reached;
}
