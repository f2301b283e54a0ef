import { RacingEvent } from '../commands/racing-events.ts';
import { racingEventNames, racingEvents } from '../projections/racing-events.ts';
import { among, during, equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const racingEventQuery = query(racingEvents, {
  view: resourceView(
    'Event',
    'A racing event: when, on what, and with which cars, track layouts and rigs.',
    withNames(RacingEvent.shape, racingEventNames),
  ),
  defaultSort: 'startsAt',
  hidesDisabled: true,
  filters: {
    simulatorId: equal('simulatorId'),
    rigId: among('rigIds'),
    mode: equal('mode'),
    at: during('startsAt', '_until'),
  },
});
