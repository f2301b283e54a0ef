import type { Json } from './json.ts';

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
