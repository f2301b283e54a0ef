import { setTimeout as wait } from 'node:timers/promises';
import { connectRigs, disconnectRigs, race } from '../support/strangers/rigs.ts';
import { now } from './child-readers.ts';
import { atMost, resultOf, round, type Result } from './comparison.ts';
import { lapBody } from './laps.ts';
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

/** Live boards: memory per reader, time from the 201 of a lap to each reader's screen, and bytes per lap. */
export async function live(world: World): Promise<readonly Result[]> {
  const part = world.scale.rounds < 10 ? 10 : 1;
  const idle = IDLE / part;
  const busy = BUSY / part;
  const dataDir = await world.crowded(LAPS, DRIVERS);
  const server = await world.service(dataDir, { MAX_CONNECTIONS: '0', CLIENT_CONNECTIONS: '0' });
  const readers = await world.child('live-readers', null);
  const port = Number(new URL(server.url).port);
  const open = (eventId: string, count: number) =>
    readers.ask('open', { port, path: `/api/v1/events/${eventId}/live`, count });
  const settledMb = async (): Promise<number> => {
    await wait(SETTLE_MS);
    return server.child.anonymousMb() ?? NaN;
  };
  const [busyId = '', idleId = ''] = server.fixtures.eventIds;
  await open(idleId, 1);
  const before = await settledMb();
  await open(idleId, idle);
  const readerKb = (((await settledMb()) - before) * 1_000) / idle;
  await open(busyId, busy);
  await readers.ask('reset', null);
  const cpu = await server.child.cpuMicros();
  const answeredAt = await record(server, busyId);
  await wait(SETTLE_MS);
  const cpuShare = ((await server.child.cpuMicros()) - cpu) / 1_000_000 / SECONDS;
  const { latencies, arrivals, bytes } = await readers.ask('seen', answeredAt);
  const laps = Object.keys(answeredAt).length;
  const what = `${laps} laps at ${LAPS_PER_SECOND}/s, ${busy} readers of them and ${idle} others`;
  return [
    {
      ...row(`a lap on screens: ${what}`, latencies.p99, GOALS.p99),
      baseline: `p50 ${round(latencies.p50)} ms, longest ${round(latencies.most)} ms`,
      notes: [
        `from the 201 to the reader's socket; ${arrivals} of ${laps * busy} arrived, those before the 201 count as 0 ms`,
        `the service took ${round(cpuShare * 100)} % of a core`,
      ],
    },
    row(`memory of a reader, of ${idle}`, readerKb, GOALS.reader),
    row('a lap on the wire, heartbeats included', bytes / (laps * busy) / 1_000, GOALS.lap),
  ];
}

function row(work: string, value: number, [most, unit]: (typeof GOALS)[keyof typeof GOALS]): Result {
  const shown = `${round(value)}${unit}`;
  return resultOf({ work, figure: shown, baseline: '', ratio: value, shown, goal: atMost(most, unit) });
}

/** Records laps at the pace; resolves to the time of each answer, in ms, by lap id. */
async function record({ url, fixtures }: Server, eventId: string): Promise<Readonly<Record<string, number>>> {
  const [trackId = ''] = fixtures.trackIds;
  const answeredAt: Record<string, number> = {};
  const rigs = connectRigs(url, '127.0.0.1', CONNECTIONS);
  await race({
    rigs,
    perSecond: LAPS_PER_SECOND,
    ms: SECONDS * 1_000,
    lap: (n) => {
      const body = { ...lapBody(fixtures, n), eventId, trackId };
      return { token: fixtures.tokens[body.rigId] ?? '', body };
    },
    onRecorded: (id) => {
      answeredAt[id] = now();
    },
  });
  disconnectRigs(rigs);
  return answeredAt;
}
