import { roughBytesOf, type JsonObject } from '../json.ts';
import { OverBudget } from './errors.ts';
import type { Position, Revision } from './event-store.ts';

/** Bookkeeping fields of every document. Fields whose name starts with `_` never reach a client. */
export type DocumentMeta = {
  readonly id: string;
  /** Position of the event that created the document, even where a retry has projected it later; never changed. */
  readonly _created: Position;
  /** Position of the last event that changed the document. */
  readonly _position: Position;
  /** Revision of the document's own stream at its last event there. */
  readonly _revision: Revision;
};

/** A document: its bookkeeping fields and those of its read model. */
export type Document = DocumentMeta & JsonObject;

/** A value that a document can be found or sorted by. */
export type Scalar = null | boolean | number | string;

/**
 * Values from `from` (inclusive) to `to` (exclusive), of one type: numbers by size, strings by code point. Without one of
 * the ends, all values of the type on that side; null and other types are in no range.
 */
export type Range =
  | { readonly from: number | string; readonly to?: number | string }
  | { readonly from?: number | string; readonly to: number | string };

/** What a field has to be: this value, or in this range. */
export type Condition = Scalar | Range;

/**
 * A filter: a condition on each named field; an empty object matches every document. `name[]` names the items of a list:
 * the list holds this value. Such a field is indexed, as the first one of an index, and has no range.
 */
export type Where = { readonly [field: string]: Condition };

/** Ending of the name of a field that stands for the items of a list. */
const ITEMS = '[]';

/** The list whose items a field stands for; null for a field that stands for itself. */
export function listOf(field: string): string | null {
  return field.endsWith(ITEMS) ? field.slice(0, -ITEMS.length) : null;
}

/** Whether a condition is a range. */
export function isRange(condition: Condition | undefined): condition is Range {
  return typeof condition === 'object' && condition !== null;
}

/** Whether a document meets all conditions. */
export function matches(document: JsonObject, where: Where): boolean {
  return Object.entries(where).every(([field, condition]) => {
    const list = listOf(field);
    if (list !== null) return holds(document[list], condition);
    const value = document[field] ?? null;
    return isRange(condition) ? isWithin(value, condition) : value === condition;
  });
}

function holds(list: unknown, item: unknown): boolean {
  return Array.isArray(list) && list.includes(item);
}

function isWithin(value: unknown, { from, to }: Range): boolean {
  const isFrom = from === undefined || (comparable(value, from) && compare(value, from) >= 0);
  return isFrom && (to === undefined || (comparable(value, to) && compare(value, to) < 0));
}

function comparable(value: unknown, end: number | string): value is number | string {
  return typeof value === typeof end;
}

/** Of two numbers, or of two strings by code point: UTF-16 has surrogates, which are of higher ones, before U+E000. */
function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
}

/** Rank of a UTF-16 unit; below all for what is past the end. */
function rankOf(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  const isSurrogate = unit >= 0xd800 && unit < 0xe000;
  return isSurrogate ? unit + 0x10000 : unit;
}

/** The field that orders documents by their creation. */
export const CREATED = '_created';

/** The order of ties: documents that were created earlier first; those that one event created, by id. */
export function inCreationOrder(a: DocumentMeta, b: DocumentMeta): number {
  return a._created - b._created || compare(a.id, b.id);
}

/** Order by one field; ties are in the order of creation. `desc` is the exact reverse of `asc`, ties included. */
export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** What a query may cost; without it, whatever it takes. */
export interface QueryBounds {
  /**
   * Documents that may be visited at most. Entries of an index that are only passed over count one ENTRIES_PER_DOCUMENT-th.
   */
  readonly budget?: number;
  /** When it aborts, nothing more is read: the call throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How many entries of an index cost as much as one document. */
export const ENTRIES_PER_DOCUMENT = 50;

/** Options of a query for one page of a sorted result. */
export interface FindOptions extends QueryBounds {
  readonly where: Where;
  readonly sort: Sort;
  /** Documents to skip. */
  readonly offset: number;
  /** Documents to return at most. */
  readonly limit: number;
  /** Bytes that they may take, as `roughBytesOf` counts them; without it, whatever they take. */
  readonly maxBytes?: number;
}

/** Most bytes of a batch of `stream`, as `roughBytesOf` counts them, the last document not included. */
export const MAX_DOCUMENTS_BYTES = 1_048_576;

/** Adds up the sizes of the documents of a page. */
export class PageBytes {
  readonly #max: number;
  #bytes = 0;

