import { Yielder } from '../../src/service/domain/give-way.ts';
import { CREATED, type FindOptions, type Sort, type Where } from '../../src/service/kernel/ports/read-store.ts';
import { CHUNK, numberOf, testOf, type Cell, type Kind, type Ranking, type Test } from './column.ts';
import { Best, compareCells, Parts, signed, type Range } from './column-order.ts';
import type { Columns } from './columns.ts';

/** Most documents that a page holds in memory before it, or twice as many; a page further on is approached in passes. */
const MAX_HELD = 2_000;
/** The matching rows of a chunk, and their places in the order; used within one turn of the event loop. */
const rows = new Uint16Array(CHUNK);
const places = new Float64Array(CHUNK);
const EVERY_ROW = Uint16Array.from({ length: CHUNK }, (_, row) => row);

/** The documents from a place on to another one, of which so many come before the page. */
interface Approach {
  readonly from: number;
  /** Of those at the first place, only what was created from here on. */
  readonly created: number;
  readonly to: number;
  readonly skip: number;
}

type Page = Pick<FindOptions, 'sort' | 'offset' | 'limit'>;

/** The sequence numbers of a page by an index in its order, with the offset counted from a place on. */
export type Walk = (from: number, offset: number) => readonly number[];

/** Which columns a pass orders documents by, and the sign of the direction. */
interface Order {
  readonly field: string;
  readonly ranking: Ranking;
  readonly sign: 1 | -1;
  /** All places are in it. */
  readonly range: Range;
}

/** The documents that match a filter by columns, as of the moment of its creation; what changes later may be either. */
export class ColumnScan {
  readonly #columns: Columns;
  readonly #tests: readonly (readonly [field: string, test: Test])[];
  readonly #count: number;
  readonly #signal: AbortSignal | undefined;
  readonly #where: Where;

  constructor(columns: Columns, where: Where, signal?: AbortSignal) {
    columns.sync();
    this.#where = where;
    this.#columns = columns;
    this.#count = columns.count;
    this.#signal = signal;
    this.#tests = Object.entries(where).map(([field, condition]) => [field, testOf(condition)]);
  }

