import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEventStoreDb } from '../../infra/eventstoredb/event-store.ts';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import type { EventStore } from '../../src/service/kernel/ports/event-store.ts';
import { depth } from '../support/depth.ts';
import { newEvent } from '../support/event-store/events.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import { freePort } from '../support/processes/servers.ts';
import { eventually, PATIENCE_MS, until } from '../support/processes/waits.ts';
import { World, type Environment } from '../support/processes/world.ts';

/** Laps of 0.6 MB each, which an older release accepted and the history keeps for ever. */
const LAPS = depth({ short: 100, deep: 600 });
const NUMBERS = 100_000;

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

describe('a history of large events, in processes with little memory', () => {
  const world = new World();
  let server: EventStoreDouble | null = null;
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(async () => {
    await world.clean();
    await server?.close();
    server = null;
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
    const list = await fetch(`${service.url}/api/v1/laps`);
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = list.body?.getReader();
    let bytes = 0;
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      bytes += part.value.length;
    }
    expect(bytes).to.be.above(LAPS * NUMBERS * 6);
    const page = await fetch(`${service.url}/api/v1/laps/paged?size=1000`);
    expect(page.status).to.equal(400);
    expect(await page.text()).to.include('#/query/size');
    expect((await fetch(`${service.url}/api/v1/laps/paged?size=10`)).status).to.equal(200);
    expect((await service.process.end('SIGTERM')).code).to.equal(0);
  }

  it('are projected, verified, rebuilt and listed; a page of them that is too large is refused', async () => {
    const dataDir = world.directory();
    await appendLargeLaps(await openLmdbEventStore({ path: join(dataDir, 'events') }));
    await expectAllDone(dataDir, {});
  });

  const deep = depth({ short: it.skip, deep: it });
  deep('the same on EventStoreDB (short: only in npm run test:deep)', async () => {
    server = await startEventStoreDouble();
    await appendLargeLaps(openEventStoreDb({ url: server.url, timeoutMs: PATIENCE_MS }));
    await expectAllDone(world.directory(), { EVENTSTORE_URL: server.url });
  });
});
