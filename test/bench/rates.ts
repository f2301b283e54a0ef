import type { Json } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import type { Child } from './children.ts';
import type { RateWork } from './drive.ts';
import type { Scale } from './options.ts';
import { atLeast } from './result.ts';
import type { Side } from './rounds.ts';
import type { World } from './world.ts';

/** Appends in flight: enough for group commits of a thousand; fewer on servers. */
const IN_FLIGHT = 1_000;
const ON_SERVERS = 500;
/** Few rounds, as each takes long. */
const REBUILDS = 2;

/** Throughput of stores and commands, compared with lmdb or a client used directly. */
export function rateWorks({ large, batch: count, batches: rounds }: Scale): readonly RateWork[] {
  const wanted = { count, inFlight: IN_FLIGHT };
  const [double, raw] = ["EventStoreDB's double", { baseline: 'raw lmdb' }];
  return [
    {
      ...{ name: 'stores', work: `append alone, ${IN_FLIGHT} in flight`, ...raw, goal: atLeast(80), rounds },
      sides: async (world) => [
        side(await world.stores(await world.store(0)), { append: wanted }),
        side(await world.rawStores(), { append: wanted }),
      ],
    },
    {
      ...{ name: 'stores', work: 'projecting a backlog of laps', ...raw, goal: atLeast(90), rounds },
      // Both sides already hold many documents.
      practice: rounds / 2,
      sides: async (world) => [
        side(await world.stores(await world.store(0)), { append: wanted, project: null }),
        side(await world.rawStores(), { write: wanted }),
      ],
    },
    {
      ...{ name: 'rebuild', work: `rebuild with ${large} laps`, ...raw, goal: atLeast(90), rounds: REBUILDS },
      practice: 0,
      sides: async (world) => [() => rebuild(world), () => writeAll(world)],
    },
    {
      ...{ name: 'backlog-server', work: `projecting ${count} laps from ${double}`, goal: atLeast(55), rounds },
      baseline: 'from the embedded store',
      sides: backlogs,
    },
  ];
}

/** Runs operations of a process in order and measures the last one. */
function side(child: Child, operations: Readonly<Record<string, Json>>): Side {
  const all = Object.entries(operations);
  return async () => {
    for (const [operation, argument] of all.slice(0, -1)) await child.ask(operation, Timed, argument);
    const [operation = '', argument = null] = all.at(-1) ?? [];
    return child.ask(operation, Timed, argument);
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
  return [side(remote, operations), side(embedded, operations)];
}

/** The built-in read models by `sim-racing-timing rebuild`, in a new process each time. */
async function rebuild(world: World): Promise<Timed> {
  const dataDir = await world.copy(world.scale.large);
  const child = await world.child('rebuild');
  const done = await child.ask('run', Timed, { dataDir });
  await world.end(child);
  return done;
}

/** The same documents by lmdb itself. */
async function writeAll(world: World): Promise<Timed> {
  const { large, batch } = world.scale;
  const child = await world.rawStores();
  const all = { units: large, seconds: 0, cpuMicros: 0 };
  for (let done = 0; done < large; done += batch) {
    const { seconds, cpuMicros } = await child.ask('write', Timed, { count: batch });
    all.seconds += seconds;
    all.cpuMicros += cpuMicros;
  }
  await world.end(child);
  return all;
}
