import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fixtures } from './laps.ts';
import type { Call } from './load.ts';
import { atMost, cpuResult, type Result } from './result.ts';
import { compare, type Side } from './rounds.ts';
import type { World } from './world.ts';
import { CONNECTIONS, drive, get, lapPosts, PAGE_SIZE, pageOf, PageShown } from './works-http.ts';

/** Connections of the reads: one that is slow keeps the server busy for many ms. */
const READERS = 8;
/** A filtered page, by what it costs as a page without filters; where no index has it, it passes over others. */
const FILTERED = 1.5;
const PASSING_OVER = 30;
/** One that is found by none, but among the records of some minutes. */
const LOOKED_THROUGH = 100;
/** What the indexes of the filters cost a POST. */
const INDEXED = 1.25;

/** A request for a page, and what it may cost. */
type Filtered = readonly [query: string, goal: number];

function filteredPages({ eventIds, participantIds, rigIds, carIds, trackIds }: Fixtures): readonly Filtered[] {
  const [event, participant, rig, car, track] = [eventIds, participantIds, rigIds, carIds, trackIds].map(([id]) => id);
  // The laps of a bench begin on that day, and follow each other by 137 ms.
  const minutes = 'from=2025-01-01T00:02:00Z&to=2025-01-01T00:05:00Z';
  return [
    [`eventId=${event}`, FILTERED],
    [`participantId=${participant}`, FILTERED],
    [`rigId=${rig}`, FILTERED],
    [`carId=${car}`, FILTERED],
    [`trackId=${track}`, FILTERED],
    ['valid=true', FILTERED],
    [`eventId=${event}&sort=createdAt,desc`, FILTERED],
    [`rigId=${rig}&sort=createdAt,desc`, FILTERED],
    [`rigId=${rig}&${minutes}&sort=createdAt`, FILTERED],
    [`${minutes}&sort=createdAt`, FILTERED],
    [`eventId=${event}&sort=drivenAt,desc`, FILTERED],
    [`carId=${car}&sort=createdAt,desc`, PASSING_OVER],
    ['valid=false&sort=createdAt,desc', PASSING_OVER],
    [`rigId=${rig}&carId=${car}&${minutes}`, LOOKED_THROUGH],
  ];
}

/** Each filter of laps, and some of them together, against a page without any. */
async function filtersOf(world: World, laps: number): Promise<Result[]> {
  const fixtures = await world.fixtures();
  const server = await world.service(await world.store(laps));
  const side = (label: string, next: () => Call): Promise<Side> =>
    drive(world, { server, label, connections: READERS, next });
  const results: Result[] = [];
  for (const [query, goal] of filteredPages(fixtures)) {
    const work = `${laps} laps, ${query.replaceAll(/=[^&]*/g, (value) => (/[,Z]|true|false/.test(value) ? value : ''))}`;
    const compared = await compare(
      await side(work, pageBy(query)),
      await side('no filter', pageOf(0, laps)),
      world.scale.rounds,
    );
    results.push(cpuResult(work, atMost(goal), compared));
  }
  return results;
}

function pageBy(query: string): () => Call {
  const call = get(`/api/v1/laps/paged?size=${PAGE_SIZE}&${query}`, (body) => {
    const { content, totalElements } = PageShown.parse(JSON.parse(body));
    return content.length === Math.min(PAGE_SIZE, totalElements) && content.length > 0;
  });
  return () => call;
}

export async function filter(world: World): Promise<Result[]> {
  return [...(await filtersOf(world, world.scale.small)), await indexesOfPost(world)];
}

export async function filterOfMany(world: World): Promise<Result[]> {
  return filtersOf(world, world.scale.large);
}

/** A POST of a lap to a service with the indexes of all filters against one with those that laps had without filters. */
async function indexesOfPost(world: World): Promise<Result> {
  const next = lapPosts(await world.fixtures(), 'service');
  const side = async (label: string, filters: boolean): Promise<Side> => {
    const dataDir = await world.store(0);
    // Read models keep the indexes that they were made with.
    await rm(join(dataDir, 'read-models'), { recursive: true, force: true });
    const server = await world.server('service', { dataDir, filters });
    return drive(world, { server, label, connections: CONNECTIONS, next });
  };
  const compared = await compare(
    await side('with indexes', true),
    await side('without those of filters', false),
    world.scale.rounds,
  );
  return cpuResult('POST lap, with the indexes of filters', atMost(INDEXED), compared);
}
