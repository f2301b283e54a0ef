import type { Database, RootDatabase } from 'lmdb';
import { LRUCache } from 'lru-cache';
import { CREATED, type Document } from '../../src/service/kernel/ports/read-store.ts';
import { cellOf, CHUNK, Column } from './column.ts';
import type { Parts } from './column-order.ts';
import type { StoredDocument } from './keys.ts';

/** Most bytes of full columns that are kept in memory. */
const MAX_BYTES = 192 * 1024 * 1024;

/** Most orders, of 80 kB each, whose counts are kept. */
const MAX_KEPT = 16;

/** Transactions whose changes another process finds one by one; one that is further behind reads the columns again. */
const KEPT_CHANGES = 10_000;

/** The documents that columns are of, as of the current transaction or snapshot. */
interface ColumnSource {
  readonly root: RootDatabase;
  readonly name: string;
  /** Their version. */
  readonly version: () => number;
  /** Makes the next read see what any process has committed. */
  readonly refresh: () => void;
  readonly count: () => number;
  readonly at: (sequence: number) => Document | null;
  readonly after: (sequence: number, limit: number) => readonly StoredDocument[];
}

/**
 * Some fields of the documents of a collection by sequence number, in chunks, for filters and orders that no index has.
 * A full chunk is stored, one value per field, by the transaction that fills it or changes it. The last chunk is in
 * memory only, made from its documents. Memory follows the stored state by the version of the collection: new documents
 * have higher sequence numbers, and a list by version names those whose columns have changed.
 */
export class Columns {
  /** The fields; the first is the order of creation. */
  readonly fields: string[] = [];
  readonly #source: ColumnSource;
  readonly #databases: Database<Buffer, number>[] = [];
  /** Sequence numbers of the documents that a transaction has changed, by version. */
  readonly #changes: Database<readonly number[], number>;
  readonly #full = new LRUCache<number, Column>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });
  /** Full columns that the current transaction has changed, and the documents. */
  readonly #unsaved = new Map<number, Column>();
  readonly #changed = new Set<number>();
  /** The last chunk, and its columns. */
  #chunk = 0;
  #last: Column[] = [];
  /** The documents that are in memory, and the version of their changes; both may be ahead of a transaction that fails. */
  #count = 0;
  #version = -Infinity;
  /** How far into an order its documents are, for deep pages, as of a version. */
  readonly kept = new LRUCache<string, { readonly version: number; readonly parts: Parts }>({ max: MAX_KEPT });
  /** Whether the current transaction has changed columns. */
  isWriting = false;

  constructor(source: ColumnSource) {
    this.#source = source;
    this.#changes = source.root.openDB(`${source.name}/changes`, { keyEncoding: 'uint32' });
    this.open(CREATED);
  }

  /** The number of documents, as of the last `sync`. */
  get count(): number {
    return this.#count;
  }

  /** The version of the documents. */
  get version(): number {
    return this.#source.version();
  }

  /** Opens a column. */
  open(field: string): void {
    if (this.fields.includes(field)) return;
    const { root, name } = this.#source;
    this.fields.push(field);
    this.#databases.push(root.openDB(`${name}/column/${field}`, { keyEncoding: 'uint32', encoding: 'binary' }));
    this.clear();
  }

