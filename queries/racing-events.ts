import { RacingEvent } from '../commands/racing-events.ts';
import { racingEventNames, racingEvents } from '../projections/racing-events.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const racingEventQuery = query(racingEvents, {
  view: resourceView('Event', withNames(RacingEvent.shape, racingEventNames)),
  defaultSort: 'startsAt',
  hidesDisabled: true,
});
