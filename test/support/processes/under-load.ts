import { describeUnless, itUnless } from '../unless.ts';
import { Cluster, ready, type Servers } from './cluster.ts';
import type { Environment, ServiceProcess } from './world.ts';

/** Processes and servers that are under load while faults occur. */
export interface Topology {
  readonly name: string;
  /** Why it is left out; null: it is not. */
  readonly lacking: string | null;
  readonly servers: Servers;
  readonly nodes: number;
  /** Connections that write. */
  readonly lanes: number;
  readonly env?: Environment;
  /** True if nodes die and connections break; otherwise each request gets an answer in time. */
  readonly nodesDie?: boolean;
}

/** A running topology. */
export interface Stage {
  readonly cluster: Cluster;
  /** A fault that ends a node replaces it. */
  readonly nodes: ServiceProcess[];
}

/** A fault during writes, which must not lose an acknowledged one. */
export interface Fault {
  readonly name: string;
  /** Why it is left out; null: it is not. */
  readonly lacking?: string | null;
  readonly rounds: number;
  /** Number of acknowledged writes before and after it. */
  readonly writes: () => number;
  readonly fault: (stage: Stage, round: number) => Promise<void>;
  /** Called before the next round, when nothing is being written. */
  readonly repair?: (stage: Stage) => Promise<void>;
  /** Called at the end of all rounds. */
  readonly report?: (stage: Stage) => void;
}

/**
 * Declares a test per fault. In each round it occurs during writes, and afterwards everything acknowledged is shown
 * exactly once. In the end the read models equal a rebuild.
 */
export function declareFaults(topology: Topology, faults: readonly Fault[]): void {
  const { name, lacking, nodesDie = false } = topology;
  describeUnless(lacking, `${name} under load`, () => {
    let stage: Stage;
    before(async () => {
      stage = await start(topology);
    });
    after(() => stage.cluster.clean());

    for (const fault of faults) {
      itUnless(fault.lacking ?? null, fault.name, async () => {
        for (let round = 1; round <= fault.rounds; round++) await play(fault, round);
        fault.report?.(stage);
      });
    }

    async function play({ writes, fault, repair }: Fault, round: number): Promise<void> {
      const { cluster, nodes } = stage;
      const work = async (): Promise<void> => {
        await cluster.ledger.more(writes());
        await fault(stage, round);
        if (!nodesDie) await cluster.ledger.more(writes());
      };
      await cluster.underLoad(nodes, work, nodesDie ? 'ends' : 'fails');
      await repair?.(stage);
      // Before unanswered requests are repeated.
      await cluster.expectHeld(nodes);
      await (nodesDie ? cluster.expectShown(nodes) : cluster.expectKept(nodes));
    }

    it('leaves what a rebuild makes', async () => {
      await stage.cluster.endAll();
      await stage.cluster.expectRebuilt();
    });
  });
}

async function start({ servers, nodes: count, lanes, env }: Topology): Promise<Stage> {
  const cluster = await Cluster.start(servers);
  const nodes: ServiceProcess[] = [];
  for (let n = 0; n < count; n++) nodes.push(await cluster.node(env));
  for (const node of nodes) await ready(node);
  const [first] = nodes;
  if (first !== undefined) await cluster.prepare(first, lanes);
  return { cluster, nodes };
}
