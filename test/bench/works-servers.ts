import { Timed } from './child-protocol.ts';
import { atLeast, rateResult, type Result } from './result.ts';
import { compare, type Side } from './rounds.ts';
import type { World } from './world.ts';
import { roundOf } from './works-stores.ts';

const IN_FLIGHT = [50, 500];
/** Servers are slower than embedded stores: laps per round are this part of a batch. */
const PART = 4;
/** Documents that the event store hands to a projection at a time. */
const DELIVERED = 256;
const MANY = 1_000;

/** Appending laps through the adapter of EventStoreDB, against its client used directly, on the same double. */
export async function eventsServer(world: World): Promise<Result[]> {
  const { batch, batches } = world.scale;
  const results: Result[] = [];
  for (const inFlight of IN_FLIGHT) {
    const eventStoreUrl = await world.eventStore();
    const wanted = { count: batch / PART, inFlight };
    const adapter = await world.storesIn(world.newPath(), 'stores', { eventStoreUrl });
    const client = await world.driver('event-store-client', eventStoreUrl);
    const [ours, bare] = [adapter, client].map((child, place): Side => ({
      child,
      label: place === 0 ? 'append' : 'bare client',
      round: () => roundOf(child, 'append', wanted),
    }));
    if (ours === undefined || bare === undefined) continue;
    // Each side once before, for V8.
    await ours.round();
    await bare.round();
    const compared = await compare(ours, bare, batches);
    results.push(rateResult(`append to EventStoreDB's double, ${inFlight} in flight`, atLeast(85), compared));
    await world.endAll();
  }
  return results;
}

/** Projecting laps into a MongoDB server, against `bulkWrite` of the same documents by its driver. */
export async function modelsServer(world: World): Promise<Result[]> {
  const count = world.scale.batch / PART;
  const results: Result[] = [];
  const baselines = [
    { batch: DELIVERED, ordered: false, goal: atLeast(80) },
    { batch: MANY, ordered: true, goal: null },
  ];
  for (const { batch, ordered, goal } of baselines) {
    const label = `bulkWrite, ${ordered ? 'ordered' : 'unordered'}, of ${batch}`;
    const projector = await world.storesIn(await world.store(0), 'stores', { mongodbUrl: await world.mongo() });
    const driver = await world.driver('mongo-driver', await world.mongo());
    const backlog: Side = {
      child: projector,
      label: 'projecting a backlog',
      async round() {
        await projector.ask('append', Timed, { count, inFlight: MANY });
        return roundOf(projector, 'project', null);
      },
    };
    const bare: Side = { child: driver, label, round: () => roundOf(driver, 'write', { count, batch, ordered }) };
    // Each side once before, for V8 and the indexes.
    await backlog.round();
    await bare.round();
    const compared = await compare(backlog, bare, world.scale.batches);
    results.push(rateResult(`projecting ${count} laps into MongoDB against ${label}`, goal, compared));
    await world.endAll();
  }
  return results;
}
