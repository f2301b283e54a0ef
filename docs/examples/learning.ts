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

type Lap = { lapId: string; totalTime: number; drivenAt: string };
/** Of the valid laps of a row. A name that begins with _ is not written out. */
type Figures = { laps: number; first: number | null; best: number | null; _firstAt: string };
type Learning = Figures & {
  participantId: string;
  trackId: string; // the layout
  participant: string;
  layout: string;
  gained: number | null;
};

const learning = table<Learning>('learning', { indexes: [['participantId'], ['trackId']] });

const NONE: Figures = { laps: 0, first: null, best: null, _firstAt: '' };

function withLap({ laps, first, best, _firstAt }: Figures, { lapId, totalTime, drivenAt }: Lap): Figures {
  const at = drivenAt + lapId;
  const start = first === null || at < _firstAt ? { first: totalTime, _firstAt: at } : { first, _firstAt };
  return { laps: laps + 1, best: Math.min(best ?? totalTime, totalTime), ...start };
}

/** Only where the first or the best lap leaves, the others are read again: all of them each time would take for ever. */
async function withoutLap(before: Figures, { lap, facts: { participantId, trackId } }: LapState, find: Find) {
  const isMark = lap.totalTime === before.best || lap.drivenAt + lap.lapId === before._firstAt;
  if (!isMark) return { ...before, laps: before.laps - 1 };
  let figures = NONE;
  for await (const batch of find(laps, { participantId, trackId, valid: true })) {
    for (const { id: lapId, totalTime, drivenAt } of batch) {
      if (lapId !== lap.lapId && isMeasured(totalTime)) figures = withLap(figures, { lapId, totalTime, drivenAt });
    }
  }
  return figures;
}

export default [
  ...lookUps,
  ...lapLookUps,
  projection(
    learning,
    { own: {}, others: { ...lapEvents, ...participantEvents, ...trackLayoutEvents } },
    {
      ...gatheringLaps({
        idOf: ({ participantId, trackId }) => `${participantId}:${trackId}`,
        async rewrite({ id, left, joined }, look, find) {
          const row = await look(learning, id);
          let figures: Figures = row ?? NONE;
          if (left?.facts.valid) figures = await withoutLap(figures, left, find);
          if (joined?.facts.valid) figures = withLap(figures, joined.lap);
          const { laps, first, best, _firstAt } = figures;
          const gained = first === null || best === null ? null : first - best;
          if (row !== null) return learning.set(id, { laps, first, best, _firstAt, gained });
          if (joined === null) return null;
          const { participantId, trackId } = joined.facts;
          const participant = fullName(await look(participants, participantId));
          const layout = (await look(trackLayouts, trackId))?.displayName ?? '';
          const names = { participantId, trackId, participant, layout };
          return learning.insert(id, { ...names, laps, first, best, _firstAt, gained });
        },
      }),
      LapMovedToRig: () => null, // makes no difference here
      ParticipantRenamed: ({ data, id }) => learning.setWhere('participantId', id, { participant: fullName(data) }),
      TrackLayoutRenamed: ({ data, id }) => learning.setWhere('trackId', id, { layout: data.displayName }),
    },
  ),
];
