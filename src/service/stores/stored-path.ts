/** Longest name of a file, in bytes of UTF-8, that every common file system has room for. */
const MAX_NAME_BYTES = 255;

/** Characters that separate names, drives or streams on some system, or are invisible. */
const FORBIDDEN = /["*:<>?\\/|\p{C}]/u;

/** Names that are devices on Windows, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i;

const encoder = new TextEncoder();

/** Whether a name from outside names one file in a directory, and the same one on every system. */
export function isStoredName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  if (FORBIDDEN.test(name) || DEVICE.test(name)) return false;
  // Windows drops such an ending.
  if (name.endsWith('.') || name.endsWith(' ')) return false;
  return name === name.normalize('NFC') && encoder.encode(name).length <= MAX_NAME_BYTES;
}

/** Whether a path from outside, with `/` between its names, leads to a place below the directory that it begins at. */
export function isStoredPath(path: string): boolean {
  return path.split('/').every(isStoredName);
}

/** A text that is equal for paths that name one file on a system that does not distinguish case. */
export function placeOf(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase();
}
