import express, { type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { DatabaseSync, Value } from 'node:sqlite';
import { z } from 'zod';
import { listen } from '../support/processes/listen.ts';
import { lapBody, type Fixtures } from './laps.ts';
import { KEEP_ALIVE_MS } from './role.ts';

/** Where a peer keeps its data, and what it holds before it is measured. */
export interface PeerData {
  readonly directory: string;
  readonly fixtures: Fixtures;
  /** Number of laps. */
  readonly laps: number;
}

const Lap = z.object({
  participantId: z.uuid(),
  rigId: z.uuid(),
  eventId: z.uuid(),
  sectors: z.array(z.number().int().min(0)),
  totalTime: z.number().int().min(0),
  valid: z.boolean(),
  carId: z.uuid(),
  trackId: z.uuid(),
});
type Lap = z.infer<typeof Lap>;

const Page = z.object({
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(1_000).default(20),
});

/** Commits reach the disk before they are answered, as the service's do. */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  CREATE TABLE participants (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE rigs (id TEXT PRIMARY KEY, name TEXT NOT NULL, token TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE events (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE cars (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE tracks (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE laps (
    id TEXT PRIMARY KEY,
    participantId TEXT NOT NULL REFERENCES participants,
    rigId TEXT NOT NULL REFERENCES rigs,
    eventId TEXT NOT NULL REFERENCES events,
    carId TEXT NOT NULL REFERENCES cars,
    trackId TEXT NOT NULL REFERENCES tracks,
    sectors TEXT NOT NULL,
    totalTime INTEGER NOT NULL,
    valid INTEGER NOT NULL,
    createdAt TEXT NOT NULL
  );
  CREATE INDEX lapsByCreation ON laps (createdAt DESC);
  CREATE INDEX lapsByEvent ON laps (eventId, totalTime);
  CREATE INDEX lapsByParticipant ON laps (participantId, totalTime);
`;

const LAPS = `
  SELECT laps.*, participants.name AS participantName, rigs.name AS rigName, events.name AS eventName,
    cars.name AS carName, tracks.name AS trackName
  FROM laps
  JOIN participants ON participants.id = participantId
  JOIN rigs ON rigs.id = rigId
  JOIN events ON events.id = eventId
  JOIN cars ON cars.id = carId
  JOIN tracks ON tracks.id = trackId
`;

/**
 * A peer: a stock Express application on SQLite, as one would write it in an afternoon. It checks the key of the rig,
 * the body and its references, and stores one row; it has no history, no boards and no retries.
 * @throws {Error} below Node 22.5, which has no `node:sqlite`.
 */
export async function expressSqlite(data: PeerData) {
  const { DatabaseSync } = await import('node:sqlite');
  mkdirSync(data.directory);
  const database = new DatabaseSync(join(data.directory, 'laps.sqlite'));
  fill(database, data);

  const app = express();
  app.use(express.json());
  const rigOf = database.prepare('SELECT token FROM rigs WHERE id = ?');
  const lapOf = database.prepare(`${LAPS} WHERE laps.id = ?`);
  const page = database.prepare(`${LAPS} ORDER BY createdAt DESC LIMIT ? OFFSET ?`);
  const total = database.prepare('SELECT count(*) AS laps FROM laps');
  const add = insertion(database);

  app.post('/api/v1/laps', (request: Request, response: Response) => {
    const lap = Lap.safeParse(request.body);
    if (!lap.success) {
      response.status(400).json({ errors: lap.error.issues });
      return;
    }
    if (rigOf.get(lap.data.rigId)?.['token'] !== request.get('X-API-Key')) {
      response.status(403).json({ errors: ['This key may not record laps of this rig.'] });
      return;
    }
    const id = randomUUID();
    add(id, lap.data, new Date().toISOString());
    response
      .status(201)
      .location(`/api/v1/laps/${id}`)
      .json(shown(lapOf.get(id)));
  });

  app.get('/api/v1/laps/paged', (request: Request, response: Response) => {
    const query = Page.safeParse(request.query);
    if (!query.success) {
      response.status(400).json({ errors: query.error.issues });
      return;
    }
    const { page: number, size } = query.data;
    const rows = page.all(size, number * size);
    response.json({ content: rows.map(shown), totalElements: total.get()?.['laps'] });
  });

  app.get('/api/v1/laps/:id', (request: Request<{ id: string }>, response: Response) => {
    const lap = lapOf.get(request.params.id);
    if (lap === undefined) {
      response.status(404).json({ errors: ['There is no such lap.'] });
      return;
    }
    response.json(shown(lap));
  });

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    app(request, response);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    operations: {},
    close: async () => {
      server.close();
      server.closeAllConnections();
      database.close();
    },
  };
}

/** Makes the tables, what laps refer to, and the laps. */
function fill(database: DatabaseSync, { fixtures, laps }: PeerData): void {
  database.exec(SCHEMA);
  database.exec('BEGIN');
  const names = {
    participants: fixtures.participantIds,
    events: fixtures.eventIds,
    cars: fixtures.carIds,
    tracks: fixtures.trackIds,
  };
  for (const [table, ids] of Object.entries(names)) {
    const add = database.prepare(`INSERT INTO ${table} (id, name) VALUES (?, ?)`);
    for (const [n, id] of ids.entries()) add.run(id, `One of the ${table} ${n}`);
  }
  const addRig = database.prepare('INSERT INTO rigs (id, name, token) VALUES (?, ?, ?)');
  for (const [n, id] of fixtures.rigIds.entries()) addRig.run(id, `Rig ${n + 1}`, fixtures.tokens[id] ?? '');
  const add = insertion(database);
  const firstAt = Date.UTC(2025, 0, 1);
  for (let n = 0; n < laps; n += 1) {
    add(randomUUID(), lapBody(fixtures, n), new Date(firstAt + n).toISOString());
  }
  database.exec('COMMIT');
  database.exec('ANALYZE');
}

function insertion(database: DatabaseSync): (id: string, lap: Lap, createdAt: string) => void {
  const statement = database.prepare('INSERT INTO laps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return (id, lap, createdAt) => {
    const { participantId, rigId, eventId, carId, trackId, totalTime } = lap;
    const sectors = JSON.stringify(lap.sectors);
    const valid = lap.valid ? 1 : 0;
    statement.run(id, participantId, rigId, eventId, carId, trackId, sectors, totalTime, valid, createdAt);
  };
}

/** A row as JSON. */
function shown(row: Record<string, Value> | undefined): Record<string, unknown> {
  if (row === undefined) throw new Error('the row is gone');
  return { ...row, sectors: JSON.parse(String(row['sectors'])) as unknown, valid: row['valid'] === 1 };
}
