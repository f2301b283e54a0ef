import { filters } from './after-lap.ts';
import { atLeast, atMost } from './comparison.ts';
import { live } from './live.ts';
import type { Scale } from './options.ts';
import { peerRows } from './peers.ts';
import { appends, backlogs, IN_FLIGHT, rebuilds, serverBacklogs } from './rates.ts';
import {
  batches,
  BATCH,
  board,
  lapPatches,
  lapsById,
  page,
  pages,
  PAGE_SIZE,
  posts,
  ROWS,
  SPELLINGS,
  unchanged,
} from './requests.ts';
import type { Requests } from './requests.ts';
import { CONNECTIONS, rateWork, requestWork, type RateRow, type RequestRow, type Work } from './rows.ts';
import { disk, memory, ownLaps, start, untilAnswered } from './stored.ts';

/** Connections for reads that each take the server many ms. */
const READERS = 8;
/** Laps and participants of the event whose leaderboard is read. */
const BOARD_LAPS = 5_000;
const PARTICIPANTS = 120;
/** Few rounds, as each takes long. */
const REBUILDS = 2;

type Start = RequestRow['server'];

const laps = (count: number): Start => {
  return (world) => world.shared(`laps ${count}`, async () => world.service(await world.store(count)));
};

/** A service with its events on EventStoreDB's double. */
const onEventStore: Start = (world) =>
  world.shared('on EventStoreDB', async () =>
    world.serviceOn({ EVENTSTORE_URL: await world.eventStore(), STORE_TIMEOUT_MS: '30000' }),
  );

const crowd: Start = (world) =>
  world.shared('crowd', async () => world.service(await world.crowded(BOARD_LAPS, PARTICIPANTS)));

const echo: Start = (world) => world.server('express-echo', null);

/** The rows of requests: server, baseline and goal. */
function requestRows({ small, middle, large, batch }: Scale): readonly RequestRow[] {
  const express = { server: laps(0), baseline: { label: 'express echo', server: echo, next: posts('echo') } };
  const same = { server: laps(middle), baseline: 'same bytes' } as const;
  const ofCrowd = { ...same, server: crowd };
  const many = `POST lap, ${CONNECTIONS} connections`;
  const alone = { label: many, connections: CONNECTIONS, unitsPerCall: 1 };
  const ofBatch = { name: 'batch', server: laps(0), connections: 1, unitsPerCall: BATCH, goal: atMost(0.25) };
  const size = `of ${middle} laps, size ${PAGE_SIZE}`;
  const ofBoard = `first ${ROWS} rows of the leaderboard of ${PARTICIPANTS} in ${BOARD_LAPS} laps`;
  const deep = large / 2 / PAGE_SIZE;
  const growing = (work: string, next: (laps: number) => Requests): RequestRow => ({
    name: 'growth',
    work: `${work}, with ${large} laps stored`,
    server: ownLaps(large),
    baseline: { label: `with ${small} laps`, server: ownLaps(small), next: next(small) },
    goal: atMost(1.2),
    next: next(large),
  });
  return [
    { name: 'post', work: many, ...express, goal: atMost(0.8), next: posts() },
    {
      name: 'post-alone',
      work: 'POST lap, 1 connection',
      ...express,
      goal: atMost(4),
      next: posts(),
      connections: 1,
      also: untilAnswered,
    },
    {
      name: 'post-keyed',
      work: 'POST lap with an Idempotency-Key',
      server: laps(0),
      baseline: { label: 'without', next: posts() },
      goal: atMost(1.1),
      next: posts('keyed'),
    },
    { ...ofBatch, work: 'a lap of a batch, embedded', next: batches(false), baseline: { ...alone, next: posts() } },
    {
      ...ofBatch,
      work: 'a lap of a batch, with a key, embedded',
      next: batches(true),
      baseline: { ...alone, next: posts('keyed') },
    },
    { name: 'get', work: 'GET lap by id', ...same, goal: atMost(1.6), next: lapsById },
    { name: 'get', work: 'GET lap by id, If-None-Match hit', ...same, goal: atMost(1.3), next: unchanged },
    { name: 'page', work: `GET page 0 ${size}`, ...same, goal: atMost(2), next: () => page(0, middle) },
    { name: 'page', work: `GET another page each time ${size}`, ...same, goal: atMost(6), next: () => pages(middle) },
    { name: 'leaderboard', work: ofBoard, ...ofCrowd, goal: atMost(4), next: board(ROWS) },
    {
      name: 'leaderboard',
      work: `${ofBoard}, as after a lap of it`,
      ...ofCrowd,
      goal: atMost(4),
      next: board(ROWS, SPELLINGS),
    },
    {
      // The middle is farthest from both ends.
      name: 'deep',
      work: `GET pages from ${deep} on of ${large} laps`,
      server: laps(large),
      baseline: { label: 'page 0', next: () => page(0, large) },
      goal: atMost(10),
      next: () => pages(large, large / 2),
      connections: READERS,
    },
    // Reads come first, as writes change what they find.
    growing('GET lap by id', () => lapsById),
    growing('GET page 0', (count) => () => page(0, count)),
    growing('leaderboard of an event', () => board(1)),
    growing('PATCH lap', () => lapPatches),
    growing('POST lap', () => posts()),
    growing('POST lap with an Idempotency-Key', () => posts('keyed')),
    {
      name: 'post-events-server',
      work: `POST lap with the events on EventStoreDB's double, ${CONNECTIONS} connections`,
      server: onEventStore,
      baseline: { label: 'embedded', server: laps(0) },
      goal: atMost(1.5),
      next: posts(),
      // In the usual time, one side would do many more than the other.
      practice: batch / 4,
    },
  ];
}

/** The rows of throughput of stores and commands, compared with lmdb or another store. */
function rateRows({ large, batch, batches: rounds }: Scale): readonly RateRow[] {
  const raw = { name: 'stores', baseline: 'raw lmdb', rounds, practice: batch };
  return [
    { ...raw, work: `append alone, ${IN_FLIGHT} in flight`, goal: atLeast(80), sides: appends },
    {
      ...raw,
      work: 'projecting a backlog of laps',
      goal: atLeast(90),
      sides: backlogs,
      // Both sides already hold many documents.
      practice: (batch * rounds) / 2,
    },
    {
      ...raw,
      name: 'rebuild',
      work: `rebuild with ${large} laps`,
      goal: atLeast(90),
      sides: rebuilds,
      rounds: REBUILDS,
      practice: 0,
    },
    {
      ...raw,
      name: 'backlog-server',
      work: `projecting ${batch} laps from EventStoreDB's double`,
      baseline: 'from the embedded store',
      goal: atLeast(55),
      sides: serverBacklogs,
    },
  ];
}

/** All works by their names for `--only`; several rows may share a name. */
export function worksOf(scale: Scale): readonly Work[] {
  return [
    { name: 'growth', measure: disk },
    ...requestRows(scale).map(requestWork),
    { name: 'growth', measure: memory },
    { name: 'filter', measure: filters },
    ...rateRows(scale).map(rateWork),
    { name: 'live', measure: live },
    { name: 'start', measure: start },
    ...peerRows(scale).map(requestWork),
  ];
}
