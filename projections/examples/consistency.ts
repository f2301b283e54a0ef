/*
 * How fast could each participant be on each track layout, and how steadily do they drive?
 *
 *   npx sim-racing-timing replay projections/examples/consistency.ts --out consistency.csv
 */
import {
  fullName,
  lapEvents,
  laps,
  lapsProjection,
  lookUps,
  participantEvents,
  participants,
  projection,
  table,
  trackLayoutEvents,
  trackLayouts,
  type Lookup,
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

/** Whose lap it is, and where. */
type Place = { readonly participantId: string; readonly layoutId: string };

const idOf = ({ participantId, layoutId }: Place): string => `${participantId}:${layoutId}`;

/** A lap as it was before the event. */
async function lapBefore(look: Lookup, id: string) {
  const lap = await look(laps, id);
  if (lap === null) return null;
  const { participantId, trackId: layoutId, valid, totalTime: total, sectors } = lap;
  return { place: { participantId, layoutId }, times: valid ? { total, sectors } : null, last: { total, sectors } };
}

/** The row of a place with a lap's times in it; null: without the lap. */
async function withLap(look: Lookup, place: Place, lap: { id: string; times: Times | null }) {
  const id = idOf(place);
  const before = await look(consistency, id);
  const { [lap.id]: _, ...others } = before?._laps ?? {};
  const all = lap.times === null ? others : { ...others, [lap.id]: lap.times };
  const fields = { ...statistics(Object.values(all)), _laps: all };
  if (before !== null) return consistency.set(id, fields);
  const participant = fullName(await look(participants, place.participantId));
  const layout = (await look(trackLayouts, place.layoutId))?.displayName ?? '';
  return consistency.insert(id, { ...place, participant, layout, ...fields });
}

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

/** Takes a lap from one row to another. */
async function moved(look: Lookup, id: string, change: Partial<Place>) {
  const lap = await lapBefore(look, id);
  if (lap === null) return null;
  return [
    await withLap(look, lap.place, { id, times: null }),
    await withLap(look, { ...lap.place, ...change }, { id, times: lap.times }),
  ];
}

const consistencyProjection = projection(
  consistency,
  { own: {}, others: { ...lapEvents, ...participantEvents, ...trackLayoutEvents } },
  {
    LapRecorded: ({ data, id }, look) => {
      const times = data.valid ? { total: data.totalTime, sectors: data.sectors } : null;
      return withLap(look, { participantId: data.participantId, layoutId: data.trackId }, { id, times });
    },
    LapCorrected: async ({ data, id }, look) => {
      const lap = await lapBefore(look, id);
      const times = { total: data.totalTime, sectors: data.sectors };
      return lap === null ? null : withLap(look, lap.place, { id, times: lap.times === null ? null : times });
    },
    LapInvalidated: async ({ id }, look) => {
      const lap = await lapBefore(look, id);
      return lap === null ? null : withLap(look, lap.place, { id, times: null });
    },
    LapValidated: async ({ id }, look) => {
      const lap = await lapBefore(look, id);
      return lap === null ? null : withLap(look, lap.place, { id, times: lap.last });
    },
    LapReassigned: ({ data, id }, look) => moved(look, id, { participantId: data.to }),
    LapTrackCorrected: ({ data, id }, look) => moved(look, id, { layoutId: data.to }),
    // On which rig, in which event and car, and when: that makes no difference.
    LapMovedToRig: () => null,
    LapMovedToEvent: () => null,
    LapCarCorrected: () => null,
    LapDrivenAtCorrected: () => null,
    ParticipantRenamed: ({ data, id }) => consistency.setWhere('participantId', id, { participant: fullName(data) }),
    TrackLayoutRenamed: ({ data, id }) => consistency.setWhere('layoutId', id, { layout: data.displayName }),
  },
);

// The built-in read models are there to be looked up, and are not written out.
export default [...lookUps, lapsProjection, consistencyProjection];
