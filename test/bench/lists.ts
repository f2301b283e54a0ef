import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, cpuResult, resultOf, round, type Result } from './result.ts';
import { compare, roundOfServer, Tally, type Side } from './rounds.ts';
import type { Server, World } from './world.ts';

/** CPU limit of a lap as a line of CSV, relative to JSON. */
const CSV = 1.2;
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

/** Reads all laps. */
type Read = (url: string) => Promise<{ readonly laps: number; readonly bytes: number }>;

/** The memory that it takes to send the list of all laps. */
export async function wholeList(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const server = await world.service(await world.store(large));
  await wait(SETTLE_MS);
  const idle = server.child.anonymousMb();
  const list = listSide(server, 'GET all laps', readSlowly);
  const tally = new Tally(list, MEMORY_EVERY_MS);
  await tally.run();
  const { laps, bytes } = list.read();
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

/** CPU per lap of the list of all laps as CSV, compared with JSON. */
export async function csv(world: World): Promise<readonly Result[]> {
  const { middle, rounds } = world.scale;
  const server = await world.service(await world.store(middle));
  const readAs =
    (format: string): Read =>
    async (url) => ({ laps: middle, bytes: await bytesOf(`${url}/api/v1/laps?format=${format}`) });
  const [table, list] = [listSide(server, 'CSV', readAs('csv')), listSide(server, 'JSON', readAs('json'))];
  // Warms up V8.
  for (const side of [table, list]) await side.round();
  const result = cpuResult(`a lap of GET all ${middle} laps as CSV`, atMost(CSV), await compare(table, list, rounds));
  const sizes = [table, list].map(({ label, read }) => `${round(read().bytes / BYTES_PER_MB)} MB as ${label}`);
  return [{ ...result, notes: sizes }];
}

/** A side that reads all laps; `read` returns what came in the last round. */
function listSide({ child, url }: Server, label: string, readAll: Read) {
  let last = { laps: 0, bytes: 0 };
  return {
    label,
    child,
    read: () => last,
    round: () =>
      roundOfServer(child, async () => {
        const startedAt = performance.now();
        last = await readAll(url);
        return { units: last.laps, seconds: (performance.now() - startedAt) / 1_000, latencies: [] };
      }),
  } satisfies Side & { readonly read: () => object };
}

async function bytesOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  if (answer.status !== 200 || answer.body === null) throw new Error(`GET ${url}: ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body) if (chunk instanceof Uint8Array) bytes += chunk.length;
  return bytes;
}

async function readSlowly(url: string): ReturnType<Read> {
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
