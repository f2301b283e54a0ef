import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem, pointersOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: bounds of requests and answers', () => {
  const api = useVenue();

  it('an answer about 1,000 unknown ids names only the first ones', async () => {
    const carIds = Array.from({ length: 1_000 }, () => randomUUID());
    const refused = await api.admin.patch(`/api/v1/events/${api.venue.eventId}`, { carIds });
    expectProblem(refused, 422, '#/carIds/0');
    expect(pointersOf(refused)).to.have.lengthOf(50);
  });

  it('a request whose event would exceed 1 MiB gets a 413, and nothing is recorded', async () => {
    const path = `/api/v1/events/${api.venue.eventId}`;
    const before = await api.anyone.get(path);
    // The body is within its limit, but each number is sent as five characters and written as 21.
    const body = `{"settingsJson":{"list":[${Array.from({ length: 60_000 }, () => '1e20').join(',')}]}}`;
    const headers = { 'Content-Type': 'application/json' };
    expectProblem(await api.admin.send('PATCH', path, { headers, body }), 413);
    expect((await api.anyone.get(path)).text).to.equal(before.text);
  });
});
