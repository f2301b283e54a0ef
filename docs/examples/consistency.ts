/*
 * How fast could each participant be on each track layout, and how steadily do they drive?
 *
 *   npx sim-racing-timing replay docs/examples/consistency.ts --out consistency.csv
 */
import {
  fullName,
  gatheringLaps,
  isMeasured,
  lapEvents,
  lapLookUps,
  laps,
  lookUps,
  participantEvents,
  participants,
  projection,
  table,
  trackLayoutEvents,
  trackLayouts,
  type Find,
  type LapState,
} from 'sim-racing-timing';

type Consistency = {
  participantId: string;
  participant: string;
  layoutId: string;
  layout: string;
  /** Valid laps. */
  laps: number;
  /** ms; null while there is no valid lap. */
  best: number | null;
  /** Sum of the best sectors, in ms; null while there is no valid lap with sectors, or a sector without a time. */
  theoreticalBest: number | null;
  mean: number | null;
  /** Standard deviation, in ms, and in per cent of the mean: the smaller, the steadier. */
  deviation: number | null;
  deviationPercent: number | null;
  /** What the figures are made of: a name that begins with _ is not written out. */
  _sums: Sums;
};

/** The times of a valid lap in ms. */
type Times = { totalTime: number; sectors: readonly number[] };

/** Of the valid laps, in ms. It stays as small as it is with a single lap: the whole row is written for each lap. */
type Sums = {
  laps: number;
  sum: number;
  /** Sum of the squares. */
  squares: number;
  best: number | null;
  /** The best of each sector, of the laps with the most sectors; null where none of them has a time. */
  sectors: readonly (number | null)[];
};

const consistency = table<Consistency>('consistency', { indexes: [['participantId'], ['layoutId']] });

const NONE: Sums = { laps: 0, sum: 0, squares: 0, best: null, sectors: [] };

function withLap({ laps, sum, squares, best, sectors }: Sums, { totalTime, sectors: own }: Times): Sums {
  const bests = own.length > sectors.length ? own.map(() => null) : sectors;
  return {
    laps: laps + 1,
    sum: sum + totalTime,
    squares: squares + totalTime ** 2,
    best: Math.min(best ?? totalTime, totalTime),
    sectors: own.length < sectors.length ? sectors : bests.map((best, n) => fasterOf(best, own[n] ?? 0)),
  };
}

/** The faster one of the best time of a sector so far and that of a lap, which is 0 where it was not measured. */
function fasterOf(best: number | null, time: number): number | null {
  if (!isMeasured(time)) return best;
  return best === null ? time : Math.min(best, time);
}

/** The sum of the best sectors; null if a time is missing. */
function sumOf(sectors: Sums['sectors']): number | null {
  let sum = 0;
  for (const time of sectors) {
    if (time === null) return null;
    sum += time;
  }
  return sum;
}

/** Only where a lap with a best time leaves, the others are read again. */
async function withoutLap(before: Sums, { lap, facts }: LapState, find: Find): Promise<Sums> {
  const { totalTime, sectors, participantId, trackId } = facts;
  const { laps: count, sum, squares } = before;
  // Where nobody has a time in a sector, the lap may be the only one with so many sectors.
  const isAmongMost = sectors.length > 0 && sectors.length === before.sectors.length;
  const isBestSector = (time: number | null, n: number): boolean => time === null || time === sectors[n];
  const isBest = totalTime === before.best || (isAmongMost && before.sectors.some(isBestSector));
  if (!isBest) return { ...before, laps: count - 1, sum: sum - totalTime, squares: squares - totalTime ** 2 };
  let sums = NONE;
  for await (const batch of find(laps, { participantId, trackId, valid: true })) {
    for (const other of batch) if (other.id !== lap.lapId && isMeasured(other.totalTime)) sums = withLap(sums, other);
  }
  return sums;
}

function statistics({ laps, sum, squares, best, sectors }: Sums) {
  if (laps === 0) {
    return { laps, best: null, theoreticalBest: null, mean: null, deviation: null, deviationPercent: null };
  }
  const mean = sum / laps;
  const deviation = Math.sqrt(Math.max(0, squares / laps - mean ** 2));
  return {
    laps,
    best,
    theoreticalBest: sectors.length === 0 ? null : sumOf(sectors),
    mean: Math.round(mean),
    deviation: Math.round(deviation),
    deviationPercent: Number(((deviation / mean) * 100).toFixed(2)),
  };
}

export default [
  // The built-in read models are there to be looked up, and are not written out.
  ...lookUps,
  ...lapLookUps,
  projection(
    consistency,
    { own: {}, others: { ...lapEvents, ...participantEvents, ...trackLayoutEvents } },
    {
      ...gatheringLaps({
        idOf: ({ participantId, trackId }) => `${participantId}:${trackId}`,
        async rewrite({ id, left, joined }, look, find) {
          const row = await look(consistency, id);
          let sums = row?._sums ?? NONE;
          if (left?.facts.valid) sums = await withoutLap(sums, left, find);
          if (joined?.facts.valid) sums = withLap(sums, joined.facts);
          const fields = { ...statistics(sums), _sums: sums };
          if (row !== null) return consistency.set(id, fields);
          if (joined === null) return null;
          const { participantId, trackId: layoutId } = joined.facts;
          const participant = fullName(await look(participants, participantId));
          const layout = (await look(trackLayouts, layoutId))?.displayName ?? '';
          return consistency.insert(id, { participantId, layoutId, participant, layout, ...fields });
        },
      }),
      LapMovedToRig: () => null, // makes no difference here
      ParticipantRenamed: ({ data, id }) => consistency.setWhere('participantId', id, { participant: fullName(data) }),
      TrackLayoutRenamed: ({ data, id }) => consistency.setWhere('layoutId', id, { layout: data.displayName }),
    },
  ),
];
