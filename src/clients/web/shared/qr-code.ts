/**
 * QR codes (ISO/IEC 18004) of texts: bytes of UTF-8 with error correction of level M, which reads a code of which 15 %
 * are covered.
 */

/** For each version from 1: the codewords of error correction in a block, and the number of blocks, at level M. */
const VERSIONS: readonly { readonly correction: number; readonly blocks: number }[] = [
  { correction: 10, blocks: 1 },
  { correction: 16, blocks: 1 },
  { correction: 26, blocks: 1 },
  { correction: 18, blocks: 2 },
  { correction: 24, blocks: 2 },
  { correction: 16, blocks: 4 },
  { correction: 18, blocks: 4 },
  { correction: 22, blocks: 4 },
  { correction: 22, blocks: 5 },
  { correction: 26, blocks: 5 },
];

/** The bits that name level M in the format. */
const LEVEL_M = 0b00;

const BYTE_MODE = 0b0100;

/** Fill the codewords after the text. */
const PADDING: readonly number[] = [0xec, 0x11];

/** The first version whose texts have a length of 16 bits, and the first that says its version. */
const LONG_COUNTS_FROM = 10;
const NAMED_FROM = 7;

/** Whether a module at a row and a column is inverted, by the number of the mask. */
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The modules of a QR code, row by row; `true` is dark. It has no margin: readers need one of four modules. */
export type QrCode = readonly (readonly boolean[])[];

/** The QR code of a text; null: the text has more bytes (213) than the largest code that is made here. */
export function qrCodeOf(text: string): QrCode | null {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  if (version === null) return null;
  const frame = frameOf(version);
  placeCodewords(frame, codewordsOf(bytes, version));
  let best: QrCode | null = null;
  let least = Infinity;
  for (const mask of MASKS.keys()) {
    const candidate = masked(frame, mask);
    const penalty = penaltyOf(candidate);
    if (penalty < least) {
      best = candidate;
      least = penalty;
    }
  }
  return best;
}

function blocksOf(version: number): { readonly correction: number; readonly blocks: number } {
  return VERSIONS[version - 1] ?? { correction: 0, blocks: 1 };
}

function sizeOf(version: number): number {
  return 4 * version + 17;
}

/** Number of codewords of a version, with those of error correction. */
function capacityOf(version: number): number {
  const size = sizeOf(version);
  const centres = alignmentsOf(version).length;
  const finders = 3 * 64 + 2 * 15 + 1;
  const timing = 2 * (size - 16);
  // Two of the patterns on each timing line lie on it, and three corners have none.
  const alignments = centres === 0 ? 0 : (centres * centres - 3) * 25 - 2 * (centres - 2) * 5;
  const named = version < NAMED_FROM ? 0 : 36;
  return Math.floor((size * size - finders - timing - alignments - named) / 8);
}

function dataCapacityOf(version: number): number {
  const { correction, blocks } = blocksOf(version);
  return capacityOf(version) - correction * blocks;
}

function countBitsOf(version: number): number {
  return version < LONG_COUNTS_FROM ? 8 : 16;
}

/** The smallest version with room for so many bytes; null: none has. */
function versionFor(length: number): number | null {
  for (let version = 1; version <= VERSIONS.length; version += 1) {
    const bits = 4 + countBitsOf(version) + 8 * length;
    if (bits <= 8 * dataCapacityOf(version)) return version;
  }
  return null;
}

/** Rows and columns of the centres of alignment patterns. */
function alignmentsOf(version: number): readonly number[] {
  if (version === 1) return [];
  const last = sizeOf(version) - 7;
  return version < NAMED_FROM ? [6, last] : [6, (6 + last) / 2, last];
}

