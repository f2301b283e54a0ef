import { categoryOf, idOf } from '../stream-names.ts';
import { UnknownEvent, upcast } from '../event-types.ts';
import { roughBytesOf, type JsonObject } from '../json.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent, Revision } from '../ports/event-store.ts';
import type { Change, Document, ReadModels, Scalar, Where } from '../ports/read-store.ts';
import type { Effect, Effects, Later, Project, Projection, ReadModel } from './projection.ts';

/** Most documents that are cached between batches, per collection, and about how many bytes all of them may take. */
const MAX_CACHED_DOCUMENTS = 10_000;
const MAX_CACHED_BYTES = 16_777_216;

/** Fan-outs that a cached collection has not taken yet; with more, all of its documents take them. */
const MAX_WAITING_FAN_OUTS = 64;

type FanOut = Extract<Change, { kind: 'setWhere' }>;

/** The cached documents of one collection. */
interface CachedCollection {
  /** By id; null for a document that does not exist. */
  readonly documents: Map<string, Document | null>;
  /**
   * The newest fan-out of each value, in order of their positions: a document takes them when it is read or changed, as
   * a flood of them would otherwise go through all documents each time.
   */
  readonly fanOuts: Map<string, FanOut>;
}

/** Documents by collection and id; null for one that does not exist. */
class DocumentCache {
  readonly #collections = new Map<string, CachedCollection>();
  #bytes = 0;
  #isFull = false;

  /** Undefined: it is not cached. */
  get(collection: string, id: string): Document | null | undefined {
    const cached = this.#collections.get(collection);
    const document = cached?.documents.get(id);
    if (cached === undefined || !document || cached.fanOuts.size === 0) return document;
    let current: Document = document;
    for (const fanOut of cached.fanOuts.values()) current = applyChange(current, fanOut);
    if (current !== document) cached.documents.set(id, current);
    return current;
  }

  has(collection: string): boolean {
    return this.#collections.has(collection);
  }

