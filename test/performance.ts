import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { z } from 'zod';
import { partsIn, withParts } from './support/docs/generated-parts.ts';
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

/** The work whose rows have a table of their own: the service beside what a user would pick instead. */
const PEERS = 'peers';

/** The rows by work, each list ordered by ratio. */
function byWork(rows: readonly Row[]): readonly (readonly Row[])[] {
  const same = new Map<string, Row[]>();
  for (const row of rows) same.set(row.work, [...(same.get(row.work) ?? []), row]);
  return [...same.values()].map((list) => list.sort((a, b) => a.ratio - b.ratio));
}

function lineOf(rows: readonly Row[]): string {
  const least = rows[0];
  const median = rows[Math.floor((rows.length - 1) / 2)];
  const most = rows.at(-1);
  if (least === undefined || median === undefined || most === undefined) return '';
  const spread = rows.length === 1 ? median.shown : `${least.shown} – **${median.shown}** – ${most.shown}`;
  return `| ${[median.work, median.figure, median.baseline, spread, median.goal, `\`${median.name}\``].join(' | ')} |`;
}

function tableOf(rows: readonly Row[]): string {
  const head = '| work | figure | baseline | least – median – most | goal | `--only` |\n|---|---|---|---|---|---|';
  const works = byWork(rows);
  const notes = works.flatMap(([row]) => row?.notes.map((note) => `- ${row.work}: ${note}`) ?? []);
  return [head, ...works.map(lineOf), '', ...notes, ''].join('\n');
}

/** Writes a table of rows into its part of the page, below a line that says where they were measured. */
async function writeTable(name: string, rows: readonly Row[], machine: Run['machine']): Promise<void> {
  if (rows.length === 0) return;
  const most = Math.max(...byWork(rows).map(({ length }) => length));
  const where = `Up to ${most} runs of each work with Node ${machine.node} on ${machine.platform}, ${machine.cpus} × ${machine.cpu ?? 'unknown'}.`;
  replacePart(FIGURES_PAGE, name, await formatted([where, '', tableOf(rows)]));
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

/** Replaces one generated part of a page; the others stay. */
function replacePart(page: string, name: string, part: string): void {
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, withParts(text, new Map([...partsIn(text), [name, part]])));
}

/** `npm run performance`: writes the figures, and the profiles where they are given, of some runs of the bench. */
async function main(): Promise<void> {
  const options = { profiles: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const runs = positionals.map((file) => Run.parse(JSON.parse(readFileSync(file, 'utf8'))));
  const [first] = runs;
  if (first === undefined) throw new Error(USAGE);
  if (runs.some(({ quick }) => quick)) throw new Error('a run with --quick says nothing: its figures mean little');
  const rows = runs.flatMap(({ results }) => results);
  const ofPeers = rows.filter(({ name }) => name === PEERS);
  const others = rows.filter(({ name }) => name !== PEERS);
  await writeTable('Figures', others, first.machine);
  await writeTable('Peers', ofPeers, first.machine);
  const { profiles } = values;
  process.stdout.write(`${FIGURES_PAGE}: ${runs.length} runs\n`);
  if (profiles === undefined) return;
  const lines = profilesIn(profiles).map(([work, json]) => profileOf(work, json));
  const intro = 'Where the CPU went, the start of the process left out.\n';
  replacePart(PROFILES_PAGE, 'Profiles', await formatted([intro, ...lines]));
  process.stdout.write(`${PROFILES_PAGE}: ${lines.length} profiles\n`);
}

await main();
