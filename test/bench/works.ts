import { join } from 'node:path';
import { bytesBelow } from '../support/processes/memory.ts';
import { filters } from './after-lap.ts';
import { Timed } from './child-protocol.ts';
import { CONNECTIONS, rateWork, requestWork, type RequestWork, type Work } from './drive.ts';
import { live } from './live.ts';
import type { Scale } from './options.ts';
import { rateWorks } from './rates.ts';
import {
  batches,
  BATCH,
  board,
  boardAnew,
  lapPatches,
  lapsById,
  page,
  pages,
  PAGE_SIZE,
  posts,
  ROWS,
  unchanged,
} from './requests.ts';
import type { Requests } from './requests.ts';
import { atMost, resultOf, round, type Result } from './result.ts';
import type { Comparison } from './rounds.ts';
import { start } from './starts.ts';
import { stranger } from './stranger.ts';
import type { World } from './world.ts';

const SAME_BYTES = 'same bytes' as const;
/** Connections for reads that each take the server many ms. */
const READERS = 8;
/** Laps and participants of the event whose leaderboard is read. */
const BOARD_LAPS = 5_000;
const PARTICIPANTS = 120;
/** Bytes of a lap in the read models when laps had an index for each filter. */
const BYTES_BEFORE_COLUMNS = 1_970;

/** Requests to services with many laps and with few. Reads come first, as writes change what they find. */
const GROWING: readonly (readonly [work: string, next: (laps: number) => Requests])[] = [
  ['GET lap by id', () => lapsById],
  ['GET page 0', (laps) => () => page(0, laps)],
  ['leaderboard of an event', () => board(1)],
  ['PATCH lap', () => lapPatches],
  ['POST lap', () => posts()],
  ['POST lap with an Idempotency-Key', () => posts('keyed')],
];

type Start = RequestWork['server'];

function laps(count: number): Start {
  return (world) => world.shared(`laps ${count}`, async () => world.service(await world.store(count)));
}

/** A service with laps that the work may change. */
function ownLaps(count: number): Start {
  return (world) => world.shared(`own laps ${count}`, async () => world.service(await world.own(count)));
}

/** A service with its events on EventStoreDB's double. */
const onEventStore: Start = (world) =>
  world.shared('on EventStoreDB', async () =>
    world.serviceOn({ EVENTSTORE_URL: await world.eventStore(), STORE_TIMEOUT_MS: '30000' }),
  );

const crowd: Start = (world) =>
  world.shared('crowd', async () => world.service(await world.crowded(BOARD_LAPS, PARTICIPANTS)));

const echo: Start = (world) => world.server('express-echo');

/** The rows of requests: server, baseline and goal. */
function requestWorks({ small, middle, large, batch }: Scale): readonly RequestWork[] {
  const express = { server: laps(0), baseline: { label: 'express echo', server: echo, next: posts('echo') } };
  const same = { server: laps(middle), baseline: SAME_BYTES };
  const alone = { label: `POST lap, ${CONNECTIONS} connections`, connections: CONNECTIONS, unitsPerCall: 1 };
  const ofBatch = { name: 'batch', server: laps(0), connections: 1, unitsPerCall: BATCH, goal: atMost(0.25) };
  const double = "EventStoreDB's double";
  const size = `of ${middle} laps, size ${PAGE_SIZE}`;
  const ofBoard = `first ${ROWS} rows of the leaderboard of ${PARTICIPANTS} in ${BOARD_LAPS} laps`;
  const deep = large / 2 / PAGE_SIZE;
  return [
    { name: 'post', work: `POST lap, ${CONNECTIONS} connections`, ...express, goal: atMost(0.8), next: posts() },
    {
      ...{ name: 'post-alone', work: 'POST lap, 1 connection', ...express, goal: atMost(4), next: posts() },
      ...{ connections: 1, also: untilAnswered },
    },
    {
      ...{ name: 'post-keyed', work: 'POST lap with an Idempotency-Key', server: laps(0) },
      ...{ baseline: { label: 'without', next: posts() }, goal: atMost(1.1), next: posts('keyed') },
    },
    { ...ofBatch, work: 'a lap of a batch, embedded', next: batches(false), baseline: { ...alone, next: posts() } },
    {
      ...{ ...ofBatch, work: 'a lap of a batch, with a key, embedded', next: batches(true) },
      baseline: { ...alone, next: posts('keyed') },
    },
    { name: 'get', work: 'GET lap by id', ...same, goal: atMost(1.6), next: lapsById },
    { name: 'get', work: 'GET lap by id, If-None-Match hit', ...same, goal: atMost(1.3), next: unchanged },
    { name: 'page', work: `GET page 0 ${size}`, ...same, goal: atMost(2), next: () => page(0, middle) },
    { name: 'page', work: `GET another page each time ${size}`, ...same, goal: atMost(6), next: () => pages(middle) },
    { name: 'leaderboard', work: ofBoard, server: crowd, baseline: SAME_BYTES, goal: atMost(4), next: board(ROWS) },
    {
      ...{ name: 'leaderboard', work: `${ofBoard}, as after a lap of it`, server: crowd, baseline: SAME_BYTES },
      ...{ goal: atMost(4), next: boardAnew(ROWS) },
    },
    {
      // The middle is farthest from both ends.
      ...{ name: 'deep', work: `GET pages from ${deep} on of ${large} laps`, server: laps(large) },
      ...{ baseline: { label: 'page 0', next: () => page(0, large) }, goal: atMost(10) },
      ...{ next: () => pages(large, large / 2), connections: READERS },
    },
    ...GROWING.map(([work, next]) => ({
      ...{ name: 'growth', work: `${work}, with ${large} laps stored`, server: ownLaps(large) },
      baseline: { label: `with ${small} laps`, server: ownLaps(small), next: next(small) },
      ...{ goal: atMost(1.2), next: next(large) },
    })),
    {
      name: 'post-events-server',
      work: `POST lap with the events on ${double}, ${CONNECTIONS} connections`,
      ...{ server: onEventStore, baseline: { label: 'embedded', server: laps(0) } },
      ...{ goal: atMost(1.5), next: posts(), practice: batch / 4 },
    },
  ];
}

