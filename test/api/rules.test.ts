import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const EVENTS = '/api/v1/events';

describe('API: rules of single resources', () => {
  const api = useVenue();

  it('an event does not end before it starts, whichever of the two a PATCH moves', async () => {
    const [early, late] = ['2026-05-01T10:00:00.000Z', '2026-05-01T22:00:00.000Z'];
    expectProblem(
      await api.admin.post(EVENTS, { ...bodies.event(api.venue), startsAt: late, endsAt: early }),
      400,
      '#/endsAt',
    );
    // The same moment in another time zone, and times whose order differs from that of their texts.
    const zones = { startsAt: '2026-05-01T23:00:00+02:00', endsAt: '2026-05-01T22:00:00Z' };
    const event = await api.admin.create(EVENTS, { ...bodies.event(api.venue), ...zones });
    expect(event).to.include({ startsAt: '2026-05-01T21:00:00.000Z', endsAt: late });
    const path = `${EVENTS}/${idOf(event)}`;
    expectProblem(await api.admin.patch(path, { endsAt: early }), 400, '#/endsAt');
    expectProblem(await api.admin.patch(path, { startsAt: '2027-01-01T00:00:00Z' }), 400);
    expect(await api.admin.read(path)).to.deep.equal(event);
    expect(await api.admin.change(path, { startsAt: early, endsAt: early })).to.include({
      startsAt: early,
      endsAt: early,
    });
    expect(await api.admin.change(path, { startsAt: null })).to.include({ startsAt: null, endsAt: early });
    expect(await api.admin.change(path, { endsAt: null })).to.include({ endsAt: null });
  });

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

  it('array fields of a PATCH replace the whole array', async () => {
    const { lapId, trackId, trackLayoutId } = api.venue;
    expect((await api.admin.change(`/api/v1/laps/${lapId}`, { sectors: [1] })).sectors).to.deep.equal([1]);
    const layout = await api.admin.change(`/api/v1/track-layouts/${trackLayoutId}`, {
      cornerNames: ['-'],
      trackImages: [],
    });
    expect(layout).to.deep.include({ cornerNames: ['-'], trackImages: [] });
    expect(
      (await api.admin.change(`/api/v1/tracks/${trackId}`, { alternativeNames: ['b', 'a'] })).alternativeNames,
    ).to.deep.equal(['b', 'a']);
  });

  it('JSON objects of a PATCH replace the whole object', async () => {
    const path = `${EVENTS}/${api.venue.eventId}`;
    await api.admin.change(path, { settingsJson: { a: 1, b: { c: 2 } } });
    expect((await api.admin.change(path, { settingsJson: { b: {} } })).settingsJson).to.deep.equal({ b: {} });
    expect((await api.admin.change(path, { settingsJson: null })).settingsJson).to.equal(null);
  });

  it('signup field keys are unique within their event, on POST and PATCH alike', async () => {
    const fields = '/api/v1/signup-fields';
    const event = await api.admin.create(EVENTS, bodies.event(api.venue));
    const body = bodies.signupField(api.venue.eventId);
    const one = await api.admin.create(fields, body);
    const other = await api.admin.create(fields, bodies.signupField(api.venue.eventId));
    const elsewhere = await api.admin.create(fields, { ...body, eventId: idOf(event) });
    expectProblem(await api.admin.post(fields, body), 409, '#/fieldKey');
    expectProblem(
      await api.admin.patch(`${fields}/${idOf(other)}`, { fieldKey: body.fieldKey, label: 'x' }),
      409,
      '#/fieldKey',
    );
    expectProblem(
      await api.admin.patch(`${fields}/${idOf(elsewhere)}`, { eventId: api.venue.eventId }),
      409,
      '#/fieldKey',
    );
    expect(await api.admin.read(`${fields}/${idOf(elsewhere)}`)).to.deep.equal(elsewhere);
    await api.admin.change(`${fields}/${idOf(one)}`, { fieldKey: `${textOf(body, 'fieldKey')}-moved` });
    const moved = await api.admin.change(`${fields}/${idOf(elsewhere)}`, { eventId: api.venue.eventId });
    expect(moved).to.include({ eventId: api.venue.eventId, fieldKey: body.fieldKey });
  });

  it('track slugs are unique, case-sensitive, and free again once given up', async () => {
    const tracks = '/api/v1/tracks';
    const body = { ...bodies.track(), slug: 'monza' };
    const one = await api.admin.create(tracks, body);
    expectProblem(await api.admin.post(tracks, body), 409, '#/slug');
    await api.admin.create(tracks, { ...body, slug: 'Monza' });
    const other = await api.admin.create(tracks, bodies.track());
    expectProblem(await api.admin.patch(`${tracks}/${idOf(other)}`, { slug: 'monza' }), 409, '#/slug');
    await api.admin.change(`${tracks}/${idOf(one)}`, { slug: 'monza-old', enabled: false });
    expect((await api.admin.change(`${tracks}/${idOf(other)}`, { slug: 'monza' })).slug).to.equal('monza');
    expectProblem(await api.admin.patch(`${tracks}/${idOf(one)}`, { slug: 'monza' }), 409);
  });

  it('slugs of other resources need not be unique', async () => {
    const { trackId, carBrandId } = api.venue;
    const layout = { ...bodies.trackLayout(trackId), slug: 'gp' };
    await api.admin.create('/api/v1/track-layouts', layout);
    await api.admin.create('/api/v1/track-layouts', layout);
    const { slug } = await api.anyone.read(`/api/v1/car-brands/${carBrandId}`);
    await api.admin.create('/api/v1/car-brands', { ...bodies.carBrand(), slug: slug ?? '' });
  });

  it('createdAt stays, updatedAt moves with each change, both ISO 8601 in UTC', async () => {
    const created = await api.admin.create('/api/v1/brands', bodies.brand());
    expect(created.updatedAt).to.equal(created.createdAt);
    expect(created.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const changed = await api.admin.change(`/api/v1/brands/${idOf(created)}`, { name: 'Changed' });
    expect(changed.createdAt).to.equal(created.createdAt);
    expect(textOf(changed, 'updatedAt') >= textOf(created, 'updatedAt')).to.equal(true);
  });

  it('a lap corrects its times, its validity and its car', async () => {
    const lap = await api.venue.rig.create('/api/v1/laps', bodies.lap(api.venue));
    const path = `/api/v1/laps/${idOf(lap)}`;
    const car = await api.admin.create('/api/v1/cars', bodies.car(api.venue.carBrandId, api.venue.carClassId));
    const changed = await api.venue.rig.change(path, { valid: false, totalTime: 0, sectors: [], carId: idOf(car) });
    expect(changed).to.deep.include({ valid: false, totalTime: 0, sectors: [], car: idOf(car) });
    expect(changed).not.to.have.property('carId');
    expect((await api.venue.rig.change(path, { valid: true })).valid).to.equal(true);
    expectStatus(await api.venue.rig.patch(path, { car: api.venue.carId }), 200);
    expect((await api.venue.rig.read(path)).car, '`car` is the response name only').to.equal(idOf(car));
  });
});
