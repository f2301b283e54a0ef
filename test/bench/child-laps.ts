import { z } from 'zod';
import { systemIds } from '../../infra/system/system.ts';
import type { NewEvent } from '../../src/service/kernel/ports/event-store.ts';
import { timed, type Timed } from './child-protocol.ts';
import { lapEvent, type Fixtures } from './laps.ts';

export const Append = z.object({ count: z.number(), inFlight: z.number() });

export interface NewLap {
  readonly id: string;
  readonly event: NewEvent;
}

/** Makes laps with ids, before time is taken. */
export function lapMaker(fixtures: Fixtures) {
  let next = 0;
  return (count: number): NewLap[] =>
    Array.from({ length: count }, () => ({ id: systemIds.next(), event: lapEvent(fixtures, next++) }));
}

/** Appends laps with `inFlight` appends at once; measures time and CPU. */
export function timeInFlight(
  laps: readonly NewLap[],
  inFlight: number,
  append: (lap: NewLap) => Promise<unknown>,
): Promise<Timed> {
  // Shared by all workers.
  const left = laps.values();
  const worker = async (): Promise<void> => {
    for (const lap of left) await append(lap);
  };
  return timed(async () => {
    await Promise.all(Array.from({ length: inFlight }, worker));
    return laps.length;
  });
}
