import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
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

/** Exports a list in both formats from the data directory of a service that runs. */
export async function exportTable(name: string, dataDir: string) {
  const folder = mkdtempSync(join(tmpdir(), 'timing-export-'));
  const write = async (format: string): Promise<string> => {
    const file = join(folder, `${name}.${format}`);
    const { code, err } = await callCommand(['export', name, '--names', '--out', file], { DATA_DIR: dataDir });
    expect(code, err).to.equal(0);
    return file;
  };
  try {
    const csv = rowsIn(readFileSync(await write('csv'), 'utf8'));
    const parquet = await parquetReadObjects({ file: await asyncBufferFromFile(await write('parquet')) });
    return { csv, parquet: parquet.map((row) => JSON.parse(JSON.stringify(row, plain)) as JsonObject) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A value of Parquet as JSON has it; objects are texts there. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('{')) return JSON.parse(value);
  return typeof value === 'bigint' ? Number(value) : value;
}
