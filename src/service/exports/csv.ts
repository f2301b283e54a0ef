import type { Json } from '../../kernel/json.ts';

/** The separators that a CSV may have between its cells. */
export type Delimiter = ',' | ';' | '\t';

/** Line end of RFC 4180. */
const LINE_END = '\r\n';
/** The semicolon and the tab are separators to spreadsheets of other languages and settings. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/**
 * A text that a spreadsheet would run as a formula: white space and invisible characters are skipped. So are apostrophes,
 * or the text `'=1` would look like a guarded `=1`.
 */
const FORMULA = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** Characters after which some spreadsheets begin a new cell, even within quotes. */
const SEPARATOR_WITHIN = /[;\t\r\n]/;
/** A telephone number; run as a formula, it could do no harm. */
const PHONE_NUMBER = /^\+\(?\d[\d ()./-]*$/;

/**
 * A line of CSV (RFC 4180). Null and what is missing is empty, an empty text is `""`, and objects and arrays are JSON;
 * numbers stay numbers. An apostrophe stands before what a spreadsheet would run as a formula, and a tab before a
 * telephone number that begins with a plus sign: a spreadsheet then keeps it as text. Two texts never get one cell:
 * docs/interface.md#texts-in-csv has the way back.
 */
export function csvLine(values: readonly (Json | undefined)[], delimiter: Delimiter = ','): string {
  return `${values.map((value) => cellOf(value, delimiter)).join(delimiter)}${LINE_END}`;
}

/** An instant as data frames and spreadsheets read it: `2026-03-01 18:00:00.000` for `2026-03-01T18:00:00.000Z`. */
export function csvInstant(instant: Json | undefined): Json | undefined {
  return typeof instant === 'string' ? instant.replace('T', ' ').replace('Z', '') : instant;
}

function cellOf(value: Json | undefined, delimiter: Delimiter): string {
  if (value === null || value === undefined) return '';
  if (value === '') return '""';
  if (typeof value !== 'string') return quoted(JSON.stringify(value), delimiter);
  if (PHONE_NUMBER.test(value)) return `"\t${value}"`;
  return quoted(FORMULA.test(value) ? `'${value}` : value, delimiter);
}

function quoted(text: string, delimiter: Delimiter): string {
  if (!NEEDS_QUOTES.test(text)) return text;
  // Most texts are short, and hold commas and quotes at most.
  const isPlain = text.length <= SHORT && delimiter === ',' && !SEPARATOR_WITHIN.test(text);
  return isPlain ? `"${text.replaceAll('"', '""')}"` : guardedInQuotes(text, delimiter);
}

/** Characters up to which replacing quotes is quicker than a look at each character. */
const SHORT = 256;

const APOSTROPHE = 0x27;
const QUOTE = 0x22;
const COMMA = 0x2c;
const FIRST_OF_PAIRS = 0x10000;

/**
 * A text in quotes, each quote in it doubled, and an apostrophe before each sign of a formula that a spreadsheet might take
 * for the beginning of a cell, whatever the quotes: what a separator comes before, with nothing in between but white
 * space, invisible characters, quotes, and apostrophes before the sign itself. A comma is such a separator in a file that
 * has another one. One character after the other: what an expression would replace half a million times takes it longer.
 */
function guardedInQuotes(text: string, delimiter: Delimiter): string {
  // A code unit becomes two at most.
  const written = new Uint16Array(2 * text.length + 2);
  let end = 0;
  let state: 'within' | 'beginning' | 'apostrophes' = 'within';
  written[end++] = QUOTE;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    const kind = kindOf(code);
    if (kind === SEPARATOR || (code === COMMA && delimiter !== ',')) {
      state = 'beginning';
    } else if (state !== 'within') {
      if (kind === SIGN) {
        written[end++] = APOSTROPHE;
        state = 'within';
      } else if (code === APOSTROPHE) {
        state = 'apostrophes';
      } else if (state === 'apostrophes' || kind !== SKIPPED) {
        state = 'within';
      }
    }
    if (code === QUOTE) written[end++] = QUOTE;
    written[end++] = text.charCodeAt(at);
    if (code >= FIRST_OF_PAIRS) {
      at += 1;
      written[end++] = text.charCodeAt(at);
    }
  }
  written[end++] = QUOTE;
  return textOf(written.subarray(0, end));
}

/** Most code units that one call makes a text of. */
const UNITS = 8_192;

function textOf(units: Uint16Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += UNITS) {
    // Not spread: that takes ten times as long.
    text += String(Reflect.apply(String.fromCharCode, undefined, units.subarray(at, at + UNITS)));
  }
  return text;
}

const ANOTHER = 1;
const SEPARATOR = 2;
const SIGN = 3;
const SKIPPED = 4;

/** The kind of each character, by its code point; 0: not looked up yet. */
const kinds = new Uint8Array(0x110000);

function kindOf(code: number): number {
  const known = kinds[code] ?? 0;
  if (known !== 0) return known;
  const kind = lookUpKind(String.fromCodePoint(code));
  kinds[code] = kind;
  return kind;
}

function lookUpKind(character: string): number {
  if (SEPARATOR_WITHIN.test(character)) return SEPARATOR;
  if (/[=+\-@＝＋－＠]/.test(character)) return SIGN;
  return /[\s\p{Cc}\p{Cf}"]/u.test(character) ? SKIPPED : ANOTHER;
}