  /** The number of chunks that it goes through. */
  get chunks(): number {
    return Math.ceil(this.#count / CHUNK);
  }

  /** The number of documents. */
  async count(): Promise<number> {
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
      this.#collect(chunk, found);
      return found.length <= most;
    });
    return found.length > most ? null : found;
  }

  /** All sequence numbers in order, at once. */
  sequences(): number[] {
    const found: number[] = [];
    for (let chunk = 0; chunk * CHUNK < this.#count; chunk += 1) this.#collect(chunk, found);
    return found;
  }

  #collect(chunk: number, found: number[]): void {
    const count = this.#match(chunk);
    for (let n = 0; n < count; n += 1) found.push(chunk * CHUNK + (rows[n] ?? 0) + 1);
  }

  /** The sequence numbers of a page: columns find the way to it, and the rest of it if no index walks there. */
  async page({ sort, offset, limit }: Page, walk: Walk | null = null): Promise<readonly number[]> {
    const order = await this.#orderBy(sort);
    const approach = await this.#approach(order, { offset, limit });
    if (approach === null) return [];
    const { from, created, to, skip } = approach;
    if (walk !== null && order.ranking.kind === 'number' && created === -Infinity) return walk(order.sign * from, skip);
    const best = new Best(skip + limit, to);
    await this.#pass((chunk) => {
      if (!this.#mayHave(chunk, order, [from, best.last.place])) return;
      const count = this.#place(chunk, order);
      const creation = this.#columns.column(chunk, CREATED);
      for (let n = 0; n < count; n += 1) {
        const place = places[n] ?? 0;
        if (place < from || place > best.last.place) continue;
        const row = rows[n] ?? 0;
        const sequence = order.sign * (chunk * CHUNK + row + 1);
        const candidate = { place, created: order.sign * Number(creation.at(row)), sequence };
        if (place > from || candidate.created >= created) best.add(candidate);
      }
    }, order.sign);
    const found = best.sorted().slice(skip);
    return found.map(({ sequence }) => Math.abs(sequence));
  }

  /** Places around a page, at most MAX_HELD documents before it, or more of one event; null past the end. */
  async #approach(order: Order, page: Omit<Page, 'sort'>): Promise<Approach | null> {
    const far = { from: -Infinity, created: -Infinity, to: Infinity, skip: page.offset };
    if (page.offset <= MAX_HELD) return far;
    const near = await this.#narrow(order, page, null);
    if (near === null || near.skip <= MAX_HELD) return near && { ...far, ...near };
    // So many have the same place that the rest of the way is by their creation.
    const nearer = await this.#narrow(order, { ...page, offset: near.skip }, near.from);
    return nearer && { ...near, created: nearer.from, skip: nearer.skip };
  }

  /**
   * Places around a page, and what remains of the offset from the first of them; null when there are fewer documents.
   * With `equal`, only the documents of that place, by their creation.
   */
  async #narrow(order: Order, { offset, limit }: Omit<Page, 'sort'>, equal: number | null) {
    let range = equal === null ? order.range : await this.#rangeOf(CREATED, order.sign);
    let to = Infinity;
    for (let skip = offset; ;) {
      const isFirst = equal === null && skip === offset;
      const parts = isFirst ? await this.#allParts(order) : await this.#countParts(order, range, equal);
      const part = parts.at(skip);
      if (part === null) return null;
      to = parts.at(skip + limit - 1)?.range[1] ?? to;
      skip -= part.before;
      range = part.range;
      if (skip <= MAX_HELD || range[0] === range[1]) return { from: range[0], to, skip };
    }
  }

  /** The counts of all matching documents, which are kept until a document changes. */
  async #allParts(order: Order): Promise<Parts> {
    const { kept, version } = this.#columns;
    const query = JSON.stringify([this.#where, order.field, order.sign]);
    const known = kept.get(query);
    if (known?.version === version) return known.parts;
    const parts = await this.#countParts(order, order.range, null);
    if (version === this.#columns.version) kept.set(query, { version, parts });
    return parts;
  }

  /** Counts the documents with places in a range; with `equal`, those of that place by their creation. */
  async #countParts(order: Order, range: Range, equal: number | null): Promise<Parts> {
    const parts = new Parts(range);
    await this.#pass((chunk) => {
      if (!this.#mayHave(chunk, order, equal === null ? range : [equal, equal])) return;
      const count = this.#place(chunk, order);
      const creation = equal === null ? null : this.#columns.column(chunk, CREATED);
      for (let n = 0; n < count; n += 1) {
        if (creation === null) parts.add(places[n] ?? 0);
        else if (places[n] === equal) parts.add(order.sign * Number(creation.at(rows[n] ?? 0)));
      }
    });
    return parts;
  }

  /** The range of the numbers of a field, negative if they descend. */
  async #rangeOf(field: string, sign: 1 | -1): Promise<Range> {
    let [least, most] = [Infinity, -Infinity];
    await this.#pass((chunk) => {
      const { held } = this.#columns.column(chunk, field);
      [least, most] = [Math.min(least, held.least), Math.max(most, held.most)];
    });
    return signed([least, most], sign);
  }

  /** Finds the matching rows of a chunk and their places; the number of them. */
  #place(chunk: number, { field, ranking, sign }: Order): number {
    const count = this.#match(chunk);
    if (count === 0) return 0;
    this.#columns.column(chunk, field).numbers(rows, count, ranking);
    if (sign < 0) for (let n = 0; n < count; n += 1) places[n] = -(places[n] ?? 0);
    return count;
  }

  /** Whether a chunk may have documents between two places. */
  #mayHave(chunk: number, { field, ranking, sign }: Order, [from, to]: Range): boolean {
    const { held } = this.#columns.column(chunk, field);
    const [least, most] = signed([held.least, held.most], sign);
    return held.kind !== ranking.kind || (least <= to && most >= from);
  }

  /** Finds the matching rows of a chunk; the number of them. */
  #match(chunk: number): number {
    rows.set(EVERY_ROW);
    let count = this.#rowsOf(chunk);
    for (const [field, test] of this.#tests) {
      if (count === 0) return 0;
      count = this.#columns.column(chunk, field).keep(test, rows, count);
    }
    return count;
  }

  async #orderBy({ field, direction }: Sort): Promise<Order> {
    const sign = direction === 'asc' ? 1 : -1;
    const kinds = new Set<Kind>();
    await this.#pass((chunk) => void kinds.add(this.#columns.column(chunk, field).held.kind));
    const [kind = 'dictionary'] = kinds;
    if (kinds.size === 1 && kind !== 'dictionary') {
      // Other values come only while documents change; their place is any.
      const numberFor = (cell: Cell): number => numberOf(cell, kind) ?? Infinity;
      return { field, sign, ranking: { kind, numberFor, target: places }, range: await this.#rangeOf(field, sign) };
    }
    const ranks = await this.#ranksOf(field);
    const ranking = { kind: null, numberFor: (cell: Cell) => ranks.get(cell) ?? Infinity, target: places };
    return { field, sign, ranking, range: signed([0, ranks.size], sign) };
  }

  /** The rank of each value of a field. */
  async #ranksOf(field: string): Promise<ReadonlyMap<Cell, number>> {
    const cells = new Set<Cell>();
    await this.#pass((chunk) => {
      const column = this.#columns.column(chunk, field);
      const { kind, dictionary } = column.held;
      if (kind === 'dictionary') for (const cell of dictionary) cells.add(cell);
      else for (let row = 0; row < this.#rowsOf(chunk); row += 1) cells.add(column.at(row));
    });
    return new Map([...cells].sort(compareCells).map((cell, rank) => [cell, rank]));
  }

  #rowsOf(chunk: number): number {
    return Math.min(CHUNK, this.#count - chunk * CHUNK);
  }

  /** Visits chunks until one returns false, backwards for a negative sign, and lets other work run between them. */
  async #pass(visit: (chunk: number) => unknown, sign: 1 | -1 = 1): Promise<void> {
    const yielder = new Yielder(this.#signal);
    const { chunks } = this;
    for (let n = 0; n < chunks; n += 1) {
      if (visit(sign > 0 ? n : chunks - 1 - n) === false) return;
      const pause = yielder.step();
      if (pause === null) continue;
      await pause;
      this.#columns.sync();
    }
  }
}
