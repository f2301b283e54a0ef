import type { Result } from './comparison.ts';
import { takeCores } from './cores.ts';
import { FULL, readOptions, UsageError, type Options } from './options.ts';
import { textOf, writeJson, type Report } from './report.ts';
import { worksOf } from './works.ts';
import { World } from './world.ts';

/** Exit code of a process that Ctrl-C ends. */
const INTERRUPTED = 130;

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function bench(options: Options): Promise<void> {
  const cores = takeCores();
  const { scale, profile: profiles } = options;
  const world = await World.open({ scale, core: cores?.server ?? null, profiles, tell });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(INTERRUPTED));
  const results = await runAll(world, options.only);
  const report: Report = { options, cores, results };
  process.stdout.write(`\n${textOf(report)}`);
  if (options.json !== null) await writeJson(options.json, report);
  if (!results.every(({ result: { goal, ratio } }) => goal.isMet(ratio))) process.exitCode = 1;
}

async function runAll(world: World, names: readonly string[]): Promise<Report['results']> {
  const results: { name: string; result: Result }[] = [];
  const works = worksOf(world.scale);
  for (const name of names) {
    tell(`${name} …`);
    world.begin(name);
    for (const { measure } of works.filter((work) => work.name === name)) {
      for (const result of await measure(world)) {
        results.push({ name, result });
        tell(`  ${result.work}: ${result.shown} (${result.figure}, ${result.baseline})`);
      }
    }
    await world.endAll();
  }
  return results;
}

try {
  const names = new Set(worksOf(FULL).map(({ name }) => name));
  await bench(readOptions(process.argv.slice(2), [...names]));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  tell(error.message);
  process.exitCode = 2;
}
