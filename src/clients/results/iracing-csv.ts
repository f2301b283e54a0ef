import Papa from 'papaparse';
import { countOfText, positionOf } from './counts.ts';
import { MAX_NAME_LETTERS } from './json.ts';
import type { ParsedResults } from './plan.ts';
import { SessionResults } from './session-results.ts';
import { msOfText } from './times.ts';
import { UnreadableFile } from './unreadable-file.ts';
import type { Warnings } from './warnings.ts';

/** Fields in a file; 100,000 rows have 4 million. */
const MAX_FIELDS = 8_000_000;

/** Whether a file is a CSV export of iRacing: it has a table with these columns. */
export function isIracingCsv(text: string): boolean {
  return /^"?Fin Pos"?,/m.test(text) && /(^|,)"?Cust ID"?,/m.test(text);
}

/** Rows of a table, by the names of columns: they differ between official, hosted and league exports. */
interface Table {
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: readonly { readonly fields: readonly string[]; readonly number: number }[];
}

/**
 * Parses a CSV export of iRacing: a table with the event, and one with its result. It has no laps.
 *
 * @throws {UnreadableFile}
 */
export function parseIracingCsv(text: string, warnings: Warnings): ParsedResults {
  const tables = tablesOf(rowsOf(text));
  const event = tables.find(({ columns }) => columns.has('Track'));
  const track = event?.rows[0] === undefined ? null : fieldOf(event, event.rows[0], 'Track');
  warnings.add('A CSV export of iRacing does not say which session it is of; it was read as the race.');
  const results = new SessionResults({ session: 'race', name: null, track, layout: null }, warnings);
  const result = tables.find(({ columns }) => columns.has('Fin Pos'));
  if (result !== undefined) addRows(results, result);
  const session = results.finish();
  return { format: 'iracing-results-csv', sessions: session === null ? [] : [session] };
}

/** @throws {UnreadableFile} */
function rowsOf(text: string): readonly (readonly string[])[] {
  let fields = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === ',' || character === '\n') fields += 1;
  }
  if (fields > MAX_FIELDS) throw new UnreadableFile(`the CSV has ${fields} fields; at most ${MAX_FIELDS} are read`);
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', header: false, skipEmptyLines: false });
  const [fault] = errors;
  if (fault !== undefined) {
    throw new UnreadableFile(`the CSV is broken in row ${(fault.row ?? 0) + 1}: ${fault.message}`);
  }
  return data;
}

/** Tables are separated by an empty line; the first row of each names its columns. */
function tablesOf(rows: readonly (readonly string[])[]): readonly Table[] {
  const tables: Table[] = [];
  let table: { columns: Map<string, number>; rows: { fields: readonly string[]; number: number }[] } | null = null;
  for (const [n, fields] of rows.entries()) {
    if (fields.every((field) => field.trim() === '')) {
      table = null;
    } else if (table === null) {
      const columns = new Map<string, number>();
      for (const [index, name] of fields.entries()) if (!columns.has(name.trim())) columns.set(name.trim(), index);
      table = { columns, rows: [] };
      tables.push(table);
    } else {
      table.rows.push({ fields, number: n + 1 });
    }
  }
  return tables;
}

/** A field by the name of its column; null where it is empty. @throws {UnreadableFile} when it is too long */
function fieldOf(table: Table, row: Table['rows'][number], column: string): string | null {
  const index = table.columns.get(column);
  const field = index === undefined ? '' : (row.fields[index] ?? '');
  if (field.length > MAX_NAME_LETTERS) {
    throw new UnreadableFile(
      `row ${row.number} has ${field.length} letters in the column ${column}; a name has ${MAX_NAME_LETTERS} at most`,
    );
  }
  return field.trim() === '' ? null : field;
}

/**
 * Adds a row for each driver, or for each team. In a team event the row of a team has the team's id, which is negative,
 * as `Cust ID`, and rows of its drivers follow.
 */
function addRows(results: SessionResults, table: Table): void {
  const driversOfTeam = new Map<string, string[]>();
  for (const row of table.rows) {
    const teamId = fieldOf(table, row, 'Team ID');
    if (teamId !== null && isTeam(teamId) && teamId === fieldOf(table, row, 'Cust ID')) driversOfTeam.set(teamId, []);
  }
  for (const row of table.rows) {
    const teamId = fieldOf(table, row, 'Team ID');
    const custId = fieldOf(table, row, 'Cust ID');
    const name = fieldOf(table, row, 'Name');
    const drivers = teamId === null || teamId === custId ? undefined : driversOfTeam.get(teamId);
    if (drivers !== undefined && name !== null) drivers.push(name);
  }
  for (const row of table.rows) {
    const teamId = fieldOf(table, row, 'Team ID');
    const custId = fieldOf(table, row, 'Cust ID');
    const isDriverInTeam = teamId !== null && teamId !== custId && driversOfTeam.has(teamId);
    if (isDriverInTeam) continue;
    const entrant = custId ?? `row ${row.number}`;
    results.addRow({
      position: positionOf(countOfText(fieldOf(table, row, 'Fin Pos'))),
      driver: fieldOf(table, row, 'Name'),
      drivers: driversOfTeam.get(entrant) ?? [],
      laps: countOfText(fieldOf(table, row, 'Laps Comp')),
      bestMs: msOfText(fieldOf(table, row, 'Fastest Lap Time') ?? ''),
      totalMs: null,
      entrant,
      person: entrant,
      hasLostLaps: false,
    });
  }
}

function isTeam(id: string): boolean {
  return id.startsWith('-');
}
