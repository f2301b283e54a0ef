import { categoryOf, idOf, streamOf } from '../aggregate/aggregate.ts';
import {
  deadLetters,
  eventInLetter,
  canBeRetried,
  deadLetterIdOf,
  deadLetterOf,
  DEAD_LETTER_RETRIED,
  errorText,
  type DeadLetterDocument,
  type ParkedEvent,
} from './dead-letters.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent, Revision } from '../ports/event-store.ts';
import { dispatch, type DispatchOptions } from './dispatch.ts';
import type { Look, ReadModel } from './projection.ts';
import type { Change, Document, ReadModels } from '../ports/read-store.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** What parking takes. */
export interface ParkingOptions extends DispatchOptions {
  /** Where the dead letters are, among the documents. */
  readonly deadLetterStore: Pick<ReadModels, 'stream' | 'checkpoint'>;
  readonly onParked?: ((parked: ParkedEvent) => void) | undefined;
}

/**
 * Digests what can be digested and parks the rest, stream by stream (DESIGN §4). An event is parked when a handler
 * throws; when an earlier one of its stream is; and when it looks up, or changes, a document that is missing because
 * its stream is parked: what was looked up is kept current by later events, but only from the document's birth on, so
 * without this a retry would end otherwise than a rebuild.
 *
 * So it does, too, where events of several streams set the same field of one document and the last one wins: a retry
 * comes last. Let a field belong to one stream.
 *
 * One misfortune is not provided for: a release that digests an event crashes between two writes of it (in a store that
 * writes one document at a time), and an older release goes on and parks it. `timing verify` tells, a rebuild mends.
 *
 * A retry applies a letter's changes at the retry's own position, which is past all that was processed, so that every
 * guard lets them pass, and refuses them the second time. Letters are retried in global order; one that fails again
 * keeps those behind it waiting.
 *
 * Everything is as of the position that is being processed: documents and letters may be ahead of it, after a crash
 * between two writes.
 */
export class Parking {
  readonly #options: DispatchOptions;
  readonly #guardedOptions: DispatchOptions;
  readonly #deadLetterStore: ParkingOptions['deadLetterStore'];
  readonly #onParked: (parked: ParkedEvent) => void;
  readonly #models: readonly ReadModel<never>[];
  /** Revisions that wait, by stream. */
  readonly #waiting = new Map<string, Set<Revision>>();
  /** The checkpoint as this projector has read or written it. */
  #checkpoint: Position | null = null;

  constructor({ handlers, unit, deadLetterStore, onParked = () => undefined }: ParkingOptions) {
    this.#options = { handlers, unit };
    const look = guardedLook(unit, this.#waiting);
    this.#guardedOptions = { handlers, unit: { ...unit, look }, check: (change) => this.#check(change, look) };
    this.#deadLetterStore = deadLetterStore;
    this.#onParked = onParked;
    this.#models = [...handlers.values()].flat().map(({ projection: { model } }) => model);
  }

  /** What another stream's event changes of a document that is missing because its stream is parked would be lost. */
  async #check(change: Change, look: Look): Promise<void> {
    const fromOtherStream = (change.kind === 'set' || change.kind === 'unset') && change.revision === undefined;
    const model = fromOtherStream ? this.#models.find(({ collection }) => collection === change.collection) : undefined;
    if (fromOtherStream && model !== undefined) await look<Document>(model, change.id);
  }

  /**
   * Learns which streams are parked at a checkpoint: before the first batch, and when the unit of work was reset.
   * @throws {StoreUnavailable}
   */
  async load(checkpoint: Position | null): Promise<void> {
    this.#waiting.clear();
    this.#checkpoint = checkpoint;
    for await (const batch of this.#deadLetterStore.stream(deadLetters.collection, { where: {} })) {
      // Written by this class alone.
      for (const { stream, revision, waiting, _position } of batch as readonly DeadLetterDocument[]) {
        if (waiting || _position > (checkpoint ?? 0)) this.#add(stream, revision);
      }
    }
  }

