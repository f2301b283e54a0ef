import { categoryOf } from '../stream-names.ts';
import type { Clock } from '../ports/system.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Delivery, EventFilter, EventStore, Position, RecordedEvent } from '../ports/event-store.ts';
import type { Collection, ReadModels } from '../ports/read-store.ts';
import { retry, type AttemptResult } from '../retry.ts';
import { createCheckpointNotifier, type CheckpointNotifier, type CheckpointWaiter } from './checkpoint-waiter.ts';
import { deadLetters, DEAD_LETTER_RETRIED, type ParkedEvent } from './dead-letters.ts';
import { dispatch, handlersByType, createUnitOfWork } from './unit-of-work.ts';
import type { DispatchOptions, Handler, PoisonEvent, UnitOfWork } from './unit-of-work.ts';
import { lineages, type LineageCheck } from './lineage.ts';
import { Parking } from './parking.ts';
import type { Projection } from './projection.ts';

/** Status of a projection group, for health and metrics. */
export interface RunnerStatus {
  /** `stopped` after an error or the end of the run; `retrying` while a store is away. */
  readonly state: 'idle' | 'running' | 'retrying' | 'stopped';
  readonly checkpoint: Position | null;
  /** When the newest projected event happened, ISO 8601; null before the first. */
  readonly lastEventAt: string | null;
  /**
   * Whether the head of the store was reached since the run began: until then, the documents may be far out of date.
   */
  readonly caughtUp: boolean;
  readonly error: Error | null;
}

/** Options of a projection runner. */
export interface ProjectionRunnerOptions {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly models: Pick<ReadModels, 'get' | 'apply' | 'stream' | 'checkpoint'>;
  readonly projections: readonly Projection[];
  /** Checks that the documents were made from the events in the store, and records which history that is. */
  readonly lineage?: LineageCheck;
  /**
   * Read models that hold the dead letters of the group: an event that cannot be projected is parked there, with those
   * that follow it in its stream. Without it, such an event stops the group.
   */
  readonly deadLetterStore?: Pick<ReadModels, 'stream' | 'checkpoint'>;
  readonly onParked?: (parked: ParkedEvent) => void;
  /**
   * Types of events that the next one of their stream replaces. They neither stop the group nor are they parked:
   * `onOmitted` is called for each read model that one could not be projected into.
   */
  readonly replaceable?: ReadonlySet<string>;
  readonly onOmitted?: (error: PoisonEvent) => void;
  /**
   * Called with each event of a type not among `known`, in a stream of one of the group's read models. The event is
   * skipped, unless its category is among `complete`. Without `unknown`, only the types that have handlers are read.
   */
  readonly unknown?: { readonly known: ReadonlySet<string>; readonly onUnknown: (event: RecordedEvent) => void };
  /**
   * Categories of streams in which no event is skipped: one that no projection handles is poison, as its meaning is
   * unknown. Without `unknown`, only these categories and those of `beside` are read.
   */
  readonly complete?: readonly string[];
  /** Further categories to read beside the complete ones. Events there that no projection handles are skipped. */
  readonly beside?: readonly string[];
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
  readonly recovered: () => void;
}

const MS_PER_SECOND = 1_000;

/** The collections that a group writes. */
export function collectionsOf(projections: readonly Projection[]): readonly Collection[] {
  return projections.map(({ model: { collection: name, indexes, columns } }) => ({ name, indexes, columns }));
}

/** The collections that a group writes, with its dead letters and its lineage. */
export function parkingCollectionsOf(projections: readonly Projection[]): readonly Collection[] {
  const own = [deadLetters, lineages].map(({ collection: name, indexes }) => ({ name, indexes }));
  return [...collectionsOf(projections), ...own];
}

/** How much larger a batch may be after one that succeeded, once one has failed. */
const GROWTH = 1.125;

/** Runner of one projection group; `position` is the group's checkpoint. */
export class ProjectionRunner implements CheckpointWaiter {
  readonly position: CheckpointNotifier['position'];
  readonly waitFor: CheckpointNotifier['waitFor'];
  readonly #options: ProjectionRunnerOptions;
  readonly #notifier: CheckpointNotifier;
  readonly #handlers: ReadonlyMap<string, readonly Handler[]>;
  readonly #unit: UnitOfWork;
  readonly #parking: Parking | null;
  /** Types that are projected, or ask for a retry. */
  readonly #types: ReadonlySet<string>;
  readonly #filter: EventFilter;
  #status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };
  /** Most events of a batch. It shrinks when a batch fails: a store too slow for a batch would be so at each repetition. */
  #most = Infinity;
  /** Events of the batch that is being projected. */
  #pending = 0;

