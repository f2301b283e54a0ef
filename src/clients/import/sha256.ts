/** Bytes of a block, and of the words of a block. */
const BLOCK_BYTES = 64;
const WORD_BYTES = 4;
const ROUNDS = 64;
/** Behind the text stand a bit, and its length in bits in eight bytes. */
const LENGTH_BYTES = 8;
const WORDS_OF_BLOCK = BLOCK_BYTES / WORD_BYTES;
const TWO_TO_32 = 2 ** 32;

/** The first 32 bits of the fractions of the square roots of the first primes, and of their cube roots. */
const START = new Uint32Array(8);
const CONSTANTS = new Uint32Array(ROUNDS);
let primes = 0;
for (let candidate = 2; primes < ROUNDS; candidate += 1) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) isPrime &&= candidate % divisor !== 0;
  if (!isPrime) continue;
  if (primes < START.length) START[primes] = fractionOf(Math.sqrt(candidate));
  CONSTANTS[primes] = fractionOf(Math.cbrt(candidate));
  primes += 1;
}

function fractionOf(root: number): number {
  return Math.floor((root % 1) * TWO_TO_32);
}

/**
 * The SHA-256 of bytes, in hexadecimal digits (FIPS 180-4). Browsers have their own only where a page came over HTTPS,
 * which it does not in the network of a venue.
 */
export function sha256(bytes: Uint8Array): string {
  const state = START.slice();
  const schedule = new Uint32Array(ROUNDS);
  const whole = bytes.length - (bytes.length % BLOCK_BYTES);
  digestBlocks(state, schedule, bytes.subarray(0, whole));
  digestBlocks(state, schedule, lastBlocks(bytes.subarray(whole), bytes.length));
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** The end of a text, with what stands behind it: one block, or two. */
function lastBlocks(end: Uint8Array, length: number): Uint8Array {
  const blocks = end.length + 1 + LENGTH_BYTES > BLOCK_BYTES ? 2 : 1;
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(end);
  padded[end.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - LENGTH_BYTES, Math.floor((length * 8) / TWO_TO_32));
  view.setUint32(padded.length - WORD_BYTES, (length * 8) % TWO_TO_32);
  return padded;
}

function digestBlocks(state: Uint32Array, schedule: Uint32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [h0 = 0, h1 = 0, h2 = 0, h3 = 0, h4 = 0, h5 = 0, h6 = 0, h7 = 0] = state;
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    for (let n = 0; n < WORDS_OF_BLOCK; n += 1) schedule[n] = view.getUint32(start + n * WORD_BYTES);
    for (let n = WORDS_OF_BLOCK; n < ROUNDS; n += 1) {
      const early = schedule[n - 15] ?? 0;
      const late = schedule[n - 2] ?? 0;
      const small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const small1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      schedule[n] = (schedule[n - 16] ?? 0) + small0 + (schedule[n - 7] ?? 0) + small1;
    }
    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    let e = h4;
    let f = h5;
    let g = h6;
    let h = h7;
    for (let n = 0; n < ROUNDS; n += 1) {
      const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const choice = (e & f) ^ (~e & g);
      const first = (h + big1 + choice + (CONSTANTS[n] ?? 0) + (schedule[n] ?? 0)) | 0;
      const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + big0 + majority) | 0;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
    h5 = (h5 + f) | 0;
    h6 = (h6 + g) | 0;
    h7 = (h7 + h) | 0;
  }
  state.set([h0, h1, h2, h3, h4, h5, h6, h7]);
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
