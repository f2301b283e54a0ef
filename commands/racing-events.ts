import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../src/domain/field-events.ts';
import { instant, jsonObjectOrNull, list, name, slug, text, uuid } from '../src/domain/fields.ts';
import { decider, whenAbsent, whenPresent, reject, type Rejection } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

/** A racing event. */
export const RacingEvent = z.object({
  name: name(2, 120),
  slug: slug(2, 25),
  description: text(0, 255),
  mode: z.enum(['HOTLAP', 'PRACTICE', 'AI_RACE', 'MULTIPLAYER_RACE']).nullable(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  simulatorId: uuid,
  carIds: list(uuid, { least: 1 }),
  trackLayoutIds: list(uuid, { least: 1 }),
  rigIds: list(uuid, { least: 1 }),
  brandIds: list(uuid),
  i18nJson: jsonObjectOrNull,
  settingsJson: jsonObjectOrNull,
  enabled: z.boolean(),
});
export type RacingEvent = z.output<typeof RacingEvent>;

const racingEventReferences = {
  simulatorId: 'simulator',
  carIds: 'car',
  trackLayoutIds: 'trackLayout',
  rigIds: 'rig',
  brandIds: 'brand',
} as const;

const changes = {
  EventRescheduled: fieldsChanged(RacingEvent.pick({ startsAt: true, endsAt: true })),
  EventMovedToSimulator: referenceMoved('simulatorId'),
  EventRenamed: fieldsChanged(RacingEvent.pick({ name: true })),
  EventSlugChanged: fieldsChanged(RacingEvent.pick({ slug: true })),
  EventDescribed: fieldsChanged(RacingEvent.pick({ description: true })),
  EventModeChanged: fieldsChanged(RacingEvent.pick({ mode: true })),
  EventLocalized: fieldsChanged(RacingEvent.pick({ i18nJson: true })),
  EventConfigured: fieldsChanged(RacingEvent.pick({ settingsJson: true })),
  EventCarsChanged: fieldsChanged(RacingEvent.pick({ carIds: true })),
  EventTrackLayoutsChanged: fieldsChanged(RacingEvent.pick({ trackLayoutIds: true })),
  EventRigsChanged: fieldsChanged(RacingEvent.pick({ rigIds: true })),
  EventBrandsChanged: fieldsChanged(RacingEvent.pick({ brandIds: true })),
  EventEnabled: flagSet('enabled', true),
  EventDisabled: flagSet('enabled', false),
};
/** `EventScheduled` also covers an event without times: it is on the programme from then on. */
export const racingEventEvents = { EventScheduled: eventType(RacingEvent), ...changes };

export type RacingEventCommand = CommandOf<{
  ScheduleRacingEvent: RacingEvent;
  ChangeRacingEvent: PartialUpdate<RacingEvent>;
}>;

export const racingEventDecider = decider<RacingEvent | null, RacingEventCommand, typeof racingEventEvents>({
  category: 'event',
  initial: null,
  events: racingEventEvents,
  evolve: { EventScheduled: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    ScheduleRacingEvent: whenAbsent((data) => endsTooEarly(data) ?? [{ type: 'EventScheduled', data }]),
    ChangeRacingEvent: whenPresent((event, change) => {
      const times = changes.EventRescheduled.dataFor(event, change);
      return (times && endsTooEarly(times)) ?? changesTo(changes, event, change);
    }),
  },
});

/** Instants are kept in one form, so that their order as texts is their order in time. */
function endsTooEarly({ startsAt, endsAt }: Pick<RacingEvent, 'startsAt' | 'endsAt'>): Rejection | null {
  if (startsAt === null || endsAt === null || startsAt <= endsAt) return null;
  return reject('INVALID', 'endsAt must not be before startsAt.', '/endsAt');
}

const { mode, startsAt, endsAt, i18nJson, settingsJson, enabled } = RacingEvent.shape;
export const scheduleRacingEvent = bodyCommand(racingEventDecider, 'ScheduleRacingEvent', {
  body: RacingEvent.extend({
    mode: mode.default(null),
    startsAt: startsAt.default(null),
    endsAt: endsAt.default(null),
    i18nJson: i18nJson.default(null),
    settingsJson: settingsJson.default(null),
    enabled: enabled.default(false),
  }),
  references: racingEventReferences,
});
export const changeRacingEvent = bodyCommand(racingEventDecider, 'ChangeRacingEvent', {
  body: RacingEvent.partial(),
  references: racingEventReferences,
});
