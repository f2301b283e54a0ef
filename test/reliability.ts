import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { z } from 'zod';
import { PROOFS } from './support/reliability.ts';

const PAGE = join('docs', 'reliability.md');

/** The command of a proof, unless its figures name another. */
const COMMAND = 'npm run test:deep';

/** One line of the file: see `report` in support/reliability.ts. */
const Line = z.looseObject({ name: z.string(), command: z.string().default(COMMAND) });
type Line = z.output<typeof Line>;

const HEAD = `# Reliability

What the long tests have done, and the results. This page is generated; do not edit it.

\`\`\`sh
export RELIABILITY_FILE=figures.jsonl
npm run test:deep # also on the servers in the environment, as \`npm run test:servers\` does
npm run soak
npm run reliability
\`\`\`

Each proof appends its figures to \`RELIABILITY_FILE\`; of several runs the last counts. A test that fails appends
nothing. Where a seed is given, \`TEST_SEED\` sets another.
`;

/** The last line of each proof, by name. */
function linesOf(text: string): readonly Line[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const last = new Map(lines.map((line) => Line.parse(JSON.parse(line))).map((line) => [line.name, line]));
  return [...last.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sectionOf({ name, command, ...figures }: Line): string {
  const items = Object.entries(figures).map(([figure, value]) => `- ${wordsOf(figure)}: ${shown(value)}\n`);
  return `## ${name}\n\n\`${command}\`\n\n${items.join('')}`;
}

/** The proofs without figures: not run, or failed. */
function notRun(lines: readonly Line[]): string {
  const missing = PROOFS.filter((proof) => lines.every(({ name }) => name !== proof));
  return missing.length === 0 ? '' : `## Not run\n\n${missing.map((name) => `- ${name}\n`).join('')}`;
}

/** `lostOrDoubled` as words. */
function wordsOf(figure: string): string {
  return figure.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function shown(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : String(value);
}

/** \`npm run reliability\`: writes the page from the figures of the file that RELIABILITY_FILE names. */
async function main(): Promise<void> {
  const file = process.env['RELIABILITY_FILE'];
  if (file === undefined || file === '') throw new Error('RELIABILITY_FILE is not set: the file with the figures');
  const lines = linesOf(readFileSync(file, 'utf8'));
  const machine = `Node ${process.version} on ${process.platform}, ${cpus().length} processors.`;
  const page = [HEAD, `${machine}\n`, ...lines.map(sectionOf), notRun(lines)].join('\n');
  writeFileSync(PAGE, await format(page, { parser: 'markdown' }));
  process.stdout.write(`${PAGE}: ${lines.length} proofs\n`);
}

await main();
