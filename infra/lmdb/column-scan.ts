import { createYielder } from '../../src/runtime/give-way.ts';
import { CREATED, type Sort, type Where } from '../../src/kernel/ports/read-store.ts';
import { listOf } from '../../src/kernel/where.ts';
import { CHUNK, compareCells, intervalOf, valueOf } from './column.ts';
import type { Bounds, Cell, Column, Interval, Kind } from './column.ts';
import type { Columns, Groups } from './columns.ts';
import { itemTest } from './item-texts.ts';

/** Candidates that are sorted at once at least. */
const MANY_CANDIDATES = 50;
/** Most documents of a page that skipping takes less time for than counting all. */
export const MAX_SKIPPED_ROWS = 1_000;
/** Parts that the numbers of a field are counted by. */
const PARTS = 4_096;

/** The matching rows of a chunk; used within one turn of the event loop. */
const rows = new Uint16Array(CHUNK);
const EVERY_ROW = Uint16Array.from({ length: CHUNK }, (_, row) => row);

const EVERYTHING: Interval = { from: null, to: undefined };

/** A document of a page; the number of its value in the order, in a column. */
interface Candidate {
  readonly column: Column;
  readonly number: number;
  readonly created: number;
  readonly sequence: number;
}

/** The documents that match a filter by columns, as of the moment of its creation; what changes later may be either. */
export class ColumnScan {
  readonly #columns: Columns;
  /** The version and the filter. */
  readonly #key: string;
  readonly #tests: readonly (readonly [field: string, values: Interval])[];
  /** The same for columns of the items of lists. */
  readonly #itemTests: readonly (readonly [field: string, test: (cell: Cell) => boolean])[];
  readonly #count: number;
  readonly #signal: AbortSignal | undefined;

  constructor(columns: Columns, where: Where, signal?: AbortSignal) {
    columns.sync();
    this.#columns = columns;
    this.#key = JSON.stringify([columns.version, where]);
    const conditions = Object.entries(where);
    this.#tests = conditions
      .filter(([field]) => listOf(field) === null)
      .map(([field, condition]) => [field, intervalOf(condition)]);
    this.#itemTests = conditions
      .filter(([field]) => listOf(field) !== null)
      .map(([field, condition]) => [field, itemTest(condition)]);
    this.#count = columns.count;
    this.#signal = signal;
  }

