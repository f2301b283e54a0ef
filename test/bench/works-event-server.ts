import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_TOKEN, makeFixtures } from './fixtures.ts';
import { Timed } from './child-protocol.ts';
import { atLeast, atMost, cpuResult, rateResult, round, type Result } from './result.ts';
import { compare, median, type Side } from './rounds.ts';
import type { World } from './world.ts';
import { CONNECTIONS, drive, lapPosts } from './works-http.ts';
import { roundOf } from './works-stores.ts';

/** Appends under way at once. */
const IN_FLIGHT = 500;
/** How often it is asked whether a service is ready, in ms. */
const LOOK_EVERY_MS = 10;
const STARTS = 5;
/** What is done before it is measured, as a part of a batch. */
const PRACTICE = 4;

/** Projecting a backlog of laps from EventStoreDB's double, against the same from the embedded store. */
export async function backlogServer(world: World): Promise<Result[]> {
  const { batch: count, batches } = world.scale;
  const eventStoreUrl = await world.eventStore();
  const embedded = await world.storesIn(await world.store(0), 'stores');
  // What laps refer to.
  await embedded.ask('copy', Timed, { url: eventStoreUrl });
  const remote = await world.storesIn(world.newPath(), 'stores', { eventStoreUrl });
  const side = (child: typeof remote, label: string): Side => ({
    child,
    label,
    async round() {
      await child.ask('append', Timed, { count, inFlight: IN_FLIGHT });
      return roundOf(child, 'project', null);
    },
  });
  const [ours, base] = [side(remote, 'backlog from EventStoreDB'), side(embedded, 'from the embedded store')];
  // Each side once before, for V8.
  await ours.round();
  await base.round();
  const compared = await compare(ours, base, batches);
  return [rateResult(`projecting ${count} laps from EventStoreDB's double`, atLeast(55), compared)];
}

/** Copying a history into EventStoreDB's double, comparisons included, against as many appends by its bare client. */
export async function copyServer(world: World): Promise<Result[]> {
  const { batch: count, batches } = world.scale;
  const stores = await world.storesIn(await world.copy(count), 'stores');
  const client = await world.driver('event-store-client', await world.eventStore());
  const copy: Side = {
    child: stores,
    label: 'copy',
    round: async () => roundOf(stores, 'copy', { url: await world.eventStore() }),
  };
  const bare: Side = {
    child: client,
    label: 'bare client',
    // Both get a server of their own each time.
    round: async () => roundOf(client, 'appendTo', { url: await world.eventStore(), count, inFlight: IN_FLIGHT }),
  };
  await copy.round();
  await bare.round();
  return [rateResult(`copy into EventStoreDB's double`, atLeast(80), await compare(copy, bare, batches))];
}

/** POSTs of laps to a service with its events on EventStoreDB's double, against one with both stores embedded. */
export async function postEventsServer(world: World): Promise<Result[]> {
  const environment = { EVENTSTORE_URL: await world.eventStore() };
  const remote = await world.server('service', { dataDir: world.newPath(), environment });
  const embedded = await world.service(await world.store(0));
  // The fixtures have other ids there.
  const posts = {
    remote: lapPosts(await makeFixtures(remote.url), 'service'),
    embedded: lapPosts(await world.fixtures(), 'service'),
  };
  const [ours, base] = [
    await drive(world, { server: remote, label: 'on EventStoreDB', connections: CONNECTIONS, next: posts.remote }),
    await drive(world, { server: embedded, label: 'embedded', connections: CONNECTIONS, next: posts.embedded }),
  ];
  // As many on either side before, for V8: in the same time one does many more than the other.
  for (const side of [ours, base]) await practise(side, world.scale.batch / PRACTICE);
  const compared = await compare(ours, base, world.scale.rounds);
  return [
    cpuResult(`POST lap with the events on EventStoreDB's double, ${CONNECTIONS} connections`, atMost(1.6), compared),
  ];
}

/** Has a side do so much of its work. */
async function practise(side: Side, units: number): Promise<void> {
  for (let done = 0; done < units;) done += (await side.round()).units;
}

/**
 * The start of a service on EventStoreDB's double without read models, until it knows every key and admits requests, against
 * a plain read of the log by the bare client.
 */
export async function startServer(world: World): Promise<Result[]> {
  const { middle } = world.scale;
  const url = await world.eventStore();
  const stores = await world.storesIn(await world.copy(middle), 'stores');
  await stores.ask('copy', Timed, { url });
  await world.end(stores);
  const reader = await world.driver('event-store-client', url);
  // Once before, for V8 and for what the server keeps of each event.
  await roundOf(reader, 'read', null);
  const [starts, reads]: [number[], number[]] = [[], []];
  for (let n = 0; n < STARTS; n += 1) {
    starts.push(await secondsToStart(world, url));
    reads.push((await roundOf(reader, 'read', null)).seconds);
  }
  const ratios = starts.map((seconds, n) => seconds / (reads[n] ?? NaN));
  const ratio = median(ratios);
  return [
    {
      work: `start on EventStoreDB's double with ${middle} laps, without read models`,
      figure: `${round(median(starts))} s`,
      baseline: `${round(median(reads))} s a plain read`,
      ratio,
      shown: `${ratio.toFixed(2)}×`,
      goal: atMost(1.5),
      ratios,
      sides: [],
      notes: ['from the start of the process until a key is admitted; the read models are being made then'],
    },
  ];
}

async function secondsToStart(world: World, eventStoreUrl: string): Promise<number> {
  const startedAt = performance.now();
  const environment = { EVENTSTORE_URL: eventStoreUrl };
  const { child, url } = await world.server('service', { dataDir: world.newPath(), environment });
  while (!(await admits(url))) await wait(LOOK_EVERY_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  await world.end(child);
  return seconds;
}

async function admits(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v1/api-keys`, { headers: { 'X-API-Key': ADMIN_TOKEN } });
  await answer.arrayBuffer();
  return answer.status === 200;
}
