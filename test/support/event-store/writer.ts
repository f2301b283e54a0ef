import { openLmdbEventStore } from '../../../infra/lmdb/event-store.ts';
import type { NewEvent } from '../../../src/kernel/ports/event-store.ts';
import { newEvent, newStream } from './events.ts';

/** Message to the parent: the ids of the acknowledged events, by append. */
export type Acknowledged = readonly (readonly string[])[];

/** Appends in flight at once. */
const IN_FLIGHT = 32;

/**
 * A process of its own that appends to the store in a directory, one to three events of a kilobyte or more each time,
 * until it has made so many appends or is killed. Usage: `event-store-writer <path> <appends>`.
 */
async function main(path: string, appends: number): Promise<void> {
  const store = await openLmdbEventStore({ path });
  let started = 0;
  const append = async (): Promise<void> => {
    const stream = newStream('written');
    while (started < appends) {
      const events = eventsOfAppend(started++);
      await store.append(stream, events, 'any');
      process.send?.([events.map(({ id }) => id)] satisfies Acknowledged);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, append));
  await store.close();
  process.disconnect();
}

function eventsOfAppend(n: number): readonly NewEvent[] {
  const size = 1 + (n % 3);
  const text = 'x'.repeat(1_000 + (n % 40) * 50);
  return Array.from({ length: size }, (_, index) => newEvent('Written', { n, index, size, text }));
}

const [path, appends] = process.argv.slice(2);
if (path === undefined || appends === undefined) throw new Error('usage: event-store-writer <path> <appends>');
await main(path, Number(appends));
