import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DamagedStore } from '../../src/kernel/ports/errors.ts';
import { DATA_FILE } from './preflight.ts';

// The file format of lmdb 3.5.6, in mdb.c: MDB_page_header, MDB_meta, MDB_db, MDB_node, MDB_ovpage; little-endian.

const HEADER = { pgno: 0, txnid: 8, flags: 18, lower: 20, pages: 20, bytes: 24 } as const;
const META = { magic: 24, freeDb: 48, mainDb: 96, txnid: 152, bytes: 168 } as const;
const DB = { pageSize: 0, depth: 6, branch: 8, leaf: 16, overflow: 24, entries: 32, root: 40, bytes: 48 } as const;
const NODE = { low: 0, high: 2, flags: 4, keySize: 6, bytes: 8 } as const;
const OVERFLOW = { pgno: 0, pages: 16, bytes: 24 } as const;

const MAGIC = 0xbeefc0de;
const P_BRANCH = 1;
const P_LEAF = 2;
const P_OVERFLOW = 4;
const F_BIGDATA = 1;
const F_SUBDATA = 2;
/** Number of pages that are not part of a tree. */
const METAS = 2;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const WORD_BYTES = 2;
const HALF = 0x10000;
/** Largest page, in bytes. lmdb creates files with pages of the system's size, which is 4 KiB on most. */
const MAX_PAGE_BYTES = 65_536;

/** Thrown when the pages of an environment are inconsistent, most likely because it was copied while it was written. */
export class DamagedPages extends DamagedStore {
  constructor(how: string) {
    super(`${DATA_FILE} is damaged: ${how}; restore a backup`);
  }
}

/** Counts of the pages and entries of one tree. */
type Tally = Record<'branch' | 'leaf' | 'overflow' | 'entries', number>;

/** A branch or leaf page, and where its nodes begin. */
interface Page {
  readonly bytes: Buffer;
  readonly nodes: readonly number[];
}

/** The range of the keys of a page: from the first, inclusive, to the second. */
type Range = readonly [from: Buffer | null, to: Buffer | null];

/**
 * Reads every page of an LMDB environment that its newest transaction can reach, without lmdb: of 25 copies made under
 * load, 6 were damaged, and lmdb opened each of them and failed later, or ended the process. Each page must have its
 * own number, be of that transaction or an earlier one, be reached once, and have its keys in order. Each tree must
 * have as many pages and entries as its root says. Nothing may write to the file meanwhile.
 * @param path of the file with the pages.
 * @returns the number of pages in use, and the size of each in bytes
 * @throws {DamagedPages}
 */
export function walkPages(path: string) {
  const file = openSync(path, 'r');
  try {
    return new Walk(file).run();
  } catch (error) {
    // A node or key lies beyond the end of its page.
    throw error instanceof RangeError ? new DamagedPages('a page cannot be read') : error;
  } finally {
    closeSync(file);
  }
}

/** A tree that is being walked: its counts, and how its keys are compared, as those of free pages are numbers. */
interface Tree {
  readonly tally: Tally;
  readonly order: 'bytes' | 'numbers';
}

/** A part of a tree: its top page, its number of levels, and the range of its keys. */
interface Subtree {
  readonly number: bigint;
  readonly depth: number;
  readonly range: Range;
}

class Walk {
  readonly #file: number;
  readonly #pageBytes: number;
  /** The newer one of the two meta pages, and the number of its transaction. */
  readonly #meta: Buffer;
  readonly #txnid: bigint;
  /** Pages that were reached. */
  readonly #reached: Uint8Array;

