import { listOf, type Document, type Range, type Scalar } from '../../src/service/kernel/ports/read-store.ts';
import { putPacked } from './packed-text.ts';

/** Longest key of LMDB with pages of 4 KiB, in bytes. */
const MAX_KEY_BYTES = 1978;
/**
 * How many bytes of the UTF-8 of a string are in keys (a field of 255 characters has at most 1,020); strings that differ
 * only after that are ordered like equal ones.
 */
const MAX_STRING_BYTES = 1024;
/** Longest id, in bytes: ids are one or two UUIDs. */
const MAX_ID_BYTES = 255;
const SEQUENCE_BYTES = 4;
/** Bytes of a position: as many as the largest safe integer has. */
const POSITION_BYTES = 7;
/** Bytes for all fields of an index entry; only compound indexes of very long strings are truncated by it. */
const MAX_FIELDS_BYTES = MAX_KEY_BYTES - MAX_ID_BYTES - 1 - SEQUENCE_BYTES;

/** First byte of an encoded value: the order of types. Arrays and objects sort after all scalars and equal nothing. */
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const NUMBER = 4;
const STRING = 5;
const OTHER = 6;
/**
 * Ends a string. A NUL inside one is written as NUL and 0xFF, which no UTF-8 contains, so shorter strings still sort
 * first.
 */
const END = 0;
const ESCAPED = 0xff;

/** Appended to a prefix, it gives a key above all keys with that prefix: no encoded value starts with this byte. */
const AFTER = 0xff;

/** Buffer in which keys are built. Each is copied into LMDB before the next one is built. */
const scratch = Buffer.alloc(4 * MAX_KEY_BYTES);

/** A range of an index: entries from `start` to before `end`; in descending order, with `start` above, if `reverse`. */
export interface IndexRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly reverse?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

/** A document and its sequence number. */
export interface StoredDocument {
  readonly sequence: number;
  readonly document: Document;
}

/**
 * How the keys of a namespace are written: `text` with strings as UTF-8 and ids as what orders ties, `packed` with packed
 * strings and ties in the order of creation. Namespaces that were made before there was `packed` last as `text` until they
 * are rebuilt.
 */
export type KeyFormat = 'text' | 'packed';

/** The keys of a namespace. Those that are not said to be copies are valid until the next call of any method here. */
export class Keys {
  readonly #isPacked: boolean;

  constructor(format: KeyFormat) {
    this.#isPacked = format === 'packed';
  }

  /**
   * The key of a document by id.
   * @throws {RangeError} when the id is too long
   */
  id(id: string): Buffer {
    // A character has at least one byte.
    if (id.length > MAX_ID_BYTES || Buffer.byteLength(id) > MAX_ID_BYTES) {
      throw new RangeError(`an id of more than ${MAX_ID_BYTES} bytes: ${id.slice(0, 40)}…`);
    }
    // Each of these may take two, as text.
    return scratch.subarray(0, this.#putText(id, 0, 2 * MAX_ID_BYTES));
  }

  /** The entry of a document in an index: the fields in order, then what orders ties, then the document's sequence number. */
  one(fields: readonly string[], stored: StoredDocument): Buffer {
    return this.#keyOf(
      fields.map((field) => stored.document[field]),
      stored,
    );
  }

  /** The same as copies: one for each different item where the first field stands for the items of a list, else one. */
  all(fields: readonly string[], stored: StoredDocument): readonly Buffer[] {
    const [first = '', ...rest] = fields;
    const list = listOf(first);
    if (list === null) return [Buffer.from(this.one(fields, stored))];
    const { document } = stored;
    const items = document[list];
    if (!Array.isArray(items)) return [];
    const keyOf = (item: unknown): Buffer => this.#keyOf([item, ...rest.map((field) => document[field])], stored);
    return [...new Set<unknown>(items)].map((item) => Buffer.from(keyOf(item)));
  }

