import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { listen } from '../support/processes/listen.ts';
import { threadMicros } from '../support/processes/memory.ts';
import type { PeerData } from './child-express-sqlite.ts';
import { lapBody, type Fixtures } from './laps.ts';

const EMAIL = 'bench@example.com';
const PASSWORD = 'bench-password';
/** How long it may take to start, and how often it is asked, in ms. */
const START_MS = 20_000;
const ASK_EVERY_MS = 100;

/** The collections that laps refer to, and the field of a lap that does. */
export const REFERRED = {
  participants: 'participantId',
  rigs: 'rigId',
  events: 'eventId',
  cars: 'carId',
  tracks: 'trackId',
} as const;
type Collection = keyof typeof REFERRED;

const Session = z.object({ token: z.string() });
const Made = z.object({ id: z.string() });

/** The id that PocketBase demands of a record: fifteen letters and digits. */
export function recordId(id: string): string {
  return id.replaceAll('-', '').slice(-15);
}

/** The n-th lap, in PocketBase's ids. */
export function pocketbaseLap(fixtures: Fixtures, n: number) {
  const lap = lapBody(fixtures, n);
  return {
    participantId: recordId(lap.participantId),
    rigId: recordId(lap.rigId),
    eventId: recordId(lap.eventId),
    sectors: lap.sectors,
    totalTime: lap.totalTime,
    valid: lap.valid,
    carId: recordId(lap.carId),
    trackId: recordId(lap.trackId),
  };
}

/**
 * A peer: PocketBase, whose executable the variable POCKETBASE names, with a collection of laps and those that they
 * refer to, which everybody may write to. It runs as it comes: a commit is not synced to the disk.
 * @throws {Error} without that variable, or below Node 22.5, which has no `node:sqlite` to fill it with.
 */
export async function pocketbase(data: PeerData) {
  const program = process.env['POCKETBASE'];
  if (program === undefined) throw new Error('POCKETBASE has to name its executable');
  mkdirSync(data.directory);
  const directory = ['--dir', join(data.directory, 'pb_data')];
  execFileSync(program, [...directory, 'superuser', 'upsert', EMAIL, PASSWORD], { stdio: 'ignore' });
  const first = await started(program, directory);
  await makeCollections(first.url, data.fixtures);
  await first.close();
  await addLaps(join(data.directory, 'pb_data', 'data.db'), data);
  const { url, pid, close } = await started(program, directory);
  return { url, operations: {}, cpuMicros: () => threadMicros(pid), close };
}

/** Starts it on a free port, and waits until it answers. */
async function started(program: string, directory: readonly string[]) {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  await once(probe, 'close');
  const server = spawn(program, [...directory, 'serve', '--http', `127.0.0.1:${port}`], { stdio: 'ignore' });
  const gone = once(server, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_MS;
  while (!(await isHealthy(url))) {
    if (performance.now() > deadline) throw new Error('PocketBase did not start');
    await new Promise((resolve) => {
      setTimeout(resolve, ASK_EVERY_MS);
    });
  }
  const close = async (): Promise<void> => {
    server.kill();
    await gone;
  };
  return { url, pid: server.pid, close };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`)).ok;
  } catch {
    return false; // It does not listen yet.
  }
}

async function makeCollections(url: string, fixtures: Fixtures): Promise<void> {
  const { token } = Session.parse(
    await post(`${url}/api/collections/_superusers/auth-with-password`, { identity: EMAIL, password: PASSWORD }, ''),
  );
  const everybody = { type: 'base', listRule: '', viewRule: '', createRule: '' };
  const relations: unknown[] = [];
  const idsOf: Record<Collection, readonly string[]> = {
    participants: fixtures.participantIds,
    rigs: fixtures.rigIds,
    events: fixtures.eventIds,
    cars: fixtures.carIds,
    tracks: fixtures.trackIds,
  };
  for (const [collection, ids] of Object.entries(idsOf)) {
    const fields = [{ name: 'name', type: 'text' }];
    const made = await post(`${url}/api/collections`, { ...everybody, name: collection, fields }, token);
    for (const [n, id] of ids.entries()) {
      const record = { id: recordId(id), name: `One of the ${collection} ${n}` };
      await post(`${url}/api/collections/${collection}/records`, record, token);
    }
    const { id: collectionId } = Made.parse(made);
    // The keys of `idsOf` are those of REFERRED.
    const name = REFERRED[collection as Collection];
    relations.push({ name, type: 'relation', collectionId, required: true, maxSelect: 1 });
  }
  const fields = [
    ...relations,
    { name: 'sectors', type: 'json' },
    { name: 'totalTime', type: 'number', onlyInt: true, min: 0 },
    { name: 'valid', type: 'bool' },
    { name: 'createdAt', type: 'autodate', onCreate: true },
  ];
  const indexes = [
    'CREATE INDEX lapsByCreation ON laps (createdAt DESC)',
    'CREATE INDEX lapsByEvent ON laps (eventId, totalTime)',
    'CREATE INDEX lapsByParticipant ON laps (participantId, totalTime)',
  ];
  await post(`${url}/api/collections`, { ...everybody, name: 'laps', fields, indexes }, token);
}

async function post(url: string, body: unknown, token: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', Authorization: token };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`PocketBase answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Adds laps to the database of a PocketBase that does not run: one by one over HTTP takes minutes. */
async function addLaps(path: string, { fixtures, laps }: PeerData): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  const columns = '(id, participantId, rigId, eventId, carId, trackId, sectors, totalTime, valid, createdAt)';
  const add = database.prepare(`INSERT INTO laps ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const firstAt = Date.UTC(2025, 0, 1);
  database.exec('BEGIN');
  for (let n = 0; n < laps; n += 1) {
    const { participantId, rigId, eventId, carId, trackId, sectors, totalTime, valid } = pocketbaseLap(fixtures, n);
    const id = `bench${String(n).padStart(10, '0')}`;
    const at = new Date(firstAt + n).toISOString().replace('T', ' ');
    const times = JSON.stringify(sectors);
    add.run(id, participantId, rigId, eventId, carId, trackId, times, totalTime, valid ? 1 : 0, at);
  }
  database.exec('COMMIT');
  database.exec('ANALYZE');
  database.close();
}
