import type { JsonObject } from '../json.ts';
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

/** A document: bookkeeping fields and the fields of its read model. */
export type Document = DocumentMeta & JsonObject;

/** A value that a document can be found or sorted by. */
export type Scalar = null | boolean | number | string;

/**
 * Values from `from` (inclusive) to `to` (exclusive), of one type: numbers by size, strings by code point. An open
 * end includes all values of the type on that side; null and other types are in no range.
 */
export type Range =
  | { readonly from: number | string; readonly to?: number | string }
  | { readonly from?: number | string; readonly to: number | string };

/** A condition on the items of a list of texts: each of these texts is the beginning of an item. */
export interface Prefixes {
  readonly prefixes: readonly string[];
}

/** A condition on a field: it equals this value, or is in this range; or, on items of a list, has these prefixes. */
export type Condition = Scalar | Range | Prefixes;

/**
 * A filter: a condition on each named field; an empty object matches every document. `name[]` names the items of a
 * list: the list holds this value, or items with these prefixes. Such a field is the first one of an index, or a column,
 * and has no range; only a column finds prefixes.
 */
export type Where = { readonly [field: string]: Condition };

/** The field that orders documents by their creation. */
export const CREATED = '_created';

/** Order by one field; ties are in the order of creation. `desc` is the exact reverse of `asc`, ties included. */
export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Bounds on the cost of a query; without them, it may cost anything. */
export interface QueryBounds {
  /** Most documents that may be visited. */
  readonly budget?: number;
  /** When it aborts, nothing more is read: the call throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Counts the documents that are visited; those that a server visits only as far as it returns them. */
  readonly visits?: Visits;
}

/** A count of documents that were visited. */
export interface Visits {
  documents: number;
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
  /** Most bytes of the documents, as `roughBytesOf` counts them; unbounded by default. */
  readonly maxBytes?: number;
  /** Whether the page is requested again and again: a store may return the same objects while the documents are unchanged. */
  readonly isKept?: boolean;
}

/** Most bytes of a batch of `stream`, as `roughBytesOf` counts them, the last document not included. */
export const MAX_DOCUMENTS_BYTES = 1_048_576;

/** Options of a query for all that matches. */
export interface StreamOptions extends QueryBounds {
  readonly where: Where;
  /** Whether in order of id, by code point; by default in no particular order. */
  readonly isById?: boolean;
  /** Everybody waits for what is read, as laps wait for a projector: the store gives way to other work only briefly. */
  readonly isAwaitedByAll?: true;
}

/**
 * A change of one document, or of all documents with a field's value. All but `insert` touch only documents whose
 * `_position` is smaller than `position`, and move them to it; `revision` (given where the event is of the document's
 * own stream) becomes `_revision`.
 */
export type Change = { readonly collection: string } & (
  | { readonly kind: 'insert'; readonly document: Document }
  | ((Setting | Unsetting) & { readonly position: Position; readonly revision?: Revision | undefined })
  | (SettingAll & { readonly position: Position })
);

/** New values for some fields of one document. */
export type Setting = { readonly kind: 'set'; readonly id: string; readonly fields: JsonObject };
/** Fields that one document loses. */
export type Unsetting = { readonly kind: 'unset'; readonly id: string; readonly fields: readonly string[] };
/** New values for some fields of all documents with this value in a field. */
export type SettingAll = {
  readonly kind: 'setWhere';
  readonly field: string;
  readonly value: Scalar;
  readonly fields: JsonObject;
};

/**
 * An index: its fields in order, and then the order of creation. Ids are random: in their order, new entries would be
 * scattered among those that are equal, instead of following them. Where the first field stands for the items of a list, a
 * document is in it once for each different item.
 */
export type Index = readonly string[];

/** A collection with its indexes and columns, declared once by its projection. */
export interface Collection {
  readonly name: string;
  readonly indexes: readonly Index[];
  /**
   * Fields for filters and orders that no index has: any number of conditions on them is cheap, in any order by one. A
   * column of the items of a list (`name[]`) is for filters alone; its items are texts without line breaks.
   */
  readonly columns?: readonly string[];
}

/** A register: a small value shared by several processes. Each write names the version that it replaces. */
export interface Register {
  /** Counts the writes, from 1. */
  readonly version: number;
  readonly value: JsonObject;
}

/** Bytes of JSON that every store can hold in one document. MongoDB takes 16 MiB of its own format. */
export const MAX_DOCUMENT_BYTES = 12_000_000;

/** Bytes taken, and bytes free. */
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
  /** The bytes that a namespace takes, and the free bytes; null if the store does not know. */
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
   * A page costs what it holds where an index has its order (`isOrdered` of index-planner.ts), and little by columns;
   * else the fewest documents that are found by a part of the filter (`foundParts`). A page past the end is empty.
   * @throws {OverBudget} where that is too much
   */
  find(collection: string, query: FindOptions): Promise<readonly Document[]>;
  /** The number of documents that match. Where `isFound`, none is visited. @throws {OverBudget} */
  count(collection: string, where: Where, bounds?: QueryBounds): Promise<number>;
  /**
   * Every matching document once, in batches, with constant memory.
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
   * A version of the documents of some collections, as a text. It differs between namespaces, and once any document may
   * have changed. What is read after it is at least as new.
   */
  version(collections: readonly string[]): Promise<string>;
  /** Position up to which every event is reflected in the documents, or null when nothing was projected yet. */
  checkpoint(): Promise<Position | null>;
}
