import { fullName, participants } from './participants.ts';
import { racingEvents } from './racing-events.ts';
import { rigs } from './rigs.ts';
import { trackLayouts } from './track-layouts.ts';
import { lapEvents } from '../commands/laps.ts';
import { participantEvents } from '../commands/participants.ts';
import { racingEventEvents } from '../commands/racing-events.ts';
import { rigEvents } from '../commands/rigs.ts';
import { trackLayoutEvents } from '../commands/track-layouts.ts';
import { projection, readModel } from '../src/kernel/projection.ts';
import type { DocumentMeta } from '../src/kernel/read-store.ts';

/** A lap as it is shown; `car` is the id of the car, `trackId` that of the track layout. */
export type LapDocument = DocumentMeta & {
  readonly participantId: string;
  readonly participantName: string;
  readonly rigId: string;
  readonly rigName: string | null;
  readonly eventId: string;
  readonly eventName: string;
  readonly sectors: readonly number[];
  readonly totalTime: number;
  readonly valid: boolean;
  readonly car: string;
  readonly trackId: string;
  readonly trackDisplayName: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const laps = readModel<LapDocument>('laps', {
  category: 'lap',
  indexes: [['totalTime'], ['createdAt'], ['participantId'], ['rigId'], ['eventId'], ['trackId']],
});

export const lapsProjection = projection(
  laps,
  { own: lapEvents, others: { ...participantEvents, ...rigEvents, ...racingEventEvents, ...trackLayoutEvents } },
  {
    LapRecorded: async ({ data, id, at }, look) =>
      laps.insert(id, {
        participantId: data.participantId,
        participantName: fullName(await look(participants, data.participantId)),
        rigId: data.rigId,
        rigName: (await look(rigs, data.rigId))?.name ?? null,
        eventId: data.eventId,
        eventName: (await look(racingEvents, data.eventId))?.name ?? '',
        sectors: data.sectors,
        totalTime: data.totalTime,
        valid: data.valid,
        car: data.carId,
        trackId: data.trackId,
        trackDisplayName: (await look(trackLayouts, data.trackId))?.displayName ?? '',
        createdAt: at,
        updatedAt: at,
      }),
    LapCorrected: ({ data, id, at }) => laps.set(id, { ...data, updatedAt: at }),
    LapValidated: ({ id, at }) => laps.set(id, { valid: true, updatedAt: at }),
    LapInvalidated: ({ id, at }) => laps.set(id, { valid: false, updatedAt: at }),
    LapReassigned: async ({ data, id, at }, look) =>
      laps.set(id, {
        participantId: data.to,
        participantName: fullName(await look(participants, data.to)),
        updatedAt: at,
      }),
    LapMovedToRig: async ({ data, id, at }, look) =>
      laps.set(id, { rigId: data.to, rigName: (await look(rigs, data.to))?.name ?? null, updatedAt: at }),
    LapMovedToEvent: async ({ data, id, at }, look) =>
      laps.set(id, { eventId: data.to, eventName: (await look(racingEvents, data.to))?.name ?? '', updatedAt: at }),
    LapCarCorrected: ({ data, id, at }) => laps.set(id, { car: data.to, updatedAt: at }),
    LapTrackCorrected: async ({ data, id, at }, look) =>
      laps.set(id, {
        trackId: data.to,
        trackDisplayName: (await look(trackLayouts, data.to))?.displayName ?? '',
        updatedAt: at,
      }),
    ParticipantRenamed: ({ data, id }) => laps.setWhere('participantId', id, { participantName: fullName(data) }),
    RigRenamed: ({ data, id }) => laps.setWhere('rigId', id, { rigName: data.name }),
    EventRenamed: ({ data, id }) => laps.setWhere('eventId', id, { eventName: data.name }),
    TrackLayoutRenamed: ({ data, id }) => laps.setWhere('trackId', id, { trackDisplayName: data.displayName }),
  },
);
