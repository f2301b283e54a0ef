import { crc32 } from 'node:zlib';
import type { Position } from '../../src/service/kernel/ports/event-store.ts';

/**
 * An event ends with its checksum, as a sixth part of its JSON array: `…,"0a1b2c3d"]`. So earlier releases, which read
 * five parts, can read it too, and an event of theirs is told by its end, that of an object: `…}]`.
 */
const END = '"]';
const START = ',"';
const HEX_DIGITS = 8;
/** Bytes that an event with a checksum has beyond those of one without. */
export const CHECKSUM_BYTES = START.length + HEX_DIGITS + END.length - 1;
const [QUOTE, BRACE] = [0x22, 0x7d];

/**
 * What the bytes of an event say of themselves: `none` in those of earlier releases. Their `length` is a property that
 * lmdb sets on a larger buffer, so each end is given.
 */
export function checksumIn(bytes: Buffer, position: Position): 'right' | 'wrong' | 'none' {
  const { length } = bytes;
  const last = bytes[length - END.length];
  if (last === BRACE) return 'none';
  const end = length - CHECKSUM_BYTES - 1;
  if (last !== QUOTE || end <= 0) return 'wrong';
  return bytes.toString('latin1', end, length) === checksumOf(bytes.subarray(0, end), position) ? 'right' : 'wrong';
}

/**
 * The end of an event, with the checksum of all bytes before its last bracket. The position counts, so an event in the
 * place of another is damage.
 */
export function checksumOf(bytes: Buffer, position: Position): string {
  return (
    START +
    crc32(bytes, position >>> 0)
      .toString(16)
      .padStart(HEX_DIGITS, '0') +
    END
  );
}
