import { report } from '../support/reliability.ts';
import type { Target } from '../support/strangers/attacks.ts';
import { Answers } from '../support/strangers/crowd.ts';
import { race, type Finish, type RigLap } from '../support/strangers/rigs.ts';
import { makeTarget } from './fixtures.ts';
import { lapBody } from './laps.ts';
import { resultOf, round, type Goal, type Result } from './result.ts';
import type { Server, World } from './world.ts';

/** Laps of the watched event and of all events, and the drivers of the first. */
const WATCHED_LAPS = 31_000;
const ALL_LAPS = 50_000;
const DRIVERS = 200;
/** Events of the fixtures, over which laps are spread that are not the crowd's. */
const EVENTS = 3;
const OTHER_LAPS = ((ALL_LAPS - WATCHED_LAPS) * EVENTS) / (EVENTS - 1);

const RIGS = 20;
const LAPS_PER_SECOND = 20;
/** How long rigs go on after an attack, in ms: what it left behind must not delay them either. */
const AFTERWARDS_MS = 3_000;
/** Requests at once of all strangers. */
const AT_ONCE = 200;
const RIGS_ADDRESS = '127.0.0.50';
/** Each attack comes from one address, and then from ten. */
const ADDRESSES = [['127.0.0.2'], Array.from({ length: 10 }, (_, n) => `127.0.0.${2 + n}`)];

/**
 * What Node takes for itself in a container with the memory limit of compose.yaml, in MB: half of it for the heap of old
 * objects.
 */
const CONTAINER = ['--max-old-space-size=256'];
/** Quotas count for strangers, though they are on this machine. */
const ENVIRONMENT = { UNLIMITED_CLIENTS: 'none' };

/** Goals: ms for 99 % of laps, and MB of the process's own memory. */
const MOST_MS = 1_000;
const MOST_MB = 512;
const MEMORY_EVERY_MS = 50;
/** Seconds of an attack from which on it proves something. */
const PROOF_SECONDS = 10;

interface Row {
  readonly attack: string;
  readonly addresses: number;
  readonly finish: Finish;
  readonly answers: Answers;
  /** Null where the system does not report it. */
  readonly peakMb: number | null;
}

/** Laps of rigs beside strangers, one attack after the other, each on a service that has just started. */
export async function stranger(world: World): Promise<readonly Result[]> {
  const dataDir = await world.crowded(WATCHED_LAPS - OTHER_LAPS / EVENTS, DRIVERS, OTHER_LAPS);
  const prepared = await world.service(dataDir);
  const { target, tokens } = await makeTarget(prepared.url, prepared.fixtures, RIGS);
  await world.end(prepared.child);
  const rows: Row[] = [];
  const results: Result[] = [];
  for (const attack of world.scale.attacks) {
    for (const addresses of ADDRESSES) {
      const server = await world.server('service', { dataDir, environment: ENVIRONMENT }, { flags: CONTAINER });
      const { fixtures } = server;
      const lap = (n: number): RigLap => {
        const [rigId = '', token = ''] = tokens[n % RIGS] ?? [];
        return { token, body: { ...lapBody(fixtures, n), eventId: target.eventId, rigId } };
      };
      const row = await underAttack(world, server, { attack, addresses, target, lap });
      await world.end(server.child);
      rows.push(row);
      const result = resultFor(row);
      results.push(result);
      // A whole run takes half an hour.
      world.tell(
        `  ${result.work}: ${result.shown} (${result.figure}, ${result.baseline})${holds(row) ? '' : ' FAILS'}`,
      );
    }
  }
  if (world.scale.attackSeconds >= PROOF_SECONDS) reportAll(rows, world.scale.attackSeconds);
  return results;
}

interface Attacking {
  readonly attack: string;
  readonly addresses: readonly string[];
  readonly target: Target;
  readonly lap: (n: number) => RigLap;
}

async function underAttack(
  world: World,
  { child, url }: Server,
  { attack, addresses, target, lap }: Attacking,
): Promise<Row> {
  // Beside the service, not on its core.
  const strangers = await world.child('strangers', null, { core: null, profile: null });
  const ms = world.scale.attackSeconds * 1_000;
  let peakMb: number | null = null;
  const look = setInterval(() => {
    const now = child.anonymousMb();
    if (now !== null) peakMb = Math.max(peakMb ?? 0, now);
  }, MEMORY_EVERY_MS);
  const racing = {
    url,
    localAddress: RIGS_ADDRESS,
    rigs: RIGS,
    perSecond: LAPS_PER_SECOND,
    ms: ms + AFTERWARDS_MS,
    lap,
  };
  const wanted = { name: attack, url, target, addresses: [...addresses], ms, atOnce: AT_ONCE };
  const [finish, answers] = await Promise.all([race(racing), strangers.ask('attack', Answers, wanted)]);
  clearInterval(look);
  await world.end(strangers);
  return { attack, addresses: addresses.length, finish, answers, peakMb };
}

/** Percentile of ascending values; infinite where there are none. */
function percentile(ascending: readonly number[], part: number): number {
  return ascending[Math.floor((ascending.length - 1) * part)] ?? Infinity;
}

function p99({ finish }: Row): number {
  return percentile(finish.latencies, 0.99);
}

function holds(row: Row): boolean {
  return p99(row) <= MOST_MS && row.finish.lost === 0 && (row.peakMb ?? 0) < MOST_MB;
}

function resultFor(row: Row): Result {
  const { attack, addresses, finish, answers, peakMb } = row;
  const p50 = round(percentile(finish.latencies, 0.5));
  const goal: Goal = { text: `≤ ${MOST_MS} ms, none lost, < ${MOST_MB} MB`, isMet: () => holds(row) };
  return resultOf({
    work: `${attack}, ${addresses === 1 ? '1 address' : `${addresses} addresses`}`,
    figure: `p50 ${p50} ms, most ${round(finish.latencies.at(-1) ?? Infinity)} ms`,
    baseline: `${finish.lost} lost of ${finish.sent}, ${peakMb === null ? '–' : round(peakMb)} MB`,
    ratio: p99(row),
    shown: `p99 ${round(p99(row))} ms`,
    goal,
    notes: [`answers ${listed(answers)}`, ...(finish.lost === 0 ? [] : [`laps refused: ${listed(finish.refused)}`])],
  });
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}

/** Reports the proof for docs/reliability.md, if all of it holds. */
function reportAll(rows: readonly Row[], secondsEach: number): void {
  if (!rows.every(holds)) return;
  const most = (values: readonly number[]): number => Math.round(Math.max(...values));
  report('laps beside strangers', {
    command: 'npm run bench -- --only stranger',
    attacks: rows.length,
    secondsEach,
    laps: rows.reduce((sum, { finish }) => sum + finish.sent, 0),
    lost: 0,
    longestP99Ms: most(rows.map(p99)),
    mostMemoryMb: most(rows.map(({ peakMb }) => peakMb ?? 0)),
  });
}