  /** Forgets what is in memory, and the changes of a transaction that has failed. */
  clear(): void {
    this.#version = -Infinity;
    [this.#count, this.#chunk, this.#last] = [0, 0, []];
    this.isWriting = false;
    for (const held of [this.#full, this.#unsaved, this.#changed, this.kept]) held.clear();
  }

  /**
   * Brings memory up to the snapshot of this turn, or of the current transaction. `isFull`: that has just filled the last
   * chunk, which is stored.
   */
  sync({ isFull = false } = {}): void {
    if (!this.isWriting) this.#dropStale();
    const { count, after } = this.#source;
    const all = count();
    const chunk = isFull ? all / CHUNK - 1 : Math.floor(all / CHUNK);
    if (this.#chunk < chunk) [this.#chunk, this.#last, this.#count] = [chunk, [], chunk * CHUNK];
    while (this.#count < all) for (const each of after(this.#count, CHUNK)) this.#add(each);
    if (!this.isWriting) this.#readChanges();
    if (!isFull) return;
    for (const [n, column] of this.#last.entries()) this.#unsaved.set(this.#keyOf(chunk, n), column);
    [this.#chunk, this.#last] = [chunk + 1, []];
    this.#save();
  }

  /** Drops what is in memory if it is of a transaction that has failed, or too old. */
  #dropStale(): void {
    const { version, refresh } = this.#source;
    if (this.#isAhead()) refresh();
    if (!this.#isAhead() && version() - this.#version <= KEPT_CHANGES) return;
    this.clear();
    this.#version = version();
  }

  #readChanges(): void {
    const stored = this.#source.version();
    if (this.#version === stored) return;
    const changes = this.#changes.getRange({ start: this.#version + 1, end: stored + 1 });
    for (const { value } of changes) for (const sequence of value) this.#readAgain(sequence);
    this.#version = stored;
  }

  /** Whether memory has what is not stored: a transaction has failed. Or the snapshot is an old one. */
  #isAhead(): boolean {
    const { version, count } = this.#source;
    return this.#version > version() || this.#count > count();
  }

  #add({ sequence, document }: StoredDocument): void {
    const [, row] = placeOf(sequence);
    if (row === 0) this.#last = this.fields.map(() => new Column());
    for (const [n, field] of this.fields.entries()) this.#last[n]?.set(row, cellOf(document[field]));
    this.#count = sequence;
  }

  #readAgain(sequence: number): void {
    const [chunk, row] = placeOf(sequence);
    const document = this.#source.at(sequence);
    for (const [n, field] of this.fields.entries()) {
      if (chunk === this.#chunk) this.#last[n]?.set(row, cellOf(document?.[field]));
      else this.#full.delete(this.#keyOf(chunk, n));
    }
  }

  /** A document was changed by the current transaction, which gives all documents the version `next`. */
  replace({ sequence, document }: StoredDocument, old: Document, next: number): void {
    const changed = this.fields.filter((field) => document[field] !== old[field]);
    if (changed.length === 0) return;
    this.sync();
    [this.#version, this.isWriting] = [next, true];
    this.#changed.add(sequence);
    const [chunk, row] = placeOf(sequence);
    for (const field of changed) {
      const n = this.fields.indexOf(field);
      const column = this.#column(chunk, n);
      column.set(row, cellOf(document[field]));
      if (chunk !== this.#chunk) this.#unsaved.set(this.#keyOf(chunk, n), column);
    }
  }

  /** Writes what the current transaction has changed; call it at its end. */
  onTransactionEnd(): void {
    this.#save();
    this.#changes.putSync(this.#version, [...this.#changed]);
    this.#changed.clear();
    this.isWriting = false;
    const end = this.#version - KEPT_CHANGES;
    const old = end > 0 ? [...this.#changes.getKeys({ end, limit: 2 })] : [];
    for (const version of old) this.#changes.removeSync(version);
  }

  #save(): void {
    for (const [key, column] of this.#unsaved) {
      const n = key % this.fields.length;
      this.#databases[n]?.putSync((key - n) / this.fields.length, column.encode());
      this.#full.set(key, column);
    }
    this.#unsaved.clear();
  }

  /** The column of a field in a chunk. */
  column(chunk: number, field: string): Column {
    return this.#column(chunk, this.fields.indexOf(field));
  }

  #column(chunk: number, n: number): Column {
    const key = this.#keyOf(chunk, n);
    const known = chunk === this.#chunk ? this.#last[n] : (this.#unsaved.get(key) ?? this.#full.get(key));
    if (known !== undefined) return known;
    const bytes = this.#databases[n]?.getBinary(chunk);
    const column = bytes === undefined ? this.#made(chunk, this.fields[n] ?? '') : Column.decode(bytes);
    this.#full.set(key, column);
    return column;
  }

  /** A column that was declared when the chunk was full already. */
  #made(chunk: number, field: string): Column {
    const column = new Column();
    for (let row = 0; row < CHUNK;) {
      const documents = this.#source.after(chunk * CHUNK + row, CHUNK - row);
      for (const { document } of documents) column.set(row++, cellOf(document[field]));
    }
    return column;
  }

  #keyOf(chunk: number, n: number): number {
    return chunk * this.fields.length + n;
  }
}

/** The chunk and the row of a document. */
function placeOf(sequence: number): [chunk: number, row: number] {
  const row = (sequence - 1) % CHUNK;
  return [(sequence - 1 - row) / CHUNK, row];
}
