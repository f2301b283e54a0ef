import { z } from 'zod';
import { commandsFrom, type CommandsOf } from '../src/domain/body-command.ts';
import {
  evolvedBy,
  fieldsChanged,
  flagSet,
  momentCleared,
  momentReached,
  referenceMoved,
} from '../src/domain/field-events.ts';
import { component } from '../src/domain/component.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { reference, references } from '../src/domain/references.ts';
import { AnyObject, bodyOf, Flag, Id, Integer, listOf, Moment, Text } from '../src/domain/facts.ts';
import { described, enabled, instant, jsonObjectOrNull, minLapTime, name, slug, text } from '../src/domain/fields.ts';
import { intentsIn, recording } from '../src/domain/intents.ts';
import { decider, whenAbsent } from '../src/kernel/aggregate/decider.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const EventScheduled = z.object({
  name: Text,
  slug: Text,
  description: Text,
  mode: Text.nullable(),
  enabled: Flag,
  startsAt: Moment.nullable(),
  endsAt: Moment.nullable(),
  simulatorId: Id,
  carIds: listOf(Id),
  trackLayoutIds: listOf(Id),
  rigIds: listOf(Id),
  brandIds: listOf(Id),
  i18nJson: AnyObject.nullable(),
  settingsJson: AnyObject.nullable(),
  minLapTime: Integer.nullable().optional(),
});
export type RacingEvent = z.output<typeof EventScheduled>;

/** An event as it is now. */
export type RacingEventState = RacingEvent & {
  /** The moment up to which laps count, ISO 8601; null: it has not been finished. */
  readonly finishedAt: string | null;
};

export const RacingEvent = bodyOf(EventScheduled, {
  name: described(name(2, 120), 'Name of the event.', EXAMPLES.event.name),
  slug: described(slug(2, 25), 'Short name for URLs.', 'spa-hotlap-friday'),
  description: described(text(0, 255), 'What it is about.', 'The fastest lap of the evening wins.'),
  mode: described(
    z
      .enum(['HOTLAP', 'PRACTICE', 'AI_RACE', 'MULTIPLAYER_RACE'])
      .meta(component('EventMode', 'What is driven in an event.'))
      .nullable(),
    'What is driven; null: not specified.',
    'HOTLAP',
  ),
  startsAt: described(instant.nullable(), 'When it begins; null: not specified.', '2026-05-01T18:00:00.000Z'),
  endsAt: described(instant.nullable(), 'When it ends, not before `startsAt`; null: open.', '2026-05-01T22:00:00.000Z'),
  simulatorId: reference('simulator', 'The simulator that is used.'),
  carIds: references('car', 'Cars to choose from.', { least: 1 }),
  trackLayoutIds: references('trackLayout', 'Track layouts to choose from, the usual one first.', { least: 1 }),
  rigIds: references('rig', 'Rigs that are used.', { least: 1 }),
  brandIds: references('brand', 'Its sponsors.'),
  i18nJson: described(jsonObjectOrNull, 'Its texts in other languages, by locale; stored as sent.', {
    de: { name: 'Spa-Abend' },
  }),
  settingsJson: described(jsonObjectOrNull, 'Settings of the venue; stored as sent.', { weather: 'dry', attempts: 20 }),
  minLapTime: minLapTime('Shortest time of a lap that counts, in ms; null: as the layout says.', null),
  enabled,
});

