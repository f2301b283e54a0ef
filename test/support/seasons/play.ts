import type { JsonObject } from '../../../src/kernel/json.ts';
import { expectStatus, type Client } from '../api/client.ts';
import type { Service } from '../api/service.ts';
import { kindNamed } from '../model/kinds.ts';
import { callCommand } from '../processes/command-process.ts';
import { until } from '../processes/waits.ts';
import type { RandomSource } from '../simulation/random.ts';
import { Comparisons } from './comparisons.ts';
import * as expectations from './expectations.ts';
import type { Expectation, Past } from './expectations.ts';
import { byId, listExpectations, LISTS, viewsOf, withoutUse } from './lists.ts';
import { exportHistory, positionsOf, thingsOf } from './history.ts';
import { Season } from './season.ts';
import { BEST_LAPS, bestLapsOf, cellOf, downloaded, exportTable } from './tables.ts';

/** How much of a season is compared. */
export interface Size {
  /** Requests, or groups of them. */
  readonly calls: number;
  /** Moments at which boards are asked for. */
  readonly moments: number;
  /** Boards at each moment. */
  readonly boards: number;
  /** Of the boards and exports at the end, and of all answers after a rebuild, each n-th; 1: all. */
  readonly every: number;
}

/** Once in so many calls, some boards are asked for meanwhile; so that kept ones have to follow. */
const LOOK_EVERY = 12;
const LOOKS = 4;

/** Plays a season, compares all that is answered of it with a plain calculation, and returns how much that was. */
export async function playSeason(service: Service, chances: RandomSource, size: Size): Promise<number> {
  const admin = service.client;
  const season = await Season.begin(admin, chances);
  const to = new Comparisons();
  const past = async (): Promise<Past> => {
    const events = await exportHistory(service.dataDir);
    return { events, things: thingsOf(events), chances };
  };
  for (let n = 0; n < size.calls; n += 1) {
    await season.play();
    if (!chances.oneIn(LOOK_EVERY)) continue;
    const so = await past();
    for (let look = 0; look < LOOKS; look += 1) {
      const request = { ...chances.pick(expectations.allBoards(so)), ...chances.pick([{}, expectations.momentIn(so)]) };
      await compare(admin, expectations.boardExpectations(so, request), to);
    }
  }
  const whole = await past();
  await compareTables(service, whole, { to, size });
  const all = [...everything(whole, size)];
  await compare(admin, all, to);
  await rebuild(admin);
  // `verify` checks below that each document is as before.
  await compare(
    admin,
    all.filter((_, n) => n % size.every === 0),
    to,
  );
  const { code } = await callCommand(['verify'], { DATA_DIR: service.dataDir });
  to.same('sim-racing-timing verify', code, 0);
  return to.count;
}

async function compare(admin: Client, all: Iterable<Expectation>, to: Comparisons): Promise<void> {
  for (const { path, expected, actual } of all) {
    // Most answers are short; compressing all takes longer than the rest.
    const answer = await admin.get(path, { 'Accept-Encoding': 'identity' });
    const found = answer.status === 200 ? actual(answer) : { status: answer.status, text: answer.text };
    to.same(path, found, isTable(path) ? expected : withPublicNames(expected));
  }
}

function isTable(path: string): boolean {
  return new URL(path, 'http://season').pathname.endsWith('.csv');
}

/** Exports name drivers by their public names alone. */
function asExported(view: JsonObject): JsonObject {
  if (view['participantName'] === undefined) return view;
  const { publicName: _, ...exported } = view;
  return exported;
}

/** What an ADMIN key is shown: the public name beside each whole one. In seasons, every licence shows whole names. */
function withPublicNames(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(withPublicNames);
  if (typeof expected !== 'object' || expected === null) return expected;
  const shown = Object.fromEntries(Object.entries(expected).map(([field, value]) => [field, withPublicNames(value)]));
  const { participantName } = shown;
  return typeof participantName === 'string' && participantName !== ''
    ? { ...shown, publicName: participantName }
    : shown;
}

/** All that is compared of a whole season. */
function* everything(past: Past, size: Size): Generator<Expectation> {
  const { boardExpectations, allBoards, bestsExpectations, completenessExpectations, momentIn } = expectations;
  const { layoutBoards, layoutBoardExpectations } = expectations;
  const all = allBoards(past);
  for (const request of all.filter((_, n) => n % size.every === 0)) yield* boardExpectations(past, request);
  for (let n = 0; n < size.moments; n += 1) {
    const moment = momentIn(past);
    for (let board = 0; board < size.boards; board += 1) {
      yield* boardExpectations(past, { ...past.chances.pick(all), ...moment });
    }
  }
  for (const request of layoutBoards(past).filter((_, n) => n % size.every === 0)) {
    yield* layoutBoardExpectations(past, request);
  }
  yield* bestsExpectations(past);
  yield* completenessExpectations(past);
  yield* listExpectations(past);
}

/**
 * Lists as the command exports them, as CSV and as Parquet, with the position of the last change of each row; and as
 * Parquet over HTTP. The best laps are those of the boards.
 */
async function compareTables(
  service: Service,
  { events, things }: Past,
  { to, size }: { readonly to: Comparisons; readonly size: Size },
): Promise<void> {
  const positionOf = positionsOf(events);
  for (const name of LISTS.filter((_, n) => n % size.every === 0)) {
    const kind = kindNamed(name);
    const table = kind.path.slice('/api/v1/'.length);
    const csv = await exportTable(table, 'csv', service);
    const parquet = await exportTable(table, 'parquet', service);
    const rows = viewsOf(things, name).map((view) => ({ ...asExported(view), position: positionOf(kind, view) }));
    to.same(`export ${table}.csv`, byId(csv.map(withoutUse)), byId(rows.map((row) => mapped(row, cellOf))));
    to.same(`export ${table}.parquet`, byId(parquet.map(withoutUse)), byId(rows));
    to.same(`GET ${table}.parquet`, byId((await downloaded(service.client, table)).map(withoutUse)), byId(rows));
  }
  const best = {
    file: await exportTable(BEST_LAPS, 'parquet', service),
    http: await downloaded(service.client, BEST_LAPS),
  };
  const expected = byId(bestLapsOf(things));
  for (const [from, rows] of Object.entries(best)) {
    const laps = rows.map(({ position: _, deleted: _never, ...lap }) => lap);
    to.same(`${BEST_LAPS} by ${from}`, byId(laps), expected);
  }
}

function mapped(row: JsonObject, as: typeof cellOf): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, as(value)]));
}

const REBUILD = '/api/v1/operations/rebuild';

async function rebuild(admin: Client): Promise<void> {
  expectStatus(await admin.send('POST', REBUILD), 202);
  const { phase } = await until(
    () => admin.read(REBUILD),
    ({ phase: its }) => its === 'done' || its === 'failed',
  );
  if (phase !== 'done') throw new Error('a rebuild has failed');
}
