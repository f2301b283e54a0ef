import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: rules of single resources', () => {
  const api = useVenue();

  it('a lap was driven from 2000 on, and who says otherwise is told to set the clock', async () => {
    const body = bodies.lap(api.venue);
    const millennium = '2000-01-01T00:00:00.000Z';
    const { id, drivenAt } = await api.venue.rig.create('/api/v1/laps', { ...body, drivenAt: millennium });
    expect(drivenAt).to.equal(millennium);
    for (const moment of ['1999-12-31T23:59:59.999Z', '1970-01-01T00:01:00.000Z', '1999-12-31T23:00:00-00:30']) {
      const wrong = { ...body, drivenAt: moment };
      const alone = await api.venue.rig.post('/api/v1/laps', wrong);
      expectProblem(alone, 400, '#/drivenAt');
      expect(alone.text).to.include('before 2000').and.include('set the clock by the `Date` header');
      expectProblem(
        await api.admin.patch(`/api/v1/laps/${textOf({ id }, 'id')}`, { drivenAt: moment }),
        400,
        '#/drivenAt',
      );
      const batch = expectStatus(await api.venue.rig.post('/api/v1/laps/batch', { laps: [wrong] }), 200);
      expect(batch.body).to.deep.equal({ results: [{ verdict: 'rejected', problem: alone.body }] });
    }
  });

  it('a lap was driven at most 5 minutes ahead of the server', async () => {
    const body = bodies.lap(api.venue);
    const ahead = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
    const path = `/api/v1/laps/${idOf(await api.admin.create('/api/v1/laps', { ...body, drivenAt: ahead(4) }))}`;
    const before = await api.admin.read(path);
    const headers = { 'Idempotency-Key': 'driven-ahead' };
    const refused = await api.venue.rig.post('/api/v1/laps', { ...body, drivenAt: ahead(6) }, headers);
    expectProblem(refused, 400, '#/drivenAt');
    expect(refused.text).to.include('ahead of the server').and.include('set the clock by the `Date` header');
    expectProblem(await api.admin.patch(path, { drivenAt: ahead(6), valid: false }), 400, '#/drivenAt');
    expect(await api.admin.read(path)).to.deep.equal(before);
    // The refused request has not consumed the key.
    const drivenAt = ahead(4);
    const lap = expectStatus(await api.venue.rig.post('/api/v1/laps', { ...body, drivenAt }, headers), 201);
    expect(lap.body).to.include({ drivenAt });
  });

  it('a lap without a time counts as driven when it was recorded, also for a retry', async () => {
    const headers = { 'Idempotency-Key': 'driven-live' };
    const body = bodies.lap(api.venue);
    const first = expectStatus(await api.venue.rig.post('/api/v1/laps', body, headers), 201);
    expect(first.body.drivenAt).to.equal(first.body.createdAt);
    const again = expectStatus(await api.venue.rig.post('/api/v1/laps', body, headers), 201);
    expect(again.header('idempotency-replayed')).to.equal('true');
    expect(again.text).to.equal(first.text);
    const said = { ...body, drivenAt: textOf(first.body, 'createdAt') };
    expectProblem(await api.venue.rig.post('/api/v1/laps', said, headers), 422);
  });
});
