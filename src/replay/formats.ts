import type { Document } from '../kernel/ports/read-store.ts';
import type { Json } from '../kernel/json.ts';

/** How documents are written. */
export type Format = 'ndjson' | 'csv';

/** RFC 4180 ends lines so. */
const CSV_LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;

type Shown = readonly (readonly [field: string, value: Json])[];

/** What of a document is shown: all but its bookkeeping. Its id comes first. */
function shownOf(document: Document): Shown {
  const { id, ...others } = document;
  const fields = Object.entries(others).filter(
    (field): field is [string, Json] => !field[0].startsWith('_') && field[1] !== undefined,
  );
  return [['id', id], ...fields];
}

/** A document as a line of NDJSON; `collection` becomes its first field where several are told apart so. */
export function ndjsonLine(document: Document, collection: string | null): string {
  const own: Shown = collection === null ? [] : [['collection', collection]];
  return `${JSON.stringify(Object.fromEntries([...own, ...shownOf(document)]))}\n`;
}

/** Adds the document's fields to those of the header, in the order in which they are met. */
export function addToHeader(header: Set<string>, document: Document): void {
  for (const [field] of shownOf(document)) header.add(field);
}

export function csvHeader(header: ReadonlySet<string>): string {
  return `${[...header].map(quoted).join(',')}${CSV_LINE_END}`;
}

/** A document as a line of CSV. Null and missing are empty, an empty text is `""`, anything nested is JSON. */
export function csvLine(document: Document, header: ReadonlySet<string>): string {
  const values = new Map(shownOf(document));
  return `${[...header].map((field) => csvValue(values.get(field))).join(',')}${CSV_LINE_END}`;
}

function csvValue(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (value === '') return '""';
  return quoted(typeof value === 'string' ? value : JSON.stringify(value));
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
