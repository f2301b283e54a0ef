import { z } from 'zod';
import { ADMIN_TOKEN } from './fixtures.ts';
import type { Fixtures } from './laps.ts';
import type { Call } from './load.ts';
import { atMost, cpuResult, type Result } from './result.ts';
import { compare } from './rounds.ts';
import type { Server, World } from './world.ts';
import { boardOf } from './works-leaderboard.ts';
import { CONNECTIONS, drive, inTurns, jsonRequest, lapPosts, lapsById, pageOf } from './works-http.ts';

const LapShown = z.object({ valid: z.boolean() });

/** What is asked of a service with so many laps. */
type Requests = (server: Server, laps: number, fixtures: Fixtures) => Promise<() => Call>;

/** Reads first: writes change what they must find. */
const REQUESTS: readonly (readonly [work: string, requests: Requests])[] = [
  ['GET lap by id', async ({ url }) => inTurns((await lapsById(url)).map(({ call }) => call))],
  ['GET page 0', async (_, laps) => pageOf(0, laps)],
  ['leaderboard of an event', async (_, __, { eventIds: [eventId = ''] }) => boardOf(eventId, { rows: 1 })],
  // Of any laps: the fastest are bests, and who loses one has their other laps looked through.
  ['PATCH lap', async ({ url }) => lapPatches((await lapsById(url, 'createdAt')).map(({ id }) => id))],
  ['POST lap', async (_, __, fixtures) => lapPosts(fixtures, 'service')],
  ['POST lap with an Idempotency-Key', async (_, __, fixtures) => lapPosts(fixtures, 'keyed')],
];

/** What requests cost with many laps stored, against the same with few. */
export async function growth(world: World): Promise<Result[]> {
  const { large, small, rounds } = world.scale;
  const fixtures = await world.fixtures();
  // Both are filled first: that takes longer than a server keeps an idle connection.
  const [many, few] = [await world.own(large), await world.own(small)];
  const servers = { many: await world.service(many), few: await world.service(few) };
  const results: Result[] = [];
  for (const [work, requests] of REQUESTS) {
    const side = async (server: Server, laps: number) =>
      drive(world, {
        server,
        label: `with ${laps} laps`,
        connections: CONNECTIONS,
        next: await requests(server, laps, fixtures),
      });
    const compared = await compare(await side(servers.many, large), await side(servers.few, small), rounds);
    results.push(cpuResult(`${work}, with ${large} laps stored`, atMost(1.2), compared));
  }
  return results;
}

/** Requests that change laps, each time to what they were not before. */
function lapPatches(ids: readonly string[]): () => Call {
  let sent = 0;
  return () => {
    const [id = '', valid] = [ids[sent % ids.length], Math.floor(sent / ids.length) % 2 === 0];
    sent += 1;
    const { start, rest } = jsonRequest('PATCH', `/api/v1/laps/${id}`, { token: ADMIN_TOKEN, body: { valid } });
    return { text: start + rest, status: '200', fits: (body) => LapShown.parse(JSON.parse(body)).valid === valid };
  };
}
