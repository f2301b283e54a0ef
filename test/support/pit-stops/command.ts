import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../../../src/service/domain/body-command.ts';
import {
  changesTo,
  evolvedBy,
  fieldsChanged,
  flagSet,
  referenceMoved,
} from '../../../src/service/domain/field-events.ts';
import { reference } from '../../../src/service/domain/examples.ts';
import { described, enabled, milliseconds, text } from '../../../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../../../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../../../src/service/kernel/event-types.ts';

/** A stop at the pits: the resource that docs/adding-a-resource.md adds. */
export const PitStop = z.object({
  eventId: reference('event', 'The event that it was made in.'),
  duration: described(milliseconds, 'How long it took, in ms.', 42_500),
  tyres: described(z.enum(['SOFT', 'HARD', 'WET']), 'The new tyres.', 'WET'),
  note: described(text(0, 120).nullable(), 'What else there is to say; null: nothing.', 'New brake pads'),
  enabled,
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

const { note } = PitStop.shape;
export const recordPitStop = bodyCommand(pitStopDecider, 'RecordPitStop', {
  body: PitStop.extend({ note: note.default(null), enabled: enabled.default(true) }),
  references: pitStopReferences,
});
export const changePitStop = bodyCommand(pitStopDecider, 'ChangePitStop', {
  body: PitStop.partial(),
  references: pitStopReferences,
});
