import { warmUp } from './drive.ts';
import { Client } from './load.ts';
import { commandSide } from './rates.ts';
import { posts, type Next } from './requests.ts';
import { atMost, resultOf, round, type Result } from './result.ts';
import { compare, roundOfServer, type Round, type Side } from './rounds.ts';
import type { World } from './world.ts';

const ROUNDS = 3;
/** Rigs that record laps, and the pause of each between two laps, in ms. */
const RIGS = 16;
const PAUSE_MS = 20;
/** How long laps are recorded without a rebuild, in rounds of other works. */
const QUIET_ROUNDS = 12;

/** Latency of POSTs of laps while the read models are rebuilt, compared with no rebuild. */
export async function rebuildLive(world: World): Promise<readonly Result[]> {
  const { middle, roundMs } = world.scale;
  const dataDir = await world.copy(middle);
  const server = await world.service(dataDir);
  const next = await posts()(server);
  await warmUp(world, server, { next });
  const client = await Client.open(server.url, RIGS);
  const { child } = server;
  const rebuilding = commandSide(world, 'rebuild', async () => ({ command: 'rebuild', dataDir, args: [] }));
  const live = (label: string, meanwhile: () => Promise<unknown>): Side => ({
    label,
    child,
    round: () => roundOfServer(child, () => postUntil(client, { next, roundMs, end: meanwhile() })),
  });
  const { subject, baseline } = await compare(
    live('POST lap during a rebuild', () => rebuilding.round()),
    live('without', () => new Promise((resolve) => setTimeout(resolve, roundMs * QUIET_ROUNDS))),
    ROUNDS,
  );
  const [during, without] = [subject.p99Ms ?? NaN, baseline.p99Ms ?? NaN];
  return [
    resultOf({
      work: `POST lap during a rebuild with ${middle} laps`,
      figure: `${round(during)} ms p99`,
      baseline: `${round(without)} ms without`,
      ratio: during / without,
      goal: atMost(1.5),
      sides: [subject, baseline],
      notes: [`${RIGS} rigs, each with a pause of ${PAUSE_MS} ms; the rebuild has the core of the service`],
    }),
  ];
}

/** Sends laps until `end` settles. */
async function postUntil(
  client: Client,
  { next, roundMs, end }: { readonly next: Next; readonly roundMs: number; readonly end: Promise<unknown> },
): Promise<Omit<Round, 'cpuMicros'>> {
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
  return { units: latencies.length, seconds, latencies };
}
