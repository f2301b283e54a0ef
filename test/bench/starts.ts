import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_TOKEN } from './laps.ts';
import type { Json } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import { Client } from './load.ts';
import { page } from './requests.ts';
import { atMost, resultOf, round, type Result } from './result.ts';
import { median, roundOf } from './rounds.ts';
import type { World } from './world.ts';

const STARTS = 5;
const READY_SECONDS = 2;
/** Interval between two readiness checks, in ms. */
const LOOK_EVERY_MS = 10;

/** Time from the start of a process to its first answer, with many laps stored and with none. */
export async function start(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const [full, empty] = [await world.store(large), await world.store(0)];
  const [many, none]: [number[], number[]] = [[], []];
  for (let n = 0; n < STARTS; n += 1) {
    many.push(await secondsToStart(world, { dataDir: full }, (url) => firstPage(url, large)));
    none.push(await secondsToStart(world, { dataDir: empty }, (url) => firstPage(url, 0)));
  }
  const seconds = median(many);
  return [
    resultOf({
      work: `start with ${large} laps stored`,
      figure: `${round(seconds)} s`,
      baseline: `${round(median(none))} s with none`,
      ratio: seconds,
      shown: `${(seconds / median(none)).toFixed(2)}×`,
      goal: atMost(READY_SECONDS, ' s'),
      ratios: many,
      notes: ['from the start of the process to its first page of laps; the files are in the page cache'],
    }),
  ];
}

/**
 * Time until a service on EventStoreDB's double without read models knows every key and admits requests, compared with
 * a plain read of the log by the bare client.
 */
export async function startServer(world: World): Promise<readonly Result[]> {
  const { middle } = world.scale;
  const url = await world.eventStore();
  const stores = await world.stores(await world.copy(middle));
  await stores.ask('copy', Timed, { url });
  await world.end(stores);
  const reader = await world.eventStoreClient(url);
  // Warms up V8 and the server's cache.
  await roundOf(reader, 'read');
  const [starts, reads]: [number[], number[]] = [[], []];
  for (let n = 0; n < STARTS; n += 1) {
    const argument = { dataDir: world.newPath(), environment: { EVENTSTORE_URL: url } };
    starts.push(await secondsToStart(world, argument, admitted));
    reads.push((await roundOf(reader, 'read')).seconds);
  }
  const ratios = starts.map((seconds, n) => seconds / (reads[n] ?? NaN));
  return [
    resultOf({
      work: `start on EventStoreDB's double with ${middle} laps, without read models`,
      figure: `${round(median(starts))} s`,
      baseline: `${round(median(reads))} s a plain read`,
      ratio: median(ratios),
      goal: atMost(1.5),
      ratios,
      notes: ['from the start of the process until a key is admitted; the read models are being made then'],
    }),
  ];
}

async function secondsToStart(world: World, argument: Json, ready: (url: string) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const { child, url } = await world.server('service', argument);
  await ready(url);
  const seconds = (performance.now() - startedAt) / 1_000;
  await world.end(child);
  return seconds;
}

async function firstPage(url: string, laps: number): Promise<void> {
  const client = await Client.open(url, 1);
  await client.run(0, page(0, laps));
  client.close();
}

async function admitted(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/api-keys`, { headers: { 'X-API-Key': ADMIN_TOKEN } });
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    await wait(LOOK_EVERY_MS);
  }
}
