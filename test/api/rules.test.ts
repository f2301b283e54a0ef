import { expect } from 'chai';
import { expectProblem, expectStatus } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: rules of single resources', () => {
  const api = useVenue();

  it('a lap was driven from 2000 on, at most 5 minutes ahead, and who says otherwise is told to set the clock', async () => {
    const body = bodies.lap(api.venue);
    const ahead = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
    const headers = { 'Idempotency-Key': 'driven-at' };
    for (const [drivenAt, reason] of [
      ['1999-12-31T23:59:59.999Z', 'before 2000'],
      ['1999-12-31T23:00:00-00:30', 'before 2000'],
      [ahead(6), 'ahead of the server'],
    ] as const) {
      const wrong = { ...body, drivenAt };
      const alone = await api.venue.rig.post('/api/v1/laps', wrong, headers);
      expectProblem(alone, 400, '#/drivenAt');
      expect(alone.text).to.include(reason).and.include('set the clock by the `Date` header');
    }
    // The refused requests have not consumed the key.
    const millennium = { drivenAt: '2000-01-01T00:00:00.000Z' };
    const first = expectStatus(await api.venue.rig.post('/api/v1/laps', { ...body, ...millennium }, headers), 201);
    expect(first.body).to.include(millennium);
    const soon = { drivenAt: ahead(4) };
    expect(await api.venue.rig.create('/api/v1/laps', { ...body, ...soon })).to.include(soon);
  });
});
