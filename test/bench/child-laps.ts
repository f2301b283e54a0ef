import { z } from 'zod';
import type { NewEvent } from '../../src/service/kernel/ports/event-store.ts';
import { systemIds } from '../../infra/system/system.ts';
import type { Timed } from './child-protocol.ts';
import { lapEvent, type Fixtures } from './laps.ts';
import { timeAppends } from './raw-append.ts';

/** So many of something, with so many under way at once. */
export const Append = z.object({ count: z.number(), inFlight: z.number() });

/** A lap as the stores get it. */
export interface NewLap {
  readonly id: string;
  readonly event: NewEvent;
}

/** Makes laps, each with an id, before the time is taken; `first` is the number of the first one. */
export function lapMaker({ fixtures, first }: { readonly fixtures: Fixtures; readonly first: number }) {
  let next = first;
  return (count: number): NewLap[] =>
    Array.from({ length: count }, () => ({ id: systemIds.next(), event: lapEvent(fixtures, next++, systemIds) }));
}

/** Does something with each item, with so many under way at once, and takes the time and CPU. */
export async function timeInFlight<T>(
  items: readonly T[],
  inFlight: number,
  work: (item: T) => Promise<unknown>,
): Promise<Timed> {
  const units = items.length;
  const { seconds, cpuMicros } = await timeAppends({ appends: units, inFlight }, async (n) => {
    const item = items[n];
    if (item !== undefined) await work(item);
  });
  return { units, seconds, cpuMicros: cpuMicros * units };
}
