import { z } from 'zod';
import { changedFields, eventIf, eventIfChanged, changedReference } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { bodyCommand } from '../src/domain/body-command.ts';
import { milliseconds, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';

const lap = {
  participantId: uuid,
  rigId: uuid,
  eventId: uuid,
  sectors: z.array(milliseconds),
  totalTime: milliseconds,
  valid: z.boolean(),
  carId: uuid,
  trackId: uuid,
};

const RecordLapBody = z.object(lap).meta({ id: 'RecordLap' });
const ChangeLapBody = z.object(lap).partial().meta({ id: 'ChangeLap' });

/** What a lap points at; `trackId` names a track layout (SPEC.md "Lap"). */
const lapReferences = references({
  participantId: 'participant',
  rigId: 'rig',
  eventId: 'event',
  carId: 'car',
  trackId: 'trackLayout',
});

const move = z.object({ from: uuid, to: uuid });

export const lapEvents = {
  LapRecorded: eventType(z.object(lap)),
  /** The times were put right. */
  LapCorrected: eventType(z.object({ sectors: lap.sectors, totalTime: lap.totalTime })),
  LapValidated: eventType(z.object({})),
  LapInvalidated: eventType(z.object({})),
  LapReassigned: eventType(move),
  LapMovedToRig: eventType(move),
  LapMovedToEvent: eventType(move),
  LapCarCorrected: eventType(move),
  LapTrackCorrected: eventType(move),
};

export type LapCommand =
  | { readonly type: 'RecordLap'; readonly data: z.output<typeof RecordLapBody> }
  | { readonly type: 'ChangeLap'; readonly data: z.output<typeof ChangeLapBody> };

type Lap = z.output<typeof RecordLapBody>;

export const lapDecider = decider<Lap | null, LapCommand, typeof lapEvents>({
  category: 'lap',
  initial: null,
  events: lapEvents,
  evolve: {
    LapRecorded: (_, data) => data,
    LapCorrected: mergeFields,
    LapValidated: evolveExisting((state) => ({ ...state, valid: true })),
    LapInvalidated: evolveExisting((state) => ({ ...state, valid: false })),
    LapReassigned: evolveExisting((state, { to }) => ({ ...state, participantId: to })),
    LapMovedToRig: evolveExisting((state, { to }) => ({ ...state, rigId: to })),
    LapMovedToEvent: evolveExisting((state, { to }) => ({ ...state, eventId: to })),
    LapCarCorrected: evolveExisting((state, { to }) => ({ ...state, carId: to })),
    LapTrackCorrected: evolveExisting((state, { to }) => ({ ...state, trackId: to })),
  },
  decide: {
    RecordLap: whenAbsent((data) => [{ type: 'LapRecorded', data }]),
    ChangeLap: whenPresent((state, change) => [
      ...eventIfChanged('LapCorrected', changedFields(state, change, 'sectors', 'totalTime')),
      ...eventIf(change.valid === true && !state.valid, 'LapValidated'),
      ...eventIf(change.valid === false && state.valid, 'LapInvalidated'),
      ...eventIfChanged('LapReassigned', changedReference(state, change, 'participantId')),
      ...eventIfChanged('LapMovedToRig', changedReference(state, change, 'rigId')),
      ...eventIfChanged('LapMovedToEvent', changedReference(state, change, 'eventId')),
      ...eventIfChanged('LapCarCorrected', changedReference(state, change, 'carId')),
      ...eventIfChanged('LapTrackCorrected', changedReference(state, change, 'trackId')),
    ]),
  },
});

export const recordLap = bodyCommand({
  decider: lapDecider,
  body: RecordLapBody,
  references: lapReferences,
  command: (data): LapCommand => ({ type: 'RecordLap', data }),
});

export const changeLap = bodyCommand({
  decider: lapDecider,
  body: ChangeLapBody,
  references: lapReferences,
  command: (data): LapCommand => ({ type: 'ChangeLap', data }),
});
