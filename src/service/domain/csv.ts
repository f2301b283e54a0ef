import type { Json } from '../kernel/json.ts';

/** What may stand between the cells of a line. */
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
/**
 * The same within a text, for spreadsheets to which a separator there begins a cell, whatever its quotes: all up to the
 * sign. What is skipped holds no separator, so no part of a text is looked at from two of them.
 */
const FORMULA_WITHIN = /[;\t\r\n][\0-\x08\v\f\x0e-\x1f\x7f-\x9f\p{Z}\p{Cf}"]*'*(?=[=+\-@＝＋－＠])/gu;
/** The same in a file whose cells are separated by another sign: a comma within a text may begin a cell, too. */
const FORMULA_WITHIN_OR_COMMA = /[,;\t\r\n][\0-\x08\v\f\x0e-\x1f\x7f-\x9f\p{Z}\p{Cf}"]*'*(?=[=+\-@＝＋－＠])/gu;
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
  const guarded = text.replace(delimiter === ',' ? FORMULA_WITHIN : FORMULA_WITHIN_OR_COMMA, "$&'");
  return `"${guarded.replaceAll('"', '""')}"`;
}
