import { create, idsOf, type CreatedResource, type Venue } from './api.ts';
import type { Catalogue, IdLookup } from './catalogue.ts';
import { RACING_EVENTS } from './data/events.ts';
import { SIGNUP_FIELDS } from './data/signup-fields.ts';
import type { RacingEventData, SignupFieldData } from './types.ts';

/** Creates the racing events and their sign-up fields. Returns a look-up of the events by slug. */
export async function createEvents(venue: Venue, catalogue: Catalogue, rig: IdLookup): Promise<IdLookup> {
  const { send, token } = venue;
  const created = await venue.phase<RacingEventData, CreatedResource>('Events', RACING_EVENTS, (racingEvent) => {
    const { simulator, cars, layouts, rigs, sponsors, ...rest } = racingEvent;
    const body = {
      ...rest,
      simulatorId: catalogue.simulator(simulator),
      carIds: cars.map(catalogue.car),
      trackLayoutIds: layouts.map(catalogue.layout),
      rigIds: rigs.map(rig),
      brandIds: sponsors.map(catalogue.sponsor),
    };
    return create(send, { path: '/api/v1/events', token, kind: 'event', name: racingEvent.slug, body });
  });
  const eventId = idsOf(created);
  await venue.phase<SignupFieldData, CreatedResource>('Sign-up fields', SIGNUP_FIELDS, ({ event, ...rest }) => {
    const name = `${event}-${rest.fieldKey}`;
    const body = { ...rest, eventId: eventId(event) };
    return create(send, { path: '/api/v1/signup-fields', token, kind: 'field', name, body });
  });
  return eventId;
}
