import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { depth } from '../support/depth.ts';
import { newEvent } from '../support/event-store/events.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { anonymousMb } from '../support/processes/memory.ts';
import { freePort } from '../support/processes/servers.ts';
import { stalledReader } from '../support/processes/socket.ts';
import { eventually, PATIENCE_MS, until } from '../support/processes/waits.ts';
import { useWorld, type Environment, type ServiceProcess } from '../support/processes/world.ts';

/** Laps of 0.6 MB each, which an older release accepted and the history keeps for ever. */
const LAPS = depth({ short: 100, deep: 600 });
const NUMBERS = 100_000;

/** Clients that read the list slowly, and those of them that stay. Held in memory, their lists would take 600 MB. */
const READERS = 10;
const STAYING = 2;
/** Limit of what they may take together, in MB, garbage included. */
const MOST_GROWTH_MB = 300;
const LOOKS = 50;

/** Heap limit of each process, in MB: too small for all laps together. */
const SMALL_HEAP = { NODE_OPTIONS: `--max-old-space-size=${depth({ short: 144, deep: 384 })}` };

async function appendLargeLaps(store: EventStore): Promise<void> {
  const ids = { participantId: '', rigId: '', eventId: '', carId: '', trackId: '' };
  const sectors = Array.from({ length: NUMBERS }, (_, n) => 10_000 + n);
  for (let n = 0; n < LAPS; n += 1) {
    const lap = newEvent('LapRecorded', { ...ids, sectors, totalTime: n, valid: true });
    const stream = `lap-${randomUUID()}`;
    await eventually(() => store.append(stream, [lap], 'no_stream'));
  }
  await store.close();
}

/** Number of laps in the rest of an answer. */
async function lapsIn(socket: Socket): Promise<number> {
  let count = 0;
  let rest = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    const parts = (rest + String(chunk)).split('"totalTime":');
    count += parts.length - 1;
    rest = parts.at(-1)?.slice(-20) ?? '';
  }
  return count;
}

/** Lists of all laps are read slowly, left in the middle, and read to the end. */
async function expectBounded({ process: { pid }, port, admin }: ServiceProcess): Promise<void> {
  const memory = (): number => anonymousMb(pid) ?? NaN;
  const read = (): Promise<Socket> => stalledReader(port, '/api/v1/laps');
  const before = memory();
  const readers = await Promise.all(Array.from({ length: READERS }, read));
  for (let n = 0; n < LOOKS; n += 1) {
    expect((await admin.get('/actuator/health/liveness')).status).to.equal(200);
    expect(memory() - before, 'growth in MB').to.be.below(MOST_GROWTH_MB);
  }
  const staying = readers.slice(0, STAYING);
  const leaving = readers.slice(STAYING);
  for (const socket of leaving) socket.destroy();
  expect(await Promise.all(staying.map(lapsIn))).to.deep.equal(staying.map(() => LAPS));
  expect(memory() - before, 'growth in MB').to.be.below(MOST_GROWTH_MB);
}

describe('a history of large events, in processes with little memory', () => {
  const world = useWorld();
  const doubles = useDoubles();
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  async function expectAllDone(dataDir: string, more: Environment): Promise<void> {
    const port = await freePort();
    const env = { ...SMALL_HEAP, ...more };
    const projector = world.start({ dataDir, command: 'projector', env: { ...env, PROJECTOR_PORT: String(port) } });
    await until(
      async () =>
        fetch(`http://127.0.0.1:${port}/actuator/health/readiness`).then(
          (answer) => answer.text(),
          () => projector.child.exitCode ?? projector.child.signalCode ?? '',
        ),
      (answer) => /"caughtUp":true|SIG|^\d/.test(String(answer)),
      { everyMs: 200 },
    );
    expect((await projector.end('SIGTERM')).code, projector.err).to.equal(0);
    for (const command of ['verify', 'rebuild'] as const) {
      const running = world.start({ dataDir, command, env });
      expect((await running.ended).code, `${command}: ${running.err}`).to.equal(0);
    }
    const service = await world.service({ dataDir, env });
    await expectBounded(service);
    const page = await fetch(`${service.url}/api/v1/laps/paged?size=1000`);
    expect(page.status).to.equal(400);
    expect(await page.text()).to.include('#/query/size');
    expect((await fetch(`${service.url}/api/v1/laps/paged?size=10`)).status).to.equal(200);
    expect((await service.process.end('SIGTERM')).code).to.equal(0);
  }

  it('are projected, verified, rebuilt and listed, slowly too; a page of them that is too large is refused', async () => {
    const dataDir = world.directory();
    await appendLargeLaps(await openLmdbEventStore({ path: join(dataDir, 'events') }));
    await expectAllDone(dataDir, {});
  });

  const deep = depth({ short: it.skip, deep: it });
  deep('the same on EventStoreDB (short: only in npm run test:deep)', async () => {
    const { url } = await doubles.start();
    await appendLargeLaps(doubles.open({ url, timeoutMs: PATIENCE_MS }));
    await expectAllDone(world.directory(), { EVENTSTORE_URL: url });
  });
});
