import type { Database, RootDatabase, RootDatabaseOptions } from 'lmdb';
import { OverBudget } from '../../src/service/kernel/ports/errors.ts';
import { roughBytesOf } from '../../src/service/kernel/json.ts';
import { applyChange } from '../../src/service/kernel/projection/unit-of-work.ts';
import {
  MAX_DOCUMENTS_BYTES,
  type Change,
  type Document,
  type Index,
} from '../../src/service/kernel/ports/read-store.ts';
import { inCreationOrder, listOf } from '../../src/service/kernel/where.ts';
import { DocumentCodec, type ShapeStore } from './document-codec.ts';
import type { LockedEnvironment } from './environment.ts';
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

/** A document before and after the changes of a transaction; null: it does not exist. */
interface PendingDocument {
  readonly sequence: number | null;
  readonly old: Document | null;
  next: Document | null;
}

/** What a collection gets from its namespace. */
interface StoredCollection extends Pick<LockedEnvironment, 'reading'> {
  readonly shapes: ShapeStore;
  readonly version: () => number;
  readonly format: KeyFormat;
}

const EMPTY = Buffer.alloc(0);
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
  readonly keys: Keys;
  readonly #root: RootDatabase;
  readonly #codec: DocumentCodec;
  readonly #documents: Database<Document, number>;
  /** Sequence numbers in order of id. */
  readonly #ids: Database<Buffer, Uint8Array>;
  readonly #idSamples = new IndexSamples();
  readonly #version: () => number;
  /** Runs reads of an iterator that spans several turns of the event loop. */
  readonly reading: LockedEnvironment['reading'];
  /** Version of the documents when the samples of the indexes were taken; null: there are no samples. */
  #sampledVersion: number | null = null;
  /** Last sequence number in the current write transaction; null until it is read. */
  #last: number | null = null;
  /** Documents changed in the current write transaction: each is written once, however many changes it has. */
  readonly #pending = new Map<string, PendingDocument>();

  /**
   * @param stored its shapes, the format of its keys, and the version of its documents, which each transaction changes
   */
  constructor(root: RootDatabase, name: string, stored: StoredCollection) {
    const { shapes, version, format, reading } = stored;
    this.name = name;
    this.keys = new Keys(format);
    this.#root = root;
    this.#version = version;
    this.reading = reading;
    this.#codec = new DocumentCodec(shapes, name);
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
      for (const entry of this.keys.entries(fields, stored)) entries.putSync(entry, EMPTY);
    }
  }

  /** Call it at the start of a transaction that changes the collection, with the stored version and the next one. */
  onTransactionStart(version: number, next: number): void {
    this.#last = null;
    if (this.#sampledVersion === null) return;
    this.#dropSamplesUnlessOf(version);
    if (this.#sampledVersion === version) this.#sampledVersion = next;
  }

  /** Call it when that transaction has failed. */
  onTransactionFailed(): void {
    this.#pending.clear();
    this.#codec.reset();
    this.#dropSamples();
  }

  /** The samples of an index, or of the ids. Samples from before another process has written are dropped first. */
  samplesOf(index: LmdbIndex | null): IndexSamples {
    const version = this.#version();
    this.#dropSamplesUnlessOf(version);
    this.#sampledVersion = version;
    return index?.samples ?? this.#idSamples;
  }

  #dropSamplesUnlessOf(version: number): void {
    if (this.#sampledVersion !== null && this.#sampledVersion !== version) this.#dropSamples();
  }

  #dropSamples(): void {
    this.#sampledVersion = null;
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

  /** The documents with these sequence numbers. @throws {OverBudget} once they take more than `maxBytes`. */
  read(sequences: readonly number[], maxBytes = Infinity): Document[] {
    const found: Document[] = [];
    let bytes = 0;
    for (const sequence of sequences) {
      const document = this.#documents.get(sequence);
      if (document === undefined) continue;
      found.push(document);
      if (maxBytes < Infinity) bytes += roughBytesOf(document);
      if (bytes > maxBytes) throw new OverBudget(maxBytes, 'bytes');
    }
    return found;
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
  byId(range: IndexRange): Iterable<number> {
    return this.#ids.getRange(range).map(({ value }) => value.readUInt32BE(0));
  }

  /** Changes one document; `writePending` writes it. */
  change(change: Exclude<Change, { kind: 'setWhere' }>): void {
    const id = change.kind === 'insert' ? change.document.id : change.id;
    let pending = this.#pending.get(id);
    if (pending === undefined) {
      const sequence = this.sequenceOf(id);
      const old = sequence === null ? null : this.at(sequence);
      this.#pending.set(id, (pending = { sequence, old, next: old }));
    }
    pending.next = applyChange(pending.next, change);
  }

  writePending(): void {
    const added: Document[] = [];
    for (const { sequence, old, next } of this.#pending.values()) {
      if (next === null || next === old) continue;
      if (sequence === null || old === null) added.push(next);
      else this.#replace({ sequence, document: next }, old);
    }
    this.#pending.clear();
    for (const document of added.sort(inCreationOrder)) this.#insert(document);
  }

  /** Changes the document with a sequence number at once. */
  changeAt(sequence: number, change: Change): void {
    const old = this.at(sequence);
    if (old === null) return;
    const document = applyChange(old, change);
    if (document !== old) this.#replace({ sequence, document }, old);
  }

  /** Adds a document whose id is new; of those with the same `_created`, the ones with smaller ids come first. */
  #insert(document: Document): void {
    const key = this.keys.id(document.id);
    const sequence = (this.#last ?? this.count()) + 1;
    this.#last = sequence;
    sequenceBytes.writeUInt32BE(sequence);
    this.#ids.putSync(key, sequenceBytes);
    if (this.#sampledVersion !== null) this.#idSamples.count(key, 1);
    this.#documents.putSync(sequence, document);
    const stored = { sequence, document };
    for (const index of this.indexes) {
      if (!index.isOfItems && this.#sampledVersion === null) {
        index.entries.putSync(this.keys.key(index.fields, document, stored), EMPTY);
      } else for (const entry of this.keys.entries(index.fields, stored)) put(index, entry);
    }
  }

  /** Replaces a document, and its entries in the indexes over fields that changed. */
  #replace(stored: StoredDocument, old: Document): void {
    const { sequence, document } = stored;
    this.#documents.putSync(sequence, document);
    for (const index of this.indexes) {
      let isSame = true;
      for (const field of index.sources) isSame &&= old[field] === document[field];
      if (isSame) continue;
      const before = this.keys.entries(index.fields, { sequence, document: old });
      const after = this.keys.entries(index.fields, stored);
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
