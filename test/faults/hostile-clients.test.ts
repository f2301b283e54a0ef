import { execFileSync } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus } from '../support/api/client.ts';
import { Wire } from '../support/api/http.ts';
import { upload } from '../support/api/uploads.ts';
import { bodies, createVenue, type Venue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { anonymousMb } from '../support/processes/memory.ts';
import { stalledReader } from '../support/processes/socket.ts';
import { itUnless } from '../support/unless.ts';
import { MOMENT_MS, until } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';

const IS_DEEP = depth({ short: false, deep: true });
/** Clients of each kind. */
const CLIENTS = depth({ short: 50, deep: 500 });
const IDLE = depth({ short: 500, deep: 10_000 });

/** Other open files of the processes. */
const OTHER_FILES = 500;

/** Interval between the bytes of a slow client, in ms: shorter than any idle limit. */
const BYTE_EVERY_MS = 250;

/** The service's limits for the body and the head of a request and for the next piece of an answer, in ms. */
const BODY_MS = 10_000;
const HEAD_MS = 17_000;
const STALL_MS = 30_200;

/** Number of files that a process may open. */
function fileLimit(): number {
  return Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).replace('unlimited', 'Infinity'));
}

/** Sends `start` and then an endless text byte by byte. */
function dripping({ port }: ServiceProcess, start: string): Wire {
  const wire = new Wire(port).write(start);
  const timer = setInterval(() => wire.write('x'), BYTE_EVERY_MS);
  wire.socket.once('close', () => {
    clearInterval(timer);
  });
  return wire;
}

/** Connections opened at a time: the system drops some of too many. */
const AT_ONCE = 250;

/** Makes `count` clients; resolves once the service has accepted all connections. */
async function many(count: number, { port }: ServiceProcess, make: () => Wire): Promise<readonly Wire[]> {
  const made: Wire[] = [];
  while (made.length < count) {
    made.push(...Array.from({ length: Math.min(AT_ONCE, count - made.length) }, make));
    const last = new Wire(port).write('GET /actuator/health/liveness HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await last.ended()).to.match(/^HTTP\/1.1 200/);
  }
  return made;
}

/** Waits until all clients have been disconnected; fails if that takes too long. */
async function allGone(sockets: readonly Socket[], withinMs: number): Promise<void> {
  const began = performance.now();
  const left = await until(
    () => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length,
    (count) => count === 0 || performance.now() - began > withinMs + MOMENT_MS,
    { everyMs: 100 },
  );
  expect(left, `still there after ${withinMs} ms`).to.equal(0);
}

const socketsOf = (wires: readonly Wire[]): readonly Socket[] => wires.map(({ socket }) => socket);

/** Other clients are served as usual. */
async function goesOn({ admin }: ServiceProcess, venue: Venue): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const began = performance.now();
    await admin.read(`/api/v1/laps/${venue.lapId}`);
    await admin.create('/api/v1/laps', bodies.lap(venue));
    expect(performance.now() - began, 'ms for a GET and a POST').to.be.below(MOMENT_MS);
  }
}

describe('hostile clients', () => {
  const world = new World();
  let service: ServiceProcess;
  let venue: Venue;
  before(async () => {
    const env = { REQUEST_DEADLINE_MS: String(BODY_MS), MAX_CONNECTIONS: String(IDLE + 4 * CLIENTS) };
    service = await world.service({ dataDir: world.directory(), env });
    venue = await createVenue(service.admin);
    // 12 MB of events, and a file of 10 MB: more than sockets hold.
    const settingsJson = { text: 'x'.repeat(60_000) };
    for (let n = 0; n < 200; n++)
      await service.admin.create('/api/v1/events', { ...bodies.event(venue), settingsJson });
    expectStatus(await upload(service.admin, 'LOGO/big.png', new Uint8Array(10_000_000)), 201);
  });
  after(() => world.clean());

  it(`${3 * CLIENTS} that send or read slowly delay nobody, and are dropped`, async () => {
    const key = `X-API-Key: ${String(service.admin.token)}\r\n`;
    const post = `POST /api/v1/laps HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`;
    const head = 'GET /api/v1/laps HTTP/1.1\r\nHost: a\r\nX-Slow: ';
    const heads = await many(CLIENTS, service, () => dripping(service, head));
    const slowBodies = await many(CLIENTS, service, () => dripping(service, post));
    const paths = ['/api/v1/events', '/cdn/LOGO/big.png'];
    const readers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) => stalledReader(service.port, paths[n % 2] ?? '')),
    );
    await goesOn(service, venue);
    await allGone(socketsOf(slowBodies), BODY_MS);
    for (const { received } of slowBodies) expect(received).to.match(/^HTTP\/1.1 408 .*\r\nConnection: close\r\n/s);
    await allGone(socketsOf(heads), HEAD_MS);
    for (const { received } of heads) expect(received).to.match(/^HTTP\/1.1 408 .*\r\nConnection: close\r\n/s);
    await goesOn(service, venue);
    if (!IS_DEEP) for (const socket of readers) socket.destroy();
    else {
      await pause(STALL_MS);
      // Buffered data can still be read, then the connection ends.
      for (const socket of readers) socket.resume();
      await allGone(readers, MOMENT_MS);
    }
    await goesOn(service, venue);
  });

  const files = fileLimit();
  const few = files < IDLE + OTHER_FILES ? `a process may open ${files} files only` : null;
  itUnless(few, `${IDLE} that send nothing cost little, and are dropped`, async () => {
    const before = anonymousMb(service.process.pid) ?? NaN;
    const clients = await many(IDLE, service, () => new Wire(service.port));
    await goesOn(service, venue);
    // Measurements can fail by chance.
    const after = anonymousMb(service.process.pid) ?? NaN;
    if (IS_DEEP) expect((after - before) / IDLE, 'MB each').to.be.below(0.05);
    await allGone(socketsOf(clients), HEAD_MS);
    await goesOn(service, venue);
  });
});
