import { z } from 'zod';
import { csvInstant, csvLine } from '../domain/csv.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { CsvList, WantedForm } from './endpoint.ts';
import { flag } from './paging.ts';
import { piecesOf } from './pieces.ts';
import { JSON_TYPE } from './respond.ts';
import { qualitiesOf } from './qualities.ts';

/** Media type of a list as CSV: RFC 4180 and RFC 7111, the first line has the names. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Query parameters of a list that may be had as CSV: fields for its query schema. */
export const csvParameters = {
  format: z
    .enum(['json', 'csv'])
    .optional()
    .meta({ description: 'In which form; left out: as Accept says, JSON where it does not care.', examples: ['csv'] }),
  bom: flag(false, 'CSV begins with a byte order mark, which Excel needs.'),
};

/** The list as CSV where that is asked for, by parameter or else by `Accept`, which has to name it. */
export function wantedCsv(csv: CsvList | undefined, accept: string | undefined): CsvList | null {
  return csv !== undefined && isWanted(csv, accept) ? csv : null;
}

function isWanted({ format }: WantedForm, accept: string | undefined): boolean {
  if (format !== undefined || accept === undefined) return format === 'csv';
  const asked = qualitiesOf(accept);
  const csv = asked.get('text/csv') ?? asked.get('text/*') ?? 0;
  return csv > (asked.get(JSON_TYPE) ?? asked.get('application/*') ?? 0);
}

const BYTE_ORDER_MARK = '\u{feff}';

/** A whole table as CSV: the names of the columns, then its rows. */
export function csvTable(
  columns: readonly string[],
  rows: readonly (readonly Json[])[],
  { bom }: Pick<WantedForm, 'bom'>,
): string {
  return (bom ? BYTE_ORDER_MARK : '') + [columns, ...rows].map(csvLine).join('');
}

/** The lines of a table: the names of the columns, then one for each record. */
export async function* csvPieces(
  batches: AsyncIterator<readonly JsonObject[]>,
  { fields, instants, bom }: CsvList,
): AsyncGenerator<string, void> {
  const valueOf = (record: JsonObject, field: string): Json | undefined =>
    instants.has(field) ? csvInstant(record[field]) : record[field];
  const lineOf = (record: JsonObject): string => csvLine(fields.map((field) => valueOf(record, field)));
  let opening = (bom ? BYTE_ORDER_MARK : '') + csvLine(fields);
  try {
    for (let step = await batches.next(); !step.done; step = await batches.next()) {
      for (const piece of piecesOf(step.value, lineOf)) {
        yield opening + piece;
        opening = '';
      }
    }
    if (opening !== '') yield opening;
  } finally {
    await batches.return?.();
  }
}
