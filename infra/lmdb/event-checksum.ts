import { crc32 } from 'node:zlib';
import type { Position } from '../../src/service/kernel/ports/event-store.ts';

/**
 * An event ends with its checksum, as a sixth part of its JSON array: `…,"0a1b2c3d"]`. So earlier releases, which read
 * five parts, can read it too, and an event of theirs is told by its end, that of an object: `…}]`.
 */
const END = '"]';
const START = ',"';
const HEX_DIGITS = 8;
/** Bytes that `sign` needs beyond those of an event without a checksum. */
export const CHECKSUM_BYTES = START.length + HEX_DIGITS + END.length - 1;
const [QUOTE, BRACE] = [0x22, 0x7d];

/** Puts the checksum into a buffer that begins with an event of so many bytes; returns how many they are with it. */
export function sign(buffer: Buffer, length: number, position: Position): number {
  const end = length - 1;
  return end + buffer.write(checksumOf(buffer.subarray(0, end), position), end, 'latin1');
}

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

/** The position counts, so an event in the place of another is damage. */
function checksumOf(bytes: Buffer, position: Position): string {
  return (
    START +
    crc32(bytes, position >>> 0)
      .toString(16)
      .padStart(HEX_DIGITS, '0') +
    END
  );
}
