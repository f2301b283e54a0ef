import { makeFixtures } from './fixtures.ts';
import { atMost, round, type Result } from './result.ts';
import { median, runInTurns, Tally, type Side } from './rounds.ts';
import type { World } from './world.ts';
import { CONNECTIONS, drive, lapPosts } from './works-http.ts';
import { roundOf } from './works-stores.ts';

/** Laps per round of the parts, as a part of a batch. */
const PART = 10;
/** Servers may be slow, which is not what is measured: a write waits for its projection, ms. */
const ENVIRONMENT = { PROJECTION_WAIT_MS: '60000', REQUEST_DEADLINE_MS: '60000', STORE_TIMEOUT_MS: '30000' };

/** What a POST should cost is the sum of these; `minus`: what is taken off. */
interface Part {
  readonly side: Side;
  readonly minus: boolean;
}

/** A POST of a lap with both stores on servers, against the sum of what its parts cost by themselves in the run. */
export async function postServers(world: World): Promise<Result[]> {
  const remote = await remoteSide(world);
  const parts = [...(await embeddedParts(world)), ...(await eventStoreParts(world)), ...(await mongoParts(world))];
  // Each once before, for V8.
  for (const { side } of parts) await side.round();
  const subject = new Tally(remote);
  const tallies = parts.map(({ side, minus }) => ({ tally: new Tally(side), minus }));
  await runInTurns([subject, ...tallies.map(({ tally }) => tally)], world.scale.rounds);
  const sums = subject.cpu.map((_, n) =>
    tallies.reduce((sum, { tally, minus }) => sum + (minus ? -1 : 1) * (tally.cpu[n] ?? NaN), 0),
  );
  const ratios = subject.cpu.map((cpu, n) => cpu / (sums[n] ?? NaN));
  const ratio = median(ratios);
  const figures = subject.figures();
  const terms = tallies.map(({ tally, minus }) => {
    const { label, cpuMicros } = tally.figures();
    return `${minus ? '−' : '+'} ${round(cpuMicros)} ${label}`;
  });
  return [
    {
      work: `POST lap on servers, ${CONNECTIONS} connections`,
      figure: `${round(figures.cpuMicros)} µs CPU`,
      baseline: `${round(median(sums))} µs sum of parts`,
      ratio,
      shown: `${ratio.toFixed(2)}×`,
      goal: atMost(1.3),
      ratios,
      sides: [figures, ...tallies.map(({ tally }) => tally.figures())],
      notes: [
        `the sum in µs: ${terms.join(' ')}`,
        `appends, documents and reads of the parts are ${CONNECTIONS} at a time, as many as the connections allow a POST`,
      ],
    },
  ];
}

async function remoteSide(world: World): Promise<Side> {
  const [eventStore, mongo] = [await world.eventStore(), await world.mongo()];
  const environment = { ...ENVIRONMENT, EVENTSTORE_URL: eventStore, MONGODB_URL: mongo };
  const server = await world.server('service', { dataDir: world.newPath(), environment });
  // A store of its own: what laps refer to has other ids there.
  const next = lapPosts(await makeFixtures(server.url), 'service');
  return drive(world, { server, label: 'POST lap on servers', connections: CONNECTIONS, next });
}

/** The embedded POST, less what its two stores cost through their ports. */
async function embeddedParts(world: World): Promise<Part[]> {
  const fixtures = await world.fixtures();
  const server = await world.service(await world.store(0));
  const next = lapPosts(fixtures, 'service');
  const stores = await world.storesIn(await world.store(0), 'stores');
  const count = world.scale.batch / PART;
  const post = await drive(world, { server, label: 'POST lap, embedded', connections: CONNECTIONS, next });
  const appended: Side = {
    child: stores,
    label: 'embedded append',
    round: () => roundOf(stores, 'append', { count, inFlight: CONNECTIONS }),
  };
  const kept: Side = {
    child: stores,
    label: 'embedded apply and get',
    round: () => roundOf(stores, 'keep', { count, batch: CONNECTIONS }),
  };
  return [
    { side: post, minus: false },
    { side: appended, minus: true },
    { side: kept, minus: true },
  ];
}

/** A bare append, and the delivery of what was appended to a bare subscription, in a process each. */
async function eventStoreParts(world: World): Promise<Part[]> {
  const url = await world.eventStore();
  const client = await world.driver('event-store-client', url);
  const subscription = await world.driver('event-store-subscription', url);
  const count = world.scale.batch / PART;
  const append: Side = {
    child: client,
    label: 'bare append',
    round: () => roundOf(client, 'append', { count, inFlight: CONNECTIONS }),
  };
  // Comes after the append, whose events are delivered meanwhile.
  const delivery: Side = {
    child: subscription,
    label: 'bare delivery',
    round: () => roundOf(subscription, 'delivered', { count }),
  };
  return [
    { side: append, minus: false },
    { side: delivery, minus: false },
  ];
}

async function mongoParts(world: World): Promise<Part[]> {
  const driver = await world.driver('mongo-driver', await world.mongo());
  const count = world.scale.batch / PART;
  const write: Side = {
    child: driver,
    label: 'bare bulkWrite',
    round: () => roundOf(driver, 'write', { count, batch: CONNECTIONS, ordered: false }),
  };
  const find: Side = {
    child: driver,
    label: 'bare findOne',
    round: () => roundOf(driver, 'find', { count, inFlight: CONNECTIONS }),
  };
  return [
    { side: write, minus: false },
    { side: find, minus: false },
  ];
}
