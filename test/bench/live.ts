import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { now, Seen } from './child-readers.ts';
import type { Child } from './children.ts';
import { lapBody } from './laps.ts';
import { bodyOf, Connection } from './load.ts';
import { atMost, resultOf, round, type Result } from './result.ts';
import { inTurns, jsonRequest } from './requests.ts';
import type { Server, World } from './world.ts';

/** Readers of an idle event, and of one in which laps are recorded. */
const IDLE = 10_000;
const BUSY = 500;
const LAPS_PER_SECOND = 50;
const SECONDS = 20;
const CONNECTIONS = 16;
/** Drivers and laps of the busy event at the beginning. */
const DRIVERS = 200;
const LAPS = 4_000;
/** Time until memory is attributed to the readers, in ms. */
const SETTLE_MS = 5_000;

const GOALS = { p99: [250, ' ms'], reader: [25, ' kB'], lap: [2, ' kB'] } as const;

const Made = z.object({ id: z.string() });

/** Live boards: memory per reader, time from the 201 of a lap to each reader's screen, and bytes per lap. */
export async function live(world: World): Promise<readonly Result[]> {
  const part = world.scale.rounds < 10 ? 10 : 1;
  const [idle, busy] = [IDLE / part, BUSY / part];
  const dataDir = await world.crowded(LAPS, DRIVERS);
  const environment = { MAX_CONNECTIONS: '0', CLIENT_CONNECTIONS: '0' };
  const server = await world.server('service', { dataDir, environment });
  const readers = await world.child('live-readers');
  const [busyId = '', idleId = ''] = server.fixtures.eventIds;
  await open(readers, server, { eventId: idleId, count: 1 });
  await wait(SETTLE_MS);
  const before = server.child.anonymousMb();
  await open(readers, server, { eventId: idleId, count: idle });
  await wait(SETTLE_MS);
  const after = server.child.anonymousMb();
  const readerKb = (((after ?? NaN) - (before ?? NaN)) * 1_000) / idle;
  await open(readers, server, { eventId: busyId, count: busy });
  await readers.ask('reset', z.null());
  const cpu = await server.child.cpuMicros();
  const answered = await record(server, busyId);
  await wait(SETTLE_MS);
  const cpuShare = ((await server.child.cpuMicros()) - cpu) / 1_000_000 / SECONDS;
  const { latencies, arrivals, bytes } = await readers.ask('seen', Seen, Object.fromEntries(answered));
  const sent = answered.size * busy;
  const what = `${answered.size} laps at ${LAPS_PER_SECOND}/s, ${busy} readers of them and ${idle} others`;
  return [
    {
      ...row(`a lap on screens: ${what}`, latencies.p99, GOALS.p99),
      baseline: `p50 ${round(latencies.p50)} ms, longest ${round(latencies.most)} ms`,
      notes: [
        `from the 201 to the reader's socket; ${arrivals} of ${sent} arrived, those before the 201 count as 0 ms`,
        `the service took ${round(cpuShare * 100)} % of a core`,
      ],
    },
    row(`memory of a reader, of ${idle}`, readerKb, GOALS.reader),
    row('a lap on the wire, heartbeats included', bytes / sent / 1_000, GOALS.lap),
  ];
}

function row(work: string, value: number, [most, unit]: (typeof GOALS)[keyof typeof GOALS]): Result {
  const [shown, goal] = [`${round(value)}${unit}`, atMost(most, unit)];
  return resultOf({ work, figure: shown, baseline: '', ratio: value, shown, goal });
}

async function open(
  readers: Child,
  { url }: Server,
  { eventId, count }: { readonly eventId: string; readonly count: number },
): Promise<void> {
  const path = `/api/v1/events/${eventId}/live`;
  await readers.ask('open', z.null(), { port: Number(new URL(url).port), path, count });
}

/** Records laps at the pace; resolves to the time of each answer, in ms, by lap id. */
async function record({ url, fixtures }: Server, eventId: string): Promise<ReadonlyMap<string, number>> {
  const [trackId = ''] = fixtures.trackIds;
  const next = inTurns(
    Array.from({ length: LAPS_PER_SECOND * SECONDS }, (_, n) => {
      const body = { ...lapBody(fixtures, n), eventId, trackId };
      const { start, rest } = jsonRequest('POST', '/api/v1/laps', { token: fixtures.tokens[body.rigId] ?? '', body });
      return start + rest;
    }),
  );
  const answered = new Map<string, number>();
  const startedAt = performance.now();
  const write = async (connection: Connection, first: number): Promise<void> => {
    for (let n = first; n < LAPS_PER_SECOND * SECONDS; n += CONNECTIONS) {
      await wait(Math.max(0, startedAt + (n * 1_000) / LAPS_PER_SECOND - performance.now()));
      const answer = await connection.send(next());
      const at = now();
      answered.set(Made.parse(JSON.parse(bodyOf(answer))).id, at);
    }
  };
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(url)));
  await Promise.all(connections.map(write));
  for (const connection of connections) connection.close();
  return answered;
}
