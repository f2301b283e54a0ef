import { z } from 'zod';
import { component } from '../../domain/component.ts';
import { csvInstant, csvLine, type Delimiter } from '../exports/csv.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { CsvList, WantedForm } from './endpoint.ts';
import { flag } from './paging.ts';
import { qualitiesOf } from './compression.ts';
import { JSON_TYPE } from './responses/buffered.ts';

/** Media type of a list as CSV: RFC 4180 and RFC 7111, the first line has the names. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

const DELIMITERS: ReadonlyMap<string, Delimiter> = new Map([
  [',', ','],
  [';', ';'],
  ['tab', '\t'],
]);

export const csvParameters = {
  format: z
    .enum(['json', 'csv'])
    .meta(component('ListFormat', 'Format of a list.'))
    .optional()
    .meta({ description: 'Format of the answer. Default: what `Accept` asks for, or JSON.', examples: ['csv'] }),
  bom: flag(false, 'CSV begins with a byte order mark, which Excel needs.'),
  delimiter: z
    .string()
    .regex(/^(?:[,;]|tab)$/, 'must be , or ; or tab')
    .default(',')
    .transform((sent) => DELIMITERS.get(sent) ?? ',')
    .meta({
      description:
        'What stands between the cells of CSV: `,` or `;` or `tab`. Excel takes `;` where decimals have a comma.',
      examples: [';'],
    }),
};

/** The list as CSV where that is asked for, by parameter or else by `Accept`, which has to name it. */
export function wantedCsv(csv: CsvList | undefined, accept: string | undefined): CsvList | null {
  return csv !== undefined && (csv.format ?? preferredForm(accept)) === 'csv' ? csv : null;
}

function preferredForm(accept = ''): 'json' | 'csv' {
  const asked = qualitiesOf(accept);
  const csv = asked.get('text/csv') ?? asked.get('text/*') ?? 0;
  return csv > (asked.get(JSON_TYPE) ?? asked.get('application/*') ?? 0) ? 'csv' : 'json';
}

/** Ending of the tag of a CSV, which differs from those of other forms of the same list. */
export function csvSuffix({ bom, delimiter }: CsvList): string {
  return `-csv${bom ? '-bom' : ''}${SUFFIXES[delimiter]}`;
}

const SUFFIXES: Readonly<Record<Delimiter, string>> = { ',': '', ';': '-semicolon', '\t': '-tab' };

const BYTE_ORDER_MARK = '\u{feff}';

export function csvTable(
  columns: readonly string[],
  rows: readonly (readonly Json[])[],
  { bom, delimiter }: Pick<WantedForm, 'bom' | 'delimiter'>,
): string {
  const lines = [columns, ...rows].map((cells) => csvLine(cells, delimiter));
  return (bom ? BYTE_ORDER_MARK : '') + lines.join('');
}

const JSON_ARRAY = {
  opening: '[',
  separator: ',',
  closing: ']',
  textOf: (record: JsonObject) => JSON.stringify(record),
};

function csvForm({ fields, instants, bom, delimiter }: CsvList): typeof JSON_ARRAY {
  const valueOf = (record: JsonObject, field: string): Json | undefined =>
    instants.has(field) ? csvInstant(record[field]) : record[field];
  const opening = (bom ? BYTE_ORDER_MARK : '') + csvLine(fields, delimiter);
  const textOf = (record: JsonObject): string =>
    csvLine(
      fields.map((field) => valueOf(record, field)),
      delimiter,
    );
  return { opening, separator: '', closing: '', textOf };
}

/** Past 128 KB pieces would be large objects, which V8 frees only at a full collection. */
const PIECE_CHARS = 32_768;

/** The text of a list, in at least one piece per batch that is not empty: CSV, or a JSON array without `csv`. */
export async function* listPieces(batches: AsyncIterator<readonly JsonObject[]>, csv: CsvList | null) {
  const form = csv === null ? JSON_ARRAY : csvForm(csv);
  let before = form.opening;
  try {
    for (let step = await batches.next(); !step.done; step = await batches.next()) {
      for (const piece of piecesOf(step.value, form)) {
        yield before + piece;
        before = form.separator;
      }
    }
    const end = (before === form.opening ? form.opening : '') + form.closing;
    if (end !== '') yield end;
  } finally {
    // Not `for await`: a list is always released, as its endpoint was promised.
    await batches.return?.();
  }
}

function* piecesOf(records: readonly JsonObject[], { separator, textOf }: typeof JSON_ARRAY): Generator<string, void> {
  let text = '';
  for (const record of records) {
    text += text === '' ? textOf(record) : separator + textOf(record);
    if (text.length < PIECE_CHARS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
