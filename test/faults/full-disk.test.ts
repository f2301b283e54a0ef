import { randomInt } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectCode } from '../support/processes/command-process.ts';
import { expectStatus } from '../support/api/client.ts';
import { bodies, createVenue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { failureOf } from '../support/failure.ts';
import { Answers, PatientClient } from '../support/processes/answers.ts';
import { Checks } from '../support/processes/checks.ts';
import { Load, prepare } from '../support/processes/load.ts';
import { filesBelow } from '../support/processes/memory.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { useWorld, type ServiceProcess } from '../support/processes/world.ts';
import { expectAsRebuilt, recordLaps, timing, withStores } from '../support/processes/rebuilding.ts';
import { report } from '../support/reliability.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { buildNextGeneration } from '../../src/service/projector/rebuild.ts';
import { verify } from '../../src/service/projector/verify.ts';

/** Without the cache of tsx, to which the file limit would also apply. */
const FULL = { TSX_DISABLE_CACHE: '1', LOG_LEVEL: 'silent', PROJECTION_WAIT_MS: '300' };

/** Number of times that the disk gets full. */
const ROUNDS = depth({ short: 1, deep: 100 });
const LANES = 8;
/** Number of refusals after which the disk counts as full. */
const REFUSALS = 2 * LANES;

/** Blocks left on the disk: from none to enough for some hundred writes. */
const MOST_BLOCKS_LEFT = 300;
const BLOCK_BYTES = 512;

describe('a disk that is full', function () {
  this.timeout(3_600_000);
  const world = useWorld();

  it('can still be read, and no write is lost or partial', async () => {
    const dataDir = world.directory();
    const venue = await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
    const full = await world.service({ dataDir, fileBlocks: 24, env: FULL });
    for (let attempt = 1; attempt <= 3; attempt++) {
      const refused = expectStatus(await full.admin.post('/api/v1/laps', bodies.lap(venue)), 503);
      expect(Number(refused.header('Retry-After'))).to.be.greaterThan(0);
      expect(await full.admin.list('/api/v1/laps')).to.have.length(1);
    }
    expect((await full.process.end('SIGTERM')).code).to.equal(0);
    await withServiceHere(dataDir, async ({ admin }) => {
      const before = await admin.list('/api/v1/laps');
      expect(before.length, 'outcomes that were not known').to.be.within(1, 4);
      await admin.create('/api/v1/laps', bodies.lap(venue));
      expect(await admin.list('/api/v1/laps')).to.have.length(before.length + 1);
    });
  });

  it(`costs no acknowledged write, ${ROUNDS} times under load`, async () => {
    const dataDir = world.directory();
    const ground = await withServiceHere(dataDir, ({ admin }) => prepare(admin, LANES));
    const load = new Load(ground);
    const { ledger } = load;
    const checks = new Checks(ground, ledger);
    let refused = 0;
    /** Writes until the disk is full; reads go on. */
    const fill = async ({ admin, url }: ServiceProcess): Promise<void> => {
      const answers = new Answers();
      // If the read models run out of space first, writes are acknowledged with 202.
      await load.during(new PatientClient(url, answers), () =>
        until(() => answers.count(503) + answers.count(202) >= REFUSALS),
      );
      refused += answers.count(503);
      expectStatus(await admin.get('/actuator/health/liveness'), 200);
      expectStatus(await admin.get('/api/v1/laps/paged?size=10'), 200);
    };
    for (let round = 1; round <= ROUNDS; round++) {
      const fileBlocks = largestBlocks(dataDir) + randomInt(MOST_BLOCKS_LEFT);
      const full = await world.service({ dataDir, fileBlocks, env: FULL });
      await fill(full);
      await full.process.end(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      await withServiceHere(dataDir, async ({ admin }) => {
        await caughtUp(admin);
        await checks.hold(admin);
      });
    }
    const documents = await expectAsRebuilt(dataDir);
    const { acknowledged, unknown } = ledger;
    report('a full disk under load', { rounds: ROUNDS, acknowledged, unknown, refused, documents, lostOrDoubled: 0 });
  });

  it('ends verify and rebuild with the cause, and both remove what they wrote', async () => {
    const dataDir = world.directory();
    await recordLaps(dataDir, 300);
    await withServiceHere(dataDir, ({ admin }) => caughtUp(admin));
    const before = namespacesIn(dataDir);
    for (const command of ['verify', 'rebuild'] as const) {
      const running = world.start({ command, dataDir, fileBlocks: 256, env: FULL });
      expect((await running.ended).code).to.equal(1);
      expect(running.err).to.match(
        /: the disk of the embedded read store is full, or fails: (Input\/output error|File too large)\n$/,
      );
      expect(namespacesIn(dataDir)).to.deep.equal(before);
    }
    await expectCode(0, timing(dataDir, 'verify'));
  });

  it('is not filled by a job that needs more space than is free', async () => {
    const dataDir = world.directory();
    await recordLaps(dataDir, 50);
    await withServiceHere(dataDir, ({ admin }) => caughtUp(admin));
    await withStores(dataDir, async (stores) => {
      leave(1, stores.readStore);
      const { signal } = new AbortController();
      const options = { stores, leaseTermMs: 1_000, signal, events: {}, onProgress: () => undefined };
      for (const job of [verify(options), buildNextGeneration({ ...options, keepOld: false })]) {
        expect(String(await failureOf(job))).to.match(
          /the read models take \d+ MiB, as much again is needed, and 1 MiB/,
        );
      }
    });
  });
});

/** Has a store say that its disk has `free` bytes left. */
function leave(free: number, store: ReadStore): void {
  const space = store.space.bind(store);
  store.space = async (name) => ({ taken: (await space(name))?.taken ?? 0, free });
}

/** Names of the environments of the read models. */
function namespacesIn(dataDir: string): readonly string[] {
  const [boot = ''] = readdirSync(join(dataDir, 'read-models')).filter((name) => name.startsWith('boot-'));
  const entries = readdirSync(join(dataDir, 'read-models', boot), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Size of the largest file of a directory, in blocks. */
function largestBlocks(directory: string): number {
  return Math.ceil(Math.max(0, ...filesBelow(directory).map((path) => statSync(path).size)) / BLOCK_BYTES);
}
