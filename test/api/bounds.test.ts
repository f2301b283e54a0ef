import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem, pointersOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: bounds of what is sent', () => {
  const api = useVenue();

  it('of 1,000 unknown ids the first ones are named', async () => {
    const carIds = Array.from({ length: 1_000 }, () => randomUUID());
    const refused = await api.admin.patch(`/api/v1/events/${api.venue.eventId}`, { carIds });
    expectProblem(refused, 422, '#/carIds/0');
    expect(pointersOf(refused)).to.have.lengthOf(50);
  });

  it('what makes an event of more than 1 MiB is a 413, and nothing is recorded', async () => {
    const path = `/api/v1/events/${api.venue.eventId}`;
    const before = await api.anyone.get(path);
    // Within the limit of a body: each of the numbers is sent as five characters and written as 21.
    const body = `{"settingsJson":{"list":[${Array.from({ length: 60_000 }, () => '1e20').join(',')}]}}`;
    const headers = { 'Content-Type': 'application/json' };
    expectProblem(await api.admin.send('PATCH', path, { headers, body }), 413);
    expect((await api.anyone.get(path)).text).to.equal(before.text);
  });
});
