import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import { makeFixtures } from './fixtures.ts';
import { lapBody, type Fixtures } from './laps.ts';
import type { Call } from './load.ts';
import { atMost, cpuResult, round, type Result } from './result.ts';
import { compare } from './rounds.ts';
import { CONNECTIONS, drive, inTurns, jsonRequest, lapPosts } from './works-http.ts';
import type { Server, World } from './world.ts';

/** Laps of a batch: as many as it may have. */
const BATCH = 1_000;
/** What a lap of a batch may cost, by what it costs alone. */
const GOAL = 0.25;
/** What it may cost by what lmdb alone takes for the writes of a lap. */
const RAW_GOAL = 2;

const Verdicts = z.object({ results: z.array(z.object({ verdict: z.literal('created'), id: z.string() })) });

/** Batches of laps, those of one rig after those of another; `keyed`: each lap with a key of its own. */
function batchPosts(fixtures: Fixtures, keyed: boolean): () => Call {
  const next = inTurns(
    fixtures.rigIds.map((rigId) => ({
      token: fixtures.tokens[rigId] ?? '',
      laps: Array.from({ length: BATCH }, (_, n): JsonObject => ({ ...lapBody(fixtures, n), rigId })),
    })),
  );
  const fits = (text: string): boolean => Verdicts.parse(JSON.parse(text)).results.length === BATCH;
  return () => {
    const { token, laps } = next();
    const sent = keyed ? laps.map((lap) => ({ ...lap, key: randomUUID() })) : laps;
    const { start, rest } = jsonRequest('POST', '/api/v1/laps/batch', { token, body: { laps: sent } });
    return { text: start + rest, status: '200', fits };
  };
}

/** Laps in batches, one after the other, against the same laps one by one; the projecting of both is part of it. */
async function batchesOf(
  world: World,
  { server, fixtures, where }: { readonly server: Server; readonly fixtures: Fixtures; readonly where: string },
): Promise<Result[]> {
  const results: Result[] = [];
  for (const keyed of [false, true]) {
    const batches = await drive(world, {
      server,
      label: `batches of ${BATCH}`,
      connections: 1,
      next: batchPosts(fixtures, keyed),
      unitsPerCall: BATCH,
    });
    const alone = await drive(world, {
      server,
      label: `POST lap, ${CONNECTIONS} connections`,
      connections: CONNECTIONS,
      next: lapPosts(fixtures, keyed ? 'keyed' : 'service'),
    });
    const work = `a lap of a batch${keyed ? ', with a key' : ''}, ${where}`;
    results.push(cpuResult(work, atMost(GOAL), await compare(batches, alone, world.scale.rounds)));
  }
  return results;
}

/** A lap of a batch against a lap alone, and against what lmdb alone takes for its writes, on the embedded stores. */
export async function batch(world: World): Promise<Result[]> {
  const server = await world.service(await world.store(0));
  const results = await batchesOf(world, { server, fixtures: await world.fixtures(), where: 'embedded' });
  const raw = await world.storesIn(world.newPath(), 'raw-stores');
  const wanted = { count: world.scale.batch, inFlight: BATCH };
  // Once before, for V8.
  for (const operation of ['append', 'write']) await raw.ask(operation, Timed, wanted);
  const [events, documents] = [await raw.ask('append', Timed, wanted), await raw.ask('write', Timed, wanted)];
  const rawMicros = [events, documents].map(({ cpuMicros, units }) => cpuMicros / units);
  return [...results, ...results.flatMap((result) => againstRaw(result, rawMicros))];
}

/** The same laps against what lmdb alone takes, in µs, for their events and for their documents. */
function againstRaw({ work, figure, sides }: Result, [event = NaN, documents = NaN]: readonly number[]): Result[] {
  return sides.slice(0, 1).map((subject) => {
    const ratio = subject.cpuMicros / (event + documents);
    return {
      work: `${work}, against lmdb`,
      figure,
      baseline: `${round(event)} µs raw lmdb for its event and ${round(documents)} µs for its documents`,
      ratio,
      shown: `${ratio.toFixed(2)}×`,
      goal: atMost(RAW_GOAL),
      ratios: [ratio],
      sides: [subject],
      notes: [],
    };
  });
}

/** The same with the events in EventStoreDB's double. */
export async function batchServer(world: World): Promise<Result[]> {
  const environment = { EVENTSTORE_URL: await world.eventStore(), STORE_TIMEOUT_MS: '30000' };
  const server = await world.server('service', { dataDir: world.newPath(), environment });
  const fixtures = await makeFixtures(server.url);
  return batchesOf(world, { server, fixtures, where: "events in EventStoreDB's double" });
}
