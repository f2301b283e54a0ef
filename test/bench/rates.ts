import type { Json } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import type { Child } from './children.ts';
import type { RateWork } from './drive.ts';
import type { Scale } from './options.ts';
import { atLeast } from './result.ts';
import { roundOf, type Round, type Side } from './rounds.ts';
import type { World } from './world.ts';

/** Appends in flight: enough for group commits of a thousand; fewer on servers. */
const IN_FLIGHT = 1_000;
const ON_SERVERS = 500;
/** Few rounds, as each takes long. */
const REBUILDS = 2;

/** Throughput of stores and commands, compared with lmdb or a client used directly. */
export function rateWorks({ large, batch: count, batches: rounds }: Scale): readonly RateWork[] {
  const wanted = { count, inFlight: IN_FLIGHT };
  const double = "EventStoreDB's double";
  return [
    {
      ...{ name: 'stores', work: `append alone, ${IN_FLIGHT} in flight`, goal: atLeast(80), rounds },
      sides: async (world) => [
        side('append alone', await world.stores(await world.store(0)), { append: wanted }),
        side('raw lmdb', await world.rawStores(), { append: wanted }),
      ],
    },
    {
      ...{ name: 'stores', work: 'projecting a backlog of laps', goal: atLeast(90), rounds },
      // Both sides already hold many documents.
      practice: rounds / 2,
      sides: async (world) => [
        side('projecting a backlog', await world.stores(await world.store(0)), { append: wanted, project: null }),
        side('raw lmdb', await world.rawStores(), { write: wanted }),
      ],
    },
    {
      ...{ name: 'rebuild', work: `rebuild with ${large} laps`, goal: atLeast(90), rounds: REBUILDS, practice: 0 },
      sides: rebuilding,
    },
    {
      ...{ name: 'backlog-server', work: `projecting ${count} laps from ${double}`, goal: atLeast(55), rounds },
      sides: backlogs,
    },
  ];
}

/** Runs operations of a process in order and measures the last one. */
function side(label: string, child: Child, operations: Readonly<Record<string, Json>>): Side {
  const all = Object.entries(operations);
  return {
    label,
    child,
    async round() {
      for (const [operation, argument] of all.slice(0, -1)) await child.ask(operation, Timed, argument);
      const [operation = '', argument = null] = all.at(-1) ?? [];
      return roundOf(child, operation, argument);
    },
  };
}

/** Projects a backlog of laps from EventStoreDB's double and from the embedded store. */
async function backlogs(world: World): Promise<readonly [Side, Side]> {
  const url = await world.eventStore();
  const embedded = await world.stores(await world.store(0));
  // What laps refer to.
  await embedded.ask('copy', Timed, { url });
  const remote = await world.stores(world.newPath(), url);
  const operations = { append: { count: world.scale.batch, inFlight: ON_SERVERS }, project: null };
  return [side('backlog from EventStoreDB', remote, operations), side('from the embedded store', embedded, operations)];
}

/** The built-in read models by `sim-racing-timing rebuild`; the baseline uses lmdb directly. */
async function rebuilding(world: World): Promise<readonly [Side, Side]> {
  const { large, batch } = world.scale;
  const writing = inProcess(world, {
    label: 'raw lmdb',
    start: () => world.rawStores(),
    async work(child) {
      let [seconds, cpuMicros] = [0, 0];
      for (let done = 0; done < large; done += batch) {
        const part = await child.ask('write', Timed, { count: batch });
        [seconds, cpuMicros] = [seconds + part.seconds, cpuMicros + part.cpuMicros];
      }
      return { units: large, seconds, cpuMicros, latencies: [] };
    },
  });
  return [rebuildSide(world, large), writing];
}

/** The command, in a new process each time. */
function rebuildSide(world: World, laps: number): Side {
  let dataDir = '';
  return inProcess(world, {
    label: `sim-racing-timing rebuild of ${laps} laps`,
    async start() {
      dataDir = await world.copy(laps);
      return world.child('rebuild');
    },
    work: (child) => roundOf(child, 'run', { dataDir }),
  });
}

interface InProcess {
  readonly label: string;
  readonly start: () => Promise<Child>;
  readonly work: (child: Child) => Promise<Round>;
}

/** A side that starts a new process for each round. */
function inProcess(world: World, { label, start, work }: InProcess): Side {
  let child: Child | null = null;
  return {
    label,
    get child() {
      return child;
    },
    async round() {
      child = await start();
      const done = await work(child);
      await world.end(child);
      return done;
    },
  };
}