  set(collection: string, id: string, document: Document | null): void {
    this.#bytes += roughBytesOf(document);
    let cached = this.#collections.get(collection);
    if (cached === undefined)
      this.#collections.set(collection, (cached = { documents: new Map(), fanOuts: new Map() }));
    cached.documents.set(id, document);
    if (cached.documents.size > MAX_CACHED_DOCUMENTS || this.#bytes > MAX_CACHED_BYTES) this.#isFull = true;
  }

  /** Changes the cached documents. Replaced values are still counted, so the cache is cleared a little early. */
  change(change: Change): void {
    const cached = this.#collections.get(change.collection);
    if (cached === undefined) return;
    if (change.kind === 'setWhere') {
      this.#fanOut(cached, change);
      return;
    }
    const id = change.kind === 'insert' ? change.document.id : change.id;
    const document = this.get(change.collection, id);
    if (document === undefined) return;
    const changed = applyChange(document, change);
    if (changed === document) return;
    if (change.kind === 'insert') this.#bytes += roughBytesOf(change.document);
    else if (change.kind === 'set') this.#bytes += roughBytesOf(change.fields);
    if (this.#bytes > MAX_CACHED_BYTES) this.#isFull = true;
    cached.documents.set(id, changed);
  }

  #fanOut(cached: CachedCollection, change: FanOut): void {
    const { fanOuts } = cached;
    // One that sets less than the one before would not replace it.
    const key = JSON.stringify([change.field, change.value, Object.keys(change.fields).sort()]);
    fanOuts.delete(key);
    fanOuts.set(key, change);
    if (fanOuts.size > MAX_WAITING_FAN_OUTS) this.#settle(cached);
  }

  /** Lets all documents take the fan-outs. */
  #settle({ documents, fanOuts }: CachedCollection): void {
    for (const fanOut of fanOuts.values()) {
      for (const [id, document] of documents) {
        const changed = applyChange(document, fanOut);
        if (changed === document) continue;
        documents.set(id, changed);
        this.#bytes += roughBytesOf(fanOut.fields);
      }
    }
    fanOuts.clear();
    if (this.#bytes > MAX_CACHED_BYTES) this.#isFull = true;
  }

  /** Clears the cache where it has grown too large. Called between events, as one may need what was looked up for it. */
  trim(): void {
    if (this.#isFull) this.clear();
  }

  /** Called between batches. */
  settle(): void {
    for (const cached of this.#collections.values()) if (cached.fanOuts.size > 0) this.#settle(cached);
    this.trim();
  }

  clear(): void {
    this.#collections.clear();
    this.#bytes = 0;
    this.#isFull = false;
  }
}

/** A change of the batch, not yet written. */
interface PendingChange {
  /** Null: a later fan-out of the same value has replaced it. */
  change: Change | null;
}

/**
 * A document some of whose fields are computed from others before the batch is written. Its changes of the batch are
 * written as one, at the position of the last: the document must never have a position whose event it lacks a part of.
 */
interface Recalculation {
  /** The place of that one change among those of the batch: where the first change that requested it was added. */
  readonly pending: PendingChange;
  later: Later;
  /** The document after all changes so far, without the computed fields. */
  document: Document;
  /** The new values of the fields that have changed. */
  fields: JsonObject;
  revision: Revision | undefined;
}

/** A change as `dispatch` adds it. */
export type PlannedChange = Change & {
  /** Computes further fields of a `set` before the batch is written. */
  readonly later?: Later | undefined;
};

/**
 * Fan-outs that look for values of one field and set the same fields. One event may have as many of them as a licence has
 * people, so what holds for all of them is asked once.
 */
interface PendingFanOuts {
  readonly field: string;
  /** Those of one of them: of all, the names are the same. */
  readonly fields: JsonObject;
  readonly byValue: Map<Scalar, PendingFanOut>;
}

interface PendingFanOut {
  readonly pending: PendingChange;
  readonly position: Position;
}

/** The changes of one batch of events, and look-ups that see them. */
export type UnitOfWork = Readonly<ReturnType<typeof createUnitOfWork>>;

/**
 * Creates the unit of work of one projection group: the changes of one batch, and look-ups that see them. Documents that
 * were looked up are cached from batch to batch, to save reading them again, and are changed in memory by the same rules
 * as in the store.
 *
 * One event may cost far more than its sender spends on it: a rename changes all documents with the name, and striking a
 * best lap means reading all other laps of its driver. So a batch does each of these things once: of several fan-outs of one
 * value only the last is written, and fields that are computed from other documents are computed at the end.
 */
export function createUnitOfWork(models: Pick<ReadModels, 'get' | 'apply' | 'stream'>) {
  let pending: PendingChange[] = [];
  /** By collection and fields: the fan-outs that a later one may replace. */
  const fanOuts = new Map<string, Map<string, PendingFanOuts>>();
  /** By collection and id. */
  const recalculations = new Map<string, Map<string, Recalculation>>();
  const cache = new DocumentCache();

  async function read(collection: string, id: string): Promise<Document | null> {
    const stored = await models.get(collection, id);
    let document = recalculations.get(collection)?.get(id)?.document ?? stored;
    for (const { change } of pending) {
      if (change === null || change.collection !== collection) continue;
      if ((targetIdOf(change) ?? id) === id) document = applyChange(document, change);
    }
    cache.set(collection, id, document);
    return document;
  }

  function add(planned: PlannedChange): void {
    if (planned.kind === 'set' || planned.kind === 'unset') addToDocument(planned);
    else if (planned.kind === 'setWhere') addFanOut(planned);
    else pending.push({ change: planned });
    if (cache.has(planned.collection)) cache.change(planned);
  }

  function addToDocument(planned: PlannedChange & { readonly kind: 'set' | 'unset' }): void {
    const { collection, id, position, revision } = planned;
    const later = planned.kind === 'set' ? planned.later : undefined;
    endFanOutsOf(planned);
    const known = recalculations.get(collection)?.get(id);
    if (known === undefined && later === undefined) {
      pending.push({ change: planned });
      return;
    }
    if (planned.kind === 'unset')
      throw new TypeError(`${collection}: a document loses fields while others are computed`);
    const document = known?.document ?? cache.get(collection, id) ?? null;
    if (document === null)
      throw new TypeError(`${collection}: fields are computed of a document that was not looked up`);
    // A document that is ahead of the event has its part of it.
    if (document._position >= position) return;
    const { fields } = planned;
    if (known === undefined) {
      const slot: PendingChange = { change: null };
      pending.push(slot);
      const recalculation = {
        pending: slot,
        later: later ?? noFields,
        document: applyChange(document, planned),
        fields,
        revision,
      };
      const ofCollection = recalculations.get(collection) ?? new Map<string, Recalculation>();
      recalculations.set(collection, ofCollection.set(id, recalculation));
      return;
    }
    known.document = applyChange(document, planned);
    known.fields = { ...known.fields, ...fields };
    known.revision = revision ?? known.revision;
    if (later !== undefined) known.later = later;
  }

  function addFanOut(change: FanOut): void {
    const { collection, field, value, fields } = change;
    endFanOutsOf(change);
    for (const known of recalculations.get(collection)?.values() ?? []) {
      const document = applyChange(known.document, change);
      if (document !== known.document) known.fields = { ...known.fields, ...fields };
      known.document = document;
    }
    const ofCollection = fanOuts.get(collection) ?? new Map<string, PendingFanOuts>();
    fanOuts.set(collection, ofCollection);
    for (const other of ofCollection.values()) {
      if (other.field !== field || !hasAll(fields, other.fields)) continue;
      const before = other.byValue.get(value);
      if (before === undefined || before.position > change.position) continue;
      before.pending.change = null;
      other.byValue.delete(value);
    }
    const added: PendingChange = { change };
    pending.push(added);
    const shape = JSON.stringify([field, Object.keys(fields).sort()]);
    const alike = ofCollection.get(shape) ?? { field, fields, byValue: new Map<Scalar, PendingFanOut>() };
    ofCollection.set(shape, alike);
    alike.byValue.set(value, { pending: added, position: change.position });
  }

  /**
   * Keeps a fan-out from being replaced by a later one if a change in between moves a document out of the later one's reach:
   * the document would miss the values, unless the change brings its own.
   */
  function endFanOutsOf({ collection, ...change }: Exclude<Change, { kind: 'insert' }>): void {
    const ofCollection = fanOuts.get(collection);
    if (ofCollection === undefined) return;
    for (const [key, fanOut] of ofCollection) {
      // A fan-out to the documents with a value that this one gives them.
      if (change.kind === 'setWhere' && change.field in fanOut.fields && !hasAll(fanOut.fields, change.fields))
        ofCollection.delete(key);
      const leaves = change.kind === 'unset' ? change.fields.includes(fanOut.field) : fanOut.field in change.fields;
      const isCovered = change.kind !== 'unset' && hasAll(change.fields, fanOut.fields);
      if (leaves && !isCovered) ofCollection.delete(key);
    }
  }

  /** Computes the fields that were left for the end of the batch. */
  async function settle(): Promise<void> {
    const all = [...recalculations];
    recalculations.clear();
    for (const [collection, ofCollection] of all) {
      for (const [id, { pending: slot, later, document, fields, revision }] of ofCollection) {
        const computed = await later(find, document);
        const { _position: position } = document;
        slot.change = { kind: 'set', collection, id, fields: { ...fields, ...computed }, position, revision };
        cache.set(collection, id, { ...document, ...computed });
      }
    }
  }

  /** Writes the pending changes of the collection, but no checkpoint, since only the store knows the order of documents. */
  async function* find<D extends Document>({ collection }: ReadModel<D>, where: Where) {
    if (recalculations.has(collection)) await settle();
    const own = pending.filter(({ change }) => change?.collection === collection);
    if (own.length > 0) {
      pending = pending.filter(({ change }) => change?.collection !== collection);
      fanOuts.delete(collection);
      await models.apply(changesIn(own), null);
    }
    // The collection's own projection wrote it, through the typed functions of this very read model.
    yield* models.stream(collection, { where, isAwaitedByAll: true }) as AsyncIterable<readonly D[]>;
  }
  return {
    lookup<D extends Document>({ collection }: ReadModel<D>, id: string) {
      const document = cache.get(collection, id);
      const found = document === undefined ? read(collection, id) : document;
      // The cast is right for the same reason.
      return found as D | null | Promise<D | null>;
    },
    find,
    /** Adds the changes of one event. */
    add(...changes: readonly PlannedChange[]): void {
      for (const change of changes) add(change);
      cache.trim();
    },
    /** Writes all changes, then the checkpoint, and starts the next batch. */
    async commit(checkpoint: Position): Promise<void> {
      if (recalculations.size > 0) await settle();
      const changes = changesIn(pending);
      pending = [];
      fanOuts.clear();
      cache.settle();
      await models.apply(changes, checkpoint);
    },
    /** Discards the changes of the batch and the cache. */
    reset(): void {
      pending = [];
      fanOuts.clear();
      recalculations.clear();
      cache.clear();
    },
  };
}

function changesIn(pending: readonly PendingChange[]): readonly Change[] {
  return pending.flatMap(({ change }) => change ?? []);
}

function hasAll(fields: JsonObject, others: JsonObject): boolean {
  return Object.keys(others).every((field) => field in fields);
}

function noFields(): Promise<JsonObject> {
  return Promise.resolve({});
}

/** Id of the document that a change concerns; null for a fan-out. */
export function targetIdOf(change: Change): string | null {
  if (change.kind === 'setWhere') return null;
  return change.kind === 'insert' ? change.document.id : change.id;
}

/**
 * Returns the document after a change, by the rules of the port: an insert has no effect on a document that exists, any
 * other change only on one whose position is smaller. The change must be of the document's collection; a fan-out that
 * does not match leaves the document as it is.
 */
export function applyChange<D extends Document | null>(document: D, change: Change): D | Document {
  if (change.kind === 'insert') return document ?? change.document;
  if (document === null || document._position >= change.position) return document;
  if (change.kind === 'setWhere' && (document[change.field] ?? null) !== change.value) return document;
  const { id, _created } = document;
  const revision = change.kind === 'setWhere' ? undefined : change.revision;
  const own = { id, _created, _position: change.position, _revision: revision ?? document._revision };
  if (change.kind !== 'unset') return Object.assign({ ...document }, change.fields, own);
  const kept = Object.entries(document).filter(([field]) => !change.fields.includes(field));
  return { ...Object.fromEntries(kept), ...own };
}

/** Poison event: an event that a handler could not project. It is never skipped: the group parks it or stops. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;
  /** Collection of the read model whose projection failed; null when it was none. */
  readonly collection: string | null;

  constructor(event: RecordedEvent, collection: string | null, cause: unknown) {
    super(`${event.type} at position ${event.position} of ${event.stream} could not be projected`, { cause });
    this.event = event;
    this.collection = collection;
  }
}

/** One projection's handler of one type of event. */
export interface Handler {
  readonly projection: Projection;
  readonly run: Project<JsonObject>;
}

/**
 * The handlers of a group by event type, in the order of the projections.
 * @throws {TypeError} when projections declare a type differently: one of them would get data that it does not expect.
 */
export function handlersByType(projections: readonly Projection[]): ReadonlyMap<string, readonly Handler[]> {
  const byType = new Map<string, Handler[]>();
  for (const projection of projections) {
    for (const [type, run] of projection.on) {
      const handlers = byType.get(type);
      if (handlers === undefined) byType.set(type, [{ projection, run }]);
      else if (handlers.every((other) => other.projection.events[type] === projection.events[type])) {
        handlers.push({ projection, run });
      } else throw new TypeError(`projections of one group declare ${type} differently`);
    }
  }
  return byType;
}

/** Options of `dispatch`. */
export interface DispatchOptions {
  readonly handlers: ReadonlyMap<string, readonly Handler[]>;
  readonly unit: UnitOfWork;
  /** Categories of streams in which an event without a handler is poison too: its meaning is unknown. */
  readonly complete?: readonly string[] | undefined;
  /** Called with each change of an event before any of them is added; when it throws, the event is poison. */
  readonly check?: (change: Change) => Promise<void>;
  /** The position of the changes, such as that of a retry; by default the position of each event. */
  readonly position?: Position;
}

/**
 * Adds the changes of events to the unit of work, in order, up to the first event that a handler cannot project, which
 * is returned without any of its changes added. Every handler sees the documents as they were before its event.
 * @throws {StoreUnavailable} when a look-up fails because the store is unavailable
 */
export async function dispatch(
  events: readonly RecordedEvent[],
  options: DispatchOptions,
): Promise<PoisonEvent | null> {
  /** The collection that an event is being projected into. */
  const trace = { collection: null as string | null };
  for (const event of events) {
    try {
      options.unit.add(...(await changesOf(event, options, trace)));
    } catch (error) {
      if (error instanceof StoreUnavailable && !(error instanceof UnknownEvent)) throw error;
      return new PoisonEvent(event, trace.collection, error);
    }
  }
  return null;
}

async function changesOf(
  event: RecordedEvent,
  { handlers, unit, complete, check, position = event.position }: DispatchOptions,
  trace: { collection: string | null },
): Promise<readonly PlannedChange[]> {
  const own = handlers.get(event.type) ?? [];
  const [first] = own;
  if (first === undefined) {
    trace.collection = null;
    if (complete?.includes(categoryOf(event.stream)) === true) throw new UnknownEvent(event);
    return [];
  }
  // All projections of a group declare a type alike.
  const { events, model } = first.projection;
  trace.collection = model.collection;
  const data = events[event.type]?.version === event.metadata.version ? event.data : upcast(events, event);
  const projected = { data, id: idOf(event.stream), at: event.metadata.occurredAt, recorded: event };
  const changes: PlannedChange[] = [];
  for (const { projection, run } of own) {
    trace.collection = projection.model.collection;
    const result = run(projected, unit.lookup, unit.find);
    addChanges(changes, result instanceof Promise ? await result : result, {
      model: projection.model,
      event,
      position,
    });
  }
  if (check === undefined) return changes;
  for (const change of changes) {
    trace.collection = change.collection;
    await check(change);
  }
  return changes;
}

/**
 * Turns effects into changes. An event of the document's own stream advances its revision even when nothing else
 * changes.
 */
function addChanges(
  changes: PlannedChange[],
  effects: Effects,
  at: { readonly model: ReadModel<never>; readonly event: RecordedEvent; readonly position: Position },
): void {
  const { model, event, position } = at;
  const { collection, category } = model;
  const { stream, revision } = event;
  const ownId = stream.startsWith(`${category}-`) ? stream.slice(category.length + 1) : null;
  const given: readonly Effect[] | Effect = effects ?? (ownId === null ? [] : { kind: 'set', id: ownId, fields: {} });
  for (const effect of 'kind' in given ? [given] : given) {
    // Field by field: V8 spreads slowly.
    if (effect.kind === 'setWhere') {
      const { kind, field, value, fields } = effect;
      changes.push({ kind, collection, position, field, value, fields });
      continue;
    }
    const { id } = effect;
    const own = id === ownId ? revision : undefined;
    if (effect.kind === 'insert') {
      const bookkeeping = { _created: event.position, _position: position, _revision: own ?? 0 };
      // Fields of an event may have these names.
      const document = Object.assign({ id, _created: 0, _position: 0, _revision: 0, ...effect.fields }, bookkeeping);
      changes.push({ kind: 'insert', collection, document });
    } else if (effect.kind === 'set') {
      const { later } = effect;
      changes.push({ kind: 'set', collection, position, id, fields: effect.fields, revision: own, later });
    } else changes.push({ kind: 'unset', collection, position, id, fields: effect.fields, revision: own });
  }
}
