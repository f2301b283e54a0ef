import type { Database, RootDatabase, RootDatabaseOptions } from 'lmdb';
import { Packr } from 'msgpackr';
import type { Document, Index } from '../../src/kernel/ports/read-store.ts';
import { idKey, indexKey, sequenceOf } from './keys.ts';

/** Entries are keys alone: fields, id, sequence number. They are written as bytes and read as the sequence number. */
type Entries = Database<Buffer, Uint8Array | number>;

/** A declared index: every document has one entry in it. */
export interface LmdbIndex {
  readonly fields: Index;
  readonly entries: Entries;
}

/** Part of an index, in order: entries from `start` on and before `end`, both turned round when `reverse`. */
export interface IndexRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly reverse?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

const EMPTY = Buffer.alloc(0);
/** Value of an id: its document's sequence number. lmdb copies it at once, so one buffer serves all. */
const sequenceBytes = Buffer.alloc(4);

const ID_OPTIONS: RootDatabaseOptions = { keyEncoder: { writeKey, readKey: copyOf }, encoding: 'binary' };
const INDEX_OPTIONS: RootDatabaseOptions = { keyEncoder: { writeKey, readKey: sequenceOf }, encoding: 'binary' };

function copyOf(source: Buffer, start: number, end: number): Buffer {
  return Buffer.from(source.subarray(start, end));
}

function writeKey(key: Uint8Array, target: Uint8Array, at: number): number {
  target.set(key, at);
  return at + key.length;
}

/**
 * One collection: its documents by sequence number (1, 2, 3, …: they are never deleted), the sequence numbers by id,
 * and the indexes. All writes happen inside a transaction of the caller's.
 */
export class LmdbCollection {
  readonly name: string;
  readonly indexes: LmdbIndex[] = [];
  readonly #root: RootDatabase;
  readonly #prefix: string;
  readonly #codec: DocumentCodec;
  readonly #documents: Database<Document, number>;
  /** Sequence numbers by id, in order of id. */
  readonly #ids: Database<Buffer, Uint8Array>;
  /** Last sequence number in the running write transaction, once it is known. */
  #last: number | null = null;

