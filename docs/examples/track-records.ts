/*
 * Which laps were track records when they were driven, and by how much did each beat the one before?
 *
 *   npx sim-racing-timing replay docs/examples/track-records.ts --out records.csv
 */
import {
  cars,
  fullName,
  isMeasured,
  lapEvents,
  lookUps,
  participantEvents,
  participants,
  projection,
  table,
  trackLayoutEvents,
  trackLayouts,
  type Lookup,
} from 'sim-racing-timing';

type TrackRecord = {
  layoutId: string;
  layout: string;
  lapId: string;
  at: string;
  participantId: string;
  participant: string;
  car: string;
  /** ms. */
  time: number;
  /** The record before, and how much faster this one is, in ms; null for the first. */
  previous: number | null;
  gain: number | null;
  /** When the lap was found invalid, or its times were put right: it is no record any more. */
  struckAt: string | null;
};

/** The records of a layout that have not been struck, under the layout's id; the last one stands. */
type Standing = { readonly records: readonly { readonly time: number; readonly lapId: string }[] };

const trackRecords = table<TrackRecord>('trackRecords', { indexes: [['participantId'], ['layoutId']] });

/** A name that begins with _ is not written out. */
const standing = table<Standing>('_standing');

const trackRecordsProjection = projection(
  trackRecords,
  { own: {}, others: { ...lapEvents, ...participantEvents, ...trackLayoutEvents } },
  {
    // Handlers see all documents as they were before the event, the standing record, too.
    LapRecorded: async ({ data, id: lapId, at }, look) => {
      const { trackId: layoutId, participantId, totalTime: time } = data;
      const previous = (await look(standing, layoutId))?.records.at(-1)?.time ?? null;
      if (!data.valid || !isMeasured(time) || (previous !== null && time >= previous)) return null;
      return trackRecords.insert(lapId, {
        layoutId,
        lapId,
        at,
        participantId,
        time,
        previous,
        gain: previous === null ? null : previous - time,
        layout: (await look(trackLayouts, layoutId))?.displayName ?? '',
        participant: fullName(await look(participants, participantId)),
        car: (await look(cars, data.carId))?.modelName ?? '',
        struckAt: null,
      });
    },
    LapInvalidated: ({ id, at }) => trackRecords.set(id, { struckAt: at }),
    LapCorrected: ({ id, at }) => trackRecords.set(id, { struckAt: at }),
    LapTrackCorrected: ({ id, at }) => trackRecords.set(id, { struckAt: at }),
    LapReassigned: async ({ data: { to }, id }, look) =>
      trackRecords.set(id, { participantId: to, participant: fullName(await look(participants, to)) }),
    LapCarCorrected: async ({ data: { to }, id }, look) =>
      trackRecords.set(id, { car: (await look(cars, to))?.modelName ?? '' }),
    // No lap becomes a record afterwards; rig, event and time make no difference.
    LapValidated: () => null,
    LapMovedToRig: () => null,
    LapMovedToEvent: () => null,
    LapDrivenAtCorrected: () => null,
    ParticipantRenamed: ({ data, id }) => trackRecords.setWhere('participantId', id, { participant: fullName(data) }),
    TrackLayoutRenamed: ({ data, id }) => trackRecords.setWhere('layoutId', id, { layout: data.displayName }),
  },
);

const standingProjection = projection(
  standing,
  { own: {}, others: lapEvents },
  {
    LapRecorded: async ({ data, id: lapId }, look) => {
      const { trackId: layoutId, totalTime: time } = data;
      const before = await look(standing, layoutId);
      const previous = before?.records.at(-1)?.time ?? null;
      if (!data.valid || !isMeasured(time) || (previous !== null && time >= previous)) return null;
      const records = [...(before?.records ?? []), { time, lapId }];
      return before === null ? standing.insert(layoutId, { records }) : standing.set(layoutId, { records });
    },
    LapInvalidated: ({ id }, look) => withoutLap(look, id),
    LapCorrected: ({ id }, look) => withoutLap(look, id),
    LapTrackCorrected: ({ id }, look) => withoutLap(look, id),
  },
);

/** The record before stands again. Slower laps that were driven in between do not become records afterwards. */
async function withoutLap(look: Lookup, id: string) {
  const record = await look(trackRecords, id);
  const before = record === null ? null : await look(standing, record.layoutId);
  if (record === null || before === null) return null;
  return standing.set(record.layoutId, { records: before.records.filter(({ lapId }) => lapId !== id) });
}

export default [...lookUps, trackRecordsProjection, standingProjection];
