import { categoryOf } from '../aggregate/decider.ts';
import type { Clock } from '../ports/system.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Delivery, EventFilter, EventStore, Position, RecordedEvent } from '../ports/event-store.ts';
import type { Collection, ReadModels } from '../ports/read-store.ts';
import { retry, type AttemptResult } from '../retry.ts';
import { createCheckpointNotifier, type CheckpointNotifier, type CheckpointWaiter } from './checkpoint-waiter.ts';
import { deadLetters, DEAD_LETTER_RETRIED, type ParkedEvent } from './dead-letters.ts';
import { dispatch, handlersByType } from './dispatch.ts';
import { lineages, type LineageCheck } from './lineage.ts';
import { Parking } from './parking.ts';
import type { Projection } from './projection.ts';
import { createUnitOfWork } from './unit-of-work.ts';

const RUNNING = { state: 'running', error: null } as const;

/** Status of a projection group, for health and metrics. */
export interface RunnerStatus {
  /** `stopped` after an error or the end of the run; `retrying` while a store is away. */
  readonly state: 'idle' | 'running' | 'retrying' | 'stopped';
  readonly checkpoint: Position | null;
  /** When the newest projected event happened, ISO 8601; null before the first. */
  readonly lastEventAt: string | null;
  /**
   * Whether the head of the store has been reached since the run began: until then, the documents may be long out of
   * date.
   */
  readonly caughtUp: boolean;
  readonly error: Error | null;
}

/** Runner of one projection group; its position is that of the group's checkpoint. */
export interface ProjectionRunner extends CheckpointWaiter {
  /**
   * Projects until `signal` aborts or an error stops it; resolves in both cases, and the status says which. May be
   * called again.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly status: () => RunnerStatus;
}

/** Options of a projection runner. */
export interface ProjectionRunnerOptions extends ProjectionGroupOptions {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly models: ProjectionGroupOptions['models'];
  readonly clock: Clock;
  /** Notified of each new checkpoint; by default the runner has its own notifier. */
  readonly notifier?: CheckpointNotifier;
  /** Called after each batch (number of events, seconds spent) and with each error; for metrics and the log. */
  readonly onBatch?: ((events: number, seconds: number) => void) | undefined;
  readonly onError?: ((error: Error) => void) | undefined;
  /** The outage that errors may begin; a batch ends it. */
  readonly outage?: Outage | undefined;
}

/** An outage of a part of the service, which may share it with other parts. */
export interface Outage {
  readonly isOut: boolean;
  /** Ends it. */
  readonly recovered: () => void;
}

const MS_PER_SECOND = 1_000;

/** The collections that a group writes. */
export function collectionsOf(projections: readonly Projection[]): readonly Collection[] {
  return projections.map(({ model }) => ({ name: model.collection, indexes: model.indexes }));
}

/** The collections that a group writes, including those of its dead letters and of its lineage. */
export function parkingCollectionsOf(projections: readonly Projection[]): readonly Collection[] {
  const own = [deadLetters, lineages].map(({ collection: name, indexes }) => ({ name, indexes }));
  return [...collectionsOf(projections), ...own];
}

/** Creates the runner of one projection group. */
export function createProjectionRunner(options: ProjectionRunnerOptions): ProjectionRunner {
  const { store, models, clock, onError, notifier = createCheckpointNotifier(clock, null) } = options;
  const group = createProjectionGroup(options);
  const size = new BatchSize();
  let status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };

  async function processBatch(delivery: Delivery): Promise<void> {
    const started = clock.monotonic();
    const { events, upTo, poison } = await size.adapt(delivery, group.project(delivery));
    if (upTo !== null) {
      const lastEventAt = events.at(-1)?.metadata.occurredAt ?? status.lastEventAt;
      const caughtUp = status.caughtUp || (delivery.caughtUp && poison === null);
      status = { ...RUNNING, checkpoint: upTo, lastEventAt, caughtUp };
      notifier.advance(upTo);
    }
    if (poison !== null) throw poison;
    options.onBatch?.(events.length, (clock.monotonic() - started) / MS_PER_SECOND);
    if (options.outage?.isOut === true) options.outage.recovered();
  }

  async function projectFromCheckpoint(signal: AbortSignal): Promise<void> {
    const checkpoint = await models.checkpoint();
    await group.start(checkpoint);
    if (checkpoint !== null) notifier.advance(checkpoint);
    status = { ...status, state: 'running', checkpoint };
    for await (const delivery of store.subscribe(checkpoint, group.filter, signal)) {
      for (const part of size.partsOf(delivery)) await processBatch(part);
    }
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
      // Only a poison event counts as an error here, not a store that was unavailable when the signal aborted.
      status = { ...status, state: 'stopped', error: status.state === 'stopped' ? status.error : null };
      notifier.stop();
    },
  };
}