  /** @param prefix starts the names of the collection's databases. */
  constructor(root: RootDatabase, name: string, { prefix, shapes }: { prefix: string; shapes: ShapeStore }) {
    this.name = name;
    this.#root = root;
    this.#prefix = prefix;
    this.#codec = documentCodec(shapes);
    const options: RootDatabaseOptions = { keyEncoding: 'uint32', encoder: this.#codec };
    this.#documents = root.openDB(`${prefix}/documents`, options);
    this.#ids = root.openDB(`${prefix}/ids`, ID_OPTIONS);
  }

  /** Opens an index, creating an empty one when it is missing. */
  openIndex(fields: Index): LmdbIndex {
    const known = this.indexes.find((index) => sameFields(index.fields, fields));
    if (known !== undefined) return known;
    const name = `${this.#prefix}/index/${JSON.stringify(fields)}`;
    const index = { fields, entries: this.#root.openDB<Buffer, Uint8Array | number>(name, INDEX_OPTIONS) };
    this.indexes.push(index);
    return index;
  }

  /** Gives every document its entry in an index. */
  fill({ fields, entries }: LmdbIndex): void {
    for (const { key, value } of this.#documents.getRange({ start: 1 })) {
      entries.putSync(indexKey(fields, value, key), EMPTY);
    }
  }

  /** Deletes every document. The emptied databases stay: another process may hold them open. */
  clear(): void {
    this.#documents.clearSync();
    this.#ids.clearSync();
    for (const { entries } of this.indexes) entries.clearSync();
  }

  /** To be called when a write transaction starts: other processes may have written since the last one. */
  onTransactionStart(): void {
    this.#last = null;
  }

  /** To be called when a write transaction has failed. */
  onTransactionFailed(): void {
    this.#codec.reset();
  }

  /** The number of documents, which is the last sequence number. */
  count(): number {
    for (const key of this.#documents.getKeys({ reverse: true, end: 0, limit: 1 })) return key;
    return 0;
  }

  sequenceOf(id: string): number | null {
    const bytes = this.#ids.getBinaryFast(idKey(id));
    return bytes === undefined ? null : bytes.readUInt32BE(0);
  }

  get(id: string): Document | null {
    const sequence = this.sequenceOf(id);
    return sequence === null ? null : this.at(sequence);
  }

  at(sequence: number): Document | null {
    return this.#documents.get(sequence) ?? null;
  }

  /** Up to `limit` documents that follow a sequence number (0: from the start), in order of it. */
  after(sequence: number, limit: number): { readonly sequence: number; readonly document: Document }[] {
    const range = this.#documents.getRange({ start: sequence + 1, limit });
    return [...range.map(({ key, value }) => ({ sequence: key, document: value }))];
  }

  /** Walks all documents in order of id. */
  byId(range: IndexRange): number[] {
    return [...this.#ids.getRange(range).map(({ value }) => value.readUInt32BE(0))];
  }

  /** Adds a document whose id is new. */
  insert(document: Document): void {
    const key = idKey(document.id);
    const sequence = (this.#last ?? this.count()) + 1;
    this.#last = sequence;
    sequenceBytes.writeUInt32BE(sequence);
    this.#ids.putSync(key, sequenceBytes);
    this.#documents.putSync(sequence, document);
    for (const { fields, entries } of this.indexes) entries.putSync(indexKey(fields, document, sequence), EMPTY);
  }

  /** Replaces a document and moves its entries in the indexes that have a field of it which changed. */
  replace(sequence: number, old: Document, document: Document): void {
    this.#documents.putSync(sequence, document);
    for (const { fields, entries } of this.indexes) {
      if (fields.every((field) => old[field] === document[field])) continue;
      const before = Buffer.from(indexKey(fields, old, sequence));
      const after = indexKey(fields, document, sequence);
      if (after.equals(before)) continue;
      entries.putSync(after, EMPTY);
      entries.removeSync(before);
    }
  }
}

export function sameFields(a: Index, b: Index): boolean {
  return a.length === b.length && a.every((field, place) => field === b[place]);
}

/** The sets of field names that a collection's documents have had, each named by its place in the list. */
export type Shapes = readonly (readonly string[])[];

/** How msgpackr hands over its shapes: with the question whether those in the store are the ones it built upon. */
type MutableShapes = string[][] & { isCompatible?: (existing: Shapes) => boolean };

/** Where a collection's shapes are kept. Both are called inside the transaction that reads or writes the document. */
export interface ShapeStore {
  load(): Shapes | null;
  save(shapes: Shapes): void;
}

/** What lmdb wants of an `encoder`. */
export interface DocumentCodec {
  /** Tells lmdb that it may have the buffer of the previous document reused. */
  readonly copyBuffers: true;
  encode(document: Document, mode?: number): Buffer;
  decode(bytes: Buffer): Document;
  /** Forgets what is known about shapes: after a transaction that failed, they were not saved. */
  reset(): void;
}

/**
 * Documents as msgpack; field names are written once per collection and shape. Only whole documents have shapes:
 * JSON-valued fields have keys that users choose, so they are written as plain maps, or the list would grow without
 * bound. (msgpackr shares 32 shapes at most; documents of further ones carry their names with them.)
 */
export function documentCodec(store: ShapeStore): DocumentCodec {
  let whole: Document | null = null;
  const isWhole = (value: object): boolean => value === whole;
  let packr = sharingPackr(store, isWhole);
  return {
    copyBuffers: true,
    encode: (document, mode) => {
      whole = document;
      return packr.encode(document, mode);
    },
    // What was encoded above was a document.
    decode: (bytes) => packr.decode(bytes) as Document,
    reset: () => {
      packr = sharingPackr(store, isWhole);
    },
  };
}

function sharingPackr(store: ShapeStore, isWhole: (value: object) => boolean): Packr {
  return new Packr({
    useRecords: isWhole,
    useToJSON: false,
    variableMapSize: true,
    mapsAsObjects: true,
    // msgpackr keeps notes in the arrays, so they are its own.
    getStructures: () => (store.load() ?? []).map((fields) => [...fields]),
    // Another process may have added shapes since: false makes msgpackr load them and encode again.
    saveStructures: (shapes: MutableShapes) => {
      if (shapes.isCompatible?.(store.load() ?? []) === false) return false;
      store.save(shapes);
      return true;
    },
  });
}
