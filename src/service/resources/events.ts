import { changeRacingEvent, racingEventDecider, scheduleRacingEvent } from '../../../commands/racing-events.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { resource } from './resource.ts';

export const racingEventResource = resource({
  path: '/api/v1/events',
  decider: racingEventDecider,
  query: racingEventQuery,
  create: scheduleRacingEvent,
  change: changeRacingEvent,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: true,
  export: { name: 'events' },
});
