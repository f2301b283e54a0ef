import { z } from 'zod';
import { ADMIN_TOKEN } from './laps.ts';
import { atMost, resultOf, round, type Result } from './result.ts';
import type { Server, World } from './world.ts';

/** Goal: the CPU limit of one request, in ms. */
const MOST_MS = 50;
/** Laps per participant, and the number of drivers who lost their best lap. */
const LAPS_EACH = 20;
const LOSERS = 101;
/** How often each request is sent: the first time also pays for what V8 has to compile. */
const TIMES = 3;
/** A request that takes this much CPU, in ms, ends the search for worse ones. */
const ENDLESS_MS = 1_000;
const MICROS_PER_MS = 1_000;
const DEADLINE_MS = 20_000;

const Security = z.array(z.record(z.string(), z.unknown()));
const Document = z.object({
  paths: z.record(z.string(), z.object({ get: z.looseObject({ security: Security.optional() }).optional() })),
});
const Listed = z.object({ totalElements: z.number(), content: z.array(z.record(z.string(), z.unknown())) });
const Board = z.object({ content: z.array(z.object({ bestLap: z.object({ lapId: z.string() }) })) });

/**
 * The most expensive request to each public endpoint that is neither an unpaged list nor a live board, which has no end,
 * with many laps stored.
 */
export async function abuse(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const server = await world.service(await world.crowded(large, large / LAPS_EACH));
  const { eventIds, trackIds, carIds, participantIds } = server.fixtures;
  const firsts = [eventIds, trackIds, carIds, participantIds].map(([id]) => id);
  const [eventId = '', trackLayoutId = '', carId = '', participantId = ''] = firsts;
  await loseBestLaps(server, eventId);
  const { paths } = Document.parse(await readJson(`${server.url}/api-docs`));
  const results: Result[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined || !isPublic(get)) continue;
    const requests = /\/(leaderboard|results\.csv)$/.test(path)
      ? boardRequests(path.replace('{eventId}', eventId), { trackLayoutId, carId })
      : path.endsWith('/paged')
        ? await pageRequests(server, path)
        : /\{.*(?<!\/live)$/.test(path)
          ? [path.replace('{participantId}', participantId).replaceAll(/\{\w+\}/g, eventId)]
          : [];
    if (requests.length > 0) results.push(await worstOf(server, path, requests));
  }
  return results;
}

/** True if the endpoint works without a key. */
function isPublic({ security = [] }: { readonly security?: z.output<typeof Security> | undefined }): boolean {
  return security.length === 0 || security.some((way) => Object.keys(way).length === 0);
}

/** Invalidates the best laps of some drivers, as a steward may. */
async function loseBestLaps({ url }: Server, eventId: string): Promise<void> {
  const headers = { 'X-API-Key': ADMIN_TOKEN, 'Content-Type': 'application/json' };
  const { content } = Board.parse(await readJson(`${url}/api/v1/events/${eventId}/leaderboard?size=${LOSERS}`));
  for (const { bestLap } of content) {
    const body = JSON.stringify({ valid: false });
    const answer = await fetch(`${url}/api/v1/laps/${bestLap.lapId}`, { method: 'PATCH', headers, body });
    if (answer.status !== 200) throw new Error(`PATCH of a lap: ${answer.status} ${await answer.text()}`);
  }
}

/** Pages sorted by every field: the first and the last, in the middle, and past the end. */
async function pageRequests({ url }: Server, path: string): Promise<readonly string[]> {
  const { totalElements, content } = Listed.parse(await readJson(`${url}${path}?size=1000`));
  const sorts = Object.entries(content[0] ?? {})
    .filter(([, value]) => typeof value !== 'object' || value === null)
    .flatMap(([field]) => ['', `&sort=${field}`, `&sort=${field},desc`]);
  const pages = [0, Math.floor(totalElements / 4), Math.floor(totalElements / 2), totalElements, 9_007_199_254_739];
  const sizes = pages.flatMap((page) => [`?size=1&page=${page}`, `?size=1000&page=${Math.floor(page / 1_000)}`]);
  return [...new Set(sorts)].flatMap((sort) => sizes.map((page) => path + page + sort));
}

function boardRequests(path: string, filters: Readonly<Record<string, string>>): readonly string[] {
  const pages = path.endsWith('.csv') ? [] : ['page=1&size=1000', 'page=100000&size=1000'];
  const asked = [
    '',
    ...pages,
    'validOnly=false',
    'asOf=2025-01-01T00:00:05Z',
    'asOf=2100-01-01T00:00:00Z&validOnly=false',
    ...Object.entries(filters).flatMap(([name, id]) => [`${name}=${id}`, `${name}=${id}&validOnly=false`]),
  ];
  return asked.map((query) => `${path}?${query}`);
}

async function worstOf({ url, child }: Server, path: string, requests: readonly string[]): Promise<Result> {
  let worst = { request: '', ms: 0, status: 0 };
  const all: number[] = [];
  for (const request of requests) {
    let least = { ms: Infinity, status: 0 };
    for (let n = 0; n < TIMES; n += 1) {
      const before = await child.cpuMicros();
      const answer = await fetch(url + request, { signal: AbortSignal.timeout(DEADLINE_MS) });
      await answer.arrayBuffer();
      const ms = ((await child.cpuMicros()) - before) / MICROS_PER_MS;
      if (ms < least.ms) least = { ms, status: answer.status };
      if (ms > ENDLESS_MS) break;
    }
    all.push(least.ms);
    if (least.ms > worst.ms) worst = { request, ...least };
    // Bad enough; looking for worse would take hours.
    if (worst.ms > ENDLESS_MS) break;
  }
  return resultOf({
    work: `GET ${path}`,
    figure: `${round(worst.ms)} ms CPU`,
    baseline: `worst of ${all.length} requests`,
    ratio: worst.ms,
    shown: `${round(worst.ms / MOST_MS)}×`,
    goal: atMost(MOST_MS, ' ms'),
    ratios: all,
    notes: [`${worst.status} ${worst.request}`],
  });
}

async function readJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}
