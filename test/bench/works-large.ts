import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Child } from './children.ts';
import { Client, type Call } from './load.ts';
import { atMost, cpuResult, round, type Result } from './result.ts';
import { compare, median, type Figures } from './rounds.ts';
import type { World } from './world.ts';
import { drive, PAGE_SIZE, pageOf, pagesOf } from './works-http.ts';

/** Connections of the reads of pages: a deep one keeps the server busy for many ms. */
const CONNECTIONS = 8;
/** "As fast as": within what two runs of the same thing differ by. */
const AS_FAST = 1.1;
const DEEP = 10;
const LIST_MB = 100;
const READY_SECONDS = 2;
const STARTS = 5;

/** Page 0 of many laps against page 0 of few. */
export async function pageOfMany(world: World): Promise<Result[]> {
  const { large, small, rounds } = world.scale;
  const side = async (laps: number, dataDir: string) => {
    const server = await world.service(dataDir);
    return drive(world, { server, label: `of ${laps} laps`, connections: CONNECTIONS, next: pageOf(0, laps) });
  };
  // Both are filled first: that takes longer than a server keeps an idle connection.
  const [many, few] = [await world.store(large), await world.store(small)];
  const compared = await compare(await side(large, many), await side(small, few), rounds);
  return [cpuResult(`GET page 0 of ${large} laps`, atMost(AS_FAST), compared)];
}

/** The pages from the middle of many laps on, which is the farthest from both ends, against page 0. */
export async function deepPage(world: World): Promise<Result[]> {
  const { large, rounds } = world.scale;
  const server = await world.service(await world.store(large));
  const page = large / 2 / PAGE_SIZE;
  const side = (label: string, next: () => Call) => drive(world, { server, label, connections: CONNECTIONS, next });
  const deep = await side(`from page ${page} on`, pagesOf(large, large / 2));
  const compared = await compare(deep, await side('page 0', pageOf(0, large)), rounds);
  return [cpuResult(`GET pages from ${page} on of ${large} laps`, atMost(DEEP), compared)];
}

/** The list of all laps: what memory it takes to send it. */
export async function wholeList(world: World): Promise<Result[]> {
  const { large } = world.scale;
  const { child, url } = await world.service(await world.store(large));
  await wait(SETTLE_MS);
  const idle = child.anonymousMb();
  const cpuBefore = await child.cpuMicros();
  const list = await readList(child, url);
  const cpuMicros = ((await child.cpuMicros()) - cpuBefore) / list.laps;
  if (list.laps !== large) throw new Error(`${list.laps} laps were sent instead of ${large}`);
  const figures: Figures = {
    label: 'GET all laps',
    cpuMicros,
    perSecond: list.laps / list.seconds,
    p50Ms: null,
    p99Ms: null,
    peakMb: list.peakMb,
  };
  const above = list.peakMb === null || idle === null ? NaN : list.peakMb - idle;
  return [
    {
      work: `GET all ${large} laps, unpaged`,
      figure: `${round(list.peakMb ?? NaN)} MB RssAnon`,
      baseline: `${round(idle ?? NaN)} MB idle`,
      ratio: above,
      shown: `+${round(above)} MB`,
      goal: atMost(LIST_MB, ' MB'),
      ratios: [above],
      sides: [figures],
      notes: [`${round(list.bytes / 1_000_000)} MB in ${round(list.seconds)} s, to a reader that pauses now and then`],
    },
  ];
}

/** ms until a process that has just started counts as idle. */
const SETTLE_MS = 1_000;
/** The reader pauses so long, in ms, after each so many bytes: who sends must wait for it in constant memory. */
const PAUSE_MS = 100;
const PAUSE_EVERY_BYTES = 32_000_000;
const MEMORY_EVERY_MS = 5;
/** `{`: each lap has one, and nothing else has. */
const BRACE = 0x7b;

async function readList(child: Child, url: string) {
  const startedAt = performance.now();
  let [laps, bytes, pauses] = [0, 0, 0];
  let peakMb = child.anonymousMb();
  const timer = setInterval(() => {
    const now = child.anonymousMb();
    if (now !== null) peakMb = Math.max(peakMb ?? 0, now);
  }, MEMORY_EVERY_MS);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /api/v1/laps HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  try {
    for await (const chunk of socket) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      for (let at = chunk.indexOf(BRACE); at >= 0; at = chunk.indexOf(BRACE, at + 1)) laps += 1;
      if (bytes < (pauses + 1) * PAUSE_EVERY_BYTES) continue;
      pauses += 1;
      await wait(PAUSE_MS);
    }
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
  return { laps, bytes, peakMb, seconds: (performance.now() - startedAt) / 1_000 };
}

/** From the start of a process to its first answer, with many laps stored and with none. */
export async function start(world: World): Promise<Result[]> {
  const { large } = world.scale;
  const [full, empty] = [await world.store(large), await world.store(0)];
  const [many, none]: [number[], number[]] = [[], []];
  for (let n = 0; n < STARTS; n += 1) {
    many.push(await secondsToStart(world, full, large));
    none.push(await secondsToStart(world, empty, 0));
  }
  const seconds = median(many);
  return [
    {
      work: `start with ${large} laps stored`,
      figure: `${round(seconds)} s`,
      baseline: `${round(median(none))} s with none`,
      ratio: seconds,
      shown: `${(seconds / median(none)).toFixed(2)}×`,
      goal: atMost(READY_SECONDS, ' s'),
      ratios: many,
      sides: [],
      notes: ['from the start of the process to its first page of laps; the files are in the page cache'],
    },
  ];
}

async function secondsToStart(world: World, dataDir: string, laps: number): Promise<number> {
  const startedAt = performance.now();
  const { child, url } = await world.service(dataDir);
  const client = await Client.open(url, 1);
  await client.run(0, laps === 0 ? emptyPage : pageOf(0, laps));
  const seconds = (performance.now() - startedAt) / 1_000;
  client.close();
  await world.end(child);
  return seconds;
}

function emptyPage() {
  return { ...pageOf(0, 0)(), fits: (body: string) => body.includes('"totalElements":0') };
}
