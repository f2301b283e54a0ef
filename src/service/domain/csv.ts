import type { Json } from '../kernel/json.ts';

/** Line end of RFC 4180. */
const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;
/** How a text begins that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of CSV (RFC 4180). Null and what is missing is empty, an empty text is `""`, objects and arrays are JSON, and a
 * text that a spreadsheet would run has an apostrophe before it; numbers stay numbers.
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
  return quoted(typeof value === 'string' ? asText(value) : JSON.stringify(value));
}

function asText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
