import { eventQueueDecider } from '../../../commands/event-queues.ts';
import { part } from './resource.ts';

/** Who waits for a seat in an event, by its endpoint `/queue`. */
export const eventQueuePart = part({
  decider: eventQueueDecider,
  access: { owner: { kind: 'parent', field: 'eventId', category: 'event' } },
});
