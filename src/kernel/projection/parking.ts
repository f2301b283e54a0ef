import { categoryOf, idOf, streamOf } from '../stream-names.ts';
import {
  deadLetters,
  eventInLetter,
  canBeRetried,
  deadLetterIdOf,
  deadLetterOf,
  DEAD_LETTER_RETRIED,
  errorText,
  projectionOf,
  type DeadLetterDocument,
  type ParkedEvent,
} from './dead-letters.ts';
import { DocumentTooLarge, StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent, Revision } from '../ports/event-store.ts';
import { dispatch, applyChange, targetIdOf } from './unit-of-work.ts';
import type { DispatchOptions, PoisonEvent, UnitOfWork } from './unit-of-work.ts';
import type { Lookup, ReadModel } from './projection.ts';
import { MAX_DOCUMENT_BYTES, type Change, type Document, type ReadModels } from '../ports/read-store.ts';

/** Options of the parking of a projection group. */
export interface ParkingOptions extends DispatchOptions {
  readonly deadLetterStore: Pick<ReadModels, 'stream' | 'checkpoint'>;
  readonly onParked?: ((parked: ParkedEvent) => void) | undefined;
  /** Types of events that the next one of their stream replaces. They are never parked. */
  readonly replaceable?: ReadonlySet<string> | undefined;
  /** Called for each read model that a replaceable event could not be projected into. */
  readonly onOmitted?: ((error: PoisonEvent) => void) | undefined;
}

/**
 * Projects the events that can be projected and parks the others as dead letters, stream by stream
 * (docs/architecture.md#dead-letters). Dead letters are retried in global order; one that fails again blocks those that
 * follow it. All decisions are made as of the position that is being processed: after a crash between two writes,
 * documents and dead letters may be ahead of it.
 *
 * An example. A newer release wrote car c1 in an event version that this release does not know:
 *
 * | Position | Event | What happens to it |
 * |---|---|---|
 * | 10 | `CarAdded` v2 of `car-c1`, revision 0 | It cannot be read: letter `car-c1:0`. |
 * | 11 | `CarRenamed` of `car-c1`, revision 1 | It follows a parked event of its stream: letter `car-c1:1`, blocked. |
 * | 12 | `LapRecorded` of `lap-l1`, by car c1 | It looks up c1, which is missing because it is parked: letter `lap-l1:0`. |
 * | 13 | `LapRecorded` of `lap-l2`, by car c2 | It is projected. |
 * | 14 | `LapRecorded` of `lap-l3`, by car c9, which never existed | It is projected without a name, as in any rebuild. |
 * | 20 | `DeadLetterRetried` of `car-c1:0`, after an upgrade | c1 is inserted, `_created` 10 and `_position` 20. |
 * | 21 | `DeadLetterRetried` of `car-c1:1` | Nothing before it is parked any more: c1 gets its new name, at position 21. |
 * | 22 | `DeadLetterRetried` of `lap-l1:0` | It finds c1, and is projected at position 22. |
 *
 * If 21 comes before 20, it fails again, since `car-c1:0` is still parked. Changes of a retry have the position of the
 * retry, so every guard lets them pass once, even where other events have changed the document since position 10.
 *
 * An event that the next one of its stream replaces is never parked: it would be out of date when it is retried, and each
 * further one would be one more dead letter. It is projected into the read models that it can be projected into.
 *
 * A retry still differs from a rebuild where events of several streams set the same field of one document: the last one
 * wins, and a retry comes last. So let each field belong to one stream.
 *
 * One case is not covered: a release that can project an event crashes halfway through writing it (in a store that
 * writes one document at a time), and an older release continues and parks the event. `sim-racing-timing verify` finds
 * the difference, a rebuild repairs it.
 */
export class Parking {
  readonly #options: DispatchOptions;
  /** The same with guards against changes and look-ups that depend on a parked stream. */
  readonly #guardedOptions: DispatchOptions;
  readonly #deadLetterStore: ParkingOptions['deadLetterStore'];
  readonly #onParked: (parked: ParkedEvent) => void;
  readonly #replaceable: ReadonlySet<string>;
  readonly #onOmitted: (error: PoisonEvent) => void;
  readonly #models: readonly ReadModel<never>[];
  /** Revisions of parked events, by stream. */
  readonly #waiting = new Map<string, Set<Revision>>();
  /** The checkpoint that this projector last read or wrote. */
  #checkpoint: Position | null = null;
  /** The collection whose documents are measured, because the store has refused one as too large. */
  #measured: string | null = null;

  constructor(options: ParkingOptions) {
    const { handlers, unit, complete, deadLetterStore } = options;
    this.#options = { handlers, unit, complete };
    const lookup = guardedLookup(unit, this.#waiting);
    this.#guardedOptions = {
      handlers,
      complete,
      unit: { ...unit, lookup },
      check: (change) => this.#check(change, lookup),
    };
    this.#deadLetterStore = deadLetterStore;
    this.#onParked = options.onParked ?? (() => undefined);
    this.#replaceable = options.replaceable ?? new Set();
    this.#onOmitted = options.onOmitted ?? (() => undefined);
    this.#models = [...handlers.values()].flat().map(({ projection: { model } }) => model);
  }

