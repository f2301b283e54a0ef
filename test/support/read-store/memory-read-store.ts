import { randomUUID } from 'node:crypto';
import type { Position } from '../../../src/kernel/ports/event-store.ts';
import { DocumentTooLarge, OverBudget } from '../../../src/kernel/ports/errors.ts';
import { roughBytesOf, type JsonObject } from '../../../src/kernel/json.ts';
import { foundParts, hasPage, isFound } from '../../../src/kernel/index-planner.ts';
import {
  MAX_DOCUMENTS_BYTES,
  type Change,
  type Collection,
  type Condition,
  type Document,
  type FindOptions,
  type Prefixes,
  type ReadModels,
  type ReadStore,
  type Register,
  type Sort,
  type Where,
} from '../../../src/kernel/ports/read-store.ts';

/** Documents per batch of a stream. */
const BATCH = 100;
/** Largest document, in bytes of JSON. */
const MAX_STORED_BYTES = 16 * 1024 * 1024;

/**
 * The whole port in memory, small and obviously correct: the model that adapters are compared with, and a fast store for
 * tests.
 */
export function memoryReadStore(): ReadStore {
  const namespaces = new Map<string, ReadModels>();
  const declarations = new Map<string, Collection[]>();
  const registers = new Map<string, Register>();
  return {
    namespace: async (name, collections) => {
      const declared = declarations.get(name) ?? [];
      declarations.set(name, declared);
      declared.unshift(...collections);
      const models = namespaces.get(name) ?? memoryReadModels(declared);
      namespaces.set(name, models);
      for (const { name: collection } of collections) await models.count(collection, {});
      return models;
    },
    drop: async (name) => {
      namespaces.delete(name);
    },
    readRegister: async (name) => registers.get(name) ?? null,
    space: () => Promise.resolve(null),
    writeRegister: async (name, value, expected) => {
      if ((registers.get(name)?.version ?? 0) !== expected) return false;
      registers.set(name, { version: expected + 1, value: structuredClone(value) });
      return true;
    },
    close: async () => undefined,
  };
}

/** One namespace in memory; a collection comes into being when it is first named. */
export function memoryReadModels(declared: readonly Collection[] = []): ReadModels {
  const collections = new Map<string, Map<string, Document>>();
  const versions = new Map<string, number>();
  const instance = randomUUID();
  let reached: Position | null = null;

  function documentsOf(collection: string): Map<string, Document> {
    const documents = collections.get(collection) ?? new Map<string, Document>();
    collections.set(collection, documents);
    return documents;
  }
  function matching(collection: string, where: Where): Document[] {
    return [...documentsOf(collection).values()].filter((document) => matches(document, where));
  }
  function requireFewer(collection: string, where: Where, budget = Infinity): void {
    const counts = foundParts(declaredOf(collection), where).map((part) => matching(collection, part).length);
    if (Math.min(...counts) > budget) throw new OverBudget(budget);
  }
  function declaredOf(name: string): Collection {
    return declared.find((collection) => collection.name === name) ?? { name, indexes: [] };
  }
  /** The matching documents, unless there are too many. */
  function within(collection: string, query: FindOptions): Document[] {
    if (!hasPage(declaredOf(collection), query)) requireFewer(collection, query.where, query.budget);
    return matching(collection, query.where);
  }
  return {
    get: async (collection, id) => structuredClone(documentsOf(collection).get(id) ?? null),
    find: async (collection, query) => {
      query.signal?.throwIfAborted();
      const found = page(within(collection, query), query);
      const { maxBytes = Infinity } = query;
      const bytes = found.reduce((sum, document) => sum + roughBytesOf(document), 0);
      if (bytes > maxBytes) throw new OverBudget(maxBytes, 'bytes');
      if (query.visits) query.visits.documents += found.length;
      // A change makes another object of a document.
      return query.isKept === true ? found : structuredClone(found);
    },
    count: async (collection, where, { budget } = {}) => {
      if (!isFound(declaredOf(collection), where)) requireFewer(collection, where, budget);
      return matching(collection, where).length;
    },
    async *stream(collection, { where, budget, signal, visits }) {
      requireFewer(collection, where, budget);
      const found = structuredClone(sorted(matching(collection, where), { field: 'id', direction: 'asc' }));
      for (let from = 0; from < found.length;) {
        signal?.throwIfAborted();
        const batch: Document[] = [];
        for (let bytes = 0; batch.length < BATCH && bytes < MAX_DOCUMENTS_BYTES;) {
          const document = found[from];
          if (document === undefined) break;
          from += 1;
          bytes += roughBytesOf(document);
          batch.push(document);
        }
        if (visits) visits.documents += batch.length;
        yield batch;
      }
    },
    apply: async (changes, checkpoint) => {
      for (const change of changes) {
        applyChange(documentsOf(change.collection), structuredClone(change));
        versions.set(change.collection, (versions.get(change.collection) ?? 0) + 1);
      }
      if (checkpoint !== null) reached = Math.max(reached ?? checkpoint, checkpoint);
    },
    version: async (names) => [instance, ...names.map((name) => versions.get(name) ?? 0)].join('.'),
    checkpoint: async () => reached,
  };
}

