import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { Cluster, ready, type ProjectorProcess } from '../support/processes/cluster.ts';
import { noFerret, noTime } from '../support/processes/servers.ts';
import { caughtUp } from '../support/processes/waits.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';
import { chancesOf } from '../support/simulation/random.ts';

type Pair<T> = [T, T];

const LANES = depth({ short: 3, deep: 8 });
const APART = { PROJECTOR: 'off' };
/** Determines the faults; TEST_SEED sets another. */
const SEED = Number(process.env['TEST_SEED'] ?? 13);
/** Duration of the faults, in ms; in a short run each comes once. */
const LASTING_MS = depth({ short: 0, deep: 600_000 });
/** Duration of one fault in ms: from well within the limits to well beyond them. */
const SHORTEST_MS = 100;
const LONGEST_MS = depth({ short: 2_500, deep: 4_000 });
/** Writes between two faults. */
const WRITES = 10;

/** False: read models are embedded, as there is no read store's server, or no time for one. */
const isServed = noFerret() === null && noTime() === null;

describe(`two API nodes and two projectors on ${isServed ? 'servers' : 'an event store'}, all of which fail`, function () {
  // A slow read store has a backlog after each round, as a rename changes every lap of a rig or participant.
  this.timeout(3 * LASTING_MS + 240_000);
  let cluster: Cluster;
  let nodes: Pair<ServiceProcess>;
  let projectors: Pair<ProjectorProcess>;
  const { below } = chancesOf(SEED);
  const inAnyOrder = (names: readonly string[]): readonly string[] =>
    names
      .map((name) => ({ name, place: below(1_000_000) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ name }) => name);
  const aWhile = () => pause(SHORTEST_MS + below(LONGEST_MS - SHORTEST_MS));

  before(async () => {
    cluster = await Cluster.start({ eventStore: true, readStore: isServed });
    projectors = await Promise.all([cluster.projector(), cluster.projector()]);
    nodes = await Promise.all([cluster.node(APART), cluster.node(APART)]);
    for (const node of nodes) await ready(node);
    await cluster.prepare(nodes[0], LANES);
  });
  after(() => cluster.clean());

  /** The faults, each with its end. */
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    'event store killed': () => lasting('kill', 'restart'),
    'event store silent': () => lasting('silence', 'speak'),
    'event store frozen': () => lasting('freeze', 'thaw'),
    'event store cut off': async () => cluster.eventStore.faults.reset(),
    'answers of the event store lost': async () => {
      cluster.eventStore.faults.answersToLose = 1 + below(5);
    },
    'subscriptions dropped': async () => {
      cluster.eventStore.faults.dropSubscriptions();
    },
    'projector killed': async () => {
      const which = below(2);
      await cluster.kill(projectors[which === 0 ? 0 : 1].process);
      await aWhile();
      projectors[which === 0 ? 0 : 1] = await cluster.projector();
    },
    'projector frozen': () => stopped(projectors[below(2) === 0 ? 0 : 1].process.child),
    'node killed': async () => {
      const which = below(2) === 0 ? 0 : 1;
      await cluster.kill(nodes[which].process);
      nodes[which] = await cluster.node(APART);
    },
    'node frozen': () => stopped(nodes[below(2) === 0 ? 0 : 1].process.child),
    ...(isServed
      ? {
          'read store killed': async () => {
            await cluster.ferret.kill();
            await aWhile();
            await cluster.ferret.restart();
          },
          'read store frozen': async () => {
            cluster.ferret.freeze();
            await aWhile();
            cluster.ferret.thaw();
          },
          'read store cut off': async () => cluster.proxy.cut(),
        }
      : {}),
  };

  async function lasting(begin: 'kill' | 'silence' | 'freeze', end: 'restart' | 'speak' | 'thaw'): Promise<void> {
    cluster.eventStore.faults[begin]();
    await aWhile();
    await cluster.eventStore.faults[end]();
  }

  async function stopped(child: ServiceProcess['process']['child']): Promise<void> {
    child.kill('SIGSTOP');
    await aWhile();
    child.kill('SIGCONT');
  }

  it(`keep every acknowledged write exactly once (seed ${SEED})`, async () => {
    const names = Object.keys(faults);
    const counts = new Map<string, number>();
    const { ledger, answers } = cluster;
    let shownAfterSeconds = 0;
    const end = Date.now() + LASTING_MS;
    do {
      // Clients reconnect, as rigs do.
      const work = async (): Promise<void> => {
        for (const name of inAnyOrder(names)) {
          await ledger.more(WRITES);
          counts.set(name, (counts.get(name) ?? 0) + 1);
          await faults[name]?.();
        }
        cluster.eventStore.faults.answersToLose = 0;
        await ledger.more(WRITES);
      };
      await cluster.underLoad(nodes, work, 'returns');
      const healedAt = performance.now();
      for (const { admin } of nodes) await caughtUp(admin);
      shownAfterSeconds = Math.max(shownAfterSeconds, Math.ceil((performance.now() - healedAt) / 1_000));
    } while (Date.now() < end);
    await cluster.expectShown(nodes);
    expect(answers.rude).to.deep.equal([]);
    await cluster.endAll();
    const documents = await cluster.rebuilt();
    expect(documents).to.be.greaterThan(ledger.laps.size / 2);
    const { acknowledged, unknown, retried } = ledger;
    const stores = isServed ? 'the double and FerretDB' : 'the double and embedded read models';
    const minutes = LASTING_MS / 60_000;
    const kinds = Object.fromEntries([...counts].sort());
    const command = isServed ? 'TEST_DEEP=yes npm run test:servers' : 'npm run test:deep';
    const writes = { acknowledged, unknown, retried, documents };
    const figures = { command, seed: SEED, minutes, ...kinds, ...writes, shownAfterSeconds, lostOrDoubled: 0 };
    report(`two API nodes and two projectors on ${stores} under mixed faults`, figures);
  });
});
