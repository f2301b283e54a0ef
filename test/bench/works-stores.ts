import type { Json } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import type { Child } from './children.ts';
import { atLeast, rateResult, type Result } from './result.ts';
import { compare, type Round, type Side } from './rounds.ts';
import type { World } from './world.ts';

/** Appends under way at once: enough for group commits of a thousand. */
const IN_FLIGHT = 1_000;

/** Appending laps to the event store, and projecting them with all their indexes, against lmdb used directly. */
export async function appendAndProject(world: World): Promise<Result[]> {
  const { batch, batches } = world.scale;
  const stores = await world.storesIn(await world.store(0), 'stores');
  const raw = await world.storesIn(world.newPath(), 'raw-stores');
  const wanted = { count: batch, inFlight: IN_FLIGHT };
  const append = (child: Child, label: string): Side => ({
    child,
    label,
    round: () => roundOf(child, 'append', wanted),
  });
  const backlog: Side = {
    child: stores,
    label: 'projecting a backlog',
    async round() {
      await stores.ask('append', Timed, wanted);
      return roundOf(stores, 'project', wanted);
    },
  };
  // Each side once before, for V8.
  await stores.ask('append', Timed, wanted);
  await stores.ask('project', Timed);
  await raw.ask('append', Timed, wanted);
  await raw.ask('write', Timed, wanted);
  const appended = await compare(append(stores, 'append alone'), append(raw, 'raw lmdb'), batches);
  await stores.ask('project', Timed);
  // As many documents on the one side as on the other.
  for (let n = 0; n < batches; n += 1) await raw.ask('write', Timed, wanted);
  const written: Side = { child: raw, label: 'raw lmdb', round: () => roundOf(raw, 'write', wanted) };
  const projected = await compare(backlog, written, batches);
  return [
    rateResult(`append alone, ${IN_FLIGHT} in flight`, atLeast(80), appended),
    rateResult('projecting a backlog of laps', atLeast(85), projected),
  ];
}

/** Has a process do a round of an operation. */
export async function roundOf(child: Child, operation: string, argument: Json): Promise<Round> {
  return { ...(await child.ask(operation, Timed, argument)), latencies: [] };
}
