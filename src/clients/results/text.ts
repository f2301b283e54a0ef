import type { Encoding } from './plan.ts';
import { placeInText, UnreadableFile } from './unreadable-file.ts';
import type { Warnings } from './warnings.ts';

/** Size of the largest file that is read, in bytes. 100,000 laps with all that games write about them have 50 MB. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The text of a file, without a byte order mark. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

/** Containers that look like no text, by their first bytes. */
const CONTAINERS: readonly { readonly name: string; readonly magic: readonly number[] }[] = [
  { name: 'a gzip file', magic: [0x1f, 0x8b] },
  { name: 'a zip archive', magic: [0x50, 0x4b, 0x03, 0x04] },
  { name: 'a zip archive', magic: [0x50, 0x4b, 0x05, 0x06] },
  { name: 'a 7z archive', magic: [0x37, 0x7a, 0xbc, 0xaf] },
  { name: 'a rar archive', magic: [0x52, 0x61, 0x72, 0x21] },
];

/**
 * Decodes a result file. Games write UTF-16 without a mark (ACC), and Windows-1252 under a prolog that says UTF-8
 * (rFactor 2): the bytes decide.
 *
 * @throws {UnreadableFile}
 */
export function decodeText(bytes: Uint8Array, warnings: Warnings): DecodedText {
  if (bytes.length === 0) throw new UnreadableFile('the file is empty');
  if (bytes.length > MAX_FILE_BYTES) {
    throw new UnreadableFile(`the file has ${bytes.length} bytes; at most ${MAX_FILE_BYTES} are read`);
  }
  for (const { name, magic } of CONTAINERS) {
    if (startsWith(bytes, magic)) throw new UnreadableFile(`this is ${name}: unpack it, and import the files in it`);
  }
  const decoded = decode(bytes, warnings);
  const nul = decoded.text.indexOf('\0');
  if (nul !== -1) {
    throw new UnreadableFile(`the file has a NUL character at ${placeInText(decoded.text, nul)}: it is no text`);
  }
  return decoded;
}

function decode(bytes: Uint8Array, warnings: Warnings): DecodedText {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) {
    throw new UnreadableFile('the file is encoded as UTF-32, which no game writes (byte 1)');
  }
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, 'utf-16le');
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, 'utf-16be');
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) {
    const text = decodeStrictly(bytes, 'utf-8');
    if (text === null)
      throw new UnreadableFile(`the file is not UTF-8 at ${faultIn(bytes, 'utf-8')}, but begins as it`);
    return { text, encoding: 'utf-8-bom' };
  }
  // A result file begins with ASCII: a zero byte beside it can only be the other half of a UTF-16 character.
  const [first, second, third] = bytes;
  if (first !== 0 && second === 0 && third !== 0) return decodeUtf16(bytes, 'utf-16le');
  if (first === 0 && second !== undefined && second !== 0) return decodeUtf16(bytes, 'utf-16be');
  const text = decodeStrictly(bytes, 'utf-8');
  return text === null ? decodeWindows1252(bytes, warnings) : { text, encoding: 'utf-8' };
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, n) => bytes[n] === byte);
}

/** The text, or null where the bytes are not of that encoding. */
function decodeStrictly(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  if (bytes.length % 2 !== 0) {
    throw new UnreadableFile(
      `the file is cut off: UTF-16 has two bytes for a character, and byte ${bytes.length} is alone`,
    );
  }
  const text = decodeStrictly(bytes, encoding);
  if (text === null)
    throw new UnreadableFile(`the file is not UTF-16 at ${faultIn(bytes, encoding)}, but begins as it`);
  return { text, encoding };
}

/** Where the first fault of an encoding is. */
function faultIn(bytes: Uint8Array, encoding: string): string {
  const text = new TextDecoder(encoding).decode(bytes);
  return placeInText(text, Math.max(0, text.indexOf('\uFFFD')));
}

/** Characters of the bytes 0x80 to 0x9F in Windows-1252; null for the five that it does not have. */
const WINDOWS_1252: readonly (string | null)[] = [
  ...['€', null, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', null, 'Ž', null],
  ...[null, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', null, 'ž', 'Ÿ'],
];
const FIRST_OF_TABLE = 0x80;

function decodeWindows1252(bytes: Uint8Array, warnings: Warnings): DecodedText {
  const place = faultIn(bytes, 'utf-8');
  // Some releases of Node decode ISO 8859-1 under this name, in which these bytes are control characters.
  const decoded = new TextDecoder('windows-1252').decode(bytes);
  const text = decoded.replace(/[\x80-\x9f]/g, (control, index: number) => {
    const character = WINDOWS_1252[control.charCodeAt(0) - FIRST_OF_TABLE] ?? null;
    if (character !== null) return character;
    const where = placeInText(decoded, index);
    throw new UnreadableFile(`the file is neither UTF-8 (see ${place}) nor Windows-1252 (see ${where})`);
  });
  warnings.add(`The file is not UTF-8 (see ${place}); it was read as Windows-1252.`);
  return { text, encoding: 'windows-1252' };
}