  constructor(options: ProjectionRunnerOptions) {
    const { models, clock, projections, deadLetterStore, unknown, complete, beside = [] } = options;
    this.#options = options;
    this.#notifier = options.notifier ?? createCheckpointNotifier(clock, null);
    ({ position: this.position, waitFor: this.waitFor } = this.#notifier);
    const handlers = handlersByType(projections);
    const unit = createUnitOfWork(models);
    const parking = deadLetterStore === undefined ? null : new Parking({ ...options, handlers, unit, deadLetterStore });
    this.#handlers = handlers;
    this.#unit = unit;
    this.#parking = parking;
    this.#types = new Set([...handlers.keys(), ...(parking === null ? [] : [DEAD_LETTER_RETRIED])]);
    if (unknown !== undefined) this.#filter = null;
    else if (complete !== undefined) this.#filter = { categories: [...complete, ...beside] };
    else this.#filter = [...this.#types];
  }

  readonly status = (): RunnerStatus => this.#status;

  /**
   * Projects until `signal` aborts or an error stops it. Resolves in both cases; `status` tells them apart. May be
   * called again.
   */
  readonly run = async (signal: AbortSignal): Promise<void> => {
    await retry(this.#options.clock, signal, () => this.#attempt(signal));
    // Only a poison event counts as an error here, not a store that was unavailable when the signal aborted.
    const error = this.#status.state === 'stopped' ? this.#status.error : null;
    this.#status = { ...this.#status, state: 'stopped', error };
    this.#notifier.stop();
  };

  async #attempt(signal: AbortSignal): Promise<AttemptResult> {
    const before = this.position();
    try {
      await this.#projectFromCheckpoint(signal);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (this.#pending > 0) this.#most = Math.max(1, Math.floor(Math.min(this.#most, this.#pending) / 2));
      this.#pending = 0;
      this.#status = { ...this.#status, state: error instanceof StoreUnavailable ? 'retrying' : 'stopped', error };
      this.#options.onError?.(error);
      if (this.#status.state === 'stopped') return 'done';
    }
    return this.position() === before ? 'stuck' : 'progressed';
  }

  async #projectFromCheckpoint(signal: AbortSignal): Promise<void> {
    const { store, models, lineage } = this.#options;
    const checkpoint = await models.checkpoint();
    this.#unit.reset();
    await lineage?.expectSame(models);
    await this.#parking?.load(checkpoint);
    if (checkpoint !== null) this.#notifier.advance(checkpoint);
    this.#status = { ...this.#status, state: 'running', checkpoint };
    for await (const delivery of store.subscribe(checkpoint, this.#filter, signal)) {
      if (delivery.events.length <= this.#most) await this.#processBatch(delivery);
      else for (const part of partsOf(delivery, () => this.#most)) await this.#processBatch(part);
    }
  }

  async #processBatch(delivery: Delivery): Promise<void> {
    const { clock, onBatch, outage } = this.#options;
    const started = clock.monotonic();
    this.#pending = delivery.events.length;
    const { events, upTo, poison } = await this.#project(delivery);
    this.#most = Math.ceil(this.#most * GROWTH);
    this.#pending = 0;
    if (upTo !== null) {
      const lastEventAt = events.at(-1)?.metadata.occurredAt ?? this.#status.lastEventAt;
      const caughtUp = this.#status.caughtUp || (delivery.caughtUp && poison === null);
      this.#status = { state: 'running', error: null, checkpoint: upTo, lastEventAt, caughtUp };
      this.#notifier.advance(upTo);
    }
    if (poison !== null) throw poison;
    onBatch?.(events.length, (clock.monotonic() - started) / MS_PER_SECOND);
    if (outage?.isOut === true) outage.recovered();
  }

  /**
   * Projects and commits a delivery, or parks events of it. In a group without dead letters, only the events before a
   * poison event are projected, and the last of them is the new checkpoint.
   */
  async #project({ events: delivered, upTo }: Delivery) {
    const events = this.#toProject(delivered);
    const { complete = [], lineage } = this.#options;
    if (this.#parking !== null) {
      const lineageChanges = (await lineage?.changes(delivered)) ?? [];
      await this.#parking.project(events, upTo, lineageChanges);
      return { events, upTo, poison: null };
    }
    const unit = this.#unit;
    const poison = await this.#dispatchAll(events, { handlers: this.#handlers, unit, complete });
    const projected = poison === null ? events : events.slice(0, events.indexOf(poison.event));
    const checkpoint = poison === null ? upTo : (projected.at(-1)?.position ?? null);
    if (checkpoint !== null) await unit.commit(checkpoint);
    return { events: projected, upTo: checkpoint, poison };
  }

  /** Dispatches events up to the first that cannot be projected and that no later one replaces; returns that one. */
  async #dispatchAll(events: readonly RecordedEvent[], options: DispatchOptions): Promise<PoisonEvent | null> {
    const { replaceable, onOmitted } = this.#options;
    let rest = events;
    while (true) {
      const poison = await dispatch(rest, options);
      if (poison === null || replaceable?.has(poison.event.type) !== true) return poison;
      onOmitted?.(poison);
      rest = rest.slice(rest.indexOf(poison.event) + 1);
    }
  }

  /**
   * The events of types that are projected, and all events of the complete categories. Of the others, those of unknown
   * types are reported.
   */
  #toProject(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const { unknown, projections, complete = [] } = this.#options;
    if (unknown === undefined || events.every(({ type }) => this.#types.has(type))) return events;
    const categories = new Set(projections.map(({ model }) => model.category));
    return events.filter((event) => {
      const category = categoryOf(event.stream);
      if (this.#types.has(event.type) || complete.includes(category)) return true;
      if (!unknown.known.has(event.type) && categories.has(category)) unknown.onUnknown(event);
      return false;
    });
  }
}

/** Splits a delivery into parts. `most` is called for each part, and returns the largest number of its events. */
export function* partsOf({ events, ...end }: Delivery, most: () => number): Generator<Delivery, void> {
  let from = 0;
  while (true) {
    const to = from + most();
    if (to >= events.length) break;
    const part = events.slice(from, to);
    yield { events: part, upTo: part.at(-1)?.position ?? 0, caughtUp: false };
    from = to;
  }
  yield { ...end, events: events.slice(from) };
}
