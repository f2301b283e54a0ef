import { Client } from './load.ts';
import { page } from './requests.ts';
import { atMost, resultOf, round, type Result } from './result.ts';
import { median } from './rounds.ts';
import type { World } from './world.ts';

const STARTS = 5;
const READY_SECONDS = 2;

/** Time from the start of a process to its first answer, with many laps stored and with none. */
export async function start(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const [full, empty] = [await world.store(large), await world.store(0)];
  const [many, none]: [number[], number[]] = [[], []];
  for (let n = 0; n < STARTS; n += 1) {
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
  const client = await Client.open(url, 1);
  await client.run(0, page(0, laps));
  client.close();
  const seconds = (performance.now() - startedAt) / 1_000;
  await world.end(child);
  return seconds;
}
