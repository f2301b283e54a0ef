import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem, idOf, pointersOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const numbers = (count: number, value = 1): readonly number[] => Array.from({ length: count }, () => value);

describe('API: bounds of what is sent', () => {
  const api = useVenue();

  it('a lap has 64 sectors at most, on POST and PATCH', async () => {
    const body = bodies.lap(api.venue);
    const lap = await api.admin.create('/api/v1/laps', { ...body, sectors: numbers(64) });
    expectProblem(await api.admin.post('/api/v1/laps', { ...body, sectors: numbers(65) }), 400, '#/sectors');
    expectProblem(await api.admin.patch(`/api/v1/laps/${idOf(lap)}`, { sectors: numbers(65) }), 400, '#/sectors');
  });

  it('lists have 1,000 items at most', async () => {
    const { venue } = api;
    const ids = Array.from({ length: 1_001 }, () => venue.carId);
    for (const field of ['carIds', 'trackLayoutIds', 'rigIds', 'brandIds']) {
      const path = `/api/v1/events/${venue.eventId}`;
      expectProblem(await api.admin.patch(path, { [field]: ids }), 400, `#/${field}`);
    }
    const texts = numbers(1_001).map(String);
    const [track, layout] = [`/api/v1/tracks/${venue.trackId}`, `/api/v1/track-layouts/${venue.trackLayoutId}`];
    expectProblem(await api.admin.patch(track, { alternativeNames: texts }), 400, '#/alternativeNames');
    for (const field of ['cornerNames', 'trackImages']) {
      expectProblem(await api.admin.patch(layout, { [field]: texts }), 400, `#/${field}`);
      await api.admin.change(layout, { [field]: texts.slice(1) });
    }
  });

  it('of 1,000 unknown ids the first ones are named', async () => {
    const carIds = Array.from({ length: 1_000 }, () => randomUUID());
    const refused = await api.admin.patch(`/api/v1/events/${api.venue.eventId}`, { carIds });
    expectProblem(refused, 422, '#/carIds/0');
    expect(pointersOf(refused)).to.have.lengthOf(50);
  });

  it('numbers are not written longer than they were sent', async () => {
    const { venue } = api;
    expectProblem(await api.admin.patch(`/api/v1/track-layouts/${venue.trackLayoutId}`, { length: 1e20 }), 400);
    expectProblem(await api.admin.patch(`/api/v1/signup-fields/${venue.signupFieldId}`, { sortOrder: -1e20 }), 400);
    expectProblem(await api.admin.patch(`/api/v1/brands/${venue.brandId}`, { logoScalePercentage: 1e20 }), 400);
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
