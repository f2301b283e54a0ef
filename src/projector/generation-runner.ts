import { builtInProjections } from '../../projections/index.ts';
import type { ParkedEvent } from '../kernel/projection/dead-letters.ts';
import type { Delivery, EventStore, RecordedEvent } from '../kernel/ports/event-store.ts';
import { createProjectionRunner, type RunnerStatus } from '../kernel/projection/projection-runner.ts';
import {
  createCheckpointNotifier,
  type CheckpointNotifier,
  type CheckpointWaiter,
} from '../kernel/projection/checkpoint-waiter.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import { pause, type Clock } from '../kernel/ports/system.ts';
import { KNOWN_EVENTS } from '../../projections/known-events.ts';
import type { Generations } from './generations.ts';
import { holderOf, PROJECTOR_LEASE, type LeaseSources } from './leases.ts';

/** Projects events into one generation until it is stopped. */
export interface GenerationRunner {
  readonly namespace: string;
  readonly models: ReadModels;
  readonly checkpoint: CheckpointWaiter;
  readonly status: () => RunnerStatus;
  /** Tells these notifier of each step from now on, and of how far it has come. */
  readonly notify: (notifier: CheckpointNotifier) => void;
  /** Resolves once it has stopped, of itself too. */
  readonly ended: Promise<void>;
  readonly clock: Clock;
  /** Lets the batch that is under way end. */
  readonly stop: () => Promise<void>;
}

/** What happens as generations are fed. */
export interface GenerationEvents {
  readonly onBatch: (events: number, ms: number) => void;
  readonly onError: (error: Error) => void;
  readonly onParked: (parked: ParkedEvent) => void;
  /** Told of each event that another release has written, of a type that this one does not know. */
  readonly onUnknown?: (event: RecordedEvent) => void;
}

/** What feeding takes. */
export interface GenerationRunnerOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly generations: Pick<Generations, 'open'>;
  readonly clock: Clock;
  readonly events: GenerationEvents;
}

/**
 * Begins to feed a generation; `behind` keeps it from overtaking another one, so that who goes over from this to the
 * other sees no less than before.
 * @throws {StoreUnavailable}
 */
export async function runGeneration(
  { store, generations, clock, events }: GenerationRunnerOptions,
  namespace: string,
  behind: CheckpointWaiter | null = null,
): Promise<GenerationRunner> {
  const models = await generations.open(namespace);
  const stopped = new AbortController();
  const own = createCheckpointNotifier(clock, null);
  let attached: CheckpointNotifier | null = null;
  const notifier: CheckpointNotifier = {
    ...own,
    advance(position) {
      own.advance(position);
      attached?.advance(position);
    },
  };
  const runner = createProjectionRunner({
    store: behind === null ? store : delayedBehind(store, behind, clock),
    models,
    deadLetterStore: models,
    projections: builtInProjections,
    clock,
    notifier,
    ...events,
    unknown: { known: KNOWN_EVENTS, onUnknown: (event) => events.onUnknown?.(event) },
  });
  const ended = runner.run(stopped.signal);
  return {
    namespace,
    models,
    checkpoint: own,
    status: runner.status,
    notify(others) {
      attached = others;
      const position = own.position();
      if (position !== null) others.advance(position);
    },
    ended,
    clock,
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/** A wait, in ms, that is repeated, so that who is told to stop need not wait longer. */
const WAIT_SLICE_MS = 200;

/** The store, whose deliveries wait until the other has passed them. */
function delayedBehind(
  store: GenerationRunnerOptions['store'],
  other: CheckpointWaiter,
  clock: Clock,
): GenerationRunnerOptions['store'] {
  return {
    head: () => store.head(),
    async *subscribe(after, types, signal) {
      for await (const delivery of store.subscribe(after, types, signal)) {
        while (!(await other.waitFor(delivery.upTo, WAIT_SLICE_MS))) {
          // It says so at once when it has stopped.
          await pause(clock, WAIT_SLICE_MS, signal);
          if (signal.aborted) return;
        }
        yield delivery;
      }
    },
  };
}

/** Events that are projected in one go beside somebody who projects. */
const SMALL_BATCH_EVENTS = 64;

/**
 * The store, whose deliveries come in small parts as long as there is somebody who projects: on embedded stores, the
 * one waits while the other writes, and so do the requests that it is to answer.
 */
export function inSmallBatches({
  store,
  ...leases
}: LeaseSources & Pick<GenerationRunnerOptions, 'store'>): GenerationRunnerOptions['store'] {
  return {
    head: () => store.head(),
    async *subscribe(after, types, signal) {
      for await (const delivery of store.subscribe(after, types, signal)) {
        const beside = (await holderOf(leases, PROJECTOR_LEASE)) !== null;
        yield* beside ? splitDelivery(delivery) : [delivery];
      }
    },
  };
}

function* splitDelivery({ events, ...rest }: Delivery): Generator<Delivery, void> {
  let from = 0;
  for (; from + SMALL_BATCH_EVENTS < events.length; from += SMALL_BATCH_EVENTS) {
    const some = events.slice(from, from + SMALL_BATCH_EVENTS);
    yield { events: some, upTo: some.at(-1)?.position ?? 0, caughtUp: false };
  }
  yield { ...rest, events: events.slice(from) };
}

/** How often, in ms, to look whether a generation has come to the head. */
const CHECK_EVERY_MS = 50;

/**
 * Waits until a generation has come to the head of the event store; false when `signal` aborts before.
 * @throws what stopped it.
 */
export async function waitUntilCaughtUp(
  { status, ended, clock }: GenerationRunner,
  signal: AbortSignal,
): Promise<boolean> {
  while (!status().caughtUp) {
    if (signal.aborted) return false;
    const { state, error } = status();
    if (state === 'stopped') throw error ?? new Error('the projection has stopped');
    await Promise.race([ended, pause(clock, CHECK_EVERY_MS, signal)]);
  }
  return true;
}
