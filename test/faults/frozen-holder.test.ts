import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { expectStatus } from '../support/api/client.ts';
import { depth } from '../support/depth.ts';
import { Answers, PatientClient } from '../support/processes/answers.ts';
import { Checks } from '../support/processes/checks.ts';
import { Ledger } from '../support/processes/ledger.ts';
import { Load, prepare, type Ground } from '../support/processes/load.ts';
import { expectRebuiltTheSame } from '../support/processes/rebuild.ts';
import { caughtUp, MOMENT_MS } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';

/** How often a holder of a lock is stopped. */
const ROUNDS = depth({ short: 2, deep: 50 });
const LANES = 4;
/** Acknowledged writes before each. */
const WRITES = 5 * LANES;

/** Time limits of the service, in ms: the holder stays stopped far beyond them. */
const STORE_TIMEOUT_MS = 1_000;
const REQUEST_DEADLINE_MS = 2_000;
const FROZEN_MS = 3_000;
const LIMITS = {
  STORE_TIMEOUT_MS: String(STORE_TIMEOUT_MS),
  REQUEST_DEADLINE_MS: String(REQUEST_DEADLINE_MS),
  PROJECTION_WAIT_MS: '500',
};

const extension = extname(import.meta.url);
const HOLDER = fileURLToPath(new URL(`../support/read-store/lock-holder${extension}`, import.meta.url));

/** The directory in each environment that has a lock of its own. */
const LOCK_DIRECTORY = 'gate';

describe('a process that is stopped while it holds the lock of a store', function () {
  this.timeout(900_000);
  const world = new World();
  const holders: ChildProcess[] = [];
  afterEach(async () => {
    for (const holder of holders.splice(0)) holder.kill('SIGKILL');
    await world.clean();
  });

  async function stoppedHolder(path: string): Promise<ChildProcess> {
    const holder = fork(HOLDER, [path], { execArgv: extension === '.ts' ? ['--import=tsx'] : [] });
    holders.push(holder);
    await once(holder, 'message');
    holder.kill('SIGSTOP');
    return holder;
  }

  it(`keeps another from nothing but writing, ${ROUNDS} times`, async () => {
    const dataDir = world.directory();
    const service = await world.service({ dataDir, env: LIMITS });
    const ground = await prepare(service.admin, LANES);
    const ledger = new Ledger();
    const load = new Load(ground, ledger);
    const checks = new Checks(ground, ledger);
    const [answers, watched] = [new Answers(), new Answers()];
    const writer = new PatientClient(service.url, answers);
    const locks = locksBelow(dataDir);
    expect(locks.length, 'of the events, and of the read models').to.be.at.least(2);
    for (let round = 1; round <= ROUNDS; round++) {
      const holder = await underLoad({ load, ground, writer }, async () => {
        await ledger.more(WRITES);
        const stopped = await stoppedHolder(locks[round % locks.length] ?? '');
        await watchFor(FROZEN_MS, service, watched);
        return stopped;
      });
      if (round % 2 === 0) holder.kill('SIGCONT');
      else holder.kill('SIGKILL');
      if (round % 2 === 0) holder.send('leave');
      await once(holder, 'exit');
      await underLoad({ load, ground, writer }, () => ledger.more(WRITES));
      await caughtUp(service.admin);
      await checks.hold(service.admin);
    }
    expect([watched.count(503), watched.lost]).to.deep.equal([0, 0]);
    expect(watched.slowestMs, 'slowest look at the service, in ms').to.be.below(MOMENT_MS);
    expect(answers.rude).to.deep.equal([]);
    expect(answers.slowestMs, 'slowest write, in ms').to.be.below(REQUEST_DEADLINE_MS + MOMENT_MS);
    expect((await service.process.end('SIGTERM')).code).to.equal(0);
    await expectRebuiltTheSame(dataDir);
    report('a stopped process that holds the lock of a store', {
      rounds: ROUNDS,
      acknowledged: ledger.acknowledged,
      putOff: answers.count(503),
      slowestReadMs: Math.ceil(watched.slowestMs),
      slowestWriteMs: Math.ceil(answers.slowestMs),
      lostOrDoubled: 0,
    });
  });
});

/** Looks again and again for so many ms whether the service is alive and can be read. */
async function watchFor(ms: number, { url }: ServiceProcess, answers: Answers): Promise<void> {
  const reader = new PatientClient(url, answers, null);
  for (const end = Date.now() + ms; Date.now() < end;) {
    const [began, path] = [performance.now(), '/actuator/health/liveness'];
    expectStatus(await reader.get(path), 200);
    // Not counted with the others.
    answers.slowestMs = Math.max(answers.slowestMs, performance.now() - began);
    expectStatus(await reader.get('/api/v1/laps/paged?size=10'), 200);
    await pause(20);
  }
}

interface Work {
  readonly load: Load;
  readonly ground: Ground;
  readonly writer: PatientClient;
}

/** Writes until the work is done. */
async function underLoad<T>({ load, ground, writer }: Work, work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const lanes = Promise.all(ground.lanes.map((lane) => load.run(lane, writer, stop.signal)));
  try {
    return await work();
  } finally {
    stop.abort();
    await lanes;
  }
}

/** The environments below a data directory that have a lock, the one of the events among them. */
function locksBelow(dataDir: string): readonly string[] {
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isDirectory() && entry.name === LOCK_DIRECTORY);
  return found.map(({ parentPath, name }) => dirname(join(parentPath, name))).sort();
}