  /**
   * Throws when an event changes a document of another stream whose creation is parked: the change would be lost. Throws
   * too when a change makes a document too large.
   */
  async #check(change: Change, lookup: Lookup): Promise<void> {
    const model = this.#models.find(({ collection }) => collection === change.collection);
    const id = targetIdOf(change);
    if (model === undefined || id === null) return;
    const isMeasured = change.collection === this.#measured;
    const fromOtherStream = (change.kind === 'set' || change.kind === 'unset') && change.revision === undefined;
    if (!isMeasured && !fromOtherStream) return;
    const after = applyChange(await lookup<Document>(model, id), change);
    if (isMeasured && new TextEncoder().encode(JSON.stringify(after)).length > MAX_DOCUMENT_BYTES)
      throw new DocumentTooLarge(change.collection);
  }

  /**
   * Reads which streams are parked at a checkpoint. Call it before the first batch and after each reset of the unit of
   * work.
   * @throws {StoreUnavailable}
   */
  async load(checkpoint: Position | null): Promise<void> {
    this.#waiting.clear();
    this.#checkpoint = checkpoint;
    for await (const batch of this.#deadLetterStore.stream(deadLetters.collection, { where: {} })) {
      // Only this class writes them.
      for (const { stream, revision, waiting, _position } of batch as readonly DeadLetterDocument[])
        if (waiting || _position > (checkpoint ?? 0)) this.#add(stream, revision);
    }
  }

  /**
   * Projects events, or parks them, and commits the result with further changes at the new checkpoint. Each decision to
   * park or retry is committed by itself. Where the store refuses a document as too large, the events that would make it
   * too large are parked.
   * @throws {StoreUnavailable} also when another projector has advanced the checkpoint.
   */
  async project(
    events: readonly RecordedEvent[],
    checkpoint: Position,
    furtherChanges: readonly Change[] = [],
  ): Promise<void> {
    const { unit } = this.#options;
    try {
      await this.#processAll(events);
      unit.add(...furtherChanges);
      await unit.commit(checkpoint);
    } catch (error) {
      if (!(error instanceof DocumentTooLarge)) throw error;
      await this.#processMeasured(events, error.collection);
      unit.add(...furtherChanges);
      await unit.commit(checkpoint);
    }
    this.#checkpoint = Math.max(this.#checkpoint ?? 0, checkpoint);
  }

  async #processAll(events: readonly RecordedEvent[]): Promise<void> {
    const hasRetries = events.some(({ type }) => type === DEAD_LETTER_RETRIED);
    if (hasRetries || this.#waiting.size > 0) {
      await this.#processEach(events);
      return;
    }
    // Nothing is parked, so all events are dispatched at once, without guards, up to the first that cannot be projected.
    const poison = await dispatch(events, this.#options);
    if (poison !== null) await this.#processEach(events.slice(events.indexOf(poison.event)));
  }

  async #processEach(events: readonly RecordedEvent[]): Promise<void> {
    for (const event of events) await this.#processEvent(event);
    await this.#expectNoOtherProjector();
  }

  /** Starts again at the checkpoint, event by event, and measures the documents of this collection. */
  async #processMeasured(events: readonly RecordedEvent[], collection: string): Promise<void> {
    this.#options.unit.reset();
    await this.load(this.#checkpoint);
    this.#measured = collection;
    const from = this.#checkpoint ?? -1;
    try {
      await this.#processEach(events.filter(({ position }) => position > from));
    } finally {
      this.#measured = null;
    }
  }

  async #processEvent(event: RecordedEvent): Promise<void> {
    if (event.type === DEAD_LETTER_RETRIED) return this.#commitDecision(this.#retry(event), event);
    if (this.#replaceable.has(event.type)) return this.#projectReplaceable(event);
    if (this.#firstWaitingRevision(event.stream) <= event.revision) return this.#park(event, null);
    const poison = await dispatch([event], this.#guardedOptions);
    if (poison !== null) await this.#commitDecision(this.#park(event, poison), event);
  }

  /**
   * Projects an event that the next one of its stream replaces into each read model that can take it. Letters of its stream
   * that an earlier release has parked are settled: this event has replaced theirs.
   */
  async #projectReplaceable(event: RecordedEvent): Promise<void> {
    const { handlers, unit } = this.#options;
    for (const handler of handlers.get(event.type) ?? []) {
      const only = new Map([[event.type, [handler]]]);
      const failure = await dispatch([event], { ...this.#guardedOptions, handlers: only });
      if (failure !== null) this.#onOmitted(failure);
    }
    const { stream, position } = event;
    for (const revision of this.#waiting.get(stream) ?? []) {
      if (revision >= event.revision) continue;
      const id = deadLetterIdOf({ stream, revision });
      const fields = { waiting: false };
      unit.add({ kind: 'set', collection: deadLetters.collection, id, fields, position });
      this.#remove({ stream, revision });
    }
  }

  /**
   * Commits the decision to park or retry an event before anything that follows: another release may continue from here
   * and decide differently.
   */
  async #commitDecision(decision: Promise<void>, { position }: RecordedEvent): Promise<void> {
    await decision;
    await this.#expectNoOtherProjector();
    await this.#options.unit.commit(position);
    this.#checkpoint = Math.max(this.#checkpoint ?? 0, position);
  }

  /**
   * A projector that was paused and lost its lease would look up documents that are past its own position, and may see
   * streams that were parked there as projected.
   */
  async #expectNoOtherProjector(): Promise<void> {
    if ((await this.#deadLetterStore.checkpoint()) === this.#checkpoint) return;
    throw new StoreUnavailable('another projector has advanced the checkpoint');
  }

  async #park(event: RecordedEvent, poison: Error | null): Promise<void> {
    this.#add(event.stream, event.revision);
    const { unit } = this.#options;
    if ((await unit.lookup(deadLetters, deadLetterIdOf(event))) !== null) return;
    const error = poison ?? new Error(BLOCKED);
    unit.add({ kind: 'insert', collection: deadLetters.collection, document: deadLetterOf(event, error) });
    this.#onParked({ event, error, blocked: poison === null });
  }

  async #retry({ data: { letter: id }, position, metadata: { occurredAt } }: RecordedEvent): Promise<void> {
    const { unit } = this.#options;
    const letter = typeof id === 'string' ? await unit.lookup(deadLetters, id) : null;
    if (letter === null || !canBeRetried(letter, position)) return;
    const failure = await this.#failureOf(eventInLetter(letter), position);
    const outcome =
      failure === null ? { waiting: false } : { error: errorText(failure), projection: projectionOf(failure) };
    const fields = { ...outcome, retries: (letter.retries ?? 0) + 1, retriedAt: occurredAt };
    unit.add({ kind: 'set', collection: deadLetters.collection, id: letter.id, fields, position });
    if (failure === null) this.#remove(letter);
  }

  /** Why a dead letter stays parked; null when it is projected, now or already before. */
  async #failureOf(event: RecordedEvent, position: Position): Promise<Error | null> {
    // Another projector may have parked it since the dead letters were loaded.
    this.#add(event.stream, event.revision);
    if (this.#firstWaitingRevision(event.stream) !== event.revision) return new Error(BLOCKED);
    const isIncluded = await this.#isIncluded({ ...event, position });
    return isIncluded ? null : dispatch([event], { ...this.#guardedOptions, position });
  }

  /** Whether the document of the event's own stream already includes the event: then all other documents do, too. */
  async #isIncluded({ stream, revision, position }: RecordedEvent): Promise<boolean> {
    const model = this.#models.find(({ category }) => category === categoryOf(stream));
    if (model === undefined) return false;
    const document = await this.#options.unit.lookup<Document>(model, idOf(stream));
    return document !== null && document._revision >= revision && document._position < position;
  }

  /** The first parked revision of a stream; Infinity when none is. */
  #firstWaitingRevision(stream: string): Revision {
    let first = Infinity;
    for (const revision of this.#waiting.get(stream) ?? []) first = Math.min(first, revision);
    return first;
  }

  #add(stream: string, revision: Revision): void {
    const revisions = this.#waiting.get(stream);
    if (revisions === undefined) this.#waiting.set(stream, new Set([revision]));
    else revisions.add(revision);
  }

  #remove({ stream, revision }: Pick<DeadLetterDocument, 'stream' | 'revision'>): void {
    const revisions = this.#waiting.get(stream);
    revisions?.delete(revision);
    if (revisions?.size === 0) this.#waiting.delete(stream);
  }
}

/** Error text of a dead letter that is parked only because an earlier one of its stream is. */
const BLOCKED = 'an earlier event of its stream is parked';

/**
 * A look-up that throws when a document is missing because its stream is parked: later events keep a looked-up value
 * current only once the document exists, so a retry would give another result than a rebuild.
 */
function guardedLookup(unit: UnitOfWork, waiting: ReadonlyMap<string, unknown>): UnitOfWork['lookup'] {
  return <D extends Document>(model: ReadModel<D>, id: string) => {
    const requireUnlessParked = (document: D | null): D | null => {
      const stream = streamOf(model.category, id);
      if (document === null && waiting.has(stream)) throw new Error(`${stream}, which it needs, is parked`);
      return document;
    };
    const found = unit.lookup(model, id);
    return found instanceof Promise ? found.then(requireUnlessParked) : requireUnlessParked(found);
  };
}
