import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import { newEvent } from '../support/event-store/events.ts';
import { anonymousMb } from '../support/processes/memory.ts';
import { RawConnection } from '../support/processes/socket.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { bodies, createVenue, type Venue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';

const LAPS = depth({ short: 20_000, deep: 50_000 });
const APPENDS_AT_ONCE = 1_000;

/**
 * Number of clients, which would take 800 MB if a list were held in memory for each of them, and the limit of what they
 * may take together, garbage included.
 */
const READERS = depth({ short: 53, deep: 40 });
/** Clients that read to the end. */
const STAYING = 3;
const MOST_GROWTH_MB = 300;

const memoryOf = ({ process }: ServiceProcess): number => anonymousMb(process.pid) ?? NaN;

/** Number of open files below a directory, deleted ones included. */
function openFiles({ process }: ServiceProcess, directory: string): number {
  const descriptors = `/proc/${process.pid}/fd`;
  const targets = readdirSync(descriptors).map((descriptor) => targetOf(join(descriptors, descriptor)));
  return targets.filter((target) => target.startsWith(directory)).length;
}

/** Target of a descriptor; empty if it has been closed meanwhile. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
}

/** Files left behind by uploads. */
function leftovers(dataDir: string): readonly string[] {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(uploads|incoming)\/./.test(name));
}

async function appendLaps(dataDir: string, venue: Venue): Promise<void> {
  const store = await openLmdbEventStore({ path: join(dataDir, 'events') });
  const record = (totalTime: number) =>
    store.append(`lap-${randomUUID()}`, [newEvent('LapRecorded', { ...bodies.lap(venue), totalTime })], 'no_stream');
  for (let from = 0; from < LAPS; from += APPENDS_AT_ONCE) {
    await Promise.all(Array.from({ length: APPENDS_AT_ONCE }, (_, n) => record(from + n)));
  }
  await store.close();
}

/** Requests all laps and stops reading once the answer has begun. */
async function stalledReader(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /api/v1/laps HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await once(socket, 'readable');
  return socket;
}

/** Number of laps in the rest of an answer. */
async function lapsIn(socket: Socket): Promise<number> {
  const pieces: string[] = [];
  for await (const chunk of socket.setEncoding('latin1')) pieces.push(String(chunk));
  return pieces.join('').split('"totalTime":').length - 1;
}

describe('memory and files', () => {
  const world = new World();
  before(function () {
    // Memory and files are read from /proc.
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(() => world.clean());

  it('stay bounded while clients read a long list slowly, or leave in the middle', async () => {
    const dataDir = world.directory();
    const venue = await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
    await appendLaps(dataDir, venue);
    const service = await world.service({ dataDir });
    await caughtUp(service.admin);
    expect(await lapsIn(await stalledReader(service.port))).to.equal(LAPS + 1);
    const before = memoryOf(service);

    const readers = await Promise.all(Array.from({ length: READERS }, () => stalledReader(service.port)));
    let most = 0;
    for (let n = 0; n < LAPS / 100; n++) {
      await service.admin.read(`/api/v1/laps/${venue.lapId}`);
      most = Math.max(most, memoryOf(service));
    }
    expect(most - before, 'growth in MB').to.be.below(MOST_GROWTH_MB);
    const [leaving, staying] = [readers.slice(STAYING), readers.slice(0, STAYING)];
    for (const socket of leaving) socket.destroy();
    expect(await Promise.all(staying.map(lapsIn))).to.deep.equal(staying.map(() => LAPS + 1));
    await service.admin.create('/api/v1/laps', bodies.lap(venue));
    expect(memoryOf(service) - before, 'growth in MB').to.be.below(MOST_GROWTH_MB);
    expect((await service.process.end('SIGTERM')).code).to.equal(0);
  });

  /** Uploads whose first part is on the service's disk. */
  async function halfUploads(service: ServiceProcess, dataDir: string): Promise<readonly RawConnection[]> {
    const head =
      '--B\r\nContent-Disposition: form-data; name="cdnFile"; filename="a.png"\r\n' + 'Content-Type: image/png\r\n\r\n';
    const type = 'multipart/form-data; boundary=B';
    const connections = await Promise.all(Array.from({ length: 10 }, () => RawConnection.open(service.port)));
    for (const connection of connections) {
      connection.send(
        'POST /api/v1/cdn',
        { 'X-API-Key': service.admin.token ?? '', 'Content-Type': type, 'Content-Length': 5_000_000 },
        head + 'x'.repeat(1_000_000),
      );
    }
    await until(
      () => openFiles(service, join(dataDir, 'uploads')),
      (count) => count === connections.length,
    );
    return connections;
  }

  it('of uploads that are cut off, or whose service is killed, are freed', async () => {
    const dataDir = world.directory();
    const service = await world.service({ dataDir });
    for (const { socket } of await halfUploads(service, dataDir)) socket.destroy();
    await until(
      () => openFiles(service, join(dataDir, 'uploads')),
      (count) => count === 0,
    );
    expect(leftovers(dataDir)).to.deep.equal([]);
    await halfUploads(service, dataDir);
    await service.process.end('SIGKILL');
    const next = await world.service({ dataDir });
    expect(leftovers(dataDir)).to.deep.equal([]);
    expect((await next.process.end('SIGTERM')).code).to.equal(0);
  });
});
