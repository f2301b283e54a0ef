import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { asyncBufferFromFile, parquetReadObjects, type AsyncBuffer } from 'hyparquet';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { expectStatus, textOf, type Client } from '../api/client.ts';
import type { Service } from '../api/service.ts';
import { boardOf } from '../model/boards.ts';
import type { Things } from '../model/things.ts';
import { callCommand } from '../processes/command-process.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value as a cell of CSV has it, by docs/interface.md#lists-and-pages, without its quotes. */
export function cellOf(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (MOMENT.test(value)) return value.replace('T', ' ').replace('Z', '');
  if (/^\+[\d ()./-]+$/.test(value)) return `\t${value}`;
  return /^[=+\-@]/.test(value) ? `'${value}` : value;
}

/** The cells of CSV, by line. */
export function cellsIn(csv: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') lines.push([]);
  }
  // An empty cell is found after the last line break, and a line begun after that.
  return lines.slice(0, -2);
}

/** The rows of CSV by the names of its columns. */
export function rowsIn(csv: string): readonly JsonObject[] {
  const [names = [], ...lines] = cellsIn(csv);
  return lines.map((cells) => Object.fromEntries(names.map((name, n): [string, Json] => [name, cells[n] ?? null])));
}

/** The rows of a list as the command exports them from the stores of a service that runs. */
export async function exportTable(
  name: string,
  format: 'csv' | 'parquet',
  { environment }: Pick<Service, 'environment'>,
): Promise<readonly JsonObject[]> {
  const folder = mkdtempSync(join(tmpdir(), 'timing-export-'));
  const file = join(folder, `${name}.${format}`);
  try {
    const { code, err } = await callCommand(['export', name, '--names', '--out', file], environment);
    expect(code, err).to.equal(0);
    return format === 'csv' ? rowsIn(readFileSync(file, 'utf8')) : await rowsInParquet(await asyncBufferFromFile(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rows of a Parquet file. */
export async function rowsInParquet(file: AsyncBuffer | ArrayBuffer): Promise<readonly JsonObject[]> {
  const rows = await parquetReadObjects({ file });
  return rows.map((row) => JSON.parse(JSON.stringify(row, plain)) as JsonObject);
}

/** A list as ADMIN gets it over HTTP. */
export async function downloaded(admin: Client, name: string, query = ''): Promise<readonly JsonObject[]> {
  const { bytes } = expectStatus(await admin.get(`/api/v1/operations/exports/${name}${query}`), 200);
  return rowsInParquet(bytes.buffer);
}

/** The table of the best lap of each driver on each layout of each event. */
export const BEST_LAPS = 'best-laps';

/** Its rows, as the boards have them. */
export function bestLapsOf(things: Things): readonly JsonObject[] {
  return things.all('Event').flatMap(({ id: eventId }) =>
    things.all('TrackLayout').flatMap(({ id: trackLayoutId }) => {
      const board = { eventId, trackLayoutId, validOnly: true, carId: undefined, carClassId: undefined };
      const rows = boardOf({ ...board, page: 0, size: Infinity }, things)['content'] as readonly JsonObject[];
      const eventName = things.lookup('Event', eventId, 'name');
      return rows.map((row) => bestLapOf(row, { eventId, eventName, trackLayoutId }));
    }),
  );
}

/** The best lap of a row of a board. */
function bestLapOf(row: JsonObject, board: JsonObject): JsonObject {
  const { lapId, totalTime, sectors, car: carId, trackDisplayName, drivenAt } = row['bestLap'] as JsonObject;
  const participantId = textOf(row, 'participantId');
  const participantName = textOf(row, 'participantName');
  const id = [textOf(board, 'eventId'), textOf(board, 'trackLayoutId'), participantId].join(':');
  const lap = { lapId, totalTime, sectors, carId, drivenAt };
  return { id, ...board, trackDisplayName, participantId, participantName, ...lap };
}

/** A value of Parquet as JSON has it; objects are texts there, and a struct that is null is missing. */
function plain(_: string, value: unknown = null): unknown {
  if (typeof value === 'string' && value.startsWith('{')) return JSON.parse(value);
  return typeof value === 'bigint' ? Number(value) : value;
}
