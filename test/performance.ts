import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { z } from 'zod';
import { withParts } from './support/docs/generated-parts.ts';
import { sharesOf } from './support/performance/profile.ts';

/** The page with the table of figures, and the one with the profiles. */
const FIGURES_PAGE = join('docs', 'performance.md');
const PROFILES_PAGE = join('test', 'bench', 'README.md');

/** A file of `npm run bench -- --json`. */
const Run = z.object({
  quick: z.boolean(),
  machine: z.object({ node: z.string(), platform: z.string(), cpu: z.string().nullable(), cpus: z.int() }),
  results: z.array(
    z.object({
      name: z.string(),
      work: z.string(),
      figure: z.string(),
      baseline: z.string(),
      ratio: z.number(),
      shown: z.string(),
      goal: z.string(),
      notes: z.array(z.string()),
    }),
  ),
});
type Run = z.output<typeof Run>;
type Row = Run['results'][number];

const USAGE = 'usage: npm run performance -- RUN.json… [--profiles DIR]';

/** Parts of a profile that are shown, and the least share of them. */
const PARTS = 12;
const LEAST_SHARE = 0.01;

/** The rows of all runs by work, each list ordered by ratio. */
function byWork(runs: readonly Run[]): readonly (readonly Row[])[] {
  const rows = new Map<string, Row[]>();
  for (const row of runs.flatMap(({ results }) => results)) rows.set(row.work, [...(rows.get(row.work) ?? []), row]);
  return [...rows.values()].map((same) => same.sort((a, b) => a.ratio - b.ratio));
}

function lineOf(rows: readonly Row[]): string {
  const least = rows[0];
  const median = rows[Math.floor((rows.length - 1) / 2)];
  const most = rows.at(-1);
  if (least === undefined || median === undefined || most === undefined) return '';
  const spread = rows.length === 1 ? median.shown : `${least.shown} – **${median.shown}** – ${most.shown}`;
  return `| ${[median.work, median.figure, median.baseline, spread, median.goal, `\`${median.name}\``].join(' | ')} |`;
}

function tableOf(runs: readonly Run[]): string {
  const head = '| work | figure | baseline | least – median – most | goal | `--only` |\n|---|---|---|---|---|---|';
  const works = byWork(runs);
  const notes = works.flatMap(([row]) => row?.notes.map((note) => `- ${row.work}: ${note}`) ?? []);
  return [head, ...works.map(lineOf), '', ...notes, ''].join('\n');
}

/** Times of a profile in µs. */
const Times = z.object({ startTime: z.number(), endTime: z.number() });

/**
 * The profile of the service in each work: the one over the longest time, as the others are of what prepares it, or of
 * the baseline, which starts later.
 */
function profilesIn(directory: string): readonly (readonly [work: string, json: string])[] {
  const found = new Map<string, { readonly json: string; readonly micros: number }>();
  for (const file of readdirSync(directory)) {
    const work = /^(.+)-\d+-service\.cpuprofile$/.exec(file)?.[1];
    if (work === undefined) continue;
    const json = readFileSync(join(directory, file), 'utf8');
    const { startTime, endTime } = Times.parse(JSON.parse(json));
    const micros = endTime - startTime;
    if (micros > (found.get(work)?.micros ?? 0)) found.set(work, { json, micros });
  }
  return [...found].map(([work, { json }]) => [work, json] as const).sort();
}

function profileOf(work: string, json: string): string {
  const shares = sharesOf(json);
  const shown = shares.slice(0, PARTS).filter(({ share }) => share >= LEAST_SHARE);
  const lines = shown.map(({ part, share }) => `| ${part} | ${(share * 100).toFixed(1)} % |`);
  return [`### The service in \`${work}\``, '', '| part | CPU by itself |', '|---|---|', ...lines, ''].join('\n');
}

function formatted(lines: readonly string[]): Promise<string> {
  return format(lines.join('\n'), { parser: 'markdown' });
}

function replacePart(page: string, name: string, part: string): void {
  writeFileSync(page, withParts(readFileSync(page, 'utf8'), new Map([[name, part]])));
}

/** `npm run performance`: writes the figures, and the profiles where they are given, of some runs of the bench. */
async function main(): Promise<void> {
  const options = { profiles: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const runs = positionals.map((file) => Run.parse(JSON.parse(readFileSync(file, 'utf8'))));
  const [first] = runs;
  if (first === undefined) throw new Error(USAGE);
  if (runs.some(({ quick }) => quick)) throw new Error('a run with --quick says nothing: its figures mean little');
  const { machine } = first;
  const most = Math.max(...byWork(runs).map(({ length }) => length));
  const where = `Up to ${most} runs of each work with Node ${machine.node} on ${machine.platform}, ${machine.cpus} × ${machine.cpu ?? 'unknown'}.`;
  const { profiles } = values;
  replacePart(FIGURES_PAGE, 'Figures', await formatted([where, '', tableOf(runs)]));
  process.stdout.write(`${FIGURES_PAGE}: ${runs.length} runs\n`);
  if (profiles === undefined) return;
  const lines = profilesIn(profiles).map(([work, json]) => profileOf(work, json));
  const intro = 'Where the CPU went, the start of the process left out.\n';
  replacePart(PROFILES_PAGE, 'Profiles', await formatted([intro, ...lines]));
  process.stdout.write(`${PROFILES_PAGE}: ${lines.length} profiles\n`);
}

await main();
