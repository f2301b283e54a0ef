import type { Json } from '../kernel/json.ts';

/** Line end of RFC 4180. */
const LINE_END = '\r\n';
/** The semicolon and the tab are separators to spreadsheets of other languages and settings. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** How a text begins that a spreadsheet would run as a formula: white space and invisible characters are skipped. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** The same within a text, for spreadsheets to which a separator there begins a cell, whatever its quotes. */
const FORMULA_WITHIN = /(?<=[;\t\r\n][\s\p{Cc}\p{Cf}"]*)[=+\-@＝＋－＠]/gu;
/** A telephone number; run as a formula, it could do no harm. */
const PHONE_NUMBER = /^\+\(?\d[\d ()./-]*$/;

/**
 * A line of CSV (RFC 4180). Null and what is missing is empty, an empty text is `""`, and objects and arrays are JSON;
 * numbers stay numbers. An apostrophe stands before what a spreadsheet would run as a formula, and a tab before a
 * telephone number that begins with a plus sign: a spreadsheet then keeps it as text.
 */
export function csvLine(values: readonly (Json | undefined)[]): string {
  return `${values.map(cellOf).join(',')}${LINE_END}`;
}

/** An instant as data frames and spreadsheets read it: `2026-03-01 18:00:00.000` for `2026-03-01T18:00:00.000Z`. */
export function csvInstant(instant: Json | undefined): Json | undefined {
  return typeof instant === 'string' ? instant.replace('T', ' ').replace('Z', '') : instant;
}

function cellOf(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (value === '') return '""';
  if (typeof value !== 'string') return quoted(JSON.stringify(value));
  if (PHONE_NUMBER.test(value)) return `"\t${value}"`;
  return quoted(FORMULA.test(value) ? `'${value}` : value);
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""').replace(FORMULA_WITHIN, "'$&")}"` : text;
}
