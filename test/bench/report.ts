import { writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import type { Cores } from './cores.ts';
import type { Options } from './options.ts';
import { round, type Result } from './result.ts';
import type { Figures } from './rounds.ts';

/** The results of a run with its options. */
export interface Report {
  readonly startedAt: Date;
  readonly options: Options;
  readonly cores: Cores | null;
  readonly results: readonly { readonly name: string; readonly result: Result }[];
}

/** Two tables, the rows of the goals and what each side took, and the notes. */
export function textOf({ options, cores, results }: Report): string {
  const all = results.map(({ result }) => result);
  const works = all.map(({ work, figure, baseline, shown, goal, ratio }) => [
    work,
    figure,
    baseline,
    shown,
    goal?.text ?? '',
    goal === null ? '' : goal.isMet(ratio) ? 'yes' : 'NO',
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
    ...aligned([['side', 'CPU µs', '/s', 'p50 ms', 'p99 ms', 'peak RssAnon MB'], ...all.flatMap(sidesOf)]),
    '',
    ...all.flatMap(({ work, notes }) => notes.map((note) => `${work}: ${note}`)),
    '',
  ].join('\n');
}

function sidesOf({ work, sides }: Result): string[][] {
  return sides.map((side, place) => [
    place === 0 ? work : `  ${side.label}`,
    round(side.cpuMicros),
    round(side.perSecond),
    shown(side.p50Ms),
    shown(side.p99Ms),
    shown(side.peakMb),
  ]);
}

function shown(value: number | null): string {
  return value === null ? '–' : round(value);
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

/** Writes the results, ratios of single rounds included. */
export async function writeJson(file: string, { startedAt, options, cores, results }: Report): Promise<void> {
  const machine = {
    node: process.version,
    platform: process.platform,
    kernel: release(),
    cpu: cpus()[0]?.model ?? null,
    cpus: cpus().length,
    memoryBytes: totalmem(),
  };
  const rows = results.map(({ name, result: { goal, ...result } }) => ({
    name,
    ...result,
    goal: goal?.text ?? null,
    met: goal === null ? null : goal.isMet(result.ratio),
    sides: result.sides.map((side: Figures) => ({ ...side })),
  }));
  const { quick, scale } = options;
  const content = { startedAt: startedAt.toISOString(), quick, scale, cores, machine, results: rows };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
