import { builtInProjections, CATEGORIES_OF_RIGHTS, KNOWN_EVENTS, REPLACEABLE_EVENTS } from '../resources/built-in.ts';
import type { Delivery, EventStore, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { ProjectionRunner, partsOf, type ProjectionRunnerOptions } from '../../kernel/projection/projection-runner.ts';
import { createCheckpointNotifier, type CheckpointWaiter } from '../../kernel/projection/checkpoint-waiter.ts';
import { StoreFull } from '../../kernel/ports/errors.ts';
import { LineageCheck, type LineageCheckOptions } from '../../kernel/projection/lineage.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import type { Generations } from './generations.ts';
import { describeLease, PROJECTOR_LEASE, type LeaseSources } from './leases.ts';

/** Runner of one generation: projects events into it until it is stopped. */
export type GenerationRunner = Readonly<Awaited<ReturnType<typeof runGeneration>>>;

export interface GenerationEvents extends Pick<
  ProjectionRunnerOptions,
  'onBatch' | 'onError' | 'outage' | 'onParked' | 'onOmitted'
> {
  readonly onUnknown?: (event: RecordedEvent) => void;
}

export interface GenerationRunnerOptions {
  readonly store: Pick<EventStore, 'subscribe'> & LineageCheckOptions['store'];
  /** Replaces each delivery of the event store by others. */
  readonly map?: DeliveryMap;
  readonly generations: Pick<Generations, 'open'>;
  readonly clock: Clock;
  readonly events: GenerationEvents;
}

/** Maps a delivery of the event store to those that are projected. */
export type DeliveryMap = (delivery: Delivery, signal: AbortSignal) => AsyncIterable<Delivery>;

/**
 * Starts projecting into a generation. With `behind`, it never overtakes that generation, so that a reader who switches
 * to that one sees nothing older than before.
 * @throws {StoreUnavailable}
 */
export async function runGeneration(
  { store, map, generations, clock, events }: GenerationRunnerOptions,
  namespace: string,
  behind: CheckpointWaiter | null = null,
) {
  const models = await generations.open(namespace);
  const stopped = new AbortController();
  const notifier = createCheckpointNotifier(clock, null);
  const runner = new ProjectionRunner({
    store: mapped(store, behind === null ? map : delayedBehind(behind, clock)),
    models,
    deadLetterStore: models,
    projections: builtInProjections,
    lineage: lineageCheck({ store, clock }),
    replaceable: REPLACEABLE_EVENTS,
    // Were one skipped, the later events of its stream would make the document look up to date to the key registry.
    complete: CATEGORIES_OF_RIGHTS,
    clock,
    notifier,
    ...events,
    unknown: { known: KNOWN_EVENTS, onUnknown: (event) => events.onUnknown?.(event) },
  });
  const ended = runner.run(stopped.signal);
  return {
    namespace,
    models,
    checkpoint: notifier,
    status: runner.status,
    /** Resolves once the runner has stopped, also by an error. */
    ended,
    clock,
    /** Stops after the current batch. */
    stop: async (): Promise<void> => {
      stopped.abort();
      await ended;
    },
  };
}

export function lineageCheck(options: Omit<LineageCheckOptions, 'replaceable'>): LineageCheck {
  return new LineageCheck({ ...options, replaceable: REPLACEABLE_EVENTS });
}

function mapped(store: Pick<EventStore, 'subscribe'>, map?: DeliveryMap): Pick<EventStore, 'subscribe'> {
  if (map === undefined) return store;
  return {
    async *subscribe(after, types, signal) {
      for await (const delivery of store.subscribe(after, types, signal)) yield* map(delivery, signal);
    },
  };
}

/** Longest wait, in ms, between checks whether to stop. */
const MAX_WAIT_MS = 200;

/** Delays each delivery until the other generation has projected it. */
function delayedBehind(other: CheckpointWaiter, clock: Clock): DeliveryMap {
  return async function* (delivery, signal) {
    while (!signal.aborted && !(await other.waitFor(delivery.upTo, MAX_WAIT_MS))) {
      // `waitFor` returns at once when the other generation has stopped.
      await pause(clock, MAX_WAIT_MS, signal);
    }
    if (!signal.aborted) yield delivery;
  };
}

/** Events per batch while another process projects. */
const SMALL_BATCH_EVENTS = 64;

/**
 * Splits deliveries into small batches while another process projects: on embedded stores only one can write at a time,
 * and a large batch would keep that process and its requests waiting.
 */
export function inSmallBatches(leases: LeaseSources): DeliveryMap {
  return async function* (delivery) {
    const { holder } = await describeLease(leases, PROJECTOR_LEASE);
    yield* holder !== null ? partsOf(delivery, () => SMALL_BATCH_EVENTS) : [delivery];
  };
}

/** Interval, in ms, of checks whether a generation has reached the head. */
const CHECK_EVERY_MS = 50;

/**
 * Projects into a generation until it has reached the head of the event store; false when `signal` aborts before.
 * `onProgress` is called after each batch with the number of its events and the checkpoint.
 * @throws {StoreFull} and other errors that `waitUntilCaughtUp` throws.
 */
export async function projectToHead(
  { events, ...options }: GenerationRunnerOptions,
  namespace: string,
  signal: AbortSignal,
  onProgress: (events: number, position: Position) => void,
): Promise<boolean> {
  const onBatch: GenerationEvents['onBatch'] = (count, seconds) => {
    events.onBatch?.(count, seconds);
    onProgress(count, generation.checkpoint.position() ?? 0);
  };
  const generation = await runGeneration({ ...options, events: { ...events, onBatch } }, namespace);
  try {
    return await waitUntilCaughtUp(generation, signal);
  } finally {
    await generation.stop();
  }
}

/**
 * Waits until a generation has reached the head of the event store; false when `signal` aborts before. A store that is
 * away is waited for.
 * @throws {StoreFull} at once: another attempt would keep the disk full.
 * @throws the error that stopped the runner.
 */
export async function waitUntilCaughtUp({ status, ended, clock }: GenerationRunner, signal: AbortSignal) {
  while (!status().caughtUp) {
    if (signal.aborted) return false;
    const { state, error } = status();
    if (error instanceof StoreFull) throw error;
    if (state === 'stopped') throw error ?? new Error('the projection has stopped');
    await Promise.race([ended, pause(clock, CHECK_EVERY_MS, signal)]);
  }
  return true;
}
