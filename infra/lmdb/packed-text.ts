/**
 * Characters that ids and moments are made of, in the order of their codes. They take five bits; any other byte of UTF-8
 * takes the five bits of its gap between them, and its own eight.
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
 * Writes the first `limit` bytes of the UTF-8 of a string so that what is written sorts as the string does, by code point,
 * whatever follows: a UUID takes 24 bytes instead of 37, an ISO moment 16 instead of 25. Codes are in the order of what they
 * stand for, none begins another (Hu and Tucker, 1971), and an end, all zeros, is before them all. Decision 0062 has what
 * it saves.
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
  // The bits that end it, and as many more zeros as fill its last byte.
  bits <<= SHORT_BITS;
  for (held += SHORT_BITS; held > 0; held -= 8) target[end++] = held >= 8 ? bits >>> (held - 8) : bits << (8 - held);
  return end;
}
