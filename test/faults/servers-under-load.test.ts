import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { expectStatus } from '../support/api/client.ts';
import { depth } from '../support/depth.ts';
import { Answers, PatientClient } from '../support/processes/answers.ts';
import { STORE_TIMEOUT_MS } from '../support/processes/cluster.ts';
import { forkScript } from '../support/processes/script.ts';
import { noFerret, noTime } from '../support/processes/servers.ts';
import { declareFaults, type Fault, type Stage } from '../support/processes/under-load.ts';
import { expectWaiting, expectWaitingUntil, until } from '../support/processes/waits.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';

const LANES = 4;
const brief = noTime();

/** Time for which a store is away, in ms: far beyond all limits. */
const AWAY_MS = depth({ short: 10_000, deep: 30_000 });
const SLOW_MS = 5_000;

const onlyNode = ({ nodes }: Stage): ServiceProcess => nodes[0] ?? expect.fail('there is no node');

/** Waits for `count` more answers with one of the statuses. */
async function putOff({ cluster: { answers } }: Stage, count: number, statuses: readonly number[]): Promise<void> {
  const total = (): number => statuses.reduce((sum, status) => sum + answers.count(status), 0);
  const goal = total() + count;
  await until(total, (now) => now >= goal);
}

/** Acknowledgements before a kill: up to a few hundred ms of load. */
const beforeKill = (): number => randomInt(20, depth({ short: 80, deep: 200 }));
const KILLS = depth({ short: 1, deep: 200 });

declareFaults(
  { name: 'a service', lacking: null, servers: {}, nodes: 1, lanes: depth({ short: 8, deep: 16 }), nodesDie: true },
  [
    {
      name: `is killed, ${KILLS} times`,
      rounds: KILLS,
      writes: beforeKill,
      fault: async (stage) => stage.cluster.kill(onlyNode(stage).process),
      repair: async ({ cluster, nodes }) => {
        nodes[0] = await cluster.node();
      },
      report({ cluster: { ledger } }) {
        const { acknowledged, unknown, retried } = ledger;
        report('kill -9 of a service under load', { kills: KILLS, acknowledged, unknown, retried, lostOrDoubled: 0 });
        // A short run may only be killed between answers.
        const isLong = KILLS > 1;
        expect(retried, 'some requests were repeated').to.be.at.least(isLong ? 1 : 0);
        expect(unknown, 'some answers were lost').to.be.at.least(isLong ? KILLS + 1 : 0);
      },
    },
  ],
);

declareFaults(
  { name: 'two services on one directory', lacking: null, servers: {}, nodes: 2, lanes: 8, nodesDie: true },
  [
    {
      name: 'lose one of them',
      rounds: depth({ short: 1, deep: 5 }),
      writes: beforeKill,
      async fault({ cluster, nodes }) {
        await cluster.kill(nodes[1]?.process ?? expect.fail('there is no other'));
        await cluster.ledger.more(20);
      },
      repair: async ({ cluster, nodes }) => {
        nodes[1] = await cluster.node();
      },
    },
  ],
);

const FREEZES = depth({ short: 2, deep: 50 });
/** Reads from a service while the holder of a lock is stopped. */
const LOOKS = 50;
const watched = new Answers();

declareFaults({ name: 'a service beside the holder of a lock', lacking: null, servers: {}, nodes: 1, lanes: LANES }, [
  {
    name: `can be read while that is stopped, ${FREEZES} times`,
    rounds: FREEZES,
    writes: () => 5 * LANES,
    async fault(stage, round) {
      const locks = locksBelow(stage.cluster.dataDir);
      expect(locks.length, 'of the events, and of the read models').to.be.at.least(2);
      const path = locks[round % locks.length] ?? '';
      const holder = forkScript('read-store/lock-holder', [path]);
      try {
        await once(holder, 'message');
        holder.kill('SIGSTOP');
        // Writes wait for the lock until the holder is released.
        await Promise.all([putOff(stage, LANES, [202, 503]), look(onlyNode(stage))]);
        if (round % 2 === 0) holder.send('leave');
      } finally {
        holder.kill(round % 2 === 0 ? 'SIGCONT' : 'SIGKILL');
      }
      await once(holder, 'exit');
    },
    report({ cluster: { answers, ledger } }) {
      expect([watched.count(503), watched.lost]).to.deep.equal([0, 0]);
      report('a stopped process that holds the lock of a store', {
        rounds: FREEZES,
        acknowledged: ledger.acknowledged,
        putOff: answers.count(503),
        slowestReadMs: Math.ceil(watched.slowestMs),
        slowestWriteMs: Math.ceil(answers.slowestMs),
        lostOrDoubled: 0,
      });
    },
  },
]);

/** Checks repeatedly that a service is alive and can be read. */
async function look({ url }: ServiceProcess): Promise<void> {
  const reader = new PatientClient(url, watched, null);
  for (let looks = 1; looks <= LOOKS; looks++) {
    expectStatus(await reader.get('/actuator/health/liveness'), 200);
    expectStatus(await reader.get('/api/v1/laps/paged?size=10'), 200);
    await pause(20);
  }
}

