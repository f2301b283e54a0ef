import type { Collection, Filter, Sort as MongoSort, UpdateFilter, WithId } from 'mongodb';
import type { Json, JsonObject } from '../../src/kernel/json.ts';
import type { Document, Scalar, Sort, Where } from '../../src/kernel/ports/read-store.ts';

/**
 * A field's value in the database. Arrays and objects, which are never queried, are JSON text: their keys are arbitrary,
 * and dots and dollars in keys have a special meaning in MongoDB (FerretDB refuses them, and arrays in arrays).
 */
export type StoredValue = Scalar | { readonly json: string };

/** A document in the database; its `_id` is the id. */
export interface StoredDocument {
  readonly _id: string;
  readonly [field: string]: StoredValue;
}

export type Documents = Collection<StoredDocument>;

export function toStored({ id, ...fields }: Document): StoredDocument {
  return { ...Object.fromEntries(valuesOf(fields)), _id: id };
}

export function fromStored({ _id, ...fields }: WithId<StoredDocument> | StoredDocument): Document {
  // Only documents were stored.
  return {
    id: _id,
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, jsonOf(value)])),
  } as Document;
}

/** An update of some fields and of position and revision; a field that is undefined is removed. */
export function updateOf(
  fields: JsonObject,
  bookkeeping: Readonly<Record<string, number>>,
): UpdateFilter<StoredDocument> {
  const gone = Object.keys(fields).filter(
    (name) => name !== 'id' && fields[name] === undefined && !(name in bookkeeping),
  );
  const $set = { ...Object.fromEntries(valuesOf(fields).filter(([name]) => name !== 'id')), ...bookkeeping };
  if (gone.length === 0) return { $set };
  return { $set, $unset: Object.fromEntries(gone.map((name) => [name, ''] as const)) };
}

/** A filter by equality on each field; null also matches a missing field. */
export function filterOf(where: Where): Filter<StoredDocument> {
  return Object.fromEntries(Object.entries(where).map(([field, value]) => [nameOf(field), value]));
}

/** A sort by the field, then by id, both in the same direction. */
export function sortOf({ field, direction }: Sort): MongoSort {
  const order = direction === 'asc' ? 1 : -1;
  return { [nameOf(field)]: order, _id: order };
}

/** The name of a document's field in the database. */
export function nameOf(field: string): string {
  return field === 'id' ? '_id' : field;
}

/** The value of a document's field in the database. */
export function valueOf(value: Json): StoredValue {
  return value !== null && typeof value === 'object' ? { json: JSON.stringify(value) } : value;
}

function valuesOf(fields: JsonObject): [string, StoredValue][] {
  return Object.entries(fields).flatMap(([name, value]): [string, StoredValue][] =>
    value === undefined ? [] : [[name, valueOf(value)]],
  );
}

function jsonOf(value: StoredValue): Json {
  // JSON text written by `valueOf`.
  return value !== null && typeof value === 'object' ? (JSON.parse(value.json) as Json) : value;
}
