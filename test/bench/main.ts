import { noMongo } from '../support/processes/servers.ts';
import { takeCores } from './cores.ts';
import { readOptions, UsageError, type Options } from './options.ts';
import { textOf, writeJson, type Report } from './report.ts';
import type { Result } from './result.ts';
import { World } from './world.ts';
import { abuse } from './works-abuse.ts';
import { batch, batchServer } from './works-batch.ts';
import { getLap, getPage, postLap, postLapAlone, postLapKeyed } from './works-http.ts';
import { filter, filterOfMany } from './works-filter.ts';
import { growth } from './works-growth.ts';
import { leaderboard } from './works-leaderboard.ts';
import { live } from './works-live.ts';
import { rebuild, rebuildLive, replay } from './works-history.ts';
import { deepPage, pageOfMany, start, wholeList } from './works-large.ts';
import { pageOfManyServer } from './works-page-server.ts';
import { backlogServer, copyServer, postEventsServer, startServer } from './works-event-server.ts';
import { eventsServer } from './works-servers.ts';
import { appendAndProject } from './works-stores.ts';
import { csv } from './works-tables.ts';

/** What is measured, by the name for `--only`. */
const WORKS: { readonly [name: string]: (world: World) => Promise<Result[]> } = {
  post: postLap,
  'post-alone': postLapAlone,
  'post-keyed': postLapKeyed,
  batch,
  get: getLap,
  page: getPage,
  filter,
  'filter-many': filterOfMany,
  leaderboard,
  live,
  abuse,
  stores: appendAndProject,
  many: pageOfMany,
  deep: deepPage,
  list: wholeList,
  growth,
  csv,
  start,
  replay,
  rebuild,
  'rebuild-live': rebuildLive,
  'events-server': eventsServer,
  'backlog-server': backlogServer,
  'copy-server': copyServer,
  'start-server': startServer,
  'post-events-server': postEventsServer,
  'many-server': pageOfManyServer,
  'batch-server': batchServer,
};

/** Works that need a MongoDB server. */
const ON_MONGO: readonly string[] = ['many-server'];

/** Exit code of a process that Ctrl-C ends. */
const INTERRUPTED = 130;

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function bench(options: Options): Promise<void> {
  const startedAt = new Date();
  const cores = takeCores();
  const { scale, profile: profiles } = options;
  const world = await World.open({ scale, core: cores?.server ?? null, profiles, tell });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(INTERRUPTED));
  const reason = noMongo();
  const leftOut = reason === null ? [] : options.only.filter((name) => ON_MONGO.includes(name));
  const results = await runAll(
    world,
    options.only.filter((name) => !leftOut.includes(name)),
  );
  const report: Report = { startedAt, options, cores, results, leftOut: leftOut.map((name) => `${name}: ${reason}`) };
  process.stdout.write(`\n${textOf(report)}`);
  if (options.json !== null) await writeJson(options.json, report);
}

async function runAll(world: World, names: readonly string[]): Promise<Report['results']> {
  const results: { name: string; result: Result }[] = [];
  for (const name of names) {
    tell(`${name} …`);
    world.begin(name);
    for (const result of (await WORKS[name]?.(world)) ?? []) {
      results.push({ name, result });
      tell(`  ${result.work}: ${result.shown} (${result.figure}, ${result.baseline})`);
    }
    await world.endAll();
  }
  return results;
}

try {
  await bench(readOptions(process.argv.slice(2), Object.keys(WORKS)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  tell(error.message);
  process.exitCode = 2;
}
