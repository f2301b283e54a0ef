import type { BoardFilter } from '../../../queries/leaderboards/filters.ts';

/** Which laps a board shows; its layout is known. */
type Filter = BoardFilter & { readonly eventId: string; readonly trackLayoutId: string };

/** A lap as a plain leaderboard takes it. */
export interface PlainLap {
  readonly id: string;
  /** Of two laps the smaller is of the one that was recorded first. */
  readonly created: number;
  readonly participantId: string;
  readonly eventId: string;
  readonly rigId: string;
  readonly car: string;
  readonly carClassId: string;
  readonly trackId: string;
  readonly sectors: readonly number[];
  readonly totalTime: number;
  readonly valid: boolean;
  readonly drivenAt: string;
  readonly createdAt: string;
}

/** What decides which laps of an event count. */
interface Rules {
  /** ms: shorter laps do not count. */
  readonly minimum?: number;
  /** ISO 8601: laps driven later do not count; null: all do. */
  readonly finishedAt?: string | null;
}

/** The layouts of an event, its own and then others with laps that count, as the head of a board lists them. */
export function plainLayouts(all: readonly PlainLap[], eventId: string, own: readonly string[], rules: Rules = {}) {
  const laps = drivenInTime(all, rules);
  const driven = laps.filter((lap) => lap.eventId === eventId && isTime(lap.totalTime)).map(({ trackId }) => trackId);
  const numberOf = (id: string) => driven.filter((trackId) => trackId === id).length;
  const others = [...new Set(driven)].filter((id) => !own.includes(id));
  others.sort((a, b) => numberOf(b) - numberOf(a) || compare(a, b));
  return [...new Set(own), ...others].map((trackLayoutId) => ({ trackLayoutId, laps: numberOf(trackLayoutId) }));
}

function drivenInTime(laps: readonly PlainLap[], { finishedAt = null }: Rules): readonly PlainLap[] {
  return laps.filter(({ drivenAt }) => finishedAt === null || Date.parse(drivenAt) <= Date.parse(finishedAt));
}

/** The whole board of some laps, worked out in the plainest way: what the real ones are compared with. */
export function plainBoard(laps: readonly PlainLap[], filter: Filter, rules: Rules = {}) {
  const { minimum = 1 } = rules;
  const fitting = drivenInTime(laps, rules).filter(
    (lap) =>
      lap.eventId === filter.eventId &&
      lap.trackId === filter.trackLayoutId &&
      (filter.carId === undefined || lap.car === filter.carId) &&
      (filter.carClassId === undefined || lap.carClassId === filter.carClassId),
  );
  return plainBoardOf(fitting, filter.validOnly, () => minimum);
}

/** The board of these laps; those below the minimum of each, in ms, do not count. */
export function plainBoardOf(laps: readonly PlainLap[], validOnly: boolean, minimumOf: (lap: PlainLap) => number) {
  const fitting = laps.filter(({ totalTime }) => isTime(totalTime));
  const longEnough = fitting.filter((lap) => lap.totalTime >= minimumOf(lap));
  const counting = longEnough.filter(({ valid }) => valid || !validOnly);
  const names = [...new Set(counting.map(({ participantId }) => participantId))];
  const rows = names
    .map((participantId) => {
      const all = fitting.filter((lap) => lap.participantId === participantId);
      const own = longEnough.filter((lap) => lap.participantId === participantId);
      const its = counting.filter((lap) => lap.participantId === participantId);
      return { participantId, all, own, its, best: its.toSorted(by(({ totalTime }) => totalTime))[0] };
    })
    .toSorted((a, b) => by<PlainLap>(({ totalTime }) => totalTime)(defined(a.best), defined(b.best)));
  const times = rows.map(({ best }) => defined(best).totalTime);
  const alike = (some: readonly PlainLap[]) =>
    some.filter(({ sectors }) => sectors.length === rows[0]?.best?.sectors.length);
  return {
    rows: rows.map(({ participantId, all, own, its, best }, n) => ({
      participantId,
      position: 1 + times.filter((time) => time < defined(best).totalTime).length,
      lapId: defined(best).id,
      totalTime: defined(best).totalTime,
      drivenAt: defined(best).drivenAt,
      gapToLeader: n === 0 ? null : defined(best).totalTime - defined(times[0]),
      gapToNext: n === 0 ? null : defined(best).totalTime - defined(times[n - 1]),
      laps: own.length,
      validLaps: own.filter(({ valid }) => valid).length,
      bestLapNumber: all.length > 500 ? null : 1 + all.toSorted(by(() => 0)).indexOf(defined(best)),
      lastLap: lastOf(all),
      bestSectors: sectorsOf(alike(its)).map((lap, sector) => lap?.sectors[sector] ?? null),
      theoreticalBest: theoretical(alike(its)),
    })),
    bestSectors: sectorsOf(alike(counting)).map((lap, sector) => ({
      sector: sector + 1,
      time: lap?.sectors[sector] ?? null,
      participantId: lap?.participantId ?? null,
    })),
    theoreticalBest: theoretical(alike(counting)),
  };
}

/** The lap that was driven last, as rows show it. */
function lastOf(laps: readonly PlainLap[]) {
  const { id: lapId, totalTime, valid, drivenAt } = defined(laps.toSorted(by(() => 0)).at(-1));
  return { lapId, totalTime, valid, drivenAt };
}

/** Whether a time was measured: timing software sends 0, or the largest integer of 32 bits or more, for none. */
export function isTime(ms: number): boolean {
  return ms > 0 && ms < 2 ** 31 - 1;
}

/** The lap that is best in each sector, of laps with the same number of them; null: none has a time there. */
function sectorsOf(laps: readonly PlainLap[]): readonly (PlainLap | null)[] {
  return (laps[0]?.sectors ?? []).map((_, sector) => {
    const timeOf = ({ sectors }: PlainLap): number => defined(sectors[sector]);
    const measured = laps.filter((lap) => isTime(timeOf(lap)));
    return measured.toSorted(by(timeOf))[0] ?? null;
  });
}

function theoretical(laps: readonly PlainLap[]): number | null {
  const best = sectorsOf(laps);
  if (best.length === 0 || best.includes(null)) return null;
  return best.reduce((sum, lap, sector) => sum + defined(lap?.sectors[sector]), 0);
}

/** By a time, then the order of driving, then that of recording. */
function by<L extends PlainLap>(time: (lap: L) => number) {
  return (a: L, b: L): number =>
    time(a) - time(b) || compare(a.drivenAt, b.drivenAt) || compare(a.createdAt, b.createdAt) || a.created - b.created;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value is missing');
  return value;
}
