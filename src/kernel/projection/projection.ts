import type { RecordedEvent } from '../ports/event-store.ts';
import type { DataOf, EventTypes } from '../event-types.ts';
import type { JsonObject } from '../json.ts';
import type { Document, Index, Scalar, Setting, SettingAll, Unsetting, Where } from '../ports/read-store.ts';

/** The fields of a document that its projection sets: all but the id and the bookkeeping fields. */
export type Fields<D> = Omit<D, 'id' | '_created' | '_position' | '_revision'>;

/** Effect of an event on one collection; the runner adds the bookkeeping fields. */
export type Effect =
  | { readonly kind: 'insert'; readonly id: string; readonly fields: JsonObject }
  | (Setting & { readonly later?: Later })
  | Unsetting
  | SettingAll;

/**
 * Computes fields of a document from others, as these are at the end of a batch of events: once, however many events of
 * the batch ask for it. `document` is the document after all events of the batch, without these fields.
 */
export type Later = (find: Find, document: Document) => Promise<JsonObject>;

/** A read model: documents of one shape, each created by the stream `<category>-<id>`. */
export interface ReadModel<D extends Document = Document> {
  readonly collection: string;
  readonly category: string;
  readonly indexes: readonly Index[];
  readonly columns: readonly string[];
  readonly version: number;
  /** A new document; no effect when it exists. */
  insert(id: string, fields: Fields<D>): Effect;
  /** New values for some fields of one document. */
  set(id: string, fields: Partial<Fields<D>>): Effect;
  /**
   * Like `set`, with further fields that are computed from other documents when the batch of events ends. The handler has
   * looked the document up; it shows the former values of these fields until then. Each event after which they may have
   * to be computed again must return this effect with the same computation.
   */
  setLater(
    id: string,
    fields: Partial<Fields<D>>,
    later: (find: Find, document: Document) => Promise<Partial<Fields<D>>>,
  ): Effect;
  /** Removes fields from one document. */
  unset(id: string, ...fields: readonly (keyof Fields<D> & string)[]): Effect;
  /** New values for some fields of all documents with a value (the fan-out of a rename). `field` should be indexed. */
  setWhere<K extends keyof Fields<D> & string>(field: K, value: D[K] & Scalar, fields: Partial<Fields<D>>): Effect;
}

/** A field of a document, or the items of one that is a list. */
type IndexedField<D> = (keyof D & string) | `${keyof D & string}[]`;

/** Options of a read model. */
export interface ReadModelOptions<D> {
  readonly category: string;
  readonly indexes: readonly (readonly IndexedField<D>[])[];
  /** Fields that lists of very many documents are filtered and sorted by, however they are combined. */
  readonly columns?: readonly IndexedField<D>[];
  /** One more whenever the same events give other documents, or indexes or columns are others; 1 for a new read model. */
  readonly version?: number;
}

/** Declares a read model with its indexes and columns. */
export function readModel<D extends Document>(
  collection: string,
  { category, indexes, columns = [], version = 1 }: ReadModelOptions<D>,
): ReadModel<D> {
  return {
    collection,
    category,
    indexes,
    columns,
    version,
    insert: (id, fields) => ({ kind: 'insert', id, fields }),
    set: (id, fields) => ({ kind: 'set', id, fields }),
    setLater: (id, fields, later) => ({ kind: 'set', id, fields, later }),
    unset: (id, ...fields) => ({ kind: 'unset', id, fields }),
    setWhere: (field, value, fields) => ({ kind: 'setWhere', field, value, fields }),
  };
}

/**
 * Looks up a document of the same group as it is at the event's position; null when there is none. Returns no promise
 * where the document is cached: one lap takes four look-ups.
 */
export type Lookup = <D extends Document>(model: ReadModel<D>, id: string) => D | null | Promise<D | null>;

/**
 * Every document of a group that matches, in batches, as it is at the event's position. An index should have the filter;
 * the rest of the batch of events waits meanwhile.
 */
export type Find = <D extends Document>(model: ReadModel<D>, where: Where) => AsyncIterable<readonly D[]>;

/** An event in the newest version of its type, as projections get it. */
export interface ProjectionEvent<D> {
  readonly data: D;
  /** Id of the aggregate: the stream's name without its category. */
  readonly id: string;
  /** When it happened, ISO 8601. */
  readonly at: string;
  readonly recorded: RecordedEvent;
}

/**
 * Effects of an event: one document of the collection or one fan-out; or several documents, each once and none that a
 * fan-out of the same event may touch; null when nothing but the revision changes.
 */
export type Effects = Effect | readonly Effect[] | null;

/** A projection's handler of one type of event. */
export type Project<D> = (event: ProjectionEvent<D>, lookup: Lookup, find: Find) => Effects | Promise<Effects>;

/** One read model and what each event does to it. */
export interface Projection {
  readonly model: ReadModel<never>;
  readonly events: EventTypes;
  readonly on: ReadonlyMap<string, Project<JsonObject>>;
}

/** A handler for each of some events. */
export type Handlers<T extends EventTypes> = { readonly [K in keyof T & string]: Project<DataOf<T[K]>> };

/**
 * Declares a projection. Every event of the read model's `own` streams has a handler, since each moves the document's
 * revision; events of `others` may have one.
 */
export function projection<D extends Document, Own extends EventTypes, Others extends EventTypes = Own>(
  model: ReadModel<D>,
  events: { readonly own: Own; readonly others?: Others },
  on: Handlers<NoInfer<Own>> & Partial<Handlers<NoInfer<Others>>>,
): Projection {
  // Handlers are keyed by event type, so each one's data fits; the map's type cannot say so.
  const handlers = new Map(Object.entries(on) as unknown as [string, Project<JsonObject>][]);
  return { model, events: { ...events.others, ...events.own }, on: handlers };
}
