import { categoryOf, idOf } from '../aggregate/decider.ts';
import { UnknownEvent, upcast } from '../event-types.ts';
import { roughBytesOf, type JsonObject } from '../json.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent } from '../ports/event-store.ts';
import type { Change, Document, ReadModels, Where } from '../ports/read-store.ts';
import type { Effect, Effects, Project, Projection, ReadModel } from './projection.ts';

/** Most documents that are cached between batches, per collection, and about how many bytes all of them may take. */
const MAX_CACHED_DOCUMENTS = 10_000;
const MAX_CACHED_BYTES = 16_777_216;

/** Documents by collection and id; null for one that does not exist. */
class DocumentCache {
  readonly collections = new Map<string, Map<string, Document | null>>();
  #bytes = 0;

  set(collection: string, id: string, document: Document | null): void {
    this.#bytes += roughBytesOf(document);
    let documents = this.collections.get(collection);
    if (documents === undefined) this.collections.set(collection, (documents = new Map<string, Document | null>()));
    if (documents.size >= MAX_CACHED_DOCUMENTS) documents.clear();
    documents.set(id, document);
    if (this.#bytes > MAX_CACHED_BYTES) this.clear();
  }

  /** Changes the cached documents. Replaced values are still counted, so the cache is cleared a little early. */
  change(change: Change): void {
    if (change.kind === 'set' || change.kind === 'setWhere') this.#bytes += roughBytesOf(change.fields);
    if (this.#bytes > MAX_CACHED_BYTES) this.clear();
    const documents = this.collections.get(change.collection);
    if (documents === undefined) return;
    const id = targetIdOf(change);
    if (id === null) {
      for (const [one, document] of documents) documents.set(one, applyChange(document, change));
      return;
    }
    const document = documents.get(id);
    if (document !== undefined) documents.set(id, applyChange(document, change));
  }

  clear(): void {
    this.collections.clear();
    this.#bytes = 0;
  }
}

/** What `createUnitOfWork` makes. */
export type UnitOfWork = Readonly<ReturnType<typeof createUnitOfWork>>;

/**
 * Creates the unit of work of one projection group: the changes of one batch, and look-ups that see them. Documents that
 * were looked up are cached from batch to batch, to save reading them again, and are changed in memory by the same rules
 * as in the store.
 */
export function createUnitOfWork(models: Pick<ReadModels, 'get' | 'apply' | 'stream'>) {
  let pending: Change[] = [];
  const cache = new DocumentCache();

  async function read(collection: string, id: string): Promise<Document | null> {
    const stored = await models.get(collection, id);
    const affecting = pending.filter((change) => change.collection === collection && (targetIdOf(change) ?? id) === id);
    const document = affecting.reduce(applyChange, stored);
    cache.set(collection, id, document);
    return document;
  }
  return {
    lookup<D extends Document>({ collection }: ReadModel<D>, id: string) {
      const document = cache.collections.get(collection)?.get(id);
      const found = document === undefined ? read(collection, id) : document;
      // The collection's own projection wrote it, through the typed functions of this very read model.
      return found as D | null | Promise<D | null>;
    },
    /** Writes what is pending, but no checkpoint: only the store can tell the order of documents. */
    async *find<D extends Document>({ collection }: ReadModel<D>, where: Where) {
      if (pending.length > 0) await models.apply(pending, null);
      pending = [];
      // As above.
      yield* models.stream(collection, { where }) as AsyncIterable<readonly D[]>;
    },
    add(...changes: readonly Change[]): void {
      for (const change of changes) {
        pending.push(change);
        if (cache.collections.has(change.collection)) cache.change(change);
      }
    },
    /** Writes all changes, then the checkpoint, and starts the next batch. */
    commit(checkpoint: Position): Promise<void> {
      const changes = pending;
      pending = [];
      return models.apply(changes, checkpoint);
    },
    /** Discards the changes of the batch and the cache. */
    reset(): void {
      pending = [];
      cache.clear();
    },
  };
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
  readonly complete?: readonly string[];
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
): Promise<readonly Change[]> {
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
  const changes: Change[] = [];
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
  changes: Change[],
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
      changes.push({ kind: 'set', collection, position, id, fields: effect.fields, revision: own });
    } else changes.push({ kind: 'unset', collection, position, id, fields: effect.fields, revision: own });
  }
}
