import { z } from 'zod';
import { systemIds } from '../../infra/system/system.ts';
import type { NewEvent } from '../../src/service/kernel/ports/event-store.ts';
import { timed, type Timed } from './child-protocol.ts';
import { lapEvent, type Fixtures } from './laps.ts';

/** So many of something, with so many under way at once. */
export const Append = z.object({ count: z.number(), inFlight: z.number() });

/** A lap as the stores get it. */
export interface NewLap {
  readonly id: string;
  readonly event: NewEvent;
}

/** Makes laps, each with an id, before the time is taken. */
export function lapMaker(fixtures: Fixtures) {
  let next = 0;
  return (count: number): NewLap[] =>
    Array.from({ length: count }, () => ({ id: systemIds.next(), event: lapEvent(fixtures, next++) }));
}

/** Appends laps, with so many under way at once, and takes the time and CPU. */
export function timeInFlight(
  laps: readonly NewLap[],
  inFlight: number,
  append: (lap: NewLap) => Promise<unknown>,
): Promise<Timed> {
  // All workers draw from one iterator.
  const left = laps.values();
  const worker = async (): Promise<void> => {
    for (const lap of left) await append(lap);
  };
  return timed(async () => {
    await Promise.all(Array.from({ length: inFlight }, worker));
    return laps.length;
  });
}