  /**
   * Adds the changes of events to the unit of work, or their dead letters, and commits some of them on the way.
   * @throws {StoreUnavailable} also when another projector has come further meanwhile.
   */
  async process(events: readonly RecordedEvent[]): Promise<void> {
    let rest = events;
    if (this.#waiting.size === 0 && !events.some(({ type }) => type === DEAD_LETTER_RETRIED)) {
      const poison = await dispatch(events, this.#options);
      if (poison === null) return;
      await this.#commitDecision(this.#park(poison.event, poison), poison.event);
      rest = events.slice(events.indexOf(poison.event) + 1);
    }
    for (const event of rest) await this.#processEvent(event);
    await this.#expectNoOtherProjector();
  }

  /** The runner has committed. */
  committed(checkpoint: Position): void {
    this.#checkpoint = Math.max(this.#checkpoint ?? 0, checkpoint);
  }

  async #processEvent(event: RecordedEvent): Promise<void> {
    if (event.type === DEAD_LETTER_RETRIED) return this.#commitDecision(this.#retry(event), event);
    if (this.#isParked(event)) return this.#park(event, null);
    const poison = await dispatch([event], this.#guardedOptions);
    if (poison !== null) await this.#commitDecision(this.#park(event, poison), event);
  }

  /** On disk before anything that follows: another release may go on from here, and decide otherwise. */
  async #commitDecision(decision: Promise<void>, { position }: RecordedEvent): Promise<void> {
    await decision;
    await this.#expectNoOtherProjector();
    await this.#options.unit.commit(position);
    this.committed(position);
  }

  /**
   * One that was paused, and lost its lease, would look up documents of later than its own position, where a parked
   * stream may be digested by now.
   */
  async #expectNoOtherProjector(): Promise<void> {
    if ((await this.#deadLetterStore.checkpoint()) === this.#checkpoint) return;
    throw new StoreUnavailable('another projector has come further');
  }

  async #park(event: RecordedEvent, poison: Error | null): Promise<void> {
    this.#add(event.stream, event.revision);
    const { unit } = this.#options;
    if ((await unit.look(deadLetters, deadLetterIdOf(event))) !== null) return;
    const error = poison ?? new Error(BLOCKED);
    unit.add({ kind: 'insert', collection: deadLetters.collection, document: deadLetterOf(event, error) });
    this.#onParked({ event, error, blocked: poison === null });
  }

  async #retry({ data: { letter: id }, position }: RecordedEvent): Promise<void> {
    const { unit } = this.#options;
    const letter = typeof id === 'string' ? await unit.look(deadLetters, id) : null;
    if (letter === null || !canBeRetried(letter, position)) return;
    const failure = await this.#failureOf({ ...eventInLetter(letter), position });
    const fields = failure === null ? { waiting: false } : { error: errorText(failure) };
    unit.add({ kind: 'set', collection: deadLetters.collection, id: letter.id, fields, position });
    if (failure === null) this.#remove(letter);
  }

  /** Null when the letter could be digested or was included before, else why it waits on. */
  async #failureOf(event: RecordedEvent): Promise<Error | null> {
    // Another projector may have parked it since these were loaded.
    this.#add(event.stream, event.revision);
    if (this.#firstWaitingRevision(event.stream) !== event.revision) return new Error(BLOCKED);
    return (await this.#isIncluded(event)) ? null : dispatch([event], this.#guardedOptions);
  }

  /** Whether the document of an event's own stream holds it already, from before: then so do all others. */
  async #isIncluded({ stream, revision, position }: RecordedEvent): Promise<boolean> {
    const own = this.#models.find(({ category }) => category === categoryOf(stream));
    if (own === undefined) return false;
    const document = await this.#options.unit.look<Document>(own, idOf(stream));
    return document !== null && document._revision >= revision && document._position < position;
  }

  #isParked({ stream, revision }: RecordedEvent): boolean {
    return this.#firstWaitingRevision(stream) <= revision;
  }

  /** Infinity where nothing waits. */
  #firstWaitingRevision(stream: string): Revision {
    let least = Infinity;
    for (const revision of this.#waiting.get(stream) ?? []) least = Math.min(least, revision);
    return least;
  }

  #add(stream: string, revision: Revision): void {
    const revisions = this.#waiting.get(stream);
    if (revisions === undefined) this.#waiting.set(stream, new Set([revision]));
    else revisions.add(revision);
  }

  #remove({ stream, revision }: DeadLetterDocument): void {
    const revisions = this.#waiting.get(stream);
    revisions?.delete(revision);
    if (revisions?.size === 0) this.#waiting.delete(stream);
  }
}

/** Why a letter waits that is not the first of its stream. */
const BLOCKED = 'an earlier event of its stream is parked';

/** Looks up documents; one that is missing because its stream is parked is an error. */
function guardedLook(unit: UnitOfWork, waiting: ReadonlyMap<string, unknown>): UnitOfWork['look'] {
  return <D extends Document>(model: ReadModel<D>, id: string) => {
    const requireUnlessParked = (document: D | null): D | null => {
      const stream = streamOf(model.category, id);
      if (document === null && waiting.has(stream)) throw new Error(`${stream}, which it needs, is parked`);
      return document;
    };
    const found = unit.look(model, id);
    return found instanceof Promise ? found.then(requireUnlessParked) : requireUnlessParked(found);
  };
}
