import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import type { Result } from './comparison.ts';
import type { Cores } from './cores.ts';
import type { Options } from './options.ts';

/** The results of a run with its options. */
export interface Report {
  readonly options: Options;
  readonly cores: Cores | null;
  readonly results: readonly { readonly name: string; readonly result: Result }[];
}

/** A table of the rows with their goals, and the notes. */
export function textOf({ options, cores, results }: Report): string {
  const all = results.map(({ result }) => result);
  const works = all.map(({ work, figure, baseline, shown, goal, ratio }) => [
    work,
    figure,
    baseline,
    shown,
    goal.text,
    goal.isMet(ratio) ? 'yes' : 'NO',
  ]);
  const pinning =
    cores === null
      ? 'nothing is pinned to a core: no taskset here, or no two cores'
      : `measured processes on core ${cores.server}, load from core ${cores.load}`;
  return [
    `${pinning}; ${options.quick ? 'quick: these figures mean little; ' : ''}medians over rounds taken in turns`,
    '',
    ...aligned([['work', 'figure', 'baseline', 'ratio', 'goal', 'met?'], ...works]),
    '',
    ...all.flatMap(({ work, notes }) => notes.map((note) => `${work}: ${note}`)),
    '',
  ].join('\n');
}

/** Rows of a table, whose columns are as wide as their widest cells; the first is the head. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const [head = [], ...rest] = rows;
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rest.map(line)];
}

/** Writes the results for `npm run performance`. */
export async function writeJson(file: string, { options: { quick }, results }: Report): Promise<void> {
  const machine = {
    node: process.version,
    platform: process.platform,
    cpu: cpus()[0]?.model ?? null,
    cpus: cpus().length,
  };
  const rows = results.map(({ name, result }) => ({ name, ...result, goal: result.goal.text }));
  await writeFile(file, `${JSON.stringify({ quick, machine, results: rows }, null, 2)}\n`);
}
