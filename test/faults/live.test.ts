import { expect } from 'chai';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { LiveReader } from '../support/api/live-reader.ts';
import { createVenue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { ClientBoard, type LiveEvent } from '../support/live/events.ts';
import { changesIn } from '../support/live/running.ts';
import { freePort } from '../support/processes/servers.ts';
import { until } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';

const KILLS = depth({ short: 1, deep: 40 });
const LAPS_BETWEEN = depth({ short: 8, deep: 30 });

/** A watcher that reconnects whenever the stream ends. */
class Returning {
  readonly events: LiveEvent[] = [];
  readonly #open: (lastEventId: number | undefined) => Promise<LiveReader>;
  #reader: LiveReader | null = null;
  #isDone = false;

  constructor(open: (lastEventId: number | undefined) => Promise<LiveReader>) {
    this.#open = open;
  }

  get lastEventId(): number | undefined {
    return this.events.at(-1)?.id ?? undefined;
  }

  async watch(): Promise<void> {
    while (!this.#isDone) {
      // A service that was just killed refuses connections.
      const reader = await this.#open(this.lastEventId).catch(() => null);
      this.#reader = reader;
      for (let change = await reader?.change(); change; change = await reader?.change()) {
        this.events.push(...change);
      }
    }
  }

  end(): void {
    this.#isDone = true;
    this.#reader?.close();
  }
}

describe('live boards of a service that is killed', () => {
  const world = new World();

  afterEach(() => world.clean());

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
    const readers = queries.map(
      (query) =>
        new Returning(async (last) => {
          await running;
          return LiveReader.open(url, race.eventId, { query, ...(last !== undefined && { lastEventId: last }) });
        }),
    );
    const watching = readers.map((reader) => reader.watch());
    // Every reader has the empty board.
    for (const { events } of readers)
      await until(
        () => events.length,
        (count) => count > 0,
      );
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
    for (const { events } of readers)
      await until(
        () => events.map(lapIdIn),
        (laps) => laps.includes(end['id']),
      );

    for (const [n, reader] of readers.entries()) {
      reader.end();
      const [, ...changes] = changesIn(reader.events);
      const whole = await LiveReader.open(url, race.eventId, { query: queries[n] ?? '', lastEventId: 0 });
      expect(changes, queries[n]).to.deep.equal(await allUpTo(whole, reader.lastEventId));
      const board = new ClientBoard();
      for (const event of reader.events) board.take(event);
      const shown = await race.board(n === 1 ? '?validOnly=false' : '');
      expect(board.rows, queries[n]).to.deep.equal(shown.rows);
    }
    await Promise.all(watching);
  });
});

/** The changes that a new reader receives, up to a position. */
async function allUpTo(reader: LiveReader, position: number | undefined): Promise<readonly (readonly LiveEvent[])[]> {
  const told: (readonly LiveEvent[])[] = [];
  while (told.at(-1)?.at(-1)?.id !== position) told.push((await reader.change()) ?? []);
  reader.close();
  return told;
}

async function driveSome({ drive, change }: Race, drivers: readonly string[], round: number): Promise<void> {
  for (let n = 0; n < LAPS_BETWEEN; n += 1) {
    const sectors = [30_000 - round * 100 + n, 30_000 + ((n * 7) % 5)];
    const lap = await drive(drivers[n % drivers.length] ?? '', sectors);
    if (n % 3 === 0) await change(lap, { valid: false });
  }
}

function lapIdIn({ event, data }: LiveEvent): unknown {
  if (event !== 'lap' || typeof data !== 'object' || data === null || !('lap' in data)) return null;
  const { lap } = data;
  return typeof lap === 'object' && lap !== null && 'lapId' in lap ? lap.lapId : null;
}
