/** `npm run way`: prints what one warm request runs through; with `--files`, file by file. */
import { parseArgs } from 'node:util';
import { ceilings } from './ceilings.ts';
import { measureWays, type WayName } from './way.ts';

const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });
const ways = await measureWays();
const row = (cells: readonly (string | number)[]) =>
  `${cells
    .map((cell) => String(cell).padEnd(24))
    .join('')
    .trimEnd()}\n`;
process.stdout.write(row(['', 'files', 'functions', 'calls']));
for (const [name, way] of Object.entries(ways)) {
  const ceiling = ceilings[name as WayName];
  process.stdout.write(
    row([name, ...(['files', 'functions', 'calls'] as const).map((key) => `${way[key]} (≤ ${ceiling[key]})`)]),
  );
  if (!values.files) continue;
  for (const { file, functions, calls } of way.byFile)
    process.stdout.write(`  ${String(calls).padStart(5)} ${String(functions).padStart(4)}  ${file}\n`);
}
