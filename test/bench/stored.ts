/** Rows about what is stored, and how long it takes: each has its own way of measuring. */
import { join } from 'node:path';
import { bytesBelow } from '../support/processes/memory.ts';
import { atMost, median, resultOf, round, type Comparison, type Result } from './comparison.ts';
import { Client } from './load.ts';
import { page } from './requests.ts';
import type { Server, World } from './world.ts';

/** Bytes of a lap in the read models when laps had an index for each filter. */
const BYTES_BEFORE_COLUMNS = 1_970;

/** Latency of a POST, compared with a durable write by raw lmdb. */
export async function untilAnswered(world: World, { p50Ms }: Comparison): Promise<Result> {
  const raw = await world.rawStores();
  const { units, seconds, cpuMicros } = await raw.ask('append', { count: world.scale.batch / 50, inFlight: 1 });
  const rawMs = (seconds / units) * 1_000;
  return resultOf({
    work: 'POST lap, 1 connection, until it is answered',
    figure: `${round(p50Ms)} ms p50`,
    baseline: `${round(rawMs)} ms a durable write by raw lmdb, alone`,
    ratio: p50Ms / rawMs,
    goal: atMost(1.6),
    notes: [`such a write takes ${round(cpuMicros / units)} µs of CPU`],
  });
}

/** Bytes of a lap in read models and events, where all were projected as a backlog. */
export async function disk(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const directory = await world.store(large);
  const bytesOf = (part: string): number => bytesBelow(join(directory, part)) / large;
  const models = bytesOf('read-models');
  return [
    resultOf({
      work: `read models of a lap on disk, with ${large} laps stored`,
      figure: `${round(models)} B`,
      baseline: `${BYTES_BEFORE_COLUMNS} B with fourteen indexes`,
      ratio: models / BYTES_BEFORE_COLUMNS,
      goal: atMost(0.6),
      notes: [`its event takes ${round(bytesOf('events'))} B`],
    }),
  ];
}

/** A service with laps that the work may change. */
export function ownLaps(count: number) {
  return (world: World): Promise<Server> =>
    world.shared(`own laps ${count}`, async () => world.service(await world.own(count)));
}

/** Memory of the service after the other rows of its work. */
export async function memory(world: World): Promise<readonly Result[]> {
  const { large, small } = world.scale;
  const memoryWith = async (count: number) => (await ownLaps(count)(world)).child.anonymousMb() ?? NaN;
  const many = await memoryWith(large);
  const few = await memoryWith(small);
  return [
    resultOf({
      work: `memory of the service, with ${large} laps stored`,
      figure: `${round(many)} MB RssAnon`,
      baseline: `${round(few)} MB with ${small} laps`,
      ratio: many,
      shown: `${round(many)} MB`,
      goal: atMost(350, ' MB'),
    }),
  ];
}

const STARTS = 5;
const READY_SECONDS = 2;

/** Time from the start of a process to its first answer, with many laps stored and with none. */
export async function start(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const full = await world.store(large);
  const empty = await world.store(0);
  const many: number[] = [];
  const none: number[] = [];
  while (none.length < STARTS) {
    many.push(await secondsToStart(world, full, large));
    none.push(await secondsToStart(world, empty, 0));
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
      notes: ['from the start of the process to its first page of laps; the files are in the page cache'],
    }),
  ];
}

async function secondsToStart(world: World, dataDir: string, laps: number): Promise<number> {
  const startedAt = performance.now();
  const { child, url } = await world.service(dataDir);
  const client = new Client(url, 1);
  await client.run(0, page(0, laps));
  client.close();
  const seconds = (performance.now() - startedAt) / 1_000;
  await world.end(child);
  return seconds;
}
