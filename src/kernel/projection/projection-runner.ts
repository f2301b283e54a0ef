import { categoryOf } from '../aggregate/aggregate.ts';
import type { Clock } from '../ports/system.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Delivery, EventStore, Position, RecordedEvent } from '../ports/event-store.ts';
import type { Collection, ReadModels } from '../ports/read-store.ts';
import { retry, type AttemptResult } from '../retry.ts';
import { createCheckpointNotifier, type CheckpointNotifier, type CheckpointWaiter } from './checkpoint-waiter.ts';
import { deadLetters, DEAD_LETTER_RETRIED, type ParkedEvent } from './dead-letters.ts';
import { dispatch, handlersByType, type PoisonEvent } from './dispatch.ts';
import { Parking } from './parking.ts';
import type { Projection } from './projection.ts';
import { createUnitOfWork } from './unit-of-work.ts';

const RUNNING = { state: 'running', error: null } as const;

/** What a group is doing, for health and metrics. */
export interface RunnerStatus {
  /** `stopped` after an error or the end of the run; `retrying` while a store is away. */
  readonly state: 'idle' | 'running' | 'retrying' | 'stopped';
  readonly checkpoint: Position | null;
  /** When the newest event that was projected happened, ISO 8601; null before the first. */
  readonly lastEventAt: string | null;
  /** Whether the head of the store has been reached since the run began: before, the documents may be of long ago. */
  readonly caughtUp: boolean;
  readonly error: Error | null;
}

/** Projects one group, and tells how far it has come. */
export interface ProjectionRunner extends CheckpointWaiter {
  /**
   * Projects until `signal` aborts or it cannot go on; resolves in both cases, the status tells which. May be run
   * again.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly status: () => RunnerStatus;
}

/** What a runner needs. */
export interface ProjectionRunnerOptions extends ProjectionGroupOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly models: ProjectionGroupOptions['models'] & Pick<ReadModels, 'checkpoint'>;
  readonly clock: Clock;
  /** Told of each step; unset: notifier of its own. */
  readonly notifier?: CheckpointNotifier;
  /** Told of each batch (events, ms spent) and each setback; for metrics and the log. */
  readonly onBatch?: (events: number, ms: number) => void;
  readonly onError?: (error: Error) => void;
}

/** The collections that a group writes. */
export function collectionsOf(projections: readonly Projection[]): readonly Collection[] {
  return projections.map(({ model }) => ({ name: model.collection, indexes: model.indexes }));
}

/** The same, and that of its dead letters. */
export function parkingCollectionsOf(projections: readonly Projection[]): readonly Collection[] {
  return [...collectionsOf(projections), { name: deadLetters.collection, indexes: deadLetters.indexes }];
}

/** Documents that know more than the events were made of other events, before a restore or in another store. */
async function refuseForeignCheckpoint(store: Pick<EventStore, 'head'>, checkpoint: Position): Promise<void> {
  const head = await store.head();
  // In a store without events, a projector that stands at its start has written 0.
  if ((head ?? 0) >= checkpoint) return;
  throw new Error(
    `the read models are at position ${checkpoint}, past the newest event (${head ?? 'there is none'}): ` +
      'they belong to another history; drop them, and they are built anew',
  );
}

/** Makes the runner of one projection group. */
export function createProjectionRunner(options: ProjectionRunnerOptions): ProjectionRunner {
  const { store, models, clock, onError } = options;
  const notifier = options.notifier ?? createCheckpointNotifier(clock, null);
  const group = createProjectionGroup(options);
  let status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };

  async function processDelivery(delivery: Delivery): Promise<void> {
    const started = clock.now();
    const { events, upTo, poison } = await group.project(delivery);
    if (upTo !== null) {
      const lastEventAt = events.at(-1)?.metadata.occurredAt ?? status.lastEventAt;
      const caughtUp = status.caughtUp || (delivery.caughtUp && poison === null);
      status = { ...RUNNING, checkpoint: upTo, lastEventAt, caughtUp };
      notifier.advance(upTo);
    }
    if (poison !== null) throw poison;
    options.onBatch?.(events.length, clock.now() - started);
  }

  async function projectFromCheckpoint(signal: AbortSignal): Promise<void> {
    const checkpoint = await models.checkpoint();
    if (checkpoint !== null) {
      await refuseForeignCheckpoint(store, checkpoint);
      notifier.advance(checkpoint);
    }
    await group.start(checkpoint);
    status = { ...status, state: 'running', checkpoint };
    for await (const delivery of store.subscribe(checkpoint, group.types, signal)) await processDelivery(delivery);
  }

  async function attempt(signal: AbortSignal): Promise<AttemptResult> {
    const before = notifier.position();
    try {
      await projectFromCheckpoint(signal);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      status = { ...status, state: error instanceof StoreUnavailable ? 'retrying' : 'stopped', error };
      onError?.(error);
      if (status.state === 'stopped') return 'done';
    }
    return notifier.position() === before ? 'stuck' : 'progressed';
  }

  return {
    position: notifier.position,
    waitFor: notifier.waitFor,
    status: () => status,
    async run(signal) {
      await retry({ clock, signal }, () => attempt(signal));
      // Only a poison event is a reason to have stopped: a store that was away when the signal came is none.
      status = { ...status, state: 'stopped', error: status.state === 'stopped' ? status.error : null };
      notifier.stop();
    },
  };
}

