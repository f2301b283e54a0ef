import { atLeast, rateResult, type Result } from './result.ts';
import { compare, type Side } from './rounds.ts';
import type { World } from './world.ts';
import { roundOf } from './works-stores.ts';

const IN_FLIGHT = [50, 500];
/** Servers are slower than embedded stores: laps per round are this part of a batch. */
const PART = 4;

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