function applyChange(documents: Map<string, Document>, change: Change): void {
  if (change.kind === 'insert') {
    if (!documents.has(change.document.id)) documents.set(change.document.id, fitting(change.document, change));
    return;
  }
  const touched =
    change.kind === 'setWhere'
      ? [...documents.values()].filter((document) => matches(document, { [change.field]: change.value }))
      : [documents.get(change.id)].filter((document) => document !== undefined);
  for (const document of touched) {
    if (document._position < change.position) documents.set(document.id, fitting(changed(document, change), change));
  }
}

function fitting(document: Document, { collection }: Change): Document {
  if (Buffer.byteLength(JSON.stringify(document)) > MAX_STORED_BYTES) throw new DocumentTooLarge(collection);
  return document;
}

function changed(document: Document, change: Exclude<Change, { kind: 'insert' }>): Document {
  const { id, _created } = document;
  const _revision = ('revision' in change ? change.revision : undefined) ?? document._revision;
  const fields: JsonObject =
    change.kind === 'unset'
      ? Object.fromEntries(Object.entries(document).filter(([field]) => !change.fields.includes(field)))
      : { ...document, ...change.fields };
  return { ...fields, id, _created, _position: change.position, _revision };
}

/** Whether every condition holds; a missing field equals null, and `name[]` is each item of a list. */
export function matches(document: Document, where: Where): boolean {
  return Object.entries(where).every(([field, condition]) => {
    const list = /^(.*)\[\]$/.exec(field)?.[1];
    const values = list === undefined ? [document[field] ?? null] : [document[list] ?? []].flat();
    if (typeof condition === 'object' && condition !== null && 'prefixes' in condition)
      return condition.prefixes.every((prefix) => values.some((value) => begins(value, prefix)));
    return values.some((value) => meets(value, condition));
  });
}

function begins(value: unknown, prefix: string): boolean {
  return typeof value === 'string' && value.slice(0, prefix.length) === prefix;
}

function meets(value: unknown, condition: Exclude<Condition, Prefixes>): boolean {
  if (typeof condition !== 'object' || condition === null) return value === condition;
  const { from, to } = condition;
  if (typeof value !== typeof (from ?? to)) return false;
  return (from === undefined || compareValues(value, from) >= 0) && (to === undefined || compareValues(value, to) < 0);
}

/** The documents that a query selects, in its order. */
export function page(documents: readonly Document[], { sort, offset, limit }: Omit<FindOptions, 'where'>): Document[] {
  return sorted(documents, sort).slice(offset, offset + limit);
}

/**
 * Null first, then false, true, numbers, strings by code point, then arrays and objects as if equal; ties in the order
 * of creation, then by id; `desc` is the reverse.
 */
export function sorted(documents: readonly Document[], { field, direction }: Sort): Document[] {
  const ascending = documents.toSorted(
    (a, b) => compareValues(a[field], b[field]) || a._created - b._created || compareStrings(a.id, b.id),
  );
  return direction === 'asc' ? ascending : ascending.reverse();
}

/** The same order for two values. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return rank(a) - rank(b);
}

function rank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'boolean') return value ? 2 : 1;
  if (typeof value === 'number') return 3;
  return typeof value === 'string' ? 4 : 5;
}

/** UTF-8 bytes sort by code point, which UTF-16 units do not. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
