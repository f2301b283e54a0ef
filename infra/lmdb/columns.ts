import type { Database, RootDatabase } from 'lmdb';
import { LRUCache } from 'lru-cache';
import { CREATED, type Condition, type Document } from '../../src/service/kernel/ports/read-store.ts';
import { cellOf, CHUNK, Column } from './column.ts';
import type { ChangedDocument } from './keys.ts';

/** Most bytes of full columns that are kept in memory. */
const MAX_BYTES = 96 * 1024 * 1024;

/** Most filters and orders, of 100 kB each, whose groups are kept. */
const MAX_KEPT = 16;

/** Transactions whose changes another process finds one by one; one that is further behind reads the columns again. */
const KEPT_CHANGES = 10_000;

/** Documents that follow each other in the order of a field: their values, undefined for those that no filter finds. */
interface Group {
  readonly condition: Condition | undefined;
  readonly count: number;
}

/** All documents in the order of a field. */
export type Groups = readonly Group[];

/** The documents that columns are of, as of the current transaction or snapshot. */
interface Source {
  readonly name: string;
  readonly version: number;
  /** Makes the next read see what any process has committed. */
  refresh(): void;
  count(): number;
  at(sequence: number): Document | null;
  /** Documents that this process has added, by sequence number, and no column has taken yet. */
  readonly fresh: Map<number, Document>;
}

/**
 * Some fields of the documents of a collection by sequence number, in chunks, for filters and orders that no index has.
 * A full chunk is stored, one value per field, by the transaction that fills it or changes it. The last chunk is in
 * memory only, made from its documents. Memory follows the stored state by the version of the collection: new documents
 * have higher sequence numbers, and a list by version names those whose columns have changed.
 */
export class Columns {
  readonly fields: string[] = [CREATED];
  readonly #source: Source;
  readonly #stored: Database<Buffer, string>;
  /** Sequence numbers of the documents that a transaction has changed, by version. */
  readonly #changes: Database<readonly number[], number>;
  readonly #full = new LRUCache<string, Column>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });
  /** The columns of the last chunk, which is not full, by field. */
  #last = new Map<string, Column>();
  /** The number of documents in memory, and the version of their changes; both may be ahead of a transaction that fails. */
  count = 0;
  version = -Infinity;
  /** The groups of documents by filter and field, as of a version. */
  readonly kept = new LRUCache<string, { readonly version: number; readonly groups: Groups }>({ max: MAX_KEPT });

  constructor(root: RootDatabase, source: Source) {
    this.#source = source;
    this.#stored = root.openDB(`${source.name}/columns`, { encoding: 'binary' });
    this.#changes = root.openDB(`${source.name}/changes`, { keyEncoding: 'uint32' });
  }

  /** Opens a column. */
  open(field: string): void {
    if (this.fields.includes(field)) return;
    this.fields.push(field);
    this.clear();
  }

  /** Forgets what is in memory, such as the changes of a transaction that has failed. */
  clear(): void {
    this.version = -Infinity;
    this.#begin(0);
    for (const held of [this.#source.fresh, this.#full, this.kept]) held.clear();
  }

  /** Begins the chunk that follows so many documents. */
  #begin(count: number): void {
    this.count = count;
    this.#last = new Map(this.fields.map((field) => [field, new Column()]));
  }

  /** Brings memory up to the snapshot of this turn, or of the current transaction. */
  sync(): void {
    this.#readChanges();
    this.#readUpTo(this.#source.count());
  }

  #readChanges(): void {
    const isAhead = (): boolean => this.version > this.#source.version || this.count > this.#source.count();
    // The snapshot may be an old one.
    if (isAhead()) this.#source.refresh();
    const { version } = this.#source;
    if (isAhead() || version - this.version > KEPT_CHANGES) this.clear();
    const changes = this.version < version ? { start: this.version + 1, end: version + 1 } : null;
    if (changes !== null && this.count > 0)
      for (const { value } of this.#changes.getRange(changes)) for (const sequence of value) this.#readAgain(sequence);
    this.version = version;
  }

  #readAgain(sequence: number): void {
    const [chunk, row] = placeOf(sequence);
    const document = this.#source.at(sequence);
    this.#source.fresh.delete(sequence);
    for (const [field, last] of this.#last) {
      if (!this.#isLast(chunk)) this.#full.delete(keyOf(chunk, field));
      else if (sequence <= this.count) last.set(row, cellOf(document?.[field]));
    }
  }

  /** Reads new documents up to one whose chunk is not full. */
  #readUpTo(last: number): void {
    const start = last - (last % CHUNK);
    if (this.count < start) this.#begin(start);
    while (this.count < last) this.#take();
  }