  constructor(file: number) {
    this.#file = file;
    const first = readAt(file, 0, META.bytes);
    if (first.readUInt32LE(META.magic) !== MAGIC) throw damaged(0, 'is not an LMDB page');
    this.#pageBytes = first.readUInt32LE(META.freeDb + DB.pageSize);
    if (this.#pageBytes < META.bytes || this.#pageBytes > MAX_PAGE_BYTES) throw damaged(0, 'has no valid page size');
    const second = readAt(file, this.#pageBytes, META.bytes);
    if (second.readUInt32LE(META.magic) !== MAGIC) throw damaged(1, 'is not an LMDB page');
    const isSecond = second.readBigUInt64LE(META.txnid) > first.readBigUInt64LE(META.txnid);
    this.#meta = isSecond ? second : first;
    this.#txnid = this.#meta.readBigUInt64LE(META.txnid);
    this.#reached = new Uint8Array(Math.floor(fstatSync(file).size / this.#pageBytes));
  }

  run() {
    this.#tree(this.#meta.subarray(META.freeDb, META.freeDb + DB.bytes), 'numbers');
    this.#tree(this.#meta.subarray(META.mainDb, META.mainDb + DB.bytes), 'bytes');
    return { pages: this.#reached.reduce((sum, reached) => sum + reached, METAS), pageBytes: this.#pageBytes };
  }

  /** Walks a tree from its record. */
  #tree(record: Buffer, order: Tree['order']): void {
    const root = record.readBigUInt64LE(DB.root);
    if (root === NO_PAGE) return;
    const tree: Tree = { tally: { branch: 0, leaf: 0, overflow: 0, entries: 0 }, order };
    this.#subtree({ number: root, depth: record.readUInt16LE(DB.depth), range: [null, null] }, tree);
    for (const name of ['branch', 'leaf', 'overflow', 'entries'] as const) {
      if (record.readBigUInt64LE(DB[name]) !== BigInt(tree.tally[name])) {
        throw damaged(root, `is the root of a tree that has another number of ${name} than it states`);
      }
    }
  }

  #subtree({ number, depth, range }: Subtree, tree: Tree): void {
    const isLeaf = depth === 1;
    const page = this.#page(number, isLeaf ? P_LEAF : P_BRANCH);
    tree.tally[isLeaf ? 'leaf' : 'branch'] += 1;
    const [from, to] = range;
    // A branch does not store its first key: it is the one that leads to the branch.
    const keys = page.nodes.map((at, n) => (isLeaf || n > 0 ? keyOf(page, at) : from));
    if (!isOrdered(keys, range, tree.order)) throw damaged(number, 'has keys out of order');
    for (const [n, at] of page.nodes.entries()) {
      if (isLeaf) this.#leafNode(page, at, tree.tally);
      else {
        const below: Range = [keys[n] ?? null, keys[n + 1] ?? to];
        this.#subtree({ number: childOf(page, at), depth: depth - 1, range: below }, tree);
      }
    }
  }

  #leafNode({ bytes }: Page, at: number, tally: Tally): void {
    tally.entries += 1;
    const flags = bytes.readUInt16LE(at + NODE.flags);
    const data = at + NODE.bytes + bytes.readUInt16LE(at + NODE.keySize);
    const size = bytes.readUInt16LE(at + NODE.low) + bytes.readUInt16LE(at + NODE.high) * HALF;
    const isInline = (flags & F_BIGDATA) === 0;
    if (data + (isInline ? size : OVERFLOW.bytes) > bytes.length) throw new RangeError();
    if ((flags & F_SUBDATA) !== 0) this.#tree(bytes.subarray(data, data + DB.bytes), 'bytes');
    if (isInline) return;
    const number = bytes.readBigUInt64LE(data + OVERFLOW.pgno);
    const pages = Number(bytes.readBigUInt64LE(data + OVERFLOW.pages));
    const first = this.#page(number, P_OVERFLOW);
    const isOfLength = first.bytes.readUInt32LE(HEADER.pages) === pages && pages * bytes.length >= HEADER.bytes + size;
    if (!isOfLength) throw damaged(number, 'has the wrong length');
    for (let n = 1; n < pages; n++) this.#reach(number + BigInt(n));
    tally.overflow += pages;
  }

  /** Reads a page of this kind, which may be reached only once. */
  #page(number: bigint, kind: number): Page {
    this.#reach(number);
    const bytes = readAt(this.#file, Number(number) * this.#pageBytes, this.#pageBytes);
    if (bytes.readBigUInt64LE(HEADER.pgno) !== number) throw damaged(number, 'holds another page');
    if (bytes.readBigUInt64LE(HEADER.txnid) > this.#txnid) throw damaged(number, 'is newer than the rest');
    if ((bytes.readUInt16LE(HEADER.flags) & (P_BRANCH | P_LEAF | P_OVERFLOW)) !== kind) {
      throw damaged(number, 'is of the wrong kind');
    }
    const count = kind === P_OVERFLOW ? 0 : bytes.readUInt16LE(HEADER.lower) / WORD_BYTES;
    const nodeAt = (n: number): number => HEADER.bytes + bytes.readUInt16LE(HEADER.bytes + n * WORD_BYTES);
    return { bytes, nodes: Array.from({ length: count }, (_, n) => nodeAt(n)) };
  }

  #reach(number: bigint): void {
    const at = Number(number);
    if (at < METAS || at >= this.#reached.length) throw damaged(at, 'is missing');
    if (this.#reached[at] === 1) throw damaged(at, 'is used twice');
    this.#reached[at] = 1;
  }
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, offset) < length) throw new DamagedPages('it ends too early');
  return bytes;
}

/** Whether keys ascend, the first not below `from`, and all below `to`. */
function isOrdered(keys: readonly (Buffer | null)[], [from, to]: Range, order: Tree['order']): boolean {
  return keys.every((key, n) => {
    const next = n + 1 < keys.length ? keys[n + 1] : to;
    if (key === null) return true;
    if (n === 0 && from !== null && compared(from, key, order) > 0) return false;
    return next === null || next === undefined || compared(key, next, order) < 0;
  });
}

function compared(a: Buffer, b: Buffer, order: Tree['order']): number {
  return order === 'bytes' ? Buffer.compare(a, b) : Number(a.readBigUInt64LE(0) - b.readBigUInt64LE(0));
}

function keyOf({ bytes }: Page, at: number): Buffer {
  return bytes.subarray(at + NODE.bytes, at + NODE.bytes + bytes.readUInt16LE(at + NODE.keySize));
}

/** The page that a node of a branch leads to: 48 bits. */
function childOf({ bytes }: Page, at: number): bigint {
  const low = bytes.readUInt16LE(at + NODE.low) + bytes.readUInt16LE(at + NODE.high) * HALF;
  return BigInt(low) + (BigInt(bytes.readUInt16LE(at + NODE.flags)) << 32n);
}

function damaged(page: number | bigint, how: string): DamagedPages {
  return new DamagedPages(`page ${page} ${how}`);
}
