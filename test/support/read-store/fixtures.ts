import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/kernel/json.ts';
import type {
  Change,
  Collection,
  Document,
  FindOptions,
  ReadModels,
  ReadStore,
  Sort,
  StreamOptions,
} from '../../../src/kernel/ports/read-store.ts';

/** What a law is checked against: an open store, and how to open the same one again. */
export interface LawContext {
  readonly store: ReadStore;
  readonly open: () => Promise<ReadStore>;
  /** Documents of laws that need many. */
  readonly many: number;
}

export type Law = (context: LawContext) => Promise<void>;

/** A collection with an index on each field that laws sort by, two compound ones, and one of the items of a list. */
export const THINGS: Collection = {
  name: 'things',
  indexes: [['value'], ['group', 'value'], ['group'], ['enabled', 'group', 'value'], ['tags[]', 'value']],
};

/** The same without any index. */
export const PLAIN: Collection = { name: 'plain', indexes: [] };

/** The same with columns, and an index that has the order of one of them. */
export const COLUMNED: Collection = {
  name: 'columned',
  indexes: [['value']],
  columns: ['value', 'group', 'enabled', 'moment', 'far', 'tags[]'],
};

/** The names of these. */
export const COLLECTIONS: readonly string[] = [THINGS, PLAIN, COLUMNED].map(({ name }) => name);

/** Keys and values that JSON allows and stores are tempted to mangle. */
export const AWKWARD: JsonObject = {
  constructor: 'x',
  toString: null,
  toJSON: 'y',
  hasOwnProperty: 1,
  $set: { $inc: 1 },
  'a.b': { 'c.d': [] },
  '': { '': '' },
  text: 'a\u0000💡',
  '💡': '💡 é \u0000 \uffff',
  0: 'zero',
  length: 3,
  nested: [[], [{}], [null, true]],
  numbers: [-1.5, 1e300, 5e-324, 2 ** 53 - 1, -(2 ** 53) + 1, 4294967296, -2147483649, 1e21, 0.1],
  id: 'inner',
  _id: 'inner',
  _position: 'inner',
  long: 'é'.repeat(40_000),
  then: 'no promise',
  get: {},
  valueOf: [],
};

/** A new, empty namespace. */
export function fresh(
  store: ReadStore,
  collections: readonly Collection[] = [THINGS, PLAIN, COLUMNED],
): Promise<ReadModels> {
  return store.namespace(`law-${randomUUID()}`, collections);
}

/** A document created at position 1, revision 0, unless the fields say otherwise. */
export function thing(id: string, fields: JsonObject = {}): Document {
  return { _created: 1, _position: 1, _revision: 0, ...fields, id };
}

export function insert(document: Document, collection = THINGS.name): Change {
  return { kind: 'insert', collection, document };
}

/** Inserts documents into each of some collections, at checkpoint 1. */
export function fill(
  models: ReadModels,
  documents: readonly Document[],
  collections: readonly string[] = [THINGS.name],
): Promise<void> {
  return models.apply(
    documents.flatMap((document) => collections.map((collection) => insert(document, collection))),
    1,
  );
}

export function set(id: string, fields: JsonObject, position: number): Change {
  return { kind: 'set', collection: THINGS.name, id, fields, position };
}

export function unset(id: string, fields: string[], position: number): Change {
  return { kind: 'unset', collection: THINGS.name, id, fields, position };
}

export function setGroup(value: string, fields: JsonObject, position: number): Change {
  return { kind: 'setWhere', collection: THINGS.name, field: 'group', value, fields, position };
}

/** Ascending order of a field. */
export function by(field: string): Sort {
  return { field, direction: 'asc' };
}

/** All documents that match, by pages of seven, so that paging is tested along. */
export async function pages(
  models: ReadModels,
  collection: string,
  query: Pick<FindOptions, 'where' | 'sort'>,
): Promise<Document[]> {
  const found: Document[] = [];
  for (;;) {
    const next: FindOptions = { ...query, offset: found.length, limit: 7 };
    const page = await models.find(collection, next);
    found.push(...page);
    if (page.length < 7) return found;
  }
}

/** All documents of a stream. */
export async function streamed(models: ReadModels, collection: string, query: StreamOptions): Promise<Document[]> {
  const found: Document[] = [];
  for await (const batch of models.stream(collection, query)) found.push(...batch);
  return found;
}

export function idsOf(documents: readonly Document[]): string[] {
  return documents.map(({ id }) => id);
}
