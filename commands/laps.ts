import { z } from 'zod';
import { commandsFrom, type CommandsOf } from '../src/domain/body-command.ts';
import { evolvedBy, fieldsChanged, flagSet, momentSet, referenceMoved } from '../src/domain/field-events.ts';
import { component } from '../src/domain/component.ts';
import { described, idempotencyKey, instant, list, milliseconds, shownAs, sumOf, text } from '../src/domain/fields.ts';
import { reference } from '../src/domain/references.ts';
import { bodyOf, Flag, Id, Integer, listOf, Moment, Text } from '../src/domain/facts.ts';
import { intentsIn, recording } from '../src/domain/intents.ts';
import { decider, whenAbsent } from '../src/kernel/aggregate/decider.ts';
import { Rejection, type Fault } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

/** Most sectors of a lap; laps that were recorded by release 0.1.0 may have more. */
const MAX_SECTORS = 64;

const LapRecorded = z.object({
  participantId: Id,
  rigId: Id,
  eventId: Id,
  carId: Id,
  trackId: Id,
  sectors: listOf(Integer),
  totalTime: Integer,
  valid: Flag,
  drivenAt: Moment.optional(),
  sequence: z.object({ boot: Text, number: Integer }).optional(),
});
type Lap = z.output<typeof LapRecorded>;

/** The number of a lap on its rig: rigs count their laps from 1 at each start (`boot`) of their software. */
export const Sequence = z
  .object({
    boot: described(text(1, 64), 'Identifies one start of the software of the rig.', '2026-05-01T17:55:00Z'),
    number: described(z.int().min(1), 'Number of the lap since that start, from 1.', 37),
  })
  .meta(component('Sequence', 'Which lap of a rig it is.'));

/** A lap; `trackId` names a track layout. */
export const Lap = bodyOf(LapRecorded, {
  participantId: reference('participant', 'The driver.'),
  rigId: reference('rig', 'The rig that it was driven on.'),
  eventId: reference('event', 'The event that it counts for.'),
  sectors: described(
    list(milliseconds, { most: MAX_SECTORS }),
    'Times of the sectors in ms, in order; one of 0, or of 2147483647 or more, was not measured.',
    [41_873, 57_412, 39_206],
  ),
  totalTime: sumOf(
    described(
      milliseconds,
      'Time of the lap in ms; it is not compared with the sum of the sectors. A lap of 0, or of 2147483647 or more, ' +
        'has no time and is on no board.',
      138_491,
    ),
    'sectors',
  ),
  valid: described(z.boolean(), 'Whether it counts: no cut, no contact.', true),
  carId: shownAs(reference('car', 'The car; shown as `car`.'), 'car'),
  trackId: reference('trackLayout', 'The track layout, despite the name of the field.'),
  drivenAt: described(
    instant,
    'When it was driven: from 2000 on, at most 5 minutes ahead of the server; absent: when it is recorded.',
    '2026-05-01T19:40:02.000Z',
  ).optional(),
  sequence: Sequence.meta({
    description: 'Number of the lap on its rig, so that missing laps are noticed.',
  }).optional(),
});

/** A lap as it is sent: its driver and its event may be those of the seat of its rig. */
const SentLap = Lap.extend({
  participantId: reference('participant', 'Who drove; absent: who sat on the rig when it was driven.').optional(),
  eventId: reference(
    'event',
    'The event that it counts for; absent: that of whoever sat on the rig when it was driven.',
  ).optional(),
});
type SentLap = z.output<typeof SentLap>;

const changes = {
  LapCorrected: fieldsChanged(LapRecorded, 'sectors', 'totalTime'),
  LapValidated: flagSet('valid', true),
  LapInvalidated: flagSet('valid', false),
  LapReassigned: referenceMoved('participantId'),
  LapMovedToRig: referenceMoved('rigId'),
  LapMovedToEvent: referenceMoved('eventId'),
  LapCarCorrected: referenceMoved('carId'),
  LapTrackCorrected: referenceMoved('trackId'),
  LapDrivenAtCorrected: momentSet('drivenAt'),
};
export const lapEvents = { LapRecorded: eventType(LapRecorded), ...changes };

const decide = {
  RecordLap: whenAbsent((lap: SentLap) => {
    if (lap.participantId === undefined || lap.eventId === undefined) return rejectionOfNobody(lap);
    // It lacks neither of the two fields that a sent lap may lack. A copy would take longer than everything else here.
    return [{ type: 'LapRecorded', data: lap as Lap } as const];
  }),
  CorrectLapTimes: recording(changes, 'LapCorrected'),
  ValidateLap: recording(changes, 'LapValidated'),
  InvalidateLap: recording(changes, 'LapInvalidated'),
  ReassignLap: recording(changes, 'LapReassigned'),
  MoveLapToRig: recording(changes, 'LapMovedToRig'),
  MoveLapToEvent: recording(changes, 'LapMovedToEvent'),
  CorrectLapCar: recording(changes, 'LapCarCorrected'),
  CorrectLapTrack: recording(changes, 'LapTrackCorrected'),
  CorrectLapDrivenAt: recording(changes, 'LapDrivenAtCorrected'),
};
export type LapCommand = CommandsOf<typeof decide>;

export const lapDecider = decider<Lap, LapCommand, typeof lapEvents>({
  category: 'lap',
  events: lapEvents,
  evolve: { LapRecorded: (_, lap) => lap, ...evolvedBy(changes) },
  decide,
});

/** The rejection of a lap that does not say who drove it in which event, when nobody sat on its rig. */
function rejectionOfNobody({ participantId, eventId }: SentLap): Rejection {
  const detail = 'nobody sat on the rig when the lap was driven: say it, or correct who sat there';
  const faults: Fault[] = [];
  if (participantId === undefined) faults.push({ pointer: '/participantId', detail });
  if (eventId === undefined) faults.push({ pointer: '/eventId', detail });
  return new Rejection('UNKNOWN_REFERENCE', 'The lap is of nobody.', faults);
}

export const recordLap = commandsFrom('RecordLap', {
  body: SentLap,
  commands: (data) => [{ type: 'RecordLap', data } as const],
  pastMoments: ['drivenAt'],
  seat: {
    fields: ['participantId', 'eventId'],
    rigOf: ({ rigId }) => rigId,
    momentOf: ({ drivenAt }) => drivenAt,
    fillIn: (lap, { participantId, eventId }) => ({
      ...lap,
      participantId: lap.participantId ?? participantId,
      eventId: lap.eventId ?? eventId,
    }),
  },
});

/** A lap of a batch: as one that is sent alone, with a key under which it may be sent again. */
export const BatchLap = SentLap.extend({
  key: described(
    idempotencyKey,
    'Works as `Idempotency-Key` does for a lap that is sent alone: under both, the same key is the same lap.',
    'rig-7/2026-05-01T17:55:00Z/37',
  ).optional(),
}).meta({ id: 'BatchLap', description: 'A lap of a batch.' });

/** A change of a lap, and its reason, which is not part of the lap. */
const LapChange = Lap.omit({ sequence: true })
  .partial()
  .extend({
    reason: described(
      text(0, 255),
      'The reason, kept in the history with every event of this change, not in the lap.',
      'All four wheels off at Raidillon',
    ).optional(),
  });

export const changeLap = commandsFrom('ChangeLap', {
  body: LapChange,
  ...intentsIn(decide),
  reason: ({ reason }) => reason,
  pastMoments: ['drivenAt'],
});