  /**
   * The bounds, as copies, of all entries whose first fields have these values and whose next one is in a range, if one is
   * given; null when the values are too long for exact keys.
   */
  range(values: readonly Scalar[], range?: Range): { from: Buffer; to: Buffer } | null {
    const ends = [range?.from, range?.to];
    if ([...values, ...ends].some((value) => typeof value === 'string' && isTruncated(value))) return null;
    const end = this.#putFields(values);
    if (end === MAX_FIELDS_BYTES) return null;
    const prefix = Buffer.from(scratch.subarray(0, end));
    if (range === undefined) return { from: prefix, to: Buffer.concat([prefix, Buffer.of(AFTER)]) };
    const type = typeof (range.from ?? range.to) === 'number' ? NUMBER : STRING;
    const from = Buffer.concat([prefix, range.from === undefined ? Buffer.of(type) : this.#field(range.from)]);
    const to = Buffer.concat([prefix, range.to === undefined ? Buffer.of(type + 1) : this.#field(range.to)]);
    if (Math.max(from.length, to.length) >= MAX_FIELDS_BYTES) return null;
    return { from, to: from.compare(to) < 0 ? to : from };
  }

  #keyOf(values: readonly unknown[], { document, sequence }: StoredDocument): Buffer {
    const at = this.#putFields(values);
    const end = this.#isPacked ? putPosition(document._created, at) : putText(document.id, at, MAX_ID_BYTES);
    scratch.writeUInt32BE(sequence, end);
    return scratch.subarray(0, end + SEQUENCE_BYTES);
  }

  /** A field as it is in keys. */
  #field(value: Scalar): Buffer {
    return scratch.subarray(0, this.#putValue(value, 0));
  }

  #putFields(values: readonly unknown[]): number {
    let end = 0;
    for (const value of values) {
      if (end >= MAX_FIELDS_BYTES) break;
      end = this.#putValue(value, end);
    }
    return Math.min(end, MAX_FIELDS_BYTES);
  }

  #putValue(value: unknown, at: number): number {
    if (typeof value === 'string') {
      scratch[at] = STRING;
      return this.#putText(value, at + 1, MAX_STRING_BYTES);
    }
    if (typeof value === 'number') return putNumber(value, at);
    scratch[at] = kindOf(value);
    return at + 1;
  }

  /** Writes a string, of which at most `limit` bytes count, so that it sorts by code point; tells its end. */
  #putText(text: string, at: number, limit: number): number {
    return this.#isPacked ? putPacked(text, { target: scratch, at, limit }) : putText(text, at, limit);
  }
}

/** The sequence number at the end of an index entry. */
export function sequenceOf(source: Buffer, _start: number, end: number): number {
  return source.readUInt32BE(end - SEQUENCE_BYTES);
}

/** Whether a string may be truncated in keys; two bytes early, for a NUL as the last character. */
function isTruncated(text: string): boolean {
  return text.length > MAX_STRING_BYTES || Buffer.byteLength(text) + text.split('\0').length - 1 > MAX_STRING_BYTES - 2;
}

function kindOf(value: unknown): number {
  if (value === null || value === undefined) return NULL;
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  return OTHER;
}

/** An IEEE double, big-endian, sorts like its number once the sign bit is flipped, or all bits of a negative one. */
function putNumber(value: number, at: number): number {
  scratch[at] = NUMBER;
  scratch.writeDoubleBE(value === 0 ? 0 : value, at + 1);
  const flip = value < 0 ? 0xffffffff : 0x80000000;
  scratch.writeUInt32BE((scratch.readUInt32BE(at + 1) ^ flip) >>> 0, at + 1);
  if (value < 0) scratch.writeUInt32BE(~scratch.readUInt32BE(at + 5) >>> 0, at + 5);
  return at + 9;
}

/** Big-endian, so that it sorts like its number. */
function putPosition(position: number, at: number): number {
  const high = Math.floor(position / 2 ** 32);
  scratch[at] = high >>> 16;
  scratch.writeUInt16BE(high & 0xffff, at + 1);
  scratch.writeUInt32BE(position >>> 0, at + 3);
  return at + POSITION_BYTES;
}

/** UTF-8 sorts by code point. Writes at most `limit` bytes, then the END byte. */
function putText(text: string, at: number, limit: number): number {
  // A character has at least one byte, so more of them are not needed; one more keeps a surrogate pair whole.
  const kept = text.length > limit ? text.slice(0, limit + 1) : text;
  const end = kept.includes('\0') ? putEscaped(kept, at, limit) : at + Math.min(scratch.write(kept, at), limit);
  scratch[end] = END;
  return end + 1;
}

function putEscaped(text: string, at: number, limit: number): number {
  let end = at;
  for (const byte of Buffer.from(text)) {
    if (end + 2 > at + limit) break;
    scratch[end++] = byte;
    if (byte === END) scratch[end++] = ESCAPED;
  }
  return end;
}
