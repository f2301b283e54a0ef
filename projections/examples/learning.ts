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

type Lap = { lapId: string; totalTime: number; drivenAt: string };
type Learning = {
  participantId: string;
  trackId: string;
  participant: string;
  layout: string;
  laps: number;
  first: number | null;
  best: number | null;
  gained: number | null;
  _laps: readonly Lap[]; // a name that begins with _ is not written out
};

const learning = table<Learning>('learning', { indexes: [['participantId'], ['trackId']] });

function figuresOf(laps: readonly Lap[]) {
  const best = laps.length === 0 ? null : Math.min(...laps.map(({ totalTime }) => totalTime));
  const first = laps[0]?.totalTime ?? null;
  return { laps: laps.length, first, best, gained: best === null || first === null ? null : first - best, _laps: laps };
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
        async rewrite({ id, left, joined }, look) {
          const row = await look(learning, id);
          const laps = (row?._laps ?? []).filter(({ lapId }) => lapId !== left?.lap.lapId);
          if (joined?.facts.valid) {
            const { lapId, totalTime, drivenAt } = joined.lap;
            laps.push({ lapId, totalTime, drivenAt });
            laps.sort((a, b) => (a.drivenAt + a.lapId < b.drivenAt + b.lapId ? -1 : 1));
          }
          if (row !== null) return learning.set(id, figuresOf(laps));
          if (joined === null) return null;
          const { participantId, trackId } = joined.facts;
          const participant = fullName(await look(participants, participantId));
          const layout = (await look(trackLayouts, trackId))?.displayName ?? '';
          return learning.insert(id, { participantId, trackId, participant, layout, ...figuresOf(laps) });
        },
      }),
      LapMovedToRig: () => null, // makes no difference here
      ParticipantRenamed: ({ data, id }) => learning.setWhere('participantId', id, { participant: fullName(data) }),
      TrackLayoutRenamed: ({ data, id }) => learning.setWhere('trackId', id, { layout: data.displayName }),
    },
  ),
];
