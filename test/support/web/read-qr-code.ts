/** For each version from 1: the codewords of error correction in a block, and the lengths of the blocks' data, at level M. */
const BLOCKS: readonly (readonly [correction: number, ...data: number[]])[] = [
  [10, 16],
  [16, 28],
  [26, 44],
  [18, 32, 32],
  [24, 43, 43],
  [16, 27, 27, 27, 27],
  [18, 31, 31, 31, 31],
  [22, 38, 38, 39, 39],
  [22, 36, 36, 36, 37, 37],
  [26, 43, 43, 43, 43, 44],
];

const ALIGNMENTS: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

const MASKS: readonly ((i: number, j: number) => number)[] = [
  (i, j) => (i + j) % 2,
  (i) => i % 2,
  (_, j) => j % 3,
  (i, j) => (i + j) % 3,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
  (i, j) => ((i * j) % 2) + ((i * j) % 3),
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2,
];

/**
 * Reads a QR code of level M, up to version 10, as ISO/IEC 18004 describes it.
 * @throws {Error} when anything of it is wrong: nothing is corrected
 */
export function readQrCode(modules: readonly (readonly boolean[])[]): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const isDark = (row: number, column: number): boolean => modules[row]?.[column] === true;
  for (let n = 8; n < size - 8; n += 1) {
    if (isDark(6, n) !== (n % 2 === 0) || isDark(n, 6) !== (n % 2 === 0)) throw new Error('no timing pattern');
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const) {
    for (let distance = 0; distance <= 3; distance += 1) {
      if (isDark(row + distance, column) !== (distance !== 2)) throw new Error('no finder pattern');
    }
  }
  const mask = MASKS[maskOf(isDark, size)];
  const bits: boolean[] = [];
  let isUpwards = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let n = 0; n < size; n += 1) {
      const row = isUpwards ? size - 1 - n : n;
      for (const column of [right, right - 1]) {
        if (!isPattern(row, column, size)) bits.push(isDark(row, column) !== (mask?.(row, column) === 0));
      }
    }
    isUpwards = !isUpwards;
  }
  const data = dataOf(bytesOf(bits), version);
  const ofData = data.flatMap((byte) => Array.from({ length: 8 }, (_, n) => ((byte >> (7 - n)) & 1) === 1));
  const numberOf = (from: number, length: number): number =>
    ofData.slice(from, from + length).reduce((value, bit) => 2 * value + (bit ? 1 : 0), 0);
  if (numberOf(0, 4) !== 4) throw new Error('no bytes');
  const countBits = version < 10 ? 8 : 16;
  const length = numberOf(4, countBits);
  const text = Uint8Array.from({ length }, (_, n) => numberOf(4 + countBits + 8 * n, 8));
  return new TextDecoder('utf-8', { fatal: true }).decode(text);
}

/** The mask that both places of the format name. */
function maskOf(isDark: (row: number, column: number) => boolean, size: number): number {
  const first: boolean[] = [];
  const second: boolean[] = [];
  for (const column of [0, 1, 2, 3, 4, 5, 7, 8]) first.push(isDark(8, column));
  for (const row of [7, 5, 4, 3, 2, 1, 0]) first.push(isDark(row, 8));
  for (let row = size - 1; row >= size - 7; row -= 1) second.push(isDark(row, 8));
  for (let column = size - 8; column < size; column += 1) second.push(isDark(8, column));
  if (first.join() !== second.join()) throw new Error('two formats');
  const format = first.reduce((value, bit) => 2 * value + (bit ? 1 : 0), 0) ^ 0b101010000010010;
  let remainder = format;
  for (let bit = 14; bit >= 10; bit -= 1) {
    if (((remainder >> bit) & 1) === 1) remainder ^= 0b10100110111 << (bit - 10);
  }
  if (remainder !== 0 || format >> 13 !== 0) throw new Error('no format of level M');
  return (format >> 10) & 7;
}

/** Whether a module holds no data. */
function isPattern(row: number, column: number, size: number): boolean {
  const version = (size - 17) / 4;
  const isFinder = (row < 9 && column < 9) || (row < 9 && column >= size - 8) || (row >= size - 8 && column < 9);
  const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));
  if (isFinder || isVersion || row === 6 || column === 6) return true;
  const centres = ALIGNMENTS[version - 1] ?? [];
  const isNear = (at: number): readonly number[] => centres.filter((centre) => Math.abs(at - centre) <= 2);
  const last = size - 7;
  return isNear(row).some((down) =>
    isNear(column).some(
      (across) => !((down === 6 && (across === 6 || across === last)) || (down === last && across === 6)),
    ),
  );
}

function bytesOf(bits: readonly boolean[]): readonly number[] {
  const bytes: number[] = [];
  for (let at = 0; at + 8 <= bits.length; at += 8) {
    bytes.push(bits.slice(at, at + 8).reduce((value, bit) => 2 * value + (bit ? 1 : 0), 0));
  }
  return bytes;
}

/** The data of all blocks, each of which must be a code word of its Reed-Solomon code. */
function dataOf(codewords: readonly number[], version: number): readonly number[] {
  const [correction = 0, ...lengths] = BLOCKS[version - 1] ?? [];
  const blocks: number[][] = lengths.map(() => []);
  let at = 0;
  for (let n = 0; n < Math.max(...lengths); n += 1) {
    for (const [block, length] of lengths.entries()) {
      if (n >= length) continue;
      blocks[block]?.push(codewords[at] ?? 0);
      at += 1;
    }
  }
  for (let n = 0; n < correction; n += 1) {
    for (const block of blocks) {
      block.push(codewords[at] ?? 0);
      at += 1;
    }
  }
  if (at !== codewords.length) throw new Error(`${codewords.length} codewords instead of ${at}`);
  expectCodeWords(blocks, correction);
  return blocks.flatMap((block, n) => block.slice(0, lengths[n]));
}

/** Throws unless each block is 0 at all roots of the generator polynomial, the first powers of 2. */
function expectCodeWords(blocks: readonly (readonly number[])[], correction: number): void {
  const exponents: number[] = [1];
  for (let n = 1; n < 255; n += 1) {
    const doubled = 2 * (exponents[n - 1] ?? 0);
    exponents.push(doubled < 256 ? doubled : doubled ^ 0x11d);
  }
  for (const block of blocks) {
    for (let root = 0; root < correction; root += 1) {
      let value = 0;
      for (const [n, codeword] of block.entries()) {
        if (codeword === 0) continue;
        const power = exponents.indexOf(codeword) + root * (block.length - 1 - n);
        value ^= exponents[power % 255] ?? 0;
      }
      if (value !== 0) throw new Error('a block is no code word');
    }
  }
}