const changes = {
  EventRescheduled: fieldsChanged(EventScheduled, 'startsAt', 'endsAt'),
  EventMovedToSimulator: referenceMoved('simulatorId'),
  EventRenamed: fieldsChanged(EventScheduled, 'name'),
  EventSlugChanged: fieldsChanged(EventScheduled, 'slug'),
  EventDescribed: fieldsChanged(EventScheduled, 'description'),
  EventModeChanged: fieldsChanged(EventScheduled, 'mode'),
  EventLocalized: fieldsChanged(EventScheduled, 'i18nJson'),
  EventConfigured: fieldsChanged(EventScheduled, 'settingsJson'),
  EventMinLapTimeChanged: fieldsChanged(EventScheduled, 'minLapTime'),
  EventCarsChanged: fieldsChanged(EventScheduled, 'carIds'),
  EventTrackLayoutsChanged: fieldsChanged(EventScheduled, 'trackLayoutIds'),
  EventRigsChanged: fieldsChanged(EventScheduled, 'rigIds'),
  EventBrandsChanged: fieldsChanged(EventScheduled, 'brandIds'),
  EventEnabled: flagSet('enabled', true),
  EventDisabled: flagSet('enabled', false),
  EventFinished: momentReached('finishedAt'),
  EventReopened: momentCleared('finishedAt'),
};
/** `EventScheduled` also covers an event without times: it is on the programme from then on. */
export const racingEventEvents = { EventScheduled: eventType(EventScheduled), ...changes };

const decide = {
  ScheduleRacingEvent: whenAbsent(
    (data: RacingEvent) => endsTooEarly(data) ?? [{ type: 'EventScheduled', data } as const],
  ),
  RescheduleEvent: recording(changes, 'EventRescheduled', endsTooEarly),
  MoveEventToSimulator: recording(changes, 'EventMovedToSimulator'),
  RenameEvent: recording(changes, 'EventRenamed'),
  ChangeEventSlug: recording(changes, 'EventSlugChanged'),
  DescribeEvent: recording(changes, 'EventDescribed'),
  ChangeEventMode: recording(changes, 'EventModeChanged'),
  LocalizeEvent: recording(changes, 'EventLocalized'),
  ConfigureEvent: recording(changes, 'EventConfigured'),
  ChangeEventMinLapTime: recording(changes, 'EventMinLapTimeChanged'),
  ChangeEventCars: recording(changes, 'EventCarsChanged'),
  ChangeEventTrackLayouts: recording(changes, 'EventTrackLayoutsChanged'),
  ChangeEventRigs: recording(changes, 'EventRigsChanged'),
  ChangeEventBrands: recording(changes, 'EventBrandsChanged'),
  EnableEvent: recording(changes, 'EventEnabled'),
  DisableEvent: recording(changes, 'EventDisabled'),
  FinishEvent: recording(changes, 'EventFinished'),
  ReopenEvent: recording(changes, 'EventReopened'),
};

export const racingEventDecider = decider<RacingEventState, CommandsOf<typeof decide>, typeof racingEventEvents>({
  category: 'event',
  events: racingEventEvents,
  evolve: { EventScheduled: (_, data) => ({ ...data, finishedAt: null }), ...evolvedBy(changes) },
  decide,
});

/** Rejects an end before the start. Instants are stored in one form, so their order as texts is their order in time. */
function endsTooEarly({ startsAt, endsAt }: Pick<RacingEvent, 'startsAt' | 'endsAt'>): Rejection | null {
  if (startsAt === null || endsAt === null || startsAt <= endsAt) return null;
  return reject('INVALID', 'endsAt must not be before startsAt.', '/endsAt');
}

const { mode, startsAt, endsAt, i18nJson, settingsJson, minLapTime: minimum } = RacingEvent.shape;
export const scheduleRacingEvent = commandsFrom('ScheduleRacingEvent', {
  body: RacingEvent.extend({
    mode: mode.default(null),
    startsAt: startsAt.default(null),
    endsAt: endsAt.default(null),
    i18nJson: i18nJson.default(null),
    settingsJson: settingsJson.default(null),
    minLapTime: minimum.default(null),
    enabled: enabled.default(false),
  }),
  commands: (data) => [{ type: 'ScheduleRacingEvent', data } as const],
});

/** The moment at which an event was finished. */
export const finishedAt = described(
  instant.nullable(),
  'When it was finished: laps driven later count on none of its boards; null: it has not been finished. From 2000 on, ' +
    'at most 5 minutes ahead of the server.',
  '2026-05-01T21:48:30.000Z',
);

export const changeRacingEvent = commandsFrom('ChangeRacingEvent', {
  body: RacingEvent.partial().extend({ finishedAt: finishedAt.optional() }),
  ...intentsIn(decide),
  pastMoments: ['finishedAt'],
});
