import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../../../src/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../../../src/domain/field-events.ts';
import { milliseconds, text, uuid } from '../../../src/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../../../src/kernel/aggregate/decider.ts';
import { eventType } from '../../../src/kernel/event-types.ts';

/** A stop at the pits: the resource that docs/adding-a-resource.md adds. */
export const PitStop = z.object({
  eventId: uuid,
  /** In ms. */
  duration: milliseconds,
  tyres: z.enum(['SOFT', 'HARD', 'WET']),
  note: text(0, 120).nullable(),
  enabled: z.boolean(),
});
export type PitStop = z.output<typeof PitStop>;

const pitStopReferences = { eventId: 'event' } as const;

const changes = {
  PitStopMovedToEvent: referenceMoved('eventId'),
  PitStopCorrected: fieldsChanged(PitStop.pick({ duration: true, tyres: true })),
  PitStopAnnotated: fieldsChanged(PitStop.pick({ note: true })),
  PitStopEnabled: flagSet('enabled', true),
  PitStopDisabled: flagSet('enabled', false),
};
export const pitStopEvents = { PitStopRecorded: eventType(PitStop), ...changes };

export type PitStopCommand = CommandOf<{ RecordPitStop: PitStop; ChangePitStop: PartialUpdate<PitStop> }>;

export const pitStopDecider = decider<PitStop | null, PitStopCommand, typeof pitStopEvents>({
  category: 'pitStop',
  initial: null,
  events: pitStopEvents,
  evolve: { PitStopRecorded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    RecordPitStop: whenAbsent((data) => [{ type: 'PitStopRecorded', data }]),
    ChangePitStop: whenPresent((pitStop, change) => changesTo(changes, pitStop, change)),
  },
});

const { note, enabled } = PitStop.shape;
export const recordPitStop = bodyCommand(pitStopDecider, 'RecordPitStop', {
  body: PitStop.extend({ note: note.default(null), enabled: enabled.default(true) }),
  references: pitStopReferences,
});
export const changePitStop = bodyCommand(pitStopDecider, 'ChangePitStop', {
  body: PitStop.partial(),
  references: pitStopReferences,
});
