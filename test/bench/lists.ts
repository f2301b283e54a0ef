import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, resultOf, round, type Result } from './result.ts';
import { roundOfServer, Tally } from './rounds.ts';
import type { World } from './world.ts';

const LIST_MB = 100;
const BYTES_PER_MB = 1_000_000;
/** Time until a process that has just started counts as idle, in ms. */
const SETTLE_MS = 1_000;
/** The reader pauses for this long, in ms, every so many bytes: the server must wait in constant memory. */
const PAUSE_MS = 100;
const PAUSE_EVERY_BYTES = 32_000_000;
const MEMORY_EVERY_MS = 5;
/** `{`, of which each lap has exactly one. */
const BRACE = 0x7b;

/** The memory that it takes to send the list of all laps. */
export async function wholeList(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const { child, url } = await world.service(await world.store(large));
  await wait(SETTLE_MS);
  const idle = child.anonymousMb();
  let [laps, bytes] = [0, 0];
  const reading = () =>
    roundOfServer(child, async () => {
      const startedAt = performance.now();
      ({ laps, bytes } = await readSlowly(url));
      return { units: laps, seconds: (performance.now() - startedAt) / 1_000, latencies: [] };
    });
  const tally = new Tally({ label: 'GET all laps', child, round: reading }, MEMORY_EVERY_MS);
  await tally.run();
  if (laps !== large) throw new Error(`${laps} laps were sent instead of ${large}`);
  const figures = tally.figures();
  const above = figures.peakMb === null || idle === null ? NaN : figures.peakMb - idle;
  const seconds = round(laps / figures.perSecond);
  return [
    resultOf({
      work: `GET all ${large} laps, unpaged`,
      figure: `${round(figures.peakMb ?? NaN)} MB RssAnon`,
      baseline: `${round(idle ?? NaN)} MB idle`,
      ratio: above,
      shown: `+${round(above)} MB`,
      goal: atMost(LIST_MB, ' MB'),
      sides: [figures],
      notes: [`${round(bytes / BYTES_PER_MB)} MB in ${seconds} s, to a reader that pauses now and then`],
    }),
  ];
}

/** Reads all laps, as a slow reader does. */
async function readSlowly(url: string): Promise<{ readonly laps: number; readonly bytes: number }> {
  let [laps, bytes, pauses] = [0, 0, 0];
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /api/v1/laps HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  for await (const chunk of socket) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    for (let at = chunk.indexOf(BRACE); at >= 0; at = chunk.indexOf(BRACE, at + 1)) laps += 1;
    if (bytes < (pauses + 1) * PAUSE_EVERY_BYTES) continue;
    pauses += 1;
    await wait(PAUSE_MS);
  }
  return { laps, bytes };
}
