import type { Document, Range, Where } from '../../src/kernel/ports/read-store.ts';
import { isRange, listOf } from '../../src/kernel/where.ts';

/** Longest key of LMDB with pages of 4 KiB, in bytes. */
const MAX_KEY_BYTES = 1978;
/**
 * How many bytes of the UTF-8 of a string are in keys (a field of 255 characters has at most 1,020); strings that
 * differ only after that are ordered like equal ones.
 */
const MAX_STRING_BYTES = 1024;
/** Longest id, in bytes: ids are one or two UUIDs. */
const MAX_ID_BYTES = 255;
const SEQUENCE_BYTES = 4;
/** Bytes of a position, big-endian: those of the largest safe integer. */
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
/** A prefix followed by this byte is above all keys with that prefix: no encoded value starts with it. */
const AFTER = 0xff;

/** Buffer in which keys are built. Each is copied into LMDB before the next one is built. */
const scratch = Buffer.alloc(4 * MAX_KEY_BYTES);

/** The keys of a range, or the keys that they lie between. */
export interface Bounds {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** A document and its sequence number. */
export interface StoredDocument {
  readonly sequence: number;
  readonly document: Document;
}

/** One that has changed, and what it was. */
export interface ChangedDocument extends StoredDocument {
  readonly old: Document;
}

/** Values by field, of a document or of a filter. */
type Values = Readonly<Record<string, unknown>>;

/**
 * The key of a document by id, valid until the next key is made.
 * @throws {RangeError} when the id is too long
 */
export function idKeyOf(id: string): Buffer {
  // A character has at least one byte.
  if (id.length > MAX_ID_BYTES || Buffer.byteLength(id) > MAX_ID_BYTES) {
    throw new RangeError(`an id of more than ${MAX_ID_BYTES} bytes: ${id.slice(0, 40)}…`);
  }
  return scratch.subarray(0, putPacked(id, { target: scratch, at: 0, limit: MAX_ID_BYTES }));
}

/**
 * The key of some fields, valid until the next key is made; in an index entry, the order of ties and the sequence
 * number of the document follow.
 */
export function keyOf(fields: readonly string[], values: Values, entry: StoredDocument | null = null): Buffer {
  let end = 0;
  for (const field of fields) {
    if (end >= MAX_FIELDS_BYTES) break;
    const value = values[field];
    if (typeof value === 'string') {
      scratch[end++] = STRING;
      end = putPacked(value, { target: scratch, at: end, limit: MAX_STRING_BYTES });
    } else if (typeof value === 'number') end = putNumber(value, end);
    else scratch[end++] = typeOf(value);
  }
  end = Math.min(end, MAX_FIELDS_BYTES);
  if (entry === null) return scratch.subarray(0, end);
  const { _created } = entry.document;
  scratch.writeUIntBE(Math.floor(_created / 2 ** 32), end, POSITION_BYTES - 4);
  scratch.writeUInt32BE(_created >>> 0, end + POSITION_BYTES - 4);
  end += POSITION_BYTES;
  scratch.writeUInt32BE(entry.sequence, end);
  return scratch.subarray(0, end + SEQUENCE_BYTES);
}

/** The entries of a document, as copies: one for each different item if the first field stands for a list's items. */
export function entriesOf(fields: readonly string[], stored: StoredDocument): readonly Buffer[] {
  const { document } = stored;
  const [first = ''] = fields;
  const list = listOf(first);
  if (list === null) return [Buffer.from(keyOf(fields, document, stored))];
  const items = document[list];
  if (!Array.isArray(items)) return [];
  const different = [...new Set<unknown>(items)];
  return different.map((item) => Buffer.from(keyOf(fields, { ...document, [first]: item }, stored)));
}

/**
 * The bounds, as copies, of the entries whose first fields match a filter on exactly these fields, where the last
 * condition may be a range; null when the values are too long for exact keys.
 */
export function boundsOf(fields: readonly string[], where: Where): Bounds | null {
  const last = where[fields.at(-1) ?? ''];
  const range = isRange(last) ? last : null;
  const equal = range === null ? fields : fields.slice(0, -1);
  if ([...equal.map((field) => where[field]), ...Object.values(range ?? {})].some(isTruncated)) return null;
  const prefix = Buffer.from(keyOf(equal, where));
  if (prefix.length === MAX_FIELDS_BYTES) return null;
  if (range === null) return { from: prefix, to: Buffer.concat([prefix, Buffer.of(AFTER)]) };
  const type = typeof (range.from ?? range.to) === 'number' ? NUMBER : STRING;
  const from = Buffer.concat([prefix, endKeyOf(range.from, type)]);
  const to = Buffer.concat([prefix, endKeyOf(range.to, type + 1)]);
  if (Math.max(from.length, to.length) >= MAX_FIELDS_BYTES) return null;
  return { from, to: from.compare(to) < 0 ? to : from };
}

/** An end of a range as it is in keys; without one, the first byte of a type. */
function endKeyOf(end: Range['from'], type: number): Buffer {
  return end === undefined ? Buffer.of(type) : keyOf(['end'], { end });
}

/** The sequence number at the end of an index entry. */
export function sequenceOf(source: Buffer, _start: number, end: number): number {
  return source.readUInt32BE(end - SEQUENCE_BYTES);
}

/** Whether a value is a string that may be truncated in keys; two bytes early, as the last character may be a NUL. */
function isTruncated(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.byteLength(value) + value.split('\0').length - 1;
  return value.length > MAX_STRING_BYTES || bytes > MAX_STRING_BYTES - 2;
}

function typeOf(value: unknown): number {
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

/**
 * Characters that ids and moments are made of, in the order of their codes. They take five bits; any other byte of
 * UTF-8 takes the five bits of its gap between them, and its own eight.
 */
const SHORT = ' -./0123456789:TZabcdef';
const SHORT_BITS = 5;

/** The bits of each byte, and how many they are. No bits are all zero: those end a string. */
const BITS = new Uint16Array(256);
const WIDTHS = new Uint8Array(256);
let code = 0;
let wasShort = true;
for (let byte = 0; byte < BITS.length; byte++) {
  const isShort = SHORT.includes(String.fromCharCode(byte));
  if (isShort || wasShort) code++;
  BITS[byte] = isShort ? code : (code << 8) | byte;
  WIDTHS[byte] = isShort ? SHORT_BITS : SHORT_BITS + 8;
  wasShort = isShort;
}

/**
 * Writes the first `limit` bytes of the UTF-8 of a string so that the result sorts as the string does, by code point,
 * whatever follows (README.md, "Packed keys"). Codes are in the order of the bytes they stand for, none is a prefix of
 * another (Hu and Tucker, 1971), and the end, all zeros, comes before them all.
 * @returns where it ends; each byte of source takes at most 13 bits, and the end a byte
 */
export function putPacked(
  text: string,
  { target, at, limit }: { readonly target: Uint8Array; readonly at: number; readonly limit: number },
): number {
  // One character for each byte.
  const bytes = Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
  const length = Math.min(bytes.length, limit);
  let end = at;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes.charCodeAt(i);
    const width = WIDTHS[byte] ?? 0;
    bits = (bits << width) | (BITS[byte] ?? 0);
    held += width;
    if (held < 16) continue;
    held -= 16;
    target[end++] = bits >>> (held + 8);
    target[end++] = bits >>> held;
  }
  // The terminating bits, and zeros up to the end of the last byte.
  bits <<= SHORT_BITS;
  for (held += SHORT_BITS; held > 0; held -= 8) target[end++] = held >= 8 ? bits >>> (held - 8) : bits << (8 - held);
  return end;
}
