import { expect } from 'chai';
import { idOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { createVenue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { ClientBoard, type LiveEvent } from '../support/live/events.ts';
import { changesIn } from '../support/live/running.ts';
import { freePort } from '../support/processes/servers.ts';
import { until } from '../support/processes/waits.ts';
import { useWorld, type ServiceProcess } from '../support/processes/world.ts';

const KILLS = depth({ short: 1, deep: 40 });
const LAPS_BETWEEN = depth({ short: 8, deep: 30 });

type Events = readonly LiveEvent[];

const lastIdOf = (events: Events): number | undefined => events.at(-1)?.id ?? undefined;

/** Collects the events of a board, and returns after the last one whenever the stream ends, until `over`. */
async function watch(
  events: LiveEvent[],
  open: (lastEventId: number | undefined) => Promise<LiveReader>,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    // A service that was just killed refuses connections.
    const reader = await open(lastIdOf(events)).catch(() => null);
    over.addEventListener('abort', () => reader?.close());
    for (let change = await reader?.change(); change; change = await reader?.change()) events.push(...change);
  }
}

describe('live boards of a service that is killed', () => {
  const world = useWorld();

  it('lose nothing and repeat nothing', async () => {
    const dataDir = world.directory();
    const port = await freePort();
    const begin = (): Promise<ServiceProcess> => world.service({ dataDir, env: { PORT: String(port) } });
    let service = await begin();
    const race = await createRace(service.admin, await createVenue(service.admin));
    const drivers = [await race.enter('Ada', 'Lovelace'), await race.enter('Niki', 'Lauda')];
    const queries = ['', '?validOnly=false', '?delaySeconds=1'];
    const url = `http://127.0.0.1:${port}`;
    /** Resolves when the service runs. */
    let running: Promise<void> = Promise.resolve();
    const over = new AbortController();
    const readers = queries.map((): LiveEvent[] => []);
    const watching = readers.map((events, n) => {
      const query = queries[n] ?? '';
      const open = async (last: number | undefined): Promise<LiveReader> => {
        await running;
        return LiveReader.open(url, race.eventId, last === undefined ? { query } : { query, lastEventId: last });
      };
      return watch(events, open, over.signal);
    });
    // Every reader has the empty board.
    for (const events of readers) await until(() => events.length > 0);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await driveSome(race, drivers, kill);
      // The service is killed during the next lap.
      const last = race.drive(drivers[0] ?? '', [30_000, 30_000]).catch(() => null);
      const restart = async (): Promise<void> => {
        await service.process.end('SIGKILL');
        service = await begin();
      };
      running = restart();
      await Promise.all([last, running]);
    }
    await driveSome(race, drivers, KILLS);
    const end = await race.drive(drivers[0] ?? '', [1, 1]);
    for (const events of readers) await until(() => JSON.stringify(events).includes(idOf(end)));

    over.abort();
    for (const [n, events] of readers.entries()) {
      const [, ...changes] = changesIn(events);
      const whole = await LiveReader.open(url, race.eventId, { query: queries[n] ?? '', lastEventId: 0 });
      expect(changes, queries[n]).to.deep.equal(await allUpTo(whole, lastIdOf(events)));
      const board = new ClientBoard();
      for (const event of events) board.take(event);
      const shown = await race.board(n === 1 ? '?validOnly=false' : '');
      expect(board.rows, queries[n]).to.deep.equal(shown.rows);
    }
    await Promise.all(watching);
  });
});

/** The changes that a new reader receives, up to a position. */
async function allUpTo(reader: LiveReader, position: number | undefined): Promise<readonly Events[]> {
  const changes: Events[] = [];
  while (changes.at(-1)?.at(-1)?.id !== position) changes.push((await reader.change()) ?? []);
  reader.close();
  return changes;
}

async function driveSome({ drive, change }: Race, drivers: readonly string[], round: number): Promise<void> {
  for (let n = 0; n < LAPS_BETWEEN; n += 1) {
    const sectors = [30_000 - round * 100 + n, 30_000 + ((n * 7) % 5)];
    const lap = await drive(drivers[n % drivers.length] ?? '', sectors);
    if (n % 3 === 0) await change(lap, { valid: false });
  }
}
