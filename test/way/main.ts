/** `npm run way`: prints what one warm request runs through; with `--files`, file by file. */
import { parseArgs } from 'node:util';
import { measureWays } from './way.ts';

const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });
const ways = await measureWays();
const row = (cells: readonly (string | number)[]) =>
  `${cells
    .map((cell) => String(cell).padEnd(24))
    .join('')
    .trimEnd()}\n`;
process.stdout.write(row(['', 'files', 'functions', 'calls']));
for (const [name, way] of Object.entries(ways)) {
  process.stdout.write(row([name, way.files, way.functions, way.calls]));
  if (!values.files) continue;
  for (const { file, functions, calls } of way.byFile)
    process.stdout.write(`  ${String(calls).padStart(5)} ${String(functions).padStart(4)}  ${file}\n`);
}
