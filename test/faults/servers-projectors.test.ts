import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { textOf } from '../support/api/client.ts';
import { Cluster, LEASE_TERM_MS, ready, type ProjectorProcess, type Servers } from '../support/processes/cluster.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { noFerret, noTime } from '../support/processes/servers.ts';
import { describeUnless } from '../support/unless.ts';
import { depth } from '../support/depth.ts';

const LANES = 4;
const APART = { PROJECTOR: 'off' };

const noServer = noFerret() ?? noTime();

/** Time after which a stopped projector on embedded stores is resumed and stopped again, in ms. */
const EMBEDDED_TRY_MS = 4 * LEASE_TERM_MS;

/** Rounds per test. */
const ROUNDS = noTime() === null ? depth({ short: 1, deep: 3 }) : 1;

const SET_UPS: readonly (readonly [stores: string, servers: Servers, lacking: string | null])[] = [
  ['embedded stores', {}, null],
  ['an event store and a read store', { eventStore: true, readStore: true }, noServer],
];

/** The lease as a projector reports it: held by it or not, and the fence. */
async function leaseOf({ watch }: ProjectorProcess): Promise<{ readonly held: number; readonly fence: number }> {
  const { text } = await watch.get('/actuator/prometheus');
  const gauge = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { held: gauge('projector_lease_held'), fence: gauge('projector_lease_fence') };
}

for (const [stores, servers, lacking] of SET_UPS) {
  describeUnless(lacking, `projectors on ${stores}`, () => {
    let cluster: Cluster;
    let nodes: readonly [ServiceProcess, ServiceProcess];
    /** The projector at work and the standby. */
    let active: ProjectorProcess;
    let standby: ProjectorProcess;

    before(async () => {
      cluster = await Cluster.start(servers);
      active = await cluster.projector();
      // It has written its first checkpoint.
      await ready({ admin: active.watch });
      const others = [cluster.projector(), cluster.node(APART), cluster.node(APART)] as const;
      [standby, ...nodes] = await Promise.all(others);
      for (const node of nodes) await ready(node);
      await cluster.prepare(nodes[0], LANES);
    });
    after(() => cluster.clean());

    const work = (): Promise<void> => cluster.ledger.more(randomInt(LANES, 10 * LANES));

    /** Waits until the standby has taken over with a greater fence, and swaps the two. False if that takes too long. */
    async function takenOver(before: number, withinMs = Infinity): Promise<boolean> {
      const limit = Date.now() + withinMs;
      const { held, fence } = await until(
        () => leaseOf(standby),
        (lease) => lease.held === 1 || Date.now() > limit,
      );
      if (held === 0) return false;
      expect(fence).to.be.greaterThan(before);
      [active, standby] = [standby, active];
      return true;
    }
    /**
     * One projects and the other stands by; resolves to the fence. Swaps the two if they have changed roles, as they
     * may when the machine stands still for a term.
     */
    async function oneIsAtWork(): Promise<number> {
      const both = () => Promise.all([leaseOf(active), leaseOf(standby)]);
      const [one] = await until(both, ([a, b]) => a.held + b.held === 1 && a.fence === b.fence);
      if (one.held === 0) [active, standby] = [standby, active];
      return one.fence;
    }

    it('show which one projects and which one stands by', async () => {
      const states = (): Promise<string[]> =>
        Promise.all(
          [active, standby].map(async ({ watch }) => {
            await ready({ admin: watch });
            return textOf(await watch.read('/actuator/health'), 'components', 'projection', 'state');
          }),
        );
      await until(states, (both) => both.sort().join() === 'running,standby');
      await oneIsAtWork();
    });

    /** Stops the active projector until the other has taken over. */
    async function pausePastLease(): Promise<void> {
      for (;;) {
        if (servers.readStore !== true) await caughtUp(nodes[0].admin);
        const fence = await oneIsAtWork();
        const { child } = active.process;
        child.kill('SIGSTOP');
        if (await takenOver(fence, servers.readStore === true ? Infinity : EMBEDDED_TRY_MS)) return;
        // Stopped during a write it holds the store's lock, so that nobody can take over: resume it and try again.
        child.kill('SIGCONT');
      }
    }

    it('do no harm when they are paused past their lease and resume beside their successor', async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        await cluster.underLoad(nodes, work);
        await pausePastLease();
        await cluster.underLoad(nodes, async () => {
          await work();
          standby.process.child.kill('SIGCONT');
          await until(async () => (await leaseOf(standby)).held === 0);
          await work();
        });
      }
      await oneIsAtWork();
      await cluster.expectKept(nodes);
    });

    it('end cleanly, and leave the same read models as a rebuild', () => cluster.expectWhole(nodes));
  });
}

describe('a projector whose stores are away', () => {
  let cluster: Cluster;
  afterEach(() => cluster.clean());

  it('keeps running, reports it, and ends cleanly at SIGTERM', async () => {
    cluster = await Cluster.start({ eventStore: true });
    const { watch } = await cluster.projector();
    await ready({ admin: watch });
    cluster.eventStore.faults.kill();
    const isDown = async (): Promise<boolean> => {
      const { body } = await watch.get('/actuator/health');
      return (
        textOf(body, 'components', 'eventStore', 'status') === 'DOWN' &&
        textOf(body, 'components', 'projection', 'state') === 'retrying'
      );
    };
    await until(isDown);
    expect((await watch.get('/actuator/health/liveness')).status).to.equal(200);
    expect((await watch.get('/actuator/prometheus')).text).to.match(/^projector_lease_held 1$/m);
    await cluster.endAll();
  });
});
