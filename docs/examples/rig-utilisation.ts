/*
 * How busy is each rig, hour by hour (UTC)?
 *
 *   npx sim-racing-timing replay docs/examples/rig-utilisation.ts --out utilisation.csv
 */
import {
  isMeasured,
  lapEvents,
  laps,
  lapsProjection,
  lookUps,
  projection,
  rigEvents,
  rigs,
  table,
} from 'sim-racing-timing';
import type { Lookup } from 'sim-racing-timing';

type Utilisation = {
  rigId: string;
  rig: string | null;
  /** Start of the hour, ISO 8601; a lap counts for the hour in which it was recorded. */
  hour: string;
  /** Laps, valid or not: the rig was in use. */
  laps: number;
  /** Time driven, in ms, and in per cent of the hour. */
  driven: number;
  percent: number;
};

const MS_PER_HOUR = 3_600_000;

const utilisation = table<Utilisation>('rigUtilisation', { indexes: [['rigId']] });

/** Laps and time that come to a rig's hour, or leave it. */
type Share = { readonly rigId: string; readonly at: string; readonly laps: number; readonly driven: number };

/** The time of a lap in ms; 0 where it was not measured. */
function timeOf({ totalTime }: { readonly totalTime: number }): number {
  return isMeasured(totalTime) ? totalTime : 0;
}

async function withShare(look: Lookup, { rigId, at, ...share }: Share) {
  const hour = `${at.slice(0, 'yyyy-mm-ddThh'.length)}:00:00.000Z`;
  const id = `${rigId}:${hour}`;
  const before = await look(utilisation, id);
  const driven = (before?.driven ?? 0) + share.driven;
  const fields = {
    laps: (before?.laps ?? 0) + share.laps,
    driven,
    percent: Number(((driven / MS_PER_HOUR) * 100).toFixed(2)),
  };
  if (before !== null) return utilisation.set(id, fields);
  return utilisation.insert(id, { rigId, rig: (await look(rigs, rigId))?.name ?? null, hour, ...fields });
}

const utilisationProjection = projection(
  utilisation,
  { own: {}, others: { ...lapEvents, ...rigEvents } },
  {
    LapRecorded: ({ data, at }, look) => withShare(look, { rigId: data.rigId, at, laps: 1, driven: timeOf(data) }),
    LapCorrected: async ({ data, id }, look) => {
      const lap = await look(laps, id);
      if (lap === null) return null;
      const { rigId, createdAt: at } = lap;
      return withShare(look, { rigId, at, laps: 0, driven: timeOf(data) - timeOf(lap) });
    },
    LapMovedToRig: async ({ data, id }, look) => {
      const lap = await look(laps, id);
      if (lap === null) return null;
      const { createdAt: at } = lap;
      const time = timeOf(lap);
      return [
        await withShare(look, { rigId: data.from, at, laps: -1, driven: -time }),
        await withShare(look, { rigId: data.to, at, laps: 1, driven: time }),
      ];
    },
    // The rig was in use, whoever drove what.
    LapValidated: () => null,
    LapInvalidated: () => null,
    LapReassigned: () => null,
    LapMovedToEvent: () => null,
    LapCarCorrected: () => null,
    LapTrackCorrected: () => null,
    LapDrivenAtCorrected: () => null,
    RigRenamed: ({ data, id }) => utilisation.setWhere('rigId', id, { rig: data.name }),
  },
);

// The built-in read models are there to be looked up, and are not written out.
export default [...lookUps, lapsProjection, utilisationProjection];