/** Latency of a POST, compared with a durable write by raw lmdb. */
async function untilAnswered(world: World, { subject }: Comparison): Promise<readonly Result[]> {
  const raw = await world.rawStores();
  const { units, seconds, cpuMicros } = await raw.ask('append', Timed, { count: world.scale.batch / 50, inFlight: 1 });
  const [p50, rawMs] = [subject.p50Ms, (seconds / units) * 1_000];
  return [
    resultOf({
      work: 'POST lap, 1 connection, until it is answered',
      figure: `${round(p50)} ms p50`,
      baseline: `${round(rawMs)} ms a durable write by raw lmdb, alone`,
      ratio: p50 / rawMs,
      goal: atMost(1.6),
      notes: [`such a write takes ${round(cpuMicros / units)} µs of CPU`],
    }),
  ];
}

/** Bytes of a lap in read models and events, where all were projected as a backlog. */
async function disk(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const directory = await world.store(large);
  const [models, events] = ['read-models', 'events'].map((part) => bytesBelow(join(directory, part)) / large);
  const ratio = (models ?? NaN) / BYTES_BEFORE_COLUMNS;
  return [
    resultOf({
      work: `read models of a lap on disk, with ${large} laps stored`,
      figure: `${round(models ?? NaN)} B`,
      baseline: `${BYTES_BEFORE_COLUMNS} B with fourteen indexes`,
      ratio,
      goal: atMost(0.6),
      notes: [`its event takes ${round(events ?? NaN)} B`],
    }),
  ];
}

/** Memory of the service after the other rows of its work. */
async function memory(world: World): Promise<readonly Result[]> {
  const [many, few] = await Promise.all(
    [world.scale.large, world.scale.small].map(async (count) => (await ownLaps(count)(world)).child.anonymousMb()),
  );
  return [
    resultOf({
      work: `memory of the service, with ${world.scale.large} laps stored`,
      figure: `${round(many ?? NaN)} MB RssAnon`,
      baseline: `${round(few ?? NaN)} MB with ${world.scale.small} laps`,
      ratio: many ?? NaN,
      shown: `${round(many ?? NaN)} MB`,
      goal: atMost(350, ' MB'),
    }),
  ];
}

/** All works by their names for `--only`; several rows may share a name. */
export function worksOf(scale: Scale): readonly Work[] {
  return [
    { name: 'growth', measure: disk },
    ...requestWorks(scale).map(requestWork),
    { name: 'growth', measure: memory },
    { name: 'filter', measure: filters },
    ...rateWorks(scale).map(rateWork),
    { name: 'live', measure: live },
    { name: 'stranger', measure: stranger },
    { name: 'start', measure: start },
  ];
}
