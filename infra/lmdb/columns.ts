import type { Database, RootDatabase } from 'lmdb';
import { LRUCache } from 'lru-cache';
import type { Json } from '../../src/kernel/json.ts';
import { CREATED, type Condition, type Document } from '../../src/kernel/ports/read-store.ts';
import { listOf } from '../../src/kernel/where.ts';
import { cellOf, CHUNK, Column, type Cell } from './column.ts';
import { textOfItems } from './item-texts.ts';
import type { ChangedDocument } from './keys.ts';

/** Most bytes of full columns that are kept in memory. */
const MAX_BYTES = 96 * 1024 * 1024;

/** Most filters and orders whose groups are cached; each takes 100 kB. */
const MAX_GROUPS = 16;

/** Most filters whose counts are cached. */
const MAX_COUNTS = 500;

/** All documents in the order of a field, by groups: their values (undefined: no filter finds them), and how many. */
export type Groups = readonly { readonly condition: Condition | undefined; readonly count: number }[];

/** The documents that columns are of, as of the current transaction or snapshot. */
interface Source {
  readonly name: string;
  readonly version: number;
  count(): number;
  at(sequence: number): Document | null;
}

/** The values of a field in the last chunk, and the column that was made of the first of them. */
interface Growing {
  readonly values: (Json | undefined)[];
  column: Column;
}

/** Versions whose changes of columns are stored. Memory that is further behind is made anew. */
const STORED_CHANGES = 1_000;

/** Most changes that one transaction removes, so that it stays short where an earlier release has stored all. */
const MAX_REMOVED = 200;

/** Key of the first version whose changes are all kept; versions begin at 1. */
const FLOOR = 0;

const NONE = Column.of([]);

/** Documents after which the columns of the last chunk are made longer. */
const GROWING = 128;

/**
 * Some fields of the documents of a collection by sequence number, in chunks of `CHUNK` documents, for filters and orders
 * that no index has (`column.ts` shows one chunk). A full chunk is stored, one value per field, by the transaction that
 * fills it or changes it. The last chunk is in memory only, made from its documents. Memory follows the stored state by the
 * version of the collection: new documents have higher sequence numbers, and a list by version names those whose columns
 * have changed.
 *
 * An example with 10,000 laps and the fields `carId` and `totalTime`:
 *
 * | Chunk | Documents | Where |
 * |---|---|---|
 * | 0 | 1 to 4,096 | stored under `0 carId` and `0 totalTime` |
 * | 1 | 4,097 to 8,192 | stored under `1 carId` and `1 totalTime` |
 * | 2 | 8,193 to 10,000 | in memory: rows 0 to 1,807 |
 *
 * A column of the items of a list has them as one text (`item-texts.ts`).
 *
 * Version 71 corrects the time of document 5,000 (chunk 1, row 903): `1 totalTime` is stored again, and the list of changes
 * gets `71: [5000]`. Another process, whose memory is at version 70, reads that entry and forgets chunk 1.
 */
