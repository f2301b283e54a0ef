import { Packr } from 'msgpackr';
import type { Database, RangeOptions, RootDatabaseOptions } from 'lmdb';
import { DocumentTooLarge, OverBudget } from '../../src/kernel/ports/errors.ts';
import { roughBytesOf } from '../../src/kernel/json.ts';
import { applyChange } from '../../src/kernel/projection/unit-of-work.ts';
import { type Change, type Document, type FindOptions, type Index } from '../../src/kernel/ports/read-store.ts';
import { inCreationOrder, listOf } from '../../src/kernel/where.ts';
import { Columns } from './columns.ts';
import type { LockedEnvironment } from './environment.ts';
import { CollectionCache } from './collection-cache.ts';
import { entriesOf, idKeyOf, keyOf, sequenceOf } from './keys.ts';
import type { ChangedDocument, StoredDocument } from './keys.ts';

/** Entries of an index: keys without values (`keyOf`), written as bytes, read as the sequence number. */
type Entries = Database<Buffer, Uint8Array | number>;

/** A declared index, with one entry per document, or one for each different item of a list. */
export interface LmdbIndex {
  readonly name: string;
  readonly fields: Index;
  /** The fields of the document that the entries are made of. */
  readonly sources: Index;
  readonly isOfItems: boolean;
  readonly entries: Entries;
}

type FanOut = Extract<Change, { kind: 'setWhere' }>;

/** The fields that each change sets, whatever it is of. */
const OWN_OF_CHANGE: Readonly<Partial<Document>> = { _position: 0, _revision: 0 };

/** A document before and after the changes of a transaction; null: it does not exist. */
interface PendingDocument {
  readonly sequence: number | null;
  readonly old: Document | null;
  next: Document | null;
}

/** Parts of a namespace that a collection uses. */
interface StoredCollection {
  readonly env: Pick<LockedEnvironment, 'root' | 'reading'>;
  readonly shapes: ShapeStore;
  readonly version: () => number;
}

const EMPTY = Buffer.alloc(0);
/** Documents that one transaction adds to a new index: a transaction blocks the event loop. */
const FILLED_AT_ONCE = 500;
/** Documents after which a process forgets what it has written, and the largest of them, in bytes as it is stored. */
const MAX_WRITTEN = 2_000;
const MAX_WRITTEN_BYTES = 4_096;
/** Buffer for the sequence number that belongs to an id. lmdb copies it at once, so one buffer serves all writes. */
const sequenceBytes = Buffer.alloc(4);

const ID_OPTIONS: RootDatabaseOptions = { keyEncoding: 'binary', encoding: 'binary' };
const INDEX_OPTIONS: RootDatabaseOptions = { keyEncoder: { writeKey, readKey: sequenceOf }, encoding: 'binary' };

function writeKey(key: Uint8Array, target: Uint8Array, at: number): number {
  target.set(key, at);
  return at + key.length;
}

/**
 * A collection: its documents by sequence number (1, 2, 3, …: they are never deleted one by one), the sequence numbers
 * by id, and the indexes. All writes happen inside a transaction of the caller.
 */
export class LmdbCollection {
  readonly name: string;
  readonly indexes: LmdbIndex[] = [];
  /** Null: it has none. */
  columns: Columns | null = null;
  readonly #stored: StoredCollection;
  readonly #codec: ReturnType<typeof documentCodec>;
  readonly #documents: Database<Document, number>;
  /** Sequence numbers in order of id. */
  readonly #ids: Database<Buffer, Uint8Array>;
  /** Null until something was requested that is to be cached. */
  #cache: CollectionCache | null = null;
  /** Documents changed in the current write transaction that columns have not yet taken. */
  #changed: ChangedDocument[] = [];
  /** The version that the current write transaction gives the documents; null outside of one. */
  next: number | null = null;
  /** Documents that this process has written, by id, and the version since. Void once another process has written. */
  readonly #written = new Map<string, StoredDocument>();
  #writtenAt = -1;
  /** Documents changed in the current write transaction: each is written once, however many changes it has. */
  readonly #pending = new Map<string, PendingDocument>();