  /** The number of chunks that it goes through. */
  get chunks(): number {
    return Math.ceil(this.#count / CHUNK);
  }

  /** The number of documents; a page has often counted them. */
  async count(): Promise<number> {
    const known = await this.#columns.counts.get(this.#key);
    if (known !== undefined && known !== null) return known;
    let count = 0;
    await this.#pass((chunk) => {
      count += this.#match(chunk);
    });
    return count;
  }

  /** The sequence numbers in order; null for more than `most`. */
  async collect(most: number): Promise<number[] | null> {
    const found: number[] = [];
    await this.#pass((chunk) => {
      if (found.length <= most) this.#collect(chunk, found);
    });
    return found.length > most ? null : found;
  }

  /** All sequence numbers in order, at once. */
  sequences(): number[] {
    const found: number[] = [];
    for (let chunk = 0; chunk < this.chunks; chunk += 1) this.#collect(chunk, found);
    return found;
  }

  #collect(chunk: number, found: number[]): void {
    const count = this.#match(chunk);
    for (let n = 0; n < count; n += 1) found.push(chunk * CHUNK + (rows[n] ?? 0) + 1);
  }

  /** The sequence numbers of the first documents in an order. On the way, all are counted. */
  first(sort: Sort, most: number): Promise<number[]> {
    const page = this.#first(sort, most);
    const count = page.then((found) => found.count).catch(() => null);
    this.#columns.counts.set(this.#key, count);
    return page.then(({ sequences }) => sequences);
  }

  async #first({ field, direction }: Sort, most: number): Promise<{ sequences: number[]; count: number }> {
    const sign = direction === 'asc' ? 1 : -1;
    let count = 0;
    let found: Candidate[] = [];
    let within = EVERYTHING;
    const best = (): Candidate[] => found.sort((a, b) => sign * compare(a, b)).slice(0, most);
    await this.#pass((chunk) => {
      const matching = this.#match(chunk);
      count += matching;
      if (matching === 0) return;
      const column = this.#columns.column(chunk, field);
      let [from, end] = column.bounds(within);
      if (from >= end) return;
      const creation = this.#columns.column(chunk, CREATED);
      const candidates = column.keep([from, end], rows, matching);
      for (let n = 0; n < candidates; n += 1) {
        const row = rows[sign > 0 ? n : candidates - 1 - n] ?? 0;
        const number = column.number(row);
        if (number < from || number >= end) continue;
        found.push({ column, number, created: creation.number(row), sequence: chunk * CHUNK + row + 1 });
        if (found.length < 2 * most + MANY_CANDIDATES) continue;
        found = best();
        const last = found.at(-1);
        const limit = last?.column.cell(last.number);
        within = sign > 0 ? { from: null, to: limit } : { from: limit, to: undefined };
        [from, end] = column.bounds(within);
      }
    }, sign);
    return { sequences: best().map(({ sequence }) => sequence), count };
  }

  /** All documents in groups, which are kept until a document changes. */
  async groups(field: string): Promise<Groups> {
    const { groups: cached, version } = this.#columns;
    const query = `${field} ${this.#key}`;
    const groups = cached.get(query) ?? (await this.#groupsBy(field));
    if (version === this.#columns.version) cached.set(query, groups);
    return groups;
  }

  async #groupsBy(field: string): Promise<Groups> {
    const kinds = new Set<Kind>();
    let least = Infinity;
    let most = -Infinity;
    const within = new Map(this.#tests).get(field) ?? EVERYTHING;
    await this.#pass((chunk) => {
      const column = this.#columns.column(chunk, field);
      kinds.add(column.kind);
      const [from, end] = column.bounds(within);
      if (from >= end) return;
      least = Math.min(least, from);
      most = Math.max(most, end - 1);
    });
    const [kind, ...others] = kinds;
    if (kind === undefined || kind === 'dictionary' || others.length > 0) return this.#byValue(field);
    const width = Math.max(1, Math.ceil((most - least + 1) / PARTS));
    const counts = await this.#byPart(field, least, width);
    return groupsOf(counts, (part) => valueOf(Math.min(least + part * width, most + 1), kind), width);
  }

  async #byValue(field: string): Promise<Groups> {
    const counts = new Map<Cell, number>();
    await this.#pass((chunk) => {
      const column = this.#columns.column(chunk, field);
      const own = new Map<number, number>();
      for (let n = this.#match(chunk) - 1; n >= 0; n -= 1) {
        const number = column.number(rows[n] ?? 0);
        own.set(number, (own.get(number) ?? 0) + 1);
      }
      for (const [number, count] of own) {
        const cell = column.cell(number);
        counts.set(cell, (counts.get(cell) ?? 0) + count);
      }
    });
    const groups = [...counts].map(([condition, count]) => ({ condition, count }));
    return groups.sort((a, b) => compareCells(a.condition, b.condition));
  }

  async #byPart(field: string, least: number, width: number): Promise<Uint32Array> {
    const counts = new Uint32Array(PARTS);
    await this.#pass((chunk) => {
      const column = this.#columns.column(chunk, field);
      for (let n = this.#match(chunk) - 1; n >= 0; n -= 1) {
        const part = Math.floor((column.number(rows[n] ?? 0) - least) / width);
        counts[part] = (counts[part] ?? 0) + 1;
      }
    });
    return counts;
  }

  /** Finds the matching rows of a chunk; the number of them. */
  #match(chunk: number): number {
    const wanted: { column: Column; bounds: Bounds; share: number }[] = [];
    for (const [field, values] of this.#tests) {
      const column = this.#columns.column(chunk, field);
      const bounds = column.bounds(values);
      if (bounds[0] >= bounds[1]) return 0;
      wanted.push({ column, bounds, share: column.share(bounds) });
    }
    wanted.sort((a, b) => a.share - b.share);
    rows.set(EVERY_ROW);
    let count = Math.min(CHUNK, this.#count - chunk * CHUNK);
    for (const { column, bounds } of wanted) count = column.keep(bounds, rows, count);
    for (const [field, test] of this.#itemTests)
      if (count > 0) count = this.#columns.column(chunk, field).keepPassing(test, rows, count);
    return count;
  }

  /** Visits all chunks, backwards for a negative sign, and lets other work run between them. */
  async #pass(visit: (chunk: number) => void, sign: 1 | -1 = 1): Promise<void> {
    const step = createYielder(this.#signal);
    const { chunks } = this;
    for (let n = 0; n < chunks; n += 1) {
      visit(sign > 0 ? n : chunks - 1 - n);
      const pause = step();
      if (pause === null) continue;
      await pause;
      this.#columns.sync();
    }
  }
}

/** Parts of the range of a field as groups; several of few documents are one. */
function groupsOf(counts: Uint32Array, first: (part: number) => number | string, width: number): Groups {
  const groups: { part: number; end: number; count: number }[] = [];
  for (const [part, count] of counts.entries()) {
    const before = groups.at(-1);
    if (count === 0) continue;
    if (before === undefined || before.count + count > MAX_SKIPPED_ROWS) groups.push({ part, end: part + 1, count });
    else {
      before.end = part + 1;
      before.count += count;
    }
  }
  return groups.map(({ part, end, count }) => {
    const isOne = width === 1 && end - part === 1;
    return { condition: isOne ? first(part) : { from: first(part), to: first(end) }, count };
  });
}

function compare(a: Candidate, b: Candidate): number {
  const areNumbers = a.column === b.column || (a.column.kind !== 'dictionary' && a.column.kind === b.column.kind);
  const order = areNumbers ? a.number - b.number : compareCells(a.column.cell(a.number), b.column.cell(b.number));
  return order || a.created - b.created || a.sequence - b.sequence;
}
