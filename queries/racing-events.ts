import { z } from 'zod';
import { EVENT_MODES } from '../commands/racing-events.ts';
import { racingEvents } from '../projections/racing-events.ts';
import { instant, jsonObjectOrNull, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const RacingEventView = z
  .object({
    id: uuid,
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    mode: z.enum(EVENT_MODES).nullable(),
    startsAt: instant.nullable(),
    endsAt: instant.nullable(),
    simulatorId: uuid,
    simulatorDisplayName: z.string(),
    carIds: z.array(uuid),
    trackLayoutIds: z.array(uuid),
    rigIds: z.array(uuid),
    brandIds: z.array(uuid),
    i18nJson: jsonObjectOrNull,
    settingsJson: jsonObjectOrNull,
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Event' });

export const racingEventQuery = query(racingEvents, {
  view: RacingEventView,
  defaultSort: 'startsAt',
  hidesDisabled: true,
});