/** The environments below a data directory that have a lock, including the events. */
function locksBelow(dataDir: string): readonly string[] {
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isDirectory() && entry.name === 'gate');
  return found.map(({ parentPath, name }) => dirname(join(parentPath, name))).sort();
}

const someWrites = (): number => depth({ short: 5, deep: 20 }) * LANES;

declareFaults(
  { name: 'a service on an event store', lacking: null, servers: { eventStore: true }, nodes: 1, lanes: LANES },
  [
    {
      name: 'that is killed and comes back',
      rounds: brief === null ? depth({ short: 1, deep: 3 }) : 1,
      writes: someWrites,
      async fault(stage) {
        stage.cluster.eventStore.faults.kill();
        await putOff(stage, 2 * LANES, [503]);
        await expectWaiting(onlyNode(stage).admin, 'eventStore');
        await stage.cluster.eventStore.faults.restart();
      },
    },
    {
      name: `that is frozen for ${AWAY_MS / 1_000} s`,
      lacking: brief,
      rounds: 1,
      writes: someWrites,
      async fault(stage) {
        const { admin } = onlyNode(stage);
        const thaw = Date.now() + AWAY_MS;
        stage.cluster.eventStore.faults.freeze();
        await putOff(stage, LANES, [503]);
        await expectWaitingUntil(admin, 'eventStore', () => Date.now() >= thaw);
        // The key may have been revoked on another node by now.
        expect((await admin.get('/api/v1/laps')).status).to.equal(503);
        expect(await admin.as(null).list('/api/v1/laps'), 'public reads go on').not.to.be.empty;
        stage.cluster.eventStore.faults.thaw();
      },
    },
    {
      name: 'that loses answers after the commit',
      rounds: depth({ short: 4, deep: 10 }),
      writes: someWrites,
      async fault({ cluster }) {
        cluster.eventStore.faults.answersToLose = 3;
      },
    },
  ],
);

/** Positions of the event store and of the read models, unknown while the read store is away. */
const Health = z.object({
  components: z.object({
    eventStore: z.object({ head: z.number() }),
    readStore: z.object({ checkpoint: z.number().optional() }),
  }),
});

/** Waits until the read models have passed the event that is the newest now, though writes go on. */
async function drained(stage: Stage): Promise<void> {
  const places = async () => Health.parse((await onlyNode(stage).admin.get('/actuator/health')).body).components;
  const { eventStore } = await places();
  await until(places, ({ readStore: { checkpoint = -1 } }) => checkpoint >= eventStore.head);
}

/** The read store goes away for `ms`, and writes go on. */
function readStoreAway(ms: number, go: (stage: Stage) => unknown, come: (stage: Stage) => unknown): Fault['fault'] {
  return async (stage) => {
    const { admin } = onlyNode(stage);
    const { answers } = stage.cluster;
    const before = answers.count(202);
    const back = Date.now() + ms;
    await go(stage);
    const isOver = (): boolean => Date.now() >= back && answers.count(202) > before + LANES;
    await expectWaitingUntil(admin, 'readStore', isOver);
    expect((await admin.get('/api/v1/laps')).status).to.equal(503);
    await come(stage);
    await drained(stage);
  };
}

const setDelay =
  (ms: number) =>
  ({ cluster }: Stage): void => {
    cluster.proxy.delayMs = ms;
  };

const ON_READ_STORE = {
  name: 'a service on a read store',
  lacking: noFerret() ?? brief,
  servers: { eventStore: true, readStore: true },
  nodes: 1,
  lanes: LANES,
};
const oneRound = { rounds: 1, writes: () => 10 * LANES };

declareFaults(ON_READ_STORE, [
  {
    name: `that is killed for ${AWAY_MS / 1_000} s and comes back`,
    ...oneRound,
    fault: readStoreAway(
      AWAY_MS,
      ({ cluster }) => cluster.ferret.kill(),
      ({ cluster }) => cluster.ferret.restart(),
    ),
  },
  {
    name: 'that is too slow for its limit',
    ...oneRound,
    fault: readStoreAway(SLOW_MS, setDelay(2 * STORE_TIMEOUT_MS), setDelay(0)),
  },
]);

declareFaults({ ...ON_READ_STORE, env: { STORE_TIMEOUT_MS: '20000', REQUEST_DEADLINE_MS: '30000' } }, [
  {
    name: 'that is slow within its limit: all is answered, if with 202',
    ...oneRound,
    async fault(stage) {
      setDelay(300)(stage);
      await stage.cluster.ledger.more(10 * LANES);
      expect((await onlyNode(stage).admin.get('/api/v1/laps')).status).to.equal(200);
      await drained(stage);
      expect(stage.cluster.answers.count(503)).to.equal(0);
      setDelay(0)(stage);
    },
  },
]);
