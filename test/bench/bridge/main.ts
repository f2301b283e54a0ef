import { loadavg } from 'node:os';
import { cpu, memory } from './cost.ts';
import { imported, preview } from './files.ts';
import { latency } from './latency.ts';
import { openBench, type Bench, type Figure } from './measured.ts';

const WORKS: Readonly<Record<string, (bench: Bench) => Promise<readonly Figure[]>>> = {
  cpu,
  latency,
  memory,
  preview,
  import: imported,
};

/**
 * `npm run bench:bridge`: what a bridge and an import of result files take, or only the works that are named. Exit code 1:
 * a goal is missed, 2: there is no such work.
 */
async function main(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !Object.hasOwn(WORKS, name));
  if (unknown !== undefined) {
    process.stderr.write(`there is no work ${unknown}: ${Object.keys(WORKS).join(', ')}\n`);
    return 2;
  }
  let isMissed = false;
  for (const [name, work] of Object.entries(WORKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const bench = await openBench();
    try {
      for (const figure of await work(bench)) {
        process.stdout.write(`${lineOf(figure)}\n`);
        isMissed ||= !isMet(figure);
      }
    } finally {
      await bench.world.clean();
    }
  }
  process.stdout.write(
    `Load of the machine: ${loadavg()
      .map((load) => load.toFixed(2))
      .join(' ')}\n`,
  );
  return isMissed ? 1 : 0;
}

function lineOf({ what, value, unit, goal }: Figure): string {
  const shown = `${what}: ${value.toFixed(2)} ${unit}`;
  if (goal === null) return shown;
  return 'most' in goal ? `${shown} (goal: at most ${goal.most})` : `${shown} (goal: at least ${goal.least})`;
}

function isMet({ value, goal }: Figure): boolean {
  if (goal === null) return true;
  return 'most' in goal ? value <= goal.most : value >= goal.least;
}

process.exitCode = await main(process.argv.slice(2));
