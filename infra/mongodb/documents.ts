import type { Collection, Filter, Sort as MongoSort, UpdateFilter, WithId } from 'mongodb';
import type { Json, JsonObject } from '../../src/kernel/json.ts';
import {
  CREATED,
  type Collection as DeclaredCollection,
  type Document,
  type Range,
  type Scalar,
  type Sort,
  type Where,
} from '../../src/kernel/ports/read-store.ts';
import { isPrefixes, isRange, listOf } from '../../src/kernel/where.ts';

/**
 * A field's value in the database. Arrays and objects are JSON text: their keys are arbitrary, and dots and dollars in
 * keys have a special meaning in MongoDB (FerretDB refuses them, and arrays in arrays). Lists whose items are indexed
 * are there a second time, as arrays in a field of the index's name.
 */
export type StoredValue = Scalar | { readonly json: string } | readonly Scalar[];

/** A document in the database; its `_id` is the id. */
export interface StoredDocument {
  readonly _id: string;
  readonly [field: string]: StoredValue;
}

export type Documents = Collection<StoredDocument>;

/** The lists whose items are indexed in a collection. */
export function indexedListsOf({ indexes, columns = [] }: DeclaredCollection): ReadonlySet<string> {
  return new Set([...indexes.flat(), ...columns].flatMap((field) => listOf(field) ?? []));
}

export function toStored({ id, ...fields }: Document, lists: ReadonlySet<string>): StoredDocument {
  return { ...Object.fromEntries(valuesOf(fields, lists)), _id: id };
}

export function fromStored({ _id, ...fields }: WithId<StoredDocument> | StoredDocument): Document {
  // Only documents were stored.
  return {
    id: _id,
    ...Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => listOf(name) === null)
        .map(([name, value]) => [name, jsonOf(value)]),
    ),
  } as Document;
}

/** An update of some fields and of position and revision; a field that is undefined is removed. */
export function updateOf(
  fields: JsonObject,
  bookkeeping: Readonly<Record<string, number>>,
  lists: ReadonlySet<string>,
): UpdateFilter<StoredDocument> {
  const { id: _, [CREATED]: __, ...own } = fields;
  const gone = Object.keys(own)
    .filter((name) => own[name] === undefined && !(name in bookkeeping))
    .flatMap((name) => (lists.has(name) ? [name, itemsOf(name)] : [name]));
  const $set = { ...Object.fromEntries(valuesOf(own, lists)), ...bookkeeping };
  if (gone.length === 0) return { $set };
  return { $set, $unset: Object.fromEntries(gone.map((name) => [name, ''] as const)) };
}

/** A filter by a condition on each field; null also matches a missing field, and a range only values of its type. */
export function filterOf(where: Where): Filter<StoredDocument> {
  const plain: [name: string, condition: Scalar | ReturnType<typeof boundsOf>][] = [];
  const prefixes: Filter<StoredDocument>[] = [];
  for (const [field, condition] of Object.entries(where)) {
    const name = nameOf(field);
    if (isPrefixes(condition)) {
      for (const prefix of condition.prefixes) prefixes.push({ [name]: { $regex: beginningWith(prefix) } });
    } else {
      plain.push([name, isRange(condition) ? boundsOf(condition) : condition]);
    }
  }
  const filter: Filter<StoredDocument> = Object.fromEntries(plain);
  return prefixes.length === 0 ? filter : { ...filter, $and: prefixes };
}

/** Characters that mean something else in a pattern. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/g;

/**
 * The pattern of texts that begin with a prefix: MongoDB finds those in an index. FerretDB takes the two ends of a range
 * under `$elemMatch` to be about different items.
 */
function beginningWith(prefix: string): string {
  return `^${prefix.replaceAll(SPECIAL, (character) => `\\${character}`)}`;
}

function boundsOf({ from, to }: Range) {
  const bounds: { $gte?: string | number; $lt?: string | number } = {};
  if (from !== undefined) bounds.$gte = from;
  if (to !== undefined) bounds.$lt = to;
  return bounds;
}

/** A sort by the field, then in the order of creation, all in the same direction. */
export function sortOf({ field, direction }: Sort): MongoSort {
  const order = direction === 'asc' ? 1 : -1;
  return Object.fromEntries(orderedBy([field]).map((name) => [name, order] as const));
}

/** The database fields that documents are ordered by: these fields, then the order of creation. */
export function orderedBy(fields: readonly string[]): readonly string[] {
  const names = [...new Set([...fields.map(nameOf), CREATED, '_id'])];
  return names.slice(0, names.indexOf('_id') + 1);
}

/** The name of a document's field in the database. */
function nameOf(field: string): string {
  return field === 'id' ? '_id' : field;
}

/** The value of a document's field in the database. */
export function valueOf(value: Json): StoredValue {
  return value !== null && typeof value === 'object' ? { json: JSON.stringify(value) } : value;
}

function valuesOf(fields: JsonObject, lists: ReadonlySet<string>): [string, StoredValue][] {
  return Object.entries(fields).flatMap(([name, value]): [string, StoredValue][] => {
    if (value === undefined) return [];
    const stored: [string, StoredValue] = [name, valueOf(value)];
    return lists.has(name) ? [stored, [itemsOf(name), scalarsIn(value)]] : [stored];
  });
}

function itemsOf(list: string): string {
  return `${list}[]`;
}

function scalarsIn(value: Json): readonly Scalar[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item: Json): item is Scalar => item === null || typeof item !== 'object');
}

function jsonOf(value: StoredValue | undefined): Json {
  // JSON text written by `valueOf`.
  if (value !== null && typeof value === 'object' && 'json' in value) return JSON.parse(value.json) as Json;
  return Array.isArray(value) ? value.map(jsonOf) : (value ?? null);
}
