import { expect } from 'chai';
import { expectProblem, expectStatus, idOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const NOBODY = '00000000-0000-7000-8000-0000000000ff';

describe('API: bests of a participant', () => {
  const api = useVenue();
  let race: Race;
  let ada = '';
  let path = '';

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
    ada = await race.enter('Ada', 'Lovelace');
    path = `/api/v1/participants/${ada}/bests`;
  });

  const lapIds = async (): Promise<readonly unknown[]> =>
    (await api.anyone.list(path)).map(({ lapId }): unknown => lapId);

  it('are the best valid laps on each layout with each car, over all events', async () => {
    const { carBrandId, carClassId, carId, trackId, trackLayoutId } = api.venue;
    const layout = { ...bodies.trackLayout(trackId), displayName: '000 first by name' };
    const otherLayoutId = idOf(await api.admin.create('/api/v1/track-layouts', layout));
    const otherCarId = idOf(await api.admin.create('/api/v1/cars', bodies.car(carBrandId, carClassId)));
    const other = await createRace(api.admin, api.venue);
    expect(await api.anyone.list(path)).to.deep.equal([]);
    await race.drive(ada, [30_000, 30_000]);
    const best = await other.drive(ada, [29_000, 30_000]);
    await race.drive(ada, [20_000, 20_000], { valid: false });
    await race.drive(ada, [0, 0]);
    await race.drive(await race.enter('Niki', 'Lauda'), [1, 1]);
    const byCar = await race.drive(ada, [35_000], { carId: otherCarId });
    const byLayout = await race.drive(ada, [90_000], { trackId: otherLayoutId, drivenAt: '2026-05-01T20:15:00Z' });
    const { displayName } = await api.anyone.read(`/api/v1/track-layouts/${trackLayoutId}`);
    const here = { trackLayoutId, trackDisplayName: displayName };
    const namesOf = async (id: string) => {
      const { modelName, brandDisplayName } = await api.anyone.read(`/api/v1/cars/${id}`);
      return { carDisplayName: modelName, carBrandDisplayName: brandDisplayName };
    };
    expect(await api.anyone.list(path)).to.deep.equal([
      {
        trackLayoutId: otherLayoutId,
        trackDisplayName: '000 first by name',
        carId,
        ...(await namesOf(carId)),
        lapId: idOf(byLayout),
        eventId: race.eventId,
        totalTime: 90_000,
        sectors: [90_000],
        drivenAt: '2026-05-01T20:15:00.000Z',
      },
      {
        ...here,
        carId: otherCarId,
        ...(await namesOf(otherCarId)),
        lapId: idOf(byCar),
        eventId: race.eventId,
        totalTime: 35_000,
        sectors: [35_000],
        drivenAt: byCar['drivenAt'],
      },
      {
        ...here,
        carId,
        ...(await namesOf(carId)),
        lapId: idOf(best),
        eventId: other.eventId,
        totalTime: 59_000,
        sectors: [29_000, 30_000],
        drivenAt: best['drivenAt'],
      },
    ]);
  });

  it('follow corrections, and prefer the earliest of equal times', async () => {
    const slow = await race.drive(ada, [30_000]);
    const late = await race.drive(ada, [20_000]);
    const first = await race.drive(ada, [20_000], { drivenAt: '2026-05-01T20:15:00Z' });
    expect(await lapIds()).to.deep.equal([idOf(first)]);
    await race.change(first, { valid: false });
    expect(await lapIds()).to.deep.equal([idOf(late)]);
    await race.change(late, { participantId: await race.enter('Niki', 'Lauda') });
    expect(await lapIds()).to.deep.equal([idOf(slow)]);
    await race.change(slow, { totalTime: 0 });
    expect(await lapIds()).to.deep.equal([]);
    await race.change(first, { valid: true });
    expect(await lapIds()).to.deep.equal([idOf(first)]);
  });

  it('have an ETag, and are a 404 for an unknown participant', async () => {
    const tag = expectStatus(await api.anyone.get(path), 200).header('etag');
    const headers = { 'If-None-Match': tag };
    expectStatus(await api.anyone.send('GET', path, { headers }), 304);
    await race.drive(ada, [30_000]);
    expectStatus(await api.anyone.send('GET', path, { headers }), 200);
    expectProblem(await api.anyone.get(`/api/v1/participants/${NOBODY}/bests`), 404);
    expectProblem(await api.anyone.get('/api/v1/participants/x/bests'), 400, '#/path/participantId');
  });
});