export class Columns {
  readonly fields: string[] = [CREATED];
  readonly #source: Source;
  readonly #stored: Database<Buffer, string>;
  /** Sequence numbers of the documents that a transaction has changed, by version. */
  readonly #changes: Database<readonly number[], number>;
  readonly #full = new LRUCache<string, Column>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });
  /** The dictionary of a field that was read last: those of most chunks are equal, and one takes the memory for all. */
  readonly #dictionaries = new Map<string, readonly Cell[]>();
  /** The last chunk, which is not full, by field. */
  #last = new Map<string, Growing>();
  /** The number of documents in memory, and the version of their changes; `clear` is called where a transaction fails. */
  count = 0;
  version = -Infinity;
  /** Groups of documents by version, filter and field. */
  readonly groups = new LRUCache<string, Groups>({ max: MAX_GROUPS });
  /** Numbers of documents by version and filter, which pages have counted or are about to; null where one failed. */
  readonly counts = new LRUCache<string, Promise<number | null>>({ max: MAX_COUNTS });

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
    this.#full.clear();
    this.groups.clear();
    this.counts.clear();
  }

  /** Begins the chunk that follows so many documents. */
  #begin(count: number): void {
    this.count = count;
    this.#last = new Map(this.fields.map((field) => [field, { values: [], column: NONE }]));
  }

  /** Brings memory up to the snapshot of this turn, or of the current transaction, without later documents than `last`. */
  sync(last?: number): void {
    const source = this.#source;
    if (last === undefined && this.version === source.version && this.count === source.count()) return;
    const [floor = 0] = this.#changes.get(FLOOR) ?? [];
    if (this.version >= 0 && this.version + 1 < floor) this.clear();
    const changes = { start: this.version + 1, end: source.version + 1 };
    if (this.version >= 0)
      for (const { value } of this.#changes.getRange(changes)) for (const sequence of value) this.#readAgain(sequence);
    this.version = source.version;
    const count = last ?? source.count();
    const start = count - (count % CHUNK);
    if (this.count < start) this.#begin(start);
    while (this.count < count) this.#put(this.count + 1, source.at(this.count + 1));
  }

  #readAgain(sequence: number): void {
    const [chunk] = placeOf(sequence);
    if (!this.#isLast(chunk)) for (const field of this.fields) this.#full.delete(keyOf(chunk, field));
    else if (sequence <= this.count) this.#put(sequence, this.#source.at(sequence));
  }

  /** Takes a document of the last chunk, which may be the one that follows those in memory. */
  #put(sequence: number, document: Document | null): void {
    const row = (sequence - 1) % CHUNK;
    for (const [field, last] of this.#last) {
      const value = valueIn(document, field);
      const isKnown = row < last.column.form.length;
      // Most changes leave most columns as they are: to make one again takes 4,096 rows.
      if (isKnown && value !== last.values[row] && !last.column.set(row, cellOf(value))) last.column = NONE;
      last.values[row] = value;
    }
    this.count = Math.max(this.count, sequence);
  }

  /** Takes a document that the current transaction has added, and stores a chunk that is full with it. */
  add(sequence: number, document: Document): void {
    const isFull = sequence % CHUNK === 0;
    if (isFull) this.sync(sequence - 1);
    if (this.count === sequence - 1) this.#put(sequence, document);
    // Little by little, as a whole chunk takes long.
    if (sequence % GROWING === 0) for (const last of this.#last.values()) grown(last);
    if (!isFull) return;
    for (const [field, last] of this.#last) this.#save(keyOf(sequence / CHUNK - 1, field), grown(last));
    this.#begin(sequence);
  }

  /** Takes documents that the current transaction has changed. */
  change(all: readonly ChangedDocument[]): void {
    const changed = all.filter((each) => this.fields.some((field) => isOther(each, field)));
    if (changed.length === 0) return;
    this.sync();
    const full = new Map<string, Column>();
    for (const each of changed) {
      const { sequence, document } = each;
      const [chunk, row] = placeOf(sequence);
      if (this.#isLast(chunk)) this.#put(sequence, document);
      else
        for (const field of this.fields.filter((one) => isOther(each, one))) {
          const key = keyOf(chunk, field);
          const column = full.get(key) ?? this.column(chunk, field);
          const cell = cellOf(valueIn(document, field));
          full.set(key, column.set(row, cell) ? column : Column.of(column.cells().with(row, cell)));
        }
    }
    for (const [key, column] of full) this.#save(key, column);
    const before = this.#changes.get(this.version) ?? [];
    this.#changes.putSync(this.version, [...before, ...changed.map(({ sequence }) => sequence)]);
    this.#removeOldChanges();
  }

  /** Keeps the changes from growing without end: there is one entry for each transaction that corrects something. */
  #removeOldChanges(): void {
    const end = this.version - STORED_CHANGES;
    if (end <= FLOOR + 1) return;
    const old = [...this.#changes.getKeys({ start: FLOOR + 1, end, limit: MAX_REMOVED })];
    const last = old.at(-1);
    if (last === undefined) return;
    for (const version of old) this.#changes.removeSync(version);
    this.#changes.putSync(FLOOR, [last + 1]);
  }

  /** The column of a field in a chunk. */
  column(chunk: number, field: string): Column {
    const last = this.#isLast(chunk) ? this.#last.get(field) : undefined;
    if (last !== undefined) return grown(last);
    const key = keyOf(chunk, field);
    const kept = this.#full.get(key);
    if (kept !== undefined) return kept;
    const bytes = this.#stored.getBinary(key);
    const known = this.#dictionaries.get(field);
    const column = bytes === undefined ? Column.of(this.#cells(chunk, field)) : Column.decode(bytes, known);
    this.#dictionaries.set(field, column.form.dictionary);
    this.#full.set(key, column);
    return column;
  }

  /** The values of a field that was declared when the chunk was full already. */
  #cells(chunk: number, field: string): Cell[] {
    return Array.from({ length: CHUNK }, (_, row) => cellOf(valueIn(this.#source.at(chunk * CHUNK + row + 1), field)));
  }

  #save(key: string, column: Column): void {
    this.#stored.putSync(key, column.encode());
    this.#full.set(key, column);
  }

  #isLast(chunk: number): boolean {
    return chunk === Math.floor(this.count / CHUNK);
  }
}

/** The column of a last chunk, made up to its last value. */
function grown(last: Growing): Column {
  const { values, column } = last;
  const rest = values.slice(column.form.length);
  if (!rest.every((value) => column.set(column.form.length, cellOf(value))))
    last.column = Column.of(values.map(cellOf));
  return last.column;
}

/** The value of a column in a document; the items of a list are one text. */
function valueIn(document: Document | null, field: string): Json | undefined {
  const list = listOf(field);
  return list === null ? document?.[field] : textOfItems(document?.[list]);
}

/** Whether the value of a column may have changed. */
function isOther({ document, old }: ChangedDocument, field: string): boolean {
  const source = listOf(field) ?? field;
  return document[source] !== old[source];
}

function keyOf(chunk: number, field: string): string {
  return `${chunk} ${field}`;
}

/** The chunk and the row of a document. */
function placeOf(sequence: number): [chunk: number, row: number] {
  const row = (sequence - 1) % CHUNK;
  return [(sequence - 1 - row) / CHUNK, row];
}