  constructor({ maxBytes = Infinity }: Pick<FindOptions, 'maxBytes'>) {
    this.#max = maxBytes;
  }

  /** @throws {OverBudget} once they are too many. */
  add(document: JsonObject): void {
    if (this.#max === Infinity) return;
    this.#bytes += roughBytesOf(document);
    if (this.#bytes > this.#max) throw new OverBudget(this.#max, 'bytes');
  }
}

/** Options of a query for all that matches. */
export interface StreamOptions extends QueryBounds {
  readonly where: Where;
  readonly sort?: Sort;
}

/**
 * A change of one document, or of all documents with a field's value. All but `insert` touch only documents whose
 * `_position` is smaller than `position`, and move them to it; `revision` (given where the event is of the document's
 * own stream) becomes `_revision`.
 */
export type Change =
  | { readonly kind: 'insert'; readonly collection: string; readonly document: Document }
  | {
      readonly kind: 'set';
      readonly collection: string;
      readonly id: string;
      readonly fields: JsonObject;
      readonly position: Position;
      readonly revision?: Revision;
    }
  | {
      readonly kind: 'unset';
      readonly collection: string;
      readonly id: string;
      readonly fields: readonly string[];
      readonly position: Position;
      readonly revision?: Revision;
    }
  | {
      readonly kind: 'setWhere';
      readonly collection: string;
      readonly field: string;
      readonly value: Scalar;
      readonly fields: JsonObject;
      readonly position: Position;
    };

/**
 * An index: its fields in order. The order of creation always comes after the last one. Where the first field stands for
 * the items of a list, a document is in it once for each different item.
 */
export type Index = readonly string[];

/**
 * Whether an index has the documents that match a filter in the order of a field, so that a page costs what it holds and
 * what it skips. Only the field of the order may be in a range.
 */
export function isOrdered(indexes: readonly Index[], where: Where, field: string): boolean {
  if (field === 'id') return Object.keys(where).length === 0;
  const equal = Object.keys(where).filter((name) => !isRange(where[name]));
  const isTie = field === CREATED && equal.length > 0;
  const last = isTie || equal.includes(field) ? [] : [field];
  if (Object.keys(where).some((name) => isRange(where[name]) && !last.includes(name))) return false;
  const wanted = equal.length + last.length;
  const fits = (index: Index): boolean =>
    index.length === wanted && startsWith(index, equal) && index.slice(equal.length).every((one) => last.includes(one));
  return indexes.some(fits);
}

/** Whether an index finds the documents that match a filter, and no others. */
export function isCovered(indexes: readonly Index[], where: Where): boolean {
  const conditions = Object.keys(where).length;
  return conditions === 0 || indexes.some((index) => Object.keys(coveredBy(index, where)).length === conditions);
}

/** The part of a filter by which an index finds documents: its first fields as far as they equal something, then a range. */
export function coveredBy(index: Index, where: Where): Where {
  const part: Record<string, Condition> = {};
  for (const field of index) {
    const condition = where[field];
    if (condition === undefined) break;
    part[field] = condition;
    if (isRange(condition)) break;
  }
  return part;
}

/**
 * The parts of a filter with which indexes have documents in the order of a field, the narrowest first: a page may be
 * found by going through them and leaving out what does not match the rest.
 */
export function orderedParts(indexes: readonly Index[], where: Where, field: string): readonly Where[] {
  const parts = [[], ...indexes].flatMap((index: Index) => {
    const part = Object.fromEntries(Object.entries(where).filter(([name]) => index.includes(name)));
    return isOrdered([index], part, field) && (index.length > 0 || field === 'id') ? [part] : [];
  });
  return narrowestFirst(parts);
}

/** Filters in the order of how many conditions they have, the most first. */
export function narrowestFirst(filters: readonly Where[]): readonly Where[] {
  return filters.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
}

function startsWith(index: Index, fields: readonly string[]): boolean {
  const first = index.slice(0, fields.length);
  return first.length === fields.length && fields.every((field) => first.includes(field));
}

/** A collection and its indexes, declared once by its projection. */
export interface Collection {
  readonly name: string;
  readonly indexes: readonly Index[];
}

/** A register: a small value shared by several processes. Each write names the version that it replaces. */
export interface Register {
  /** Counts the writes, from 1. */
  readonly version: number;
  readonly value: JsonObject;
}

/** Bytes of JSON that every store can hold in one document. MongoDB takes 16 MiB of its own format. */
export const MAX_DOCUMENT_BYTES = 12_000_000;

/** Bytes that something takes, and that are free. */
export interface Space {
  readonly taken: number;
  readonly free: number;
}

/** Read store: keeps the read models of each group and generation in their own namespace. */
export interface ReadStore {
  /**
   * The read models of one projection group and generation. The first `apply` that succeeds has created whichever
   * collections and indexes were missing.
   */
  namespace(name: string, collections: readonly Collection[]): Promise<ReadModels>;
  /** Deletes a namespace and everything in it; no effect when there is none. */
  drop(namespace: string): Promise<void>;
  /** Bytes that a namespace takes, and that are free for another one; null where the store cannot tell. */
  space(namespace: string): Promise<Space | null>;
  /** The value under a name, or null when none was written yet. */
  readRegister(name: string): Promise<Register | null>;
  /**
   * Writes a value, durably, if the register is still at version `expected` (0: none was written yet).
   * @returns false when it is not: another process was first, and nothing was written.
   */
  writeRegister(name: string, value: JsonObject, expected: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * The documents of one namespace. Values sort null first, then false and true, then numbers, then strings by code
 * point; a missing field counts as null. Every method throws {StoreUnavailable} when the store cannot be reached.
 */
export interface ReadModels {
  get(collection: string, id: string): Promise<Document | null>;
  /**
   * A page costs what it holds where `isOrdered`; else the documents that some index finds by a part of the filter
   * (`coveredBy`), or those that it passes over in the order of the page (`orderedParts`). A page past the end is empty.
   * @throws {OverBudget} where that is too much or the offset is deep
   */
  find(collection: string, query: FindOptions): Promise<readonly Document[]>;
  /**
   * The number of documents that match. Where `isCovered`, none is visited.
   * @throws {OverBudget}
   */
  count(collection: string, where: Where, bounds?: QueryBounds): Promise<number>;
  /**
   * Every matching document once, in batches, with constant memory; ordered only when `sort` is given.
   * @throws {OverBudget} before the first batch
   */
  stream(collection: string, query: StreamOptions): AsyncIterable<readonly Document[]>;
  /**
   * Applies the changes in order, then moves the checkpoint forward (never back; null leaves it). Safe to repeat.
   * @throws {DocumentTooLarge} when a document would be larger than the store can hold, which is MAX_DOCUMENT_BYTES or
   * somewhat more; other changes may have been applied then.
   */
  apply(changes: readonly Change[], checkpoint: Position | null): Promise<void>;
  /**
   * A version of the documents of some collections, as a text: another one once any of them may have been changed, and in
   * every namespace. What was read after it is as new as it, or newer.
   */
  version(collections: readonly string[]): Promise<string>;
  /** Position up to which every event is reflected in the documents, or null when nothing was projected yet. */
  checkpoint(): Promise<Position | null>;
}