/** What a group is made of. */
export interface ProjectionGroupOptions {
  readonly models: Pick<ReadModels, 'get' | 'apply'>;
  readonly projections: readonly Projection[];
  /**
   * Where the dead letters of the group are, among its documents: an event that cannot be digested parks its stream.
   * Unset: it stops the group.
   */
  readonly deadLetterStore?: Pick<ReadModels, 'stream' | 'checkpoint'>;
  /** Told of each event that is parked. */
  readonly onParked?: (parked: ParkedEvent) => void;
  /**
   * Looks out for events of types that a later release has written, which there are no handlers for; unset: only the
   * types that have handlers are read.
   */
  readonly unknown?: UnknownTypesOptions;
}

/** Looks out for types of events that this release does not know. */
export interface UnknownTypesOptions {
  readonly known: ReadonlySet<string>;
  /** Told of each event of another type in a stream of one of the group's read models. It is passed over. */
  readonly onUnknown: (event: RecordedEvent) => void;
}

/** What was taken of a delivery: all of it, or what came before a poison event that there is nowhere to park. */
export interface BatchResult {
  readonly events: readonly RecordedEvent[];
  /** The checkpoint; null when nothing was taken. */
  readonly upTo: Position | null;
  readonly poison: PoisonEvent | null;
}

/** What becomes of the events of one group. */
export interface ProjectionGroup {
  /** Null: all. */
  readonly types: readonly string[] | null;
  /** Forgets all that is not written. */
  readonly start: (checkpoint: Position | null) => Promise<void>;
  /** Takes what can be digested, and commits it. */
  readonly project: (delivery: Delivery) => Promise<BatchResult>;
}

/** Makes a group of its projections. */
export function createProjectionGroup({
  models,
  projections,
  deadLetterStore,
  onParked,
  unknown,
}: ProjectionGroupOptions): ProjectionGroup {
  const handlers = handlersByType(projections);
  const unit = createUnitOfWork(models);
  const parking = deadLetterStore === undefined ? null : new Parking({ handlers, unit, deadLetterStore, onParked });
  const types = new Set([...handlers.keys(), ...(parking === null ? [] : [DEAD_LETTER_RETRIED])]);
  const reportUnknown = unknown === undefined ? null : unknownTypesReporter(unknown, projections);
  return {
    types: reportUnknown === null ? [...types] : null,
    async start(checkpoint) {
      unit.reset();
      await parking?.load(checkpoint);
    },
    async project({ events: delivered, upTo }) {
      const events = reportUnknown === null ? delivered : delivered.filter((event) => types.has(event.type));
      if (reportUnknown !== null && events.length < delivered.length) reportUnknown(delivered);
      if (parking !== null) {
        await parking.process(events);
        await unit.commit(upTo);
        parking.committed(upTo);
        return { events, upTo, poison: null };
      }
      const poison = await dispatch(events, { handlers, unit });
      const projected = poison === null ? events : events.slice(0, events.indexOf(poison.event));
      const reached = poison === null ? upTo : (projected.at(-1)?.position ?? null);
      if (reached !== null) await unit.commit(reached);
      return { events: projected, upTo: reached, poison };
    },
  };
}

function unknownTypesReporter({ known, onUnknown }: UnknownTypesOptions, projections: readonly Projection[]) {
  const categories = new Set(projections.map(({ model }) => model.category));
  return (events: readonly RecordedEvent[]): void => {
    for (const event of events) {
      if (!known.has(event.type) && categories.has(categoryOf(event.stream))) onUnknown(event);
    }
  };
}
