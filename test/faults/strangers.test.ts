import { once } from 'node:events';
import { expect } from 'chai';
import { takeCores } from '../bench/cores.ts';
import { makeFixtures } from '../bench/fixtures.ts';
import { crowd, lapBody, lapMaker, type Fixtures, type NewLap } from '../bench/laps.ts';
import { idOf, textOf, type Client } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { issueKey, registerRig } from '../support/api/venue.ts';
import { record } from '../support/processes/command-process.ts';
import { anonymousMb, threadMicros } from '../support/processes/memory.ts';
import { forkScript } from '../support/processes/script.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';
import { ATTACKS, type Target } from '../support/strangers/attacks.ts';
import { run } from '../support/strangers/crowd.ts';
import { connectRigs, disconnectRigs, percentile, race, type RigLap } from '../support/strangers/rigs.ts';

/** `npm run test:strangers` sets it: half an hour of a machine that does nothing else. */
const isLong = process.env['TEST_STRANGERS'] === 'yes';

/**
 * Laps in three events, laps of drivers who are all in the first one, which is attacked, and laps of one driver in the
 * second one, who is flooded with changes; the length of an attack.
 */
const { othersLaps, drivers, laps, floodedLaps, attackMs, afterwardsMs, rigs, atOnce } = isLong
  ? {
      othersLaps: 28_500,
      drivers: 200,
      laps: 21_500,
      floodedLaps: 3_000,
      attackMs: 10_000,
      afterwardsMs: 3_000,
      rigs: 20,
      atOnce: 200,
    }
  : {
      othersLaps: 0,
      drivers: 20,
      laps: 2_000,
      floodedLaps: 500,
      attackMs: 300,
      afterwardsMs: 200,
      rigs: 4,
      atOnce: 100,
    };
/** Laps of the flooded driver that are changed back and forth. */
const STRUCK = 20;
/** Laps that are appended at once. */
const WAVE = 2_000;
const LAPS_PER_SECOND = 20;
const RIGS_ADDRESS = '127.0.0.50';
/**
 * Time, in ms, for which rigs drive before a long attack: strangers come to a service that runs. The first seconds after
 * a start are those of Node's compiler.
 */
const WARM_UP_MS = 3_000;

/** What a long attack should delay 99 % of laps by at most, in ms: times are reported, and fail nothing. */
const WANTED_MS = 1_000;
/** Most of the process's own memory in a long attack, in MB. */
const MOST_MB = 512;
const MEMORY_EVERY_MS = 50;

/** Interval in ms at which a service is looked at that is to come to rest, and the most CPU in it, in µs. */
const LOOK_EVERY_MS = 200;
const REST_MICROS = 20_000;

