import { callCommand } from '../support/processes/command-process.ts';
import type { Round } from './comparison.ts';
import type { Sides } from './rows.ts';
import type { World } from './world.ts';

/** Appends in flight: enough for group commits of a thousand; fewer on servers. */
export const IN_FLIGHT = 1_000;
const ON_SERVERS = 500;

/** Appends to the embedded store, and by lmdb itself. */
export async function appends(world: World): Promise<Sides> {
  const laps = { count: world.scale.batch, inFlight: IN_FLIGHT };
  const ours = await world.stores(await world.store(0));
  const raw = await world.rawStores();
  return [() => ours.ask('append', laps), () => raw.ask('append', laps)];
}

/** Projects a backlog of laps, and writes the same documents by lmdb itself. */
export async function backlogs(world: World): Promise<Sides> {
  const laps = { count: world.scale.batch, inFlight: IN_FLIGHT };
  const ours = await world.stores(await world.store(0));
  const raw = await world.rawStores();
  return [() => ours.ask('backlog', laps), () => raw.ask('write', laps.count)];
}

/** Projects a backlog of laps from EventStoreDB's double and from the embedded store. */
export async function serverBacklogs(world: World): Promise<Sides> {
  const laps = { count: world.scale.batch, inFlight: ON_SERVERS };
  const url = await world.eventStore();
  const dataDir = await world.store(0);
  // What laps refer to.
  const { code, err } = await callCommand(['copy', '--from', dataDir, '--to', url]);
  if (code !== 0) throw new Error(err);
  const remote = await world.stores(world.newPath(), url);
  const embedded = await world.stores(dataDir);
  return [() => remote.ask('backlog', laps), () => embedded.ask('backlog', laps)];
}

/** The built-in read models by `sim-racing-timing rebuild`, in a new process each time, and by lmdb itself. */
export async function rebuilds(world: World): Promise<Sides> {
  const { large, batch } = world.scale;
  const rebuild = async (): Promise<Round> => {
    const dataDir = await world.copy(await world.store(large));
    const child = await world.child('rebuild', null);
    const done = await child.ask('run', dataDir);
    await world.end(child);
    return done;
  };
  const writeAll = async (): Promise<Round> => {
    const child = await world.rawStores();
    const all = { units: large, seconds: 0, cpuMicros: 0 };
    for (let done = 0; done < large; done += batch) {
      const { seconds, cpuMicros } = await child.ask('write', batch);
      all.seconds += seconds;
      all.cpuMicros += cpuMicros;
    }
    await world.end(child);
    return all;
  };
  return [rebuild, writeAll];
}
