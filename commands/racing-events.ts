import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { instant, jsonObjectOrNull, name, slug, text, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIf, eventIfChanged, changedReference } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejections.ts';

/** Kinds of racing (SPEC.md "Event"). */
export const EVENT_MODES = ['HOTLAP', 'PRACTICE', 'AI_RACE', 'MULTIPLAYER_RACE'] as const;

const racingEvent = {
  name: name(2, 120),
  slug: slug(2, 25),
  description: text(0, 255),
  mode: z.enum(EVENT_MODES).nullable(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  simulatorId: uuid,
  carIds: z.array(uuid).min(1),
  trackLayoutIds: z.array(uuid).min(1),
  rigIds: z.array(uuid).min(1),
  brandIds: z.array(uuid),
  i18nJson: jsonObjectOrNull,
  settingsJson: jsonObjectOrNull,
  enabled: z.boolean(),
};

const ScheduleRacingEventBody = z
  .object({
    ...racingEvent,
    mode: racingEvent.mode.default(null),
    startsAt: racingEvent.startsAt.default(null),
    endsAt: racingEvent.endsAt.default(null),
    i18nJson: racingEvent.i18nJson.default(null),
    settingsJson: racingEvent.settingsJson.default(null),
    enabled: racingEvent.enabled.default(false),
  })
  .meta({ id: 'ScheduleRacingEvent' });
const ChangeRacingEventBody = z.object(racingEvent).partial().meta({ id: 'ChangeRacingEvent' });

const racingEventReferences = references({
  simulatorId: 'simulator',
  carIds: 'car',
  trackLayoutIds: 'trackLayout',
  rigIds: 'rig',
  brandIds: 'brand',
});

/** `EventScheduled` also covers an event without times: it is on the programme from then on. */
export const racingEventEvents = {
  EventScheduled: eventType(z.object(racingEvent)),
  EventRenamed: eventType(z.object({ name: racingEvent.name })),
  EventSlugChanged: eventType(z.object({ slug: racingEvent.slug })),
  EventDescribed: eventType(z.object({ description: racingEvent.description })),
  EventModeChanged: eventType(z.object({ mode: racingEvent.mode })),
  EventRescheduled: eventType(z.object({ startsAt: racingEvent.startsAt, endsAt: racingEvent.endsAt })),
  EventMovedToSimulator: eventType(z.object({ from: uuid, to: uuid })),
  EventCarsChanged: eventType(z.object({ carIds: racingEvent.carIds })),
  EventTrackLayoutsChanged: eventType(z.object({ trackLayoutIds: racingEvent.trackLayoutIds })),
  EventRigsChanged: eventType(z.object({ rigIds: racingEvent.rigIds })),
  EventBrandsChanged: eventType(z.object({ brandIds: racingEvent.brandIds })),
  EventLocalized: eventType(z.object({ i18nJson: racingEvent.i18nJson })),
  EventConfigured: eventType(z.object({ settingsJson: racingEvent.settingsJson })),
  EventEnabled: eventType(z.object({})),
  EventDisabled: eventType(z.object({})),
};

type RacingEvent = z.output<typeof ScheduleRacingEventBody>;
type RacingEventChange = z.output<typeof ChangeRacingEventBody>;

export type RacingEventCommand =
  | { readonly type: 'ScheduleRacingEvent'; readonly data: RacingEvent }
  | { readonly type: 'ChangeRacingEvent'; readonly data: RacingEventChange };

export const racingEventDecider = decider<RacingEvent | null, RacingEventCommand, typeof racingEventEvents>({
  category: 'event',
  initial: null,
  events: racingEventEvents,
  evolve: {
    EventScheduled: (_, data) => data,
    EventRenamed: mergeFields,
    EventSlugChanged: mergeFields,
    EventDescribed: mergeFields,
    EventModeChanged: mergeFields,
    EventRescheduled: mergeFields,
    EventMovedToSimulator: evolveExisting((event, { to }) => ({ ...event, simulatorId: to })),
    EventCarsChanged: mergeFields,
    EventTrackLayoutsChanged: mergeFields,
    EventRigsChanged: mergeFields,
    EventBrandsChanged: mergeFields,
    EventLocalized: mergeFields,
    EventConfigured: mergeFields,
    EventEnabled: evolveExisting((event) => ({ ...event, enabled: true })),
    EventDisabled: evolveExisting((event) => ({ ...event, enabled: false })),
  },
  decide: {
    ScheduleRacingEvent: whenAbsent((data) => endsTooEarly(data) ?? [{ type: 'EventScheduled', data }]),
    ChangeRacingEvent: whenPresent((event, change) => {
      const times = changedFields(event, change, 'startsAt', 'endsAt');
      return (
        (times && endsTooEarly(times)) ?? [
          ...eventIfChanged('EventRescheduled', times),
          ...eventIfChanged('EventMovedToSimulator', changedReference(event, change, 'simulatorId')),
          ...described(event, change),
          ...entriesChanged(event, change),
          ...eventIf(change.enabled === true && !event.enabled, 'EventEnabled'),
          ...eventIf(change.enabled === false && event.enabled, 'EventDisabled'),
        ]
      );
    }),
  },
});

/** Instants are kept in one form, so that their order as texts is their order in time. */
function endsTooEarly({ startsAt, endsAt }: Pick<RacingEvent, 'startsAt' | 'endsAt'>): Rejection | null {
  if (startsAt === null || endsAt === null || startsAt <= endsAt) return null;
  return reject('INVALID', 'endsAt must not be before startsAt.', '/endsAt');
}

function described(event: RacingEvent, change: RacingEventChange) {
  return [
    ...eventIfChanged('EventRenamed', changedFields(event, change, 'name')),
    ...eventIfChanged('EventSlugChanged', changedFields(event, change, 'slug')),
    ...eventIfChanged('EventDescribed', changedFields(event, change, 'description')),
    ...eventIfChanged('EventModeChanged', changedFields(event, change, 'mode')),
    ...eventIfChanged('EventLocalized', changedFields(event, change, 'i18nJson')),
    ...eventIfChanged('EventConfigured', changedFields(event, change, 'settingsJson')),
  ];
}

function entriesChanged(event: RacingEvent, change: RacingEventChange) {
  return [
    ...eventIfChanged('EventCarsChanged', changedFields(event, change, 'carIds')),
    ...eventIfChanged('EventTrackLayoutsChanged', changedFields(event, change, 'trackLayoutIds')),
    ...eventIfChanged('EventRigsChanged', changedFields(event, change, 'rigIds')),
    ...eventIfChanged('EventBrandsChanged', changedFields(event, change, 'brandIds')),
  ];
}

export const scheduleRacingEvent = bodyCommand({
  decider: racingEventDecider,
  body: ScheduleRacingEventBody,
  references: racingEventReferences,
  command: (data): RacingEventCommand => ({ type: 'ScheduleRacingEvent', data }),
});

export const changeRacingEvent = bodyCommand({
  decider: racingEventDecider,
  body: ChangeRacingEventBody,
  references: racingEventReferences,
  command: (data): RacingEventCommand => ({ type: 'ChangeRacingEvent', data }),
});
