import type { Database, RootDatabase, RootDatabaseOptions } from 'lmdb';
import { Packr } from 'msgpackr';
import { DocumentTooLarge } from '../../src/service/kernel/ports/errors.ts';
import { roughBytesOf } from '../../src/service/kernel/json.ts';
import { listOf, MAX_DOCUMENTS_BYTES, type Document, type Index } from '../../src/service/kernel/ports/read-store.ts';
import { IndexSamples } from './index-samples.ts';
import { Keys, sequenceOf, type IndexRange, type KeyFormat, type StoredDocument } from './keys.ts';

/** Entries of an index: keys without values (`Keys`), written as bytes, read as the sequence number. */
type Entries = Database<Buffer, Uint8Array | number>;

/** A declared index, with one entry per document, or one for each different item of a list. */
export interface LmdbIndex {
  readonly fields: Index;
  /** The fields of the document that the entries are made of. */
  readonly sources: Index;
  readonly isOfItems: boolean;
  readonly entries: Entries;
  readonly samples: IndexSamples;
}

const EMPTY = Buffer.alloc(0);
/** Buffer for the sequence number that belongs to an id. lmdb copies it at once, so one buffer serves all writes. */
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
 * A collection: its documents by sequence number (1, 2, 3, …: they are never deleted one by one), the sequence numbers by
 * id, and the indexes. All writes happen inside a transaction of the caller.
 */
export class LmdbCollection {
  readonly name: string;
  readonly indexes: LmdbIndex[] = [];
  readonly keys: Keys;
  readonly #root: RootDatabase;
  readonly #codec: ReturnType<typeof documentCodec>;
  readonly #documents: Database<Document, number>;
  /** Sequence numbers by id, in order of id. */
  readonly #ids: Database<Buffer, Uint8Array>;
  readonly #idSamples = new IndexSamples();
  readonly #version: () => number;
  /** The version of the documents that the samples of the indexes were made of. */
  #sampledVersion = 0;
  /** Last sequence number in the current write transaction; null until it is read. */
  #last: number | null = null;

