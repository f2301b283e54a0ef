import { mkdir, writeFile } from 'node:fs/promises';
import { Timed } from './child-protocol.ts';
import type { Child } from './children.ts';
import { Client, type Call } from './load.ts';
import { atLeast, atMost, rateResult, round, type Result } from './result.ts';
import { compare, runInTurns, Tally, type Round, type Side } from './rounds.ts';
import { lapPosts, warmUp } from './works-http.ts';
import { roundOf } from './works-stores.ts';
import type { World } from './world.ts';

/** Rounds: each takes long. */
const REPLAYS = 3;
const REBUILDS = 2;
const LIVE_REBUILDS = 3;
/** How much more memory a rebuild may take for ten times as many laps. */
const REBUILD_MB = 150;
/** Rigs that record laps, and the pause in ms that each makes between two. */
const RIGS = 16;
const PAUSE_MS = 20;
/** How long, in rounds of other works, laps are recorded without a rebuild. */
const QUIET_ROUNDS = 12;

/** A projection such as an analyst writes. */
const BEST_LAPS = `import { lapEvents, projection, table } from 'sim-racing-timing';

type BestLap = { participantId: string; lapId: string; ms: number; at: string };

const bestLaps = table<BestLap>('bestLaps');

export default projection(bestLaps, { own: {}, others: lapEvents }, {
  LapRecorded: async ({ data: { participantId, totalTime: ms, valid }, id: lapId, at }, look) => {
    if (!valid) return null;
    const best = await look(bestLaps, participantId);
    if (best === null) return bestLaps.insert(participantId, { participantId, lapId, ms, at });
    return ms < best.ms ? bestLaps.set(participantId, { lapId, ms, at }) : null;
  },
});
`;

/** Best laps by `sim-racing-timing replay`, against reading and parsing the same events. */
export async function replay(world: World): Promise<Result[]> {
  const { large } = world.scale;
  const dataDir = await world.store(large);
  const directory = world.newPath();
  await mkdir(directory);
  const module = `${directory}/best-laps.ts`;
  await writeFile(module, BEST_LAPS);
  const replaying = commandSide(world, 'sim-racing-timing replay', async () => ({
    command: 'replay',
    dataDir,
    args: [module, '--out', `${world.newPath()}.ndjson`],
  }));
  const nothing = commandSide(world, 'sim-racing-timing replay of nothing', async () => ({
    command: 'replay',
    dataDir,
    args: [module, '--until', '1', '--out', `${world.newPath()}.ndjson`],
  }));
  const raw = await world.rawEvents(dataDir);
  const reading: Side = { label: 'raw lmdb, reading', child: raw, round: () => roundOf(raw, 'read', null) };
  // For V8, and for the page cache.
  await reading.round();
  const result = rateResult(`replay ${large} laps`, atLeast(60), await compare(replaying, reading, REPLAYS));
  const { seconds } = await nothing.round();
  const note = `${round(seconds)} s of each replay go into what one of nothing takes: to check the module, above all`;
  return [{ ...result, notes: [...result.notes, note] }];
}

/** The built-in read models by `sim-racing-timing rebuild`, against lmdb used directly; and what memory it takes. */
export async function rebuild(world: World): Promise<Result[]> {
  const { large, middle, batch } = world.scale;
  const rebuilding = (laps: number): Side =>
    commandSide(world, `sim-racing-timing rebuild of ${laps} laps`, async () => ({
      command: 'rebuild',
      dataDir: await world.copy(laps),
      args: [],
    }));
  const writing = inProcess(world, {
    label: 'raw lmdb',
    start: () => world.storesIn(world.newPath(), 'raw-stores'),
    async work(child) {
      let [seconds, cpuMicros] = [0, 0];
      for (let done = 0; done < large; done += batch) {
        const part = await child.ask('write', Timed, { count: batch });
        [seconds, cpuMicros] = [seconds + part.seconds, cpuMicros + part.cpuMicros];
      }
      return { units: large, seconds, cpuMicros, latencies: [] };
    },
  });
  const compared = await compare(rebuilding(large), writing, REBUILDS);
  const few = new Tally(rebuilding(middle));
  await runInTurns([few], REBUILDS);
  const [most, least] = [compared.subject, few.figures()];
  const more = (most.peakMb ?? NaN) - (least.peakMb ?? NaN);
  return [
    rateResult(`rebuild with ${large} laps`, atLeast(80), compared),
    {
      work: `memory of a rebuild with ${large} laps`,
      figure: `${round(most.peakMb ?? NaN)} MB RssAnon`,
      baseline: `${round(least.peakMb ?? NaN)} MB with ${middle}`,
      ratio: more,
      shown: `${more < 0 ? '−' : '+'}${round(Math.abs(more))} MB`,
      goal: atMost(REBUILD_MB, ' MB'),
      ratios: [more],
      sides: [least],
      notes: [],
    },
  ];
}

