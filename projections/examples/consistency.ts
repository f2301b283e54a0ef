/*
 * How fast could each participant be on each track layout, and how steadily do they drive?
 *
 *   npx sim-racing-timing replay projections/examples/consistency.ts --out consistency.csv
 */
import {
  fullName,
  gatheringLaps,
  lapEvents,
  lapLookUps,
  lookUps,
  participantEvents,
  participants,
  projection,
  table,
  trackLayoutEvents,
  trackLayouts,
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
  /** Sum of the best sectors, in ms; null while there is no valid lap with sectors. */
  theoreticalBest: number | null;
  mean: number | null;
  /** Standard deviation, in ms, and in per cent of the mean: the smaller, the steadier. */
  deviation: number | null;
  deviationPercent: number | null;
  /** The laps themselves, by id, so that each can be corrected: a name that begins with _ is not written out. */
  _laps: { [lapId: string]: Times };
};

/** The times of a valid lap in ms. */
type Times = { total: number; sectors: readonly number[] };

const consistency = table<Consistency>('consistency', { indexes: [['participantId'], ['layoutId']] });

function statistics(times: readonly Times[]) {
  if (times.length === 0) {
    return { laps: 0, best: null, theoreticalBest: null, mean: null, deviation: null, deviationPercent: null };
  }
  const totals = times.map(({ total }) => total);
  const mean = sum(totals) / totals.length;
  const deviation = Math.sqrt(sum(totals.map((total) => (total - mean) ** 2)) / totals.length);
  return {
    laps: totals.length,
    best: Math.min(...totals),
    theoreticalBest: theoreticalBest(times),
    mean: Math.round(mean),
    deviation: Math.round(deviation),
    deviationPercent: mean === 0 ? null : Number(((deviation / mean) * 100).toFixed(2)),
  };
}

/** Of the laps with the usual number of sectors. */
function theoreticalBest(times: readonly Times[]): number | null {
  const count = Math.max(...times.map(({ sectors }) => sectors.length));
  const whole = times.filter(({ sectors }) => sectors.length === count);
  const bests = Array.from({ length: count }, (_, n) => Math.min(...whole.map(({ sectors }) => sectors[n] ?? 0)));
  return count === 0 ? null : sum(bests);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
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
        async rewrite({ id, left, joined }, look) {
          const row = await look(consistency, id);
          const { [left?.lap.lapId ?? '']: _, ...laps } = row?._laps ?? {};
          if (joined?.facts.valid) {
            const { totalTime: total, sectors } = joined.facts;
            laps[joined.lap.lapId] = { total, sectors };
          }
          const fields = { ...statistics(Object.values(laps)), _laps: laps };
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