  /** Takes the document that follows those in memory. */
  #take(): void {
    const next = this.count + 1;
    const document = this.#source.fresh.get(next) ?? this.#source.at(next);
    for (const [field, column] of this.#last) column.set(this.count % CHUNK, cellOf(document?.[field]));
    this.#source.fresh.delete(next);
    this.count = next;
  }

  /** Takes documents up to one that the current transaction has added, and stores a chunk that is full. */
  takeUpTo(last: number): void {
    this.#readChanges();
    this.#readUpTo(last - 1);
    this.#take();
    if (last % CHUNK > 0) return;
    for (const [field, column] of this.#last) this.#save(last / CHUNK - 1, field, column);
    this.#begin(last);
  }

  /** Takes documents that the current transaction has changed. */
  change(changed: readonly ChangedDocument[]): void {
    const sequences: number[] = [];
    const full = new Map<string, [chunk: number, field: string, column: Column]>();
    for (const { sequence, document, old } of changed) {
      const fields = this.fields.filter((field) => document[field] !== old[field]);
      if (fields.length === 0) continue;
      if (sequences.push(sequence) === 1) this.sync();
      const [chunk, row] = placeOf(sequence);
      for (const field of fields) {
        const key = keyOf(chunk, field);
        const [, , column] = full.get(key) ?? [chunk, field, this.column(chunk, field)];
        column.set(row, cellOf(document[field]));
        if (!this.#isLast(chunk)) full.set(key, [chunk, field, column]);
      }
    }
    for (const each of full.values()) this.#save(...each);
    if (sequences.length === 0) return;
    const { version } = this.#source;
    this.#changes.putSync(version, [...(this.#changes.get(version) ?? []), ...sequences]);
    const old = { end: Math.max(0, version - KEPT_CHANGES), limit: 2 };
    for (const each of [...this.#changes.getKeys(old)]) this.#changes.removeSync(each);
  }

  /** The column of a field in a chunk. */
  column(chunk: number, field: string): Column {
    const key = keyOf(chunk, field);
    const known = this.#isLast(chunk) ? this.#last.get(field) : this.#full.get(key);
    if (known !== undefined) return known;
    const bytes = this.#stored.getBinary(key);
    const column = bytes === undefined ? this.#made(chunk, field) : Column.decode(bytes);
    this.#full.set(key, column);
    return column;
  }

  /** A column that was declared when the chunk was full already. */
  #made(chunk: number, field: string): Column {
    const column = new Column();
    for (let row = 0; row < CHUNK; row += 1) column.set(row, cellOf(this.#source.at(chunk * CHUNK + row + 1)?.[field]));
    return column;
  }

  #save(chunk: number, field: string, column: Column): void {
    this.#stored.putSync(keyOf(chunk, field), column.encode());
    this.#full.set(keyOf(chunk, field), column);
  }

  #isLast(chunk: number): boolean {
    return chunk === Math.floor(this.count / CHUNK);
  }
}

function keyOf(chunk: number, field: string): string {
  return `${chunk} ${field}`;
}

/** The chunk and the row of a document. */
function placeOf(sequence: number): [chunk: number, row: number] {
  const row = (sequence - 1) % CHUNK;
  return [(sequence - 1 - row) / CHUNK, row];
}