/** Options of a projection group. */
export interface ProjectionGroupOptions {
  readonly models: Pick<ReadModels, 'get' | 'apply' | 'find' | 'checkpoint'>;
  readonly projections: readonly Projection[];
  /**
   * Check that the documents were made from the events in the store. With it, the documents remember which history that
   * is.
   */
  readonly lineage?: LineageCheck;
  /**
   * Read models that hold the dead letters of the group: an event that cannot be projected is parked there, with those
   * that follow it in its stream. Without it, such an event stops the group.
   */
  readonly deadLetterStore?: Pick<ReadModels, 'stream' | 'checkpoint'>;
  /** Called with each event that is parked. */
  readonly onParked?: (parked: ParkedEvent) => void;
  /**
   * Reports events of types that this release does not know. Without it, only the types that have handlers are read.
   */
  readonly unknown?: UnknownTypesOptions;
  /**
   * Categories of streams that are read whole: an event of theirs that no projection handles is poison, as nobody can
   * tell what it means.
   */
  readonly complete?: readonly string[];
}

/** Options of the report of unknown event types. */
export interface UnknownTypesOptions {
  readonly known: ReadonlySet<string>;
  /**
   * Called with each event of a type not among `known`, in a stream of one of the group's read models. The event is
   * skipped.
   */
  readonly onUnknown: (event: RecordedEvent) => void;
}

/** Creates a projection group: it projects deliveries into the documents of its projections. */
function createProjectionGroup(options: ProjectionGroupOptions) {
  const { models, projections, lineage, deadLetterStore, onParked, unknown, complete } = options;
  const handlers = handlersByType(projections);
  const unit = createUnitOfWork(models);
  const parking = deadLetterStore === undefined ? null : new Parking({ handlers, unit, deadLetterStore, onParked });
  const types = new Set([...handlers.keys(), ...(parking === null ? [] : [DEAD_LETTER_RETRIED])]);
  const reportUnknown = unknown === undefined ? null : unknownTypesReporter(unknown, projections);
  return {
    filter: filterOf(types, { complete, readsAll: reportUnknown !== null }),
    /** Discards all that is not written, and prepares to continue at a checkpoint. @throws {OtherHistory} */
    async start(checkpoint: Position | null) {
      unit.reset();
      if (lineage !== undefined) await adoptLineage(lineage, models, checkpoint);
      await parking?.load(checkpoint);
    },
    /**
     * Projects a delivery and commits it: all of it, or what comes before a poison event that cannot be parked. `upTo`
     * is the new checkpoint; null when nothing was projected.
     */
    async project({ events: delivered, upTo }: Delivery) {
      const events = reportUnknown === null ? delivered : delivered.filter((event) => types.has(event.type));
      if (reportUnknown !== null && events.length < delivered.length) reportUnknown(delivered);
      if (parking !== null) {
        await parking.project(events, { upTo, more: (await lineage?.changes(delivered)) ?? [] });
        return { events, upTo, poison: null };
      }
      const poison = await dispatch(events, { handlers, unit, complete: complete !== undefined });
      const projected = poison === null ? events : events.slice(0, events.indexOf(poison.event));
      const checkpoint = poison === null ? upTo : (projected.at(-1)?.position ?? null);
      if (checkpoint !== null) await unit.commit(checkpoint);
      return { events: projected, upTo: checkpoint, poison };
    },
  };
}

/** Checks the lineage of the documents, and has them remember it where they do not yet. @throws {OtherHistory} */
async function adoptLineage(
  lineage: LineageCheck,
  models: ProjectionGroupOptions['models'],
  checkpoint: Position | null,
): Promise<void> {
  await lineage.expectSame(models);
  if (checkpoint !== null) await models.apply(await lineage.adoption(models, checkpoint), checkpoint);
}

function filterOf(
  types: ReadonlySet<string>,
  { complete, readsAll }: { readonly complete: readonly string[] | undefined; readonly readsAll: boolean },
): EventFilter {
  if (complete !== undefined) return { categories: complete };
  return readsAll ? null : [...types];
}

function unknownTypesReporter({ known, onUnknown }: UnknownTypesOptions, projections: readonly Projection[]) {
  const categories = new Set(projections.map(({ model }) => model.category));
  return (events: readonly RecordedEvent[]): void => {
    for (const event of events) {
      if (!known.has(event.type) && categories.has(categoryOf(event.stream))) onUnknown(event);
    }
  };
}

/** A delivery in parts that can each be continued from, none of more events than `most` says when its turn comes. */
export function* partsOf({ events, ...end }: Delivery, most: () => number): Generator<Delivery, void> {
  let from = 0;
  for (let size = most(); from + size < events.length; size = most()) {
    const some = events.slice(from, (from += size));
    yield { events: some, upTo: some.at(-1)?.position ?? 0, caughtUp: false };
  }
  yield { ...end, events: events.slice(from) };
}

/** How much larger a batch may be after one that succeeded, once one has failed. */
const GROWTH = 1.125;

/** How large batches may be: a store that is too slow for one would be so each time that it is repeated. */
class BatchSize {
  #most = Infinity;

  /** Parts of a delivery that are no larger; the delivery itself where it is not. */
  partsOf(delivery: Delivery): Iterable<Delivery> {
    return delivery.events.length <= this.#most ? [delivery] : partsOf(delivery, () => this.#most);
  }

  /** Waits for a batch: after a failure, the next one has half as many events at most. */
  async adapt<T>({ events }: Delivery, batch: Promise<T>): Promise<T> {
    try {
      const result = await batch;
      this.#most = Math.ceil(this.#most * GROWTH);
      return result;
    } catch (error) {
      this.#most = Math.max(1, Math.floor(Math.min(this.#most, events.length) / 2));
      throw error;
    }
  }
}
