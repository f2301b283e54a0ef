import { z } from 'zod';
import { bodyCommand, commandFrom, type CommandOf, type PartialUpdate } from '../src/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, momentSet, referenceMoved } from '../src/domain/field-events.ts';
import { idempotencyKey, instant, list, milliseconds, text, uuid } from '../src/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

/** Most sectors of a lap; laps that were recorded by release 0.1.0 may have more. */
const MAX_SECTORS = 64;

/** Which lap of a rig it is: rigs count their laps from 1 at each start (`boot`) of their software. */
export const Sequence = z.object({
  boot: text(1, 64).meta({ description: 'Names one start of the software of the rig.' }),
  number: z.int().min(1).meta({ description: 'Number of the lap since that start, from 1.' }),
});

/** A lap; `trackId` names a track layout. */
const Lap = z.object({
  participantId: uuid,
  rigId: uuid,
  eventId: uuid,
  sectors: list(milliseconds, { most: MAX_SECTORS }),
  totalTime: milliseconds,
  valid: z.boolean(),
  carId: uuid,
  trackId: uuid,
  drivenAt: instant
    .meta({ description: 'When it was driven, at most 5 minutes ahead of the server; absent: when it is recorded.' })
    .optional(),
  sequence: Sequence.meta({ description: 'Which lap of the rig it is, so that a missing one is noticed.' }).optional(),
});
type Lap = z.output<typeof Lap>;

const lapReferences = {
  participantId: 'participant',
  rigId: 'rig',
  eventId: 'event',
  carId: 'car',
  trackId: 'trackLayout',
} as const;

const changes = {
  /** The times were put right. */
  LapCorrected: fieldsChanged(Lap.pick({ sectors: true, totalTime: true })),
  LapValidated: flagSet('valid', true),
  LapInvalidated: flagSet('valid', false),
  LapReassigned: referenceMoved('participantId'),
  LapMovedToRig: referenceMoved('rigId'),
  LapMovedToEvent: referenceMoved('eventId'),
  LapCarCorrected: referenceMoved('carId'),
  LapTrackCorrected: referenceMoved('trackId'),
  LapDrivenAtCorrected: momentSet('drivenAt'),
};
export const lapEvents = { LapRecorded: eventType(Lap), ...changes };

export type LapCommand = CommandOf<{ RecordLap: Lap; ChangeLap: PartialUpdate<Lap> }>;

export const lapDecider = decider<Lap | null, LapCommand, typeof lapEvents>({
  category: 'lap',
  initial: null,
  events: lapEvents,
  evolve: { LapRecorded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    RecordLap: whenAbsent((data) => [{ type: 'LapRecorded', data }]),
    ChangeLap: whenPresent((lap, change) => changesTo(changes, lap, change)),
  },
});

const lapChecks = { references: lapReferences, happened: ['drivenAt'] } as const;

export const recordLap = bodyCommand(lapDecider, 'RecordLap', { body: Lap, ...lapChecks });

/** Many laps at once: each as alone, and with the name under which it may be sent again. */
export const BatchLap = Lap.extend({
  key: idempotencyKey
    .meta({ description: 'What `Idempotency-Key` is to a lap alone: under both, the same key is the same lap.' })
    .optional(),
}).meta({ id: 'BatchLap' });

/** A change of a lap, and why it is made; the reason is no part of the lap. */
const LapChange = Lap.omit({ sequence: true })
  .partial()
  .extend({
    reason: text(0, 255)
      .meta({ description: 'Why: kept in the history with every event of this change, not in the lap.' })
      .optional(),
  })
  .meta({ id: 'ChangeLap' });

export const changeLap = commandFrom({
  body: LapChange,
  decider: lapDecider,
  command: ({ reason: _, ...change }): LapCommand => ({ type: 'ChangeLap', data: change }),
  reason: ({ reason }) => reason,
  ...lapChecks,
});