/** POSTs of laps, as rigs send them, to a service whose read models are being rebuilt, against the same without. */
export async function rebuildLive(world: World): Promise<Result[]> {
  const { middle, roundMs } = world.scale;
  const dataDir = await world.copy(middle);
  const server = await world.service(dataDir);
  const next = lapPosts(await world.fixtures(), 'service');
  await warmUp(world, server, { next });
  const client = await Client.open(server.url, RIGS);
  const { child } = server;
  const rebuilding = commandSide(world, 'rebuild', async () => ({ command: 'rebuild', dataDir, args: [] }));
  const live = (label: string, meanwhile: () => Promise<unknown>): Side => ({
    label,
    child,
    async round() {
      const cpuBefore = await child.cpuMicros();
      const { seconds, latencies } = await postUntil(client, { next, roundMs, end: meanwhile() });
      return { units: latencies.length, seconds, latencies, cpuMicros: (await child.cpuMicros()) - cpuBefore };
    },
  });
  const { subject, baseline } = await compare(
    live('POST lap during a rebuild', () => rebuilding.round()),
    live('without', () => new Promise((resolve) => setTimeout(resolve, roundMs * QUIET_ROUNDS))),
    LIVE_REBUILDS,
  );
  const [during, without] = [subject.p99Ms ?? NaN, baseline.p99Ms ?? NaN];
  return [
    {
      work: `POST lap during a rebuild with ${middle} laps`,
      figure: `${round(during)} ms p99`,
      baseline: `${round(without)} ms without`,
      ratio: during / without,
      shown: `${(during / without).toFixed(2)}×`,
      goal: atMost(1.5),
      ratios: [during / without],
      sides: [subject, baseline],
      notes: [`${RIGS} rigs, each with a pause of ${PAUSE_MS} ms; the rebuild has the core of the service`],
    },
  ];
}

/** Sends laps until something ends. */
async function postUntil(
  client: Client,
  { next, roundMs, end }: { readonly next: () => Call; readonly roundMs: number; readonly end: Promise<unknown> },
): Promise<Pick<Round, 'seconds' | 'latencies'>> {
  const state = { over: false };
  const ending = end.finally(() => {
    state.over = true;
  });
  const latencies: number[] = [];
  let seconds = 0;
  while (!state.over) {
    const load = await client.run(roundMs, next, PAUSE_MS);
    for (const latency of load.latencies) latencies.push(latency);
    seconds += load.seconds;
  }
  await ending;
  return { seconds, latencies };
}

interface Run {
  readonly command: 'rebuild' | 'replay';
  readonly dataDir: string;
  readonly args: string[];
}

/** A side that runs a `sim-racing-timing` command, each time in a process of its own. */
function commandSide(world: World, label: string, prepare: () => Promise<Run>): Side {
  let run: Run;
  return inProcess(world, {
    label,
    async start() {
      run = await prepare();
      return world.command();
    },
    work: (child) => roundOf(child, 'run', { ...run }),
  });
}

interface Work {
  readonly label: string;
  readonly start: () => Promise<Child>;
  readonly work: (child: Child) => Promise<Round>;
}

/** A side whose rounds have a process each. */
function inProcess(world: World, { label, start, work }: Work): Side {
  let child: Child | null = null;
  return {
    label,
    get child() {
      return child;
    },
    async round() {
      child = await start();
      const done = await work(child);
      await world.end(child);
      return done;
    },
  };
}