  /** @param stored its shapes, the format of its keys, and the version of its documents: another one after each transaction */
  constructor(
    root: RootDatabase,
    name: string,
    stored: { readonly shapes: ShapeStore; readonly version: () => number; readonly format: KeyFormat },
  ) {
    const { shapes, version, format } = stored;
    this.name = name;
    this.keys = new Keys(format);
    this.#root = root;
    this.#version = version;
    this.#codec = documentCodec(shapes, name);
    const options: RootDatabaseOptions = { keyEncoding: 'uint32', encoder: this.#codec };
    this.#documents = root.openDB(`${name}/documents`, options);
    this.#ids = root.openDB(`${name}/ids`, ID_OPTIONS);
  }

  /** Opens an index, creating an empty one when it is missing. */
  openIndex(fields: Index): LmdbIndex {
    const known = this.indexes.find((index) => sameFields(index.fields, fields));
    if (known !== undefined) return known;
    const name = `${this.name}/index/${JSON.stringify(fields)}`;
    const entries = this.#root.openDB<Buffer, Uint8Array | number>(name, INDEX_OPTIONS);
    const sources = fields.map((field) => listOf(field) ?? field);
    const samples = new IndexSamples();
    const index = { fields, sources, isOfItems: !sameFields(fields, sources), entries, samples };
    this.indexes.push(index);
    return index;
  }

  /** Adds an entry for every document to a new index. */
  fill({ fields, entries }: LmdbIndex): void {
    for (const { key, value } of this.#documents.getRange({ start: 1 })) {
      const stored = { sequence: key, document: value };
      for (const entry of this.keys.all(fields, stored)) entries.putSync(entry, EMPTY);
    }
  }

  /** To be called when a write transaction starts: other processes may have written since the last one. */
  onTransactionStart(): void {
    this.#last = null;
    this.#dropOldSamples();
  }

  /** To be called at the end of a write transaction, with the new version stored. */
  onTransactionDone(): void {
    if (this.#hasSamples()) this.#sampledVersion = this.#version();
  }

  /** To be called when a write transaction has failed. */
  onTransactionFailed(): void {
    this.#codec.reset();
    this.#dropSamples();
  }

  /** The samples of an index, or of the ids, that fit what is stored: those from before others have written are dropped. */
  samplesOf(index?: LmdbIndex): IndexSamples {
    this.#dropOldSamples();
    if (!this.#hasSamples()) this.#sampledVersion = this.#version();
    return index?.samples ?? this.#idSamples;
  }

  #dropOldSamples(): void {
    if (this.#hasSamples() && this.#sampledVersion !== this.#version()) this.#dropSamples();
  }

  #hasSamples(): boolean {
    return !this.#idSamples.isEmpty || this.indexes.some(({ samples }) => !samples.isEmpty);
  }

  #dropSamples(): void {
    this.#idSamples.clear();
    for (const { samples } of this.indexes) samples.clear();
  }

  /** The number of documents, which is the last sequence number. */
  count(): number {
    for (const key of this.#documents.getKeys({ reverse: true, end: 0, limit: 1 })) return key;
    return 0;
  }

  sequenceOf(id: string): number | null {
    const bytes = this.#ids.getBinaryFast(this.keys.id(id));
    return bytes === undefined ? null : bytes.readUInt32BE(0);
  }

  get(id: string): Document | null {
    const sequence = this.sequenceOf(id);
    return sequence === null ? null : this.at(sequence);
  }

  /** The document with a sequence number. */
  at(sequence: number): Document | null {
    return this.#documents.get(sequence) ?? null;
  }

  /** Up to `limit` documents that follow a sequence number (0: from the start), in order of it. */
  after(sequence: number, limit: number): StoredDocument[] {
    const found: StoredDocument[] = [];
    let bytes = 0;
    for (const { key, value } of this.#documents.getRange({ start: sequence + 1, limit })) {
      found.push({ sequence: key, document: value });
      bytes += roughBytesOf(value);
      if (bytes >= MAX_DOCUMENTS_BYTES) break;
    }
    return found;
  }

  /** Sequence numbers of the documents in a range of ids, in order of id. */
  byId(range: IndexRange): number[] {
    return [...this.#ids.getRange(range).map(({ value }) => value.readUInt32BE(0))];
  }

  /** Adds a document whose id is new; of those with the same `_created`, the ones with smaller ids have to come first. */
  insert(document: Document): void {
    const key = this.keys.id(document.id);
    const sequence = (this.#last ?? this.count()) + 1;
    this.#last = sequence;
    sequenceBytes.writeUInt32BE(sequence);
    this.#ids.putSync(key, sequenceBytes);
    this.#idSamples.count(key, 1);
    this.#documents.putSync(sequence, document);
    const stored = { sequence, document };
    for (const index of this.indexes) {
      if (!index.isOfItems) put(index, this.keys.one(index.fields, stored));
      else for (const entry of this.keys.all(index.fields, stored)) put(index, entry);
    }
  }

  /** Replaces a document, and its entries in the indexes over fields that changed. */
  replace(sequence: number, old: Document, document: Document): void {
    this.#documents.putSync(sequence, document);
    for (const index of this.indexes) {
      const { fields, sources } = index;
      if (sources.every((field) => old[field] === document[field])) continue;
      const before = this.keys.all(fields, { sequence, document: old });
      const after = this.keys.all(fields, { sequence, document });
      for (const entry of without(after, before)) put(index, entry);
      for (const entry of without(before, after)) remove(index, entry);
    }
  }
}

function put({ entries, samples }: LmdbIndex, entry: Buffer): void {
  entries.putSync(entry, EMPTY);
  samples.count(entry, 1);
}

function remove({ entries, samples }: LmdbIndex, entry: Buffer): void {
  entries.removeSync(entry);
  samples.count(entry, -1);
}

/** The entries that are not among others. */
function without(entries: readonly Buffer[], others: readonly Buffer[]): readonly Buffer[] {
  const known = new Set(others.map((other) => other.toString('latin1')));
  return entries.filter((entry) => !known.has(entry.toString('latin1')));
}

export function sameFields(a: Index, b: Index): boolean {
  return a.length === b.length && a.every((field, index) => field === b[index]);
}

/** Largest document as it is stored, in bytes: that of MongoDB. */
const MAX_STORED_BYTES = 16 * 1024 * 1024;

/** The lists of field names that the documents of a collection have; a stored document refers to one by its index. */
export type Shapes = readonly (readonly string[])[];

/** Shapes as msgpackr passes them; `isCompatible` tells whether they extend the given ones. */
type MutableShapes = string[][] & { isCompatible?: (existing: Shapes) => boolean };

/** Loads and saves a collection's shapes, inside the transaction that reads or writes the document. */
interface ShapeStore {
  load(): Shapes | null;
  save(shapes: Shapes): void;
}

/**
 * Creates a codec of documents, an `encoder` of lmdb: msgpack, with field names stored once per collection and shape.
 * Only whole documents have shapes: JSON-valued fields have keys that users choose, so they are written as plain maps,
 * or the list would grow without bound. (msgpackr shares at most 32 shapes; documents of further ones contain their
 * field names.)
 */
function documentCodec(store: ShapeStore, collection: string) {
  let whole: Document | null = null;
  const isWhole = (value: object): boolean => value === whole;
  let packr = sharingPackr(store, isWhole);
  return {
    /** Tells lmdb to copy buffers, as they are reused for the next document. */
    copyBuffers: true,
    encode: (document: Document, mode?: number): Buffer => {
      whole = document;
      const bytes = packr.encode(document, mode);
      if (lengthOf(bytes) > MAX_STORED_BYTES) throw new DocumentTooLarge(collection);
      return bytes;
    },
    // Only documents were encoded.
    decode: (bytes: Buffer) => packr.decode(bytes) as Document,
    /** Forgets the cached shapes: those of a failed transaction were not saved. */
    reset: (): void => {
      packr = sharingPackr(store, isWhole);
    },
  };
}

/** Length of what was encoded: for lmdb it is a part of a buffer that is used again. */
function lengthOf({ length, start = 0, end = length }: Buffer & { readonly start?: number; readonly end?: number }) {
  return end - start;
}

function sharingPackr(store: ShapeStore, isWhole: (value: object) => boolean): Packr {
  return new Packr({
    useRecords: isWhole,
    useToJSON: false,
    variableMapSize: true,
    mapsAsObjects: true,
    // Copies, since msgpackr adds properties to the arrays.
    getStructures: () => (store.load() ?? []).map((fields) => [...fields]),
    // Another process may have added shapes: `false` makes msgpackr load them and encode again.
    saveStructures: (shapes: MutableShapes) => {
      if (shapes.isCompatible?.(store.load() ?? []) === false) return false;
      store.save(shapes);
      return true;
    },
  });
}