/** The codewords of a text: data and error correction of all blocks, interleaved. */
function codewordsOf(bytes: Uint8Array, version: number): readonly number[] {
  const bits: number[] = [];
  const append = (value: number, length: number): void => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  append(BYTE_MODE, 4);
  append(bytes.length, countBitsOf(version));
  for (const byte of bytes) append(byte, 8);
  const capacity = dataCapacityOf(version);
  append(0, Math.min(4, 8 * capacity - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  const data: number[] = [];
  for (let at = 0; at < bits.length; at += 8) data.push(Number.parseInt(bits.slice(at, at + 8).join(''), 2));
  for (let n = 0; data.length < capacity; n += 1) data.push(PADDING[n % PADDING.length] ?? 0);
  return interleaved(data, version);
}

function interleaved(data: readonly number[], version: number): readonly number[] {
  const { correction, blocks } = blocksOf(version);
  const short = Math.floor(data.length / blocks);
  // The last blocks have a codeword more where the data do not divide evenly.
  const firstLong = blocks - (data.length % blocks);
  const divisor = generatorOf(correction);
  const ofData: (readonly number[])[] = [];
  const ofCorrection: (readonly number[])[] = [];
  let at = 0;
  for (let block = 0; block < blocks; block += 1) {
    const length = block < firstLong ? short : short + 1;
    const part = data.slice(at, at + length);
    ofData.push(part);
    ofCorrection.push(remainderOf(part, divisor));
    at += length;
  }
  return [...inTurns(ofData), ...inTurns(ofCorrection)];
}

/** The first of each list, then the second of each, and so on. */
function inTurns(lists: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const all: number[] = [];
  for (let n = 0; n < longest; n += 1) {
    for (const list of lists) {
      const value = list[n];
      if (value !== undefined) all.push(value);
    }
  }
  return all;
}

/** The product of two elements of GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function product(a: number, b: number): number {
  let sum = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    sum = (sum << 1) ^ ((sum >> 7) * 0x11d);
    if (((b >> bit) & 1) === 1) sum ^= a;
  }
  return sum;
}

/** The generator polynomial of Reed-Solomon codes with so many codewords, from the highest power, without the first 1. */
function generatorOf(degree: number): readonly number[] {
  const coefficients = Array<number>(degree).fill(0);
  coefficients[degree - 1] = 1;
  let root = 1;
  for (let n = 0; n < degree; n += 1) {
    for (let at = 0; at < degree; at += 1) {
      const next = coefficients[at + 1] ?? 0;
      coefficients[at] = product(coefficients[at] ?? 0, root) ^ next;
    }
    root = product(root, 2);
  }
  return coefficients;
}

/** The codewords of error correction of a block. */
function remainderOf(data: readonly number[], divisor: readonly number[]): readonly number[] {
  const remainder = divisor.map(() => 0);
  for (const value of data) {
    const factor = value ^ (remainder.shift() ?? 0);
    remainder.push(0);
    for (const [n, coefficient] of divisor.entries()) {
      remainder[n] = (remainder[n] ?? 0) ^ product(coefficient, factor);
    }
  }
  return remainder;
}

/** A code that is being made. */
interface Frame {
  readonly version: number;
  readonly size: number;
  readonly modules: boolean[][];
  /** Whether a module is part of a pattern, or of the format, and holds no data. */
  readonly reserved: boolean[][];
}

/** The patterns of a version, with room for the format. */
function frameOf(version: number): Frame {
  const size = sizeOf(version);
  const rows = (): boolean[][] => Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const frame: Frame = { version, size, modules: rows(), reserved: rows() };
  for (let n = 0; n < size; n += 1) {
    reserve(frame, 6, n, n % 2 === 0);
    reserve(frame, n, 6, n % 2 === 0);
  }
  const centres = alignmentsOf(version);
  const last = size - 7;
  for (const row of centres) {
    for (const column of centres) {
      const isAtFinder = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      if (!isAtFinder) square(frame, row, column, 2, (distance) => distance !== 1);
    }
  }
  // Each finder pattern is dark but for the second ring, and what is around it is light.
  const isDark = (distance: number): boolean => distance !== 2 && distance !== 4;
  square(frame, 3, 3, 4, isDark);
  square(frame, 3, size - 4, 4, isDark);
  square(frame, size - 4, 3, 4, isDark);
  placeFormat(frame, 0);
  placeVersion(frame);
  return frame;
}

function reserve({ size, modules, reserved }: Frame, row: number, column: number, isDark: boolean): void {
  const ofModules = modules[row];
  const ofReserved = reserved[row];
  if (ofModules === undefined || ofReserved === undefined || column < 0 || column >= size) return;
  ofModules[column] = isDark;
  ofReserved[column] = true;
}

/** A square pattern around a centre; `isDark` gets the distance of a ring from it. */
function square(
  frame: Frame,
  row: number,
  column: number,
  radius: number,
  isDark: (distance: number) => boolean,
): void {
  for (let down = -radius; down <= radius; down += 1) {
    for (let right = -radius; right <= radius; right += 1) {
      reserve(frame, row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))));
    }
  }
}

/** A value followed by the remainder of a division by a polynomial of a degree (BCH code). */
function withRemainder(value: number, polynomial: number, degree: number): number {
  let remainder = value;
  for (let n = 0; n < degree; n += 1) remainder = (remainder << 1) ^ ((remainder >> (degree - 1)) * polynomial);
  return (value << degree) | remainder;
}

