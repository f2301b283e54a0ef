import type { PlannedSession, SessionKind } from '../results/plan.ts';

/** A session of a result file, as a preview shows it. */
export interface SessionSummary {
  readonly session: SessionKind;
  /** The game's own word for the session. */
  readonly name: string | null;
  readonly track: string | null;
  readonly layout: string | null;
  readonly laps: number;
  /** The drivers of the laps, each once. */
  readonly drivers: readonly string[];
  /** What the game calls their cars. */
  readonly cars: readonly string[];
}

export function summaryOf({ session, name, track, layout, laps }: PlannedSession): SessionSummary {
  const drivers = new Set<string>();
  const cars = new Set<string>();
  for (const { driver, car } of laps) {
    if (driver !== null) drivers.add(driver);
    if (car !== null) cars.add(car);
  }
  return { session, name, track, layout, laps: laps.length, drivers: [...drivers], cars: [...cars] };
}