  /** @param stored its shapes, and the version of its documents, which each transaction changes */
  constructor(name: string, stored: StoredCollection) {
    const { env, shapes } = stored;
    this.name = name;
    this.#stored = stored;
    this.#codec = documentCodec(shapes, name);
    const options: RootDatabaseOptions = { keyEncoding: 'uint32', encoder: this.#codec };
    this.#documents = env.root.openDB(`${name}/documents`, options);
    this.#ids = env.root.openDB(`${name}/ids`, ID_OPTIONS);
  }

  /** Runs reads of an iterator that spans several turns of the event loop. */
  get reading(): LockedEnvironment['reading'] {
    return this.#stored.env.reading;
  }

  /** The version of the documents. */
  get version(): number {
    return this.next ?? this.#stored.version();
  }

  /** Opens an index, creating an empty one when it is missing. */
  openIndex(fields: Index): LmdbIndex {
    const name = `${this.name}/index/${JSON.stringify(fields)}`;
    const known = this.indexes.find((index) => index.name === name);
    if (known !== undefined) return known;
    const sources = fields.map((field) => listOf(field) ?? field);
    const isOfItems = fields.some((field) => !sources.includes(field));
    const entries = this.#stored.env.root.openDB<Buffer, number>(name, INDEX_OPTIONS);
    const index = { name, fields, sources, isOfItems, entries };
    this.indexes.push(index);
    return index;
  }

  /**
   * Adds entries of some documents, from a sequence number on, to a new index; returns where to go on, or null after the
   * last. An earlier attempt may have left entries, of documents that were changed since.
   */
  fill({ fields, entries }: LmdbIndex, start: number): number | null {
    if (start === 1) entries.clearSync();
    const end = start + FILLED_AT_ONCE;
    for (const { key, value } of this.#documents.getRange({ start, end })) {
      const stored = { sequence: key, document: value };
      for (const entry of entriesOf(fields, stored)) entries.putSync(entry, EMPTY);
    }
    return end <= this.count() ? end : null;
  }

  openColumn(field: string): void {
    this.columns ??= new Columns(this.#stored.env.root, this);
    this.columns.open(field);
  }

  /** Call it when a transaction begins that changes the collection; it gives the documents this version. */
  begin(version: number): void {
    if (this.#writtenAt !== version - 1 || this.#written.size > MAX_WRITTEN) this.#written.clear();
    this.#cache?.begin(version);
    this.next = version;
    this.#writtenAt = version;
  }

  /** Call it when a transaction that changes the collection has failed. */
  onTransactionFailed(): void {
    this.next = null;
    this.#writtenAt = -1;
    this.#pending.clear();
    this.#changed = [];
    this.#cache?.onTransactionFailed();
    this.#codec.reset();
    this.columns?.clear();
  }

  /** The number of documents, which is the last sequence number. */
  count(): number {
    for (const key of this.#documents.getKeys({ reverse: true, end: 0, limit: 1 })) return key;
    return 0;
  }

  get(id: string): StoredDocument | null {
    const written = this.#written.get(id);
    if (written !== undefined && this.version === this.#writtenAt) return written;
    const sequence = this.#ids.getBinaryFast(idKeyOf(id))?.readUInt32BE(0);
    const document = sequence === undefined ? null : this.at(sequence);
    return sequence === undefined || document === null ? null : { sequence, document };
  }

  /** The document with a sequence number. */
  at(sequence: number): Document | null {
    return this.#documents.get(sequence) ?? null;
  }

  /** The documents with these sequence numbers. @throws {OverBudget} once they take more than `maxBytes`. */
  read(sequences: readonly number[], { maxBytes = Infinity, isKept = false }: Partial<FindOptions>): Document[] {
    const found: Document[] = [];
    let bytes = 0;
    if (isKept) this.cache.sync();
    for (const sequence of sequences) {
      const document = isKept ? this.cache.at(sequence) : this.#documents.get(sequence);
      if (document === undefined) continue;
      found.push(document);
      if (maxBytes < Infinity) bytes += roughBytesOf(document);
      if (bytes > maxBytes) throw new OverBudget(maxBytes, 'bytes');
    }
    return found;
  }

  /** Cache of documents and pages that are requested again and again. */
  get cache(): CollectionCache {
    return (this.#cache ??= new CollectionCache(this, this.#documents, this.#codec.decode));
  }

  /** Sequence numbers of the documents in a range of ids, in order of id. */
  byId(range: RangeOptions): Iterable<number> {
    return this.#ids.getRange(range).map(({ value }) => value.readUInt32BE(0));
  }

  /** Changes one document; `writePending` writes it. */
  change(change: Exclude<Change, { kind: 'setWhere' }>): void {
    const id = change.kind === 'insert' ? change.document.id : change.id;
    let pending = this.#pending.get(id);
    if (pending === undefined) {
      const { sequence = null, document: old = null } = this.get(id) ?? {};
      this.#pending.set(id, (pending = { sequence, old, next: old }));
    }
    pending.next = applyChange(pending.next, change);
  }

  writePending(): void {
    const added: Document[] = [];
    for (const { sequence, old, next } of this.#pending.values()) {
      if (next === null || next === old) continue;
      if (sequence === null || old === null) added.push(next);
      else this.#replace({ sequence, document: next, old }, this.indexes);
    }
    this.#pending.clear();
    let sequence = added.length > 0 ? this.count() : 0;
    for (const document of added.sort(inCreationOrder)) this.#insert({ sequence: (sequence += 1), document });
    if (this.#changed.length > 0) this.columns?.change(this.#changed);
    this.#changed = [];
  }

  /** Changes the documents with these sequence numbers at once, each in the same fields. */
  changeAll(sequences: readonly number[], change: FanOut): void {
    const isTouched = (field: string): boolean => field in change.fields || field in OWN_OF_CHANGE;
    const touched = this.indexes.filter(({ sources }) => sources.some(isTouched));
    for (const sequence of sequences) {
      const old = this.at(sequence);
      if (old === null) continue;
      const document = applyChange(old, change);
      if (document !== old) this.#replace({ sequence, document, old }, touched);
    }
  }

  /** Adds a document whose id is new; of those with the same `_created`, the ones with smaller ids come first. */
  #insert(stored: StoredDocument): void {
    const { sequence, document } = stored;
    this.#cache?.changeEntries();
    const key = idKeyOf(document.id);
    sequenceBytes.writeUInt32BE(sequence);
    this.#ids.putSync(key, sequenceBytes);
    // After all others: LMDB then looks for no place, and fills each page.
    this.#documents.putSync(sequence, document, { append: true });
    if (this.#codec.bytes <= MAX_WRITTEN_BYTES) this.#written.set(document.id, stored);
    for (const { fields, isOfItems, entries } of this.indexes) {
      if (!isOfItems) entries.putSync(keyOf(fields, document, stored), EMPTY);
      else for (const entry of entriesOf(fields, stored)) entries.putSync(entry, EMPTY);
    }
    this.columns?.add(sequence, document);
  }

  /** Replaces a document, and its entries in those of these indexes whose fields changed. */
  #replace(changed: ChangedDocument, indexes: readonly LmdbIndex[]): void {
    const { sequence, document, old } = changed;
    this.#cache?.change(sequence);
    this.#documents.putSync(sequence, document);
    if (this.#codec.bytes <= MAX_WRITTEN_BYTES) this.#written.set(document.id, { sequence, document });
    else this.#written.delete(document.id);
    for (const index of indexes) {
      let isSame = true;
      for (const field of index.sources) isSame &&= old[field] === document[field];
      if (isSame) continue;
      this.#cache?.changeEntries();
      const before = entriesOf(index.fields, { sequence, document: old });
      const after = entriesOf(index.fields, changed);
      for (const entry of without(after, before)) index.entries.putSync(entry, EMPTY);
      for (const entry of without(before, after)) index.entries.removeSync(entry);
    }
    if (this.columns !== null) this.#changed.push(changed);
  }
}

/** The entries that are not among others. */
function without(entries: readonly Buffer[], others: readonly Buffer[]): readonly Buffer[] {
  const known = new Set(others.map((other) => other.toString('latin1')));
  return entries.filter((entry) => !known.has(entry.toString('latin1')));
}

/** Largest stored document, in bytes; the same as in MongoDB. */
const MAX_STORED_BYTES = 16 * 1024 * 1024;

/** The lists of field names that the documents of a collection have; a stored document refers to one by its index. */
export type Shapes = readonly (readonly string[])[];

/** Shapes as msgpackr passes them; `isCompatible` says whether they extend the given ones. */
type MutableShapes = string[][] & { isCompatible?: (existing: Shapes) => boolean };

/** Loads and saves a collection's shapes, inside the transaction that reads or writes the document. */
interface ShapeStore {
  load(): Shapes | null;
  save(shapes: Shapes): void;
}

/** An encoded document is a part of a buffer that is reused. */
type Encoded = Buffer & { readonly start?: number; readonly end?: number };

/**
 * A codec of documents, an `encoder` of lmdb: msgpack, with field names stored once per collection and shape. Only
 * whole documents have shapes: JSON-valued fields have keys that users choose, so they are written as plain maps, or
 * the list would grow without bound. (msgpackr shares at most 32 shapes; documents of further ones contain their field
 * names.)
 */
function documentCodec(shapes: ShapeStore, collection: string) {
  let whole: Document | null = null;
  const packr = new Packr({
    useRecords: (value: object) => value === whole,
    useToJSON: false,
    variableMapSize: true,
    mapsAsObjects: true,
    // Copies, since msgpackr adds properties to the arrays.
    getStructures: () => (shapes.load() ?? []).map((fields) => [...fields]),
    // Another process may have added shapes: `false` makes msgpackr load them and encode again.
    saveStructures: (all: MutableShapes) => {
      if (all.isCompatible?.(shapes.load() ?? []) === false) return false;
      shapes.save(all);
      return true;
    },
  });
  // The function of msgpackr itself: a page decodes hundreds of documents.
  const decode: (bytes: Buffer, size?: number) => Document = packr.decode.bind(packr);
  return {
    /** Makes lmdb copy buffers, which are reused for the next document. */
    copyBuffers: true,
    /** Bytes of the document that was encoded last. */
    bytes: 0,
    decode,
    encode(document: Document, mode?: number): Buffer {
      whole = document;
      const bytes: Encoded = packr.encode(document, mode);
      const { start = 0, end = bytes.length } = bytes;
      this.bytes = end - start;
      if (this.bytes > MAX_STORED_BYTES) throw new DocumentTooLarge(collection);
      return bytes;
    },
    /** Forgets the cached shapes: those of a failed transaction were not saved. */
    reset: () => packr.clearSharedData(),
  };
}
