import { builtInProjections } from '../projections/index.ts';
import type { GenerationState, Generations } from './generations.ts';
import type { Parked } from './kernel/dead-letters.ts';
import type { EventStore } from './kernel/event-store.ts';
import { createProjectionRunner, type RunnerStatus } from './kernel/projection-runner.ts';
import { createMilestones, type Milestones, type Progress } from './kernel/progress.ts';
import type { ReadModels } from './kernel/read-store.ts';
import { systemClock } from './system.ts';

/** Projects events into one generation until it is stopped. */
export interface Feeder {
  readonly namespace: string;
  readonly progress: Progress;
  readonly status: () => RunnerStatus;
  /** Tells these milestones of each step from now on, and of how far it has come. */
  readonly leadOn: (milestones: Milestones) => void;
  /** Resolves once it has stopped, of itself too. */
  readonly ended: Promise<void>;
  /** Lets the batch that is under way end. */
  readonly stop: () => Promise<void>;
}

/** What happens as generations are fed. */
export interface FeedingEvents {
  readonly onBatch: (events: number, ms: number) => void;
  readonly onError: (error: Error) => void;
  readonly onParked: (parked: Parked) => void;
}

/** What feeding takes. */
export interface Feeding {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly generations: Generations;
  readonly events: FeedingEvents;
}

/**
 * Begins to feed a generation; `behind` keeps it from overtaking another one, so that who goes over from this to the
 * other sees no less than before.
 */
export async function feed(
  { store, generations, events }: Feeding, namespace: string, behind: Progress | null = null,
): Promise<Feeder> {
  const models: ReadModels = await generations.open(namespace);
  const stopped = new AbortController();
  const own = createMilestones(systemClock, null);
  let led: Milestones | null = null;
  const milestones: Milestones = {
    ...own,
    advance(position) {
      own.advance(position);
      led?.advance(position);
    },
  };
  const runner = createProjectionRunner({
    store: behind === null ? store : following(store, behind),
    models, letters: models, projections: builtInProjections, clock: systemClock, milestones, ...events,
  });
  const ended = runner.run(stopped.signal);
  return {
    namespace,
    progress: own,
    status: runner.status,
    leadOn(others) {
      led = others;
      const position = own.position();
      if (position !== null) others.advance(position);
    },
    ended,
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/** A wait in ms that is repeated, so that who is told to stop need not wait longer. */
const LONG_MS = 200;

/** The store, whose deliveries wait until the other has passed them. */
function following(store: Feeding['store'], other: Progress): Feeding['store'] {
  return {
    head: () => store.head(),
    async* subscribe(after, types, signal) {
      for await (const delivery of store.subscribe(after, types, signal)) {
        while (!(await other.reached(delivery.upTo, LONG_MS))) if (signal.aborted) return;
        yield delivery;
      }
    },
  };
}

/** Longest pause, in ms, of the current generation while the next one comes past it; then it goes on, to try later. */
const SWITCH_MS = 2_000;

/** What a switch needs to be worth a try: the next generation close behind the current one. */
function isClose(next: Feeder, current: Feeder): boolean {
  return next.status().caughtUp && current.status().state === 'running';
}

/** How a try to switch ended: which feeder feeds the current generation now. */
export interface Switched {
  readonly current: Feeder;
  readonly done: boolean;
}

/**
 * Goes over to the next generation: pauses the current one, brings the next past it, and makes it the current one in
 * one write (DESIGN §4 "Generations"). Where that takes too long, all stays as it was.
 */
export async function switchOver(feeding: Feeding, current: Feeder, next: Feeder): Promise<Switched> {
  if (!isClose(next, current)) return { current, done: false };
  await current.stop();
  const reached = current.progress.position();
  let switched = false;
  try {
    switched = reached === null || await next.progress.reached(reached, SWITCH_MS);
    if (switched) {
      const { current: now } = await feeding.generations.update((state) => switchedTo(state, next.namespace));
      switched = now.namespace === next.namespace;
    }
  } catch (error) {
    feeding.events.onError(error instanceof Error ? error : new Error(String(error)));
    switched = (await feeding.generations.look().catch(() => null))?.current.namespace === next.namespace;
  }
  return switched ? { current: next, done: true } : { current: await feed(feeding, current.namespace), done: false };
}

function switchedTo(state: GenerationState, namespace: string): GenerationState | null {
  const { current, next } = state;
  if (next?.namespace !== namespace || !next.ready) return null;
  return {
    ...state,
    current: { namespace, version: next.version },
    next: null,
    retiring: { namespace: current.namespace, keep: next.keepOld },
  };
}