/** Says, twice, the level of error correction and the mask. */
function placeFormat(frame: Frame, mask: number): void {
  const { size } = frame;
  const format = withRemainder((LEVEL_M << 3) | mask, 0x537, 10) ^ 0x5412;
  const bit = (n: number): boolean => ((format >> n) & 1) === 1;
  for (let n = 0; n < 15; n += 1) {
    // Around the first finder pattern, past the timing patterns; and beside the other two.
    const across = n < 8 ? size - 1 - n : 14 - n + (n < 9 ? 1 : 0);
    const down = n < 8 ? n + (n < 6 ? 0 : 1) : size - 15 + n;
    reserve(frame, 8, across, bit(n));
    reserve(frame, down, 8, bit(n));
  }
  reserve(frame, size - 8, 8, true);
}

/** Says, twice, the version, where it is large. */
function placeVersion(frame: Frame): void {
  const { version, size } = frame;
  if (version < NAMED_FROM) return;
  const bits = withRemainder(version, 0x1f25, 12);
  for (let n = 0; n < 18; n += 1) {
    const isDark = ((bits >> n) & 1) === 1;
    const along = Math.floor(n / 3);
    const across = size - 11 + (n % 3);
    reserve(frame, along, across, isDark);
    reserve(frame, across, along, isDark);
  }
}

/** Places codewords in pairs of columns, from the right, upwards and downwards in turn. */
function placeCodewords({ size, modules, reserved }: Frame, codewords: readonly number[]): void {
  let at = 0;
  let isUpwards = true;
  for (let right = size - 1; right >= 1; right -= 2) {
    // The column of the timing pattern is in no pair.
    if (right === 6) right = 5;
    for (let n = 0; n < size; n += 1) {
      const row = isUpwards ? size - 1 - n : n;
      for (const column of [right, right - 1]) {
        const ofModules = modules[row];
        if (ofModules === undefined || reserved[row]?.[column] !== false) continue;
        const codeword = codewords[at >> 3] ?? 0;
        ofModules[column] = ((codeword >> (7 - (at & 7))) & 1) === 1;
        at += 1;
      }
    }
    isUpwards = !isUpwards;
  }
}

function masked({ version, size, modules, reserved }: Frame, mask: number): QrCode {
  const isInverted = MASKS[mask];
  const changed = modules.map((cells, row) =>
    cells.map((isDark, column) => (reserved[row]?.[column] === true ? isDark : isDark !== isInverted?.(row, column))),
  );
  placeFormat({ version, size, modules: changed, reserved: reserved.map((cells) => [...cells]) }, mask);
  return changed;
}

/** How hard a code is to read; the mask with the least is used. */
function penaltyOf(code: QrCode): number {
  const size = code.length;
  const columns = code.map((_, column) => code.map((cells) => cells[column] === true));
  const dark = code.flat().filter((isDark) => isDark).length;
  // Ten for each 5 % that dark modules are away from half of all.
  const unbalanced = 10 * Math.floor(Math.abs((20 * dark) / (size * size) - 10));
  let sum = unbalanced + penaltyOfSquares(code);
  for (const line of [...code, ...columns]) sum += penaltyOfLine(line);
  return sum;
}

/** Three for each square of four equal modules. */
function penaltyOfSquares(code: QrCode): number {
  let squares = 0;
  for (const [row, cells] of code.entries()) {
    const below = code[row + 1];
    if (below === undefined) continue;
    for (const [column, isDark] of cells.entries()) {
      const isSquare =
        column + 1 < cells.length &&
        isDark === cells[column + 1] &&
        isDark === below[column] &&
        isDark === below[column + 1];
      if (isSquare) squares += 1;
    }
  }
  return 3 * squares;
}

/** For each five equal modules or more, and forty for what looks like a finder pattern beside four light ones. */
function penaltyOfLine(line: readonly boolean[]): number {
  const text = line.map((isDark) => (isDark ? '1' : '0')).join('');
  const runs = text.match(/0{5,}|1{5,}/g) ?? [];
  let sum = 0;
  for (const { length } of runs) sum += length - 2;
  // What is around a code is light.
  const around = `0000${text}0000`;
  for (let at = 0; at + 11 <= around.length; at += 1) {
    const part = around.slice(at, at + 11);
    if (part === '10111010000' || part === '00001011101') sum += 40;
  }
  return sum;
}