/** Quotas count for strangers, though they are on this machine; memory is that of a container of compose.yaml, in MB. */
const ENVIRONMENT = { UNLIMITED_CLIENTS: 'none', NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=32' };

/** CPU that a service has used, in µs; 0 where the system does not report it. */
function cpuMicros({ process: { pid } }: ServiceProcess): number {
  return threadMicros(pid) || 0;
}

/** Waits until a service does next to nothing; resolves to the CPU that it used until then, in µs. */
async function atRest(service: ServiceProcess): Promise<number> {
  const before = cpuMicros(service);
  let last = before;
  await until(
    () => {
      const used = cpuMicros(service) - last;
      last += used;
      return used;
    },
    (used) => used <= REST_MICROS,
    { everyMs: LOOK_EVERY_MS },
  );
  return last - before;
}

/** Drivers, and what they drive in, who are flooded with changes. */
interface FloodedLaps {
  readonly drivers: readonly string[];
  readonly lapIds: readonly string[];
}

/** Appends the laps; returns those of one driver on one layout in the second event, the best first. */
async function fill(dataDir: string, fixtures: Fixtures): Promise<FloodedLaps> {
  const watched = crowd(fixtures, drivers);
  await record(dataDir, watched.participants);
  const participantIds = watched.fixtures.participantIds.slice(0, 1);
  const eventIds = fixtures.eventIds.slice(1, 2);
  const trackIds = fixtures.trackIds.slice(0, 1);
  const rigIds = fixtures.rigIds.slice(0, 1);
  const flooded = lapMaker({ ...fixtures, participantIds, eventIds, trackIds, rigIds })(floodedLaps);
  const all = [...lapMaker(fixtures)(othersLaps), ...lapMaker(watched.fixtures)(laps), ...flooded];
  const events = all.map(({ id, event }) => ({ stream: `lap-${id}`, event }));
  for (let done = 0; done < events.length; done += WAVE) await record(dataDir, events.slice(done, done + WAVE));
  const timeOf = ({ event }: NewLap): number => Number(event.data['totalTime']);
  const best = flooded.filter(({ event }) => event.data['valid'] === true).sort((a, b) => timeOf(a) - timeOf(b));
  return { drivers: watched.fixtures.participantIds, lapIds: best.slice(0, STRUCK).map(({ id }) => id) };
}

/** Registers rigs, whose ids and tokens are returned, and finds or makes what strangers aim at. */
async function prepare(
  admin: Client,
  fixtures: Fixtures,
  { drivers: [driver = '', ...otherIds], lapIds }: FloodedLaps,
) {
  const { licenseId, eventIds, rigIds, carIds, trackIds, participantIds } = fixtures;
  const tokens: (readonly [rigId: string, token: string])[] = [];
  while (tokens.length < rigs) {
    const { rigId, rig } = await registerRig(admin, licenseId, `stranger-${tokens.length}`);
    tokens.push([rigId, rig.token ?? '']);
  }
  const [eventId = '', rigId = '', carId = '', trackLayoutId = '', participantId = ''] = [
    ...[eventIds, rigIds, carIds, trackIds, participantIds].map(([id]) => id),
  ];
  const lapId = idOf(await admin.create('/api/v1/laps', { ...lapBody(fixtures, 0), eventId, participantId }));
  const { token } = await issueKey(admin, 'CRUD');
  expect((await upload(admin, 'LOGO/big.png', new Uint8Array(5_000_000))).status).to.equal(201);
  const ids = { eventId, rigId, carId, trackLayoutId, participantId, lapId };
  const carBrandId = textOf(await admin.read(`/api/v1/cars/${carId}`), 'brandId');
  const simulatorId = textOf(await admin.read(`/api/v1/events/${eventId}`), 'simulatorId');
  const inFlood = { rigId, carId, trackLayoutId, carBrandId, simulatorId, otherIds, lapIds };
  const flooded = { ...inFlood, participantId: driver, eventId: eventIds[1] ?? '' };
  const target: Target = { ...ids, file: '/cdn/LOGO/big.png', token, flooded };
  const lap = (n: number): RigLap => {
    const [rigId, token] = tokens[n % rigs] ?? expect.fail('there is no rig');
    return { token, body: { ...lapBody(fixtures, n), eventId, rigId } };
  };
  return { target, lap };
}

/** Runs an attack in a process of its own: what strangers cost is not the rigs' delay. */
async function runApart(...attack: Parameters<typeof run>): ReturnType<typeof run> {
  const strangers = forkScript('strangers/attackers', []);
  strangers.send(attack);
  const [message] = await Promise.all([once(strangers, 'message'), once(strangers, 'exit')]);
  // What the script sends.
  const [answers] = message as [Awaited<ReturnType<typeof run>>];
  return answers;
}

/** The most memory of a process, in MB, while `work` is done; 0 where the system does not report it. */
async function withPeakOf<T>(pid: number, work: Promise<T>): Promise<[peakMb: number, result: T]> {
  let peakMb = 0;
  const look = setInterval(() => (peakMb = Math.max(peakMb, anonymousMb(pid) ?? 0)), MEMORY_EVERY_MS);
  const result = await work.finally(() => clearInterval(look));
  return [peakMb, result];
}

/** A long attack comes from one address, and then from ten; a short one from an address that had no quota used up. */
function addressesOf(n: number): readonly (readonly string[])[] {
  if (!isLong) return [[`127.0.1.${n}`]];
  return [['127.0.0.2'], Array.from({ length: 10 }, (_, place) => `127.0.0.${2 + place}`)];
}

describe(`strangers${isLong ? ', for long' : ''}`, () => {
  const world = new World();
  const { dataDir } = world;
  const rows: { readonly attack: string; readonly sent: number; readonly p99Ms: number; readonly peakMb: number }[] =
    [];
  let prepared: Awaited<ReturnType<typeof prepare>>;
  let service: ServiceProcess;
  // A long attack is measured: strangers and rigs take nothing from the service's core.
  const cores = isLong ? takeCores() : null;
  const runner = cores === null ? [] : ['taskset', '-c', String(cores.server)];
  const start = () => world.service({ dataDir, env: ENVIRONMENT, runner });
  before(async () => {
    const fixtures = await withServiceHere(dataDir, ({ admin }) => makeFixtures(admin));
    const flooded = await fill(dataDir, fixtures);
    service = await start();
    await caughtUp(service.admin);
    prepared = await prepare(service.admin, fixtures, flooded);
  });
  after(() => world.clean());

  const attacks = Object.keys(ATTACKS).flatMap((attack, n) =>
    addressesOf(n).map((addresses) => ({ attack, addresses })),
  );
  for (const { attack, addresses } of attacks) {
    const from = isLong ? ` from ${addresses.length}` : '';
    it(`${attack}${from}: each lap beside it is recorded, and no work is done for clients that have left`, async () => {
      // The memory that is looked at is that of one attack.
      if (isLong) await service.process.end('SIGTERM');
      if (isLong) service = await start();
      const { target, lap } = prepared;
      const { url } = service;
      const connected = connectRigs(url, RIGS_ADDRESS, rigs);
      const driving = { rigs: connected, perSecond: LAPS_PER_SECOND, lap };
      if (isLong) await race({ ...driving, ms: WARM_UP_MS });
      const before = cpuMicros(service);
      const racing = { ...driving, ms: attackMs + afterwardsMs };
      const attacking = (isLong ? runApart : run)(attack, { url, target, addresses, ms: attackMs, atOnce });
      const both = Promise.all([race(racing), attacking]);
      const [peakMb, [{ sent, latencies, refused, lost }, answers]] = await withPeakOf(service.process.pid, both);
      disconnectRigs(connected);
      expect(lost, JSON.stringify({ refused, answers })).to.equal(0);
      expect(answers).not.to.have.property('500');
      const during = cpuMicros(service) - before;
      expect(await atRest(service), 'CPU afterwards').to.be.at.most(during + REST_MICROS);
      expect(isLong ? {} : refused).to.deep.equal({});
      if (!isLong) return;
      expect(peakMb, 'MB').to.be.below(MOST_MB);
      rows.push({ attack: attack + from, sent, p99Ms: percentile(latencies, 0.99), peakMb });
    });
  }

  after(() => {
    if (rows.length < attacks.length) return;
    const slow = rows.filter(({ p99Ms }) => p99Ms > WANTED_MS);
    report('laps beside strangers', {
      command: 'npm run test:strangers',
      attacks: rows.length,
      secondsEach: attackMs / 1_000,
      laps: rows.reduce((sum, { sent }) => sum + sent, 0),
      lost: 0,
      longestP99Ms: Math.round(Math.max(...rows.map((row) => row.p99Ms))),
      slowerThan1S: slow.map(({ attack, p99Ms }) => `${attack}: ${Math.round(p99Ms)} ms`).join(', ') || 'none',
      mostMemoryMb: Math.round(Math.max(...rows.map((row) => row.peakMb))),
    });
  });
});
