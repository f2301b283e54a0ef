import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BridgeStatus } from '../../../src/clients/bridge/bridge-status.ts';
import { runBridge, type Source } from '../../../src/clients/bridge/run-bridge.ts';
import { threadMicros } from '../../support/processes/memory.ts';
import { f1Venue, startBridge, type Bench, type Figure } from './measured.ts';
import { Race, TICK_MS } from './race.ts';

const ROUNDS = 3;
const ROUND_S = 20;
const LAP_MS = 90_000;
const GOAL_PERCENT = 3;

/** The CPU that a bridge takes of a core, while nothing comes and while 24 cars drive, in turns. */
export async function cpu(bench: Bench): Promise<readonly Figure[]> {
  const { bridge, port } = await startBridge(await f1Venue(bench));
  const socket = createSocket('udp4');
  const race = new Race();
  // The first packets are compiled.
  await drive(socket, port, race, 5);
  const shares = { idle: 0, driving: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = threadMicros(bridge.pid);
    await pause(ROUND_S * 1_000);
    const between = threadMicros(bridge.pid);
    await drive(socket, port, race, ROUND_S);
    shares.idle += between - before;
    shares.driving += threadMicros(bridge.pid) - between;
  }
  socket.close();
  await bridge.end('SIGTERM');
  const percent = (micros: number): number => micros / (ROUNDS * ROUND_S * 10_000);
  return [
    { what: 'CPU of a bridge that hears nothing', value: percent(shares.idle), unit: '% of a core', goal: null },
    {
      what: 'CPU of a bridge, 24 cars, 60 packets a second',
      value: percent(shares.driving),
      unit: '% of a core',
      goal: { most: GOAL_PERCENT },
    },
  ];
}

/** Sends a race in its own time. */
async function drive(socket: Socket, port: number, race: Race, seconds: number): Promise<void> {
  const start = performance.now();
  for (let tick = 1; tick <= seconds * 60; tick += 1) {
    for (const payload of race.tick(LAP_MS)) socket.send(payload, port, '127.0.0.1');
    const early = start + tick * TICK_MS - performance.now();
    if (early > 0) await pause(early);
  }
}

/** Time that is played, in minutes, and how often memory is looked at. */
const PLAYED_MIN = 60;
const LOOK_MIN = 10;
/** Packets that are played at once. */
const AT_ONCE = 600;
/** More than that, in MB, is no noise: an hour of packets has 300 MB. */
const GOAL_MB = 2;

/** By how much the heap of a bridge grows between the tenth and the sixtieth minute of a race, after a collection. */
export async function memory(bench: Bench): Promise<readonly Figure[]> {
  const venue = await f1Venue(bench);
  setFlagsFromString('--expose-gc');
  const heaps: number[] = [];
  const source: Source = {
    capture: null,
    startedAt: null,
    speed: 1,
    hear: async (_, onPayload) => {
      const race = new Race();
      for (let tick = 0; tick <= PLAYED_MIN * 3_600; tick += 1) {
        const at = Math.round(tick * TICK_MS);
        for (const payload of race.tick(LAP_MS)) onPayload(payload, at);
        if (tick % AT_ONCE === 0) await pause(0);
        if (tick > 0 && tick % (LOOK_MIN * 3_600) === 0) {
          runInNewContext('gc()');
          heaps.push(process.memoryUsage().heapUsed / 1_000_000);
        }
      }
    },
  };
  const status = new BridgeStatus('f1', bench.service.url, () => undefined);
  const over = new AbortController();
  await runBridge({
    ...venue.options(),
    game: 'f1',
    source,
    status,
    simulatorId: venue.simulatorId,
    rigId: venue.rigId,
    withoutSeat: null,
    only: null,
    signal: over.signal,
    waiting: { during: (_, work) => work() },
  });
  const [first = 0] = heaps;
  const last = heaps.at(-1) ?? 0;
  return [
    {
      what: `laps of ${PLAYED_MIN} minutes that were recorded`,
      value: status.recorded,
      unit: 'laps',
      goal: { least: 39 },
    },
    { what: 'heap after ten minutes', value: first, unit: 'MB', goal: null },
    { what: 'growth of the heap in fifty minutes more', value: last - first, unit: 'MB', goal: { most: GOAL_MB } },
  ];
}
