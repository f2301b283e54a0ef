import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf } from '../support/api/client.ts';
import { bodies, createVenue, enter, NOBODY, type Venue } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';

describe('API: the leaderboard of a layout', () => {
  const api = useService();
  let venue: Venue;

  before(async () => {
    venue = await createVenue(api.admin);
  });

  const path = (query: string, layout = venue.trackLayoutId): string =>
    `/api/v1/track-layouts/${layout}/leaderboard${query === '' ? '' : `?${query}`}`;

  async function timesOf(query: string): Promise<readonly unknown[]> {
    const { content } = await api.anyone.read(path(query));
    // The document says so, and the body was held against it.
    return (content as readonly JsonObject[]).map((row) => (row['bestLap'] as JsonObject)['totalTime']);
  }

  it('is public, and needs a layout and times that are right', async () => {
    expectStatus(await api.anyone.get(path('')), 200);
    expectProblem(await api.anyone.get(path('', NOBODY)), 404);
    expectProblem(await api.anyone.get(path('', 'spa')), 400, '#/path/trackLayoutId');
    expectProblem(await api.anyone.get(path('from=yesterday')), 400, '#/query/from');
    expectProblem(await api.anyone.get(path('to=2026-05-01')), 400, '#/query/to');
    const moment = '2026-05-01T00:00:00Z';
    expectProblem(await api.anyone.get(path(`from=${moment}&to=${moment}`)), 400, '#/query/to');
    expectProblem(await api.anyone.get(path('licenseId=x')), 400, '#/query/licenseId');
    expectProblem(await api.anyone.get(path('size=0')), 400, '#/query/size');
  });

  it('has the best laps of all events between two moments, and follows each correction', async () => {
    const trackId = idOf(await api.admin.create('/api/v1/tracks', bodies.track()));
    const trackLayoutId = idOf(await api.admin.create('/api/v1/track-layouts', bodies.trackLayout(trackId)));
    const event = { ...bodies.event(venue), trackLayoutIds: [trackLayoutId] };
    const eventIds = await Promise.all(
      [1, 2].map(async () => idOf(await venue.manager.create('/api/v1/events', event))),
    );
    const ada = await enter(api.admin, 'Ada', 'Lovelace');
    const drive = async (eventId = '', totalTime: number, drivenAt: string): Promise<string> => {
      const lap = bodies.lap({ ...venue, participantId: ada, eventId, trackLayoutId });
      return idOf(
        await venue.manager.create('/api/v1/laps', { ...lap, totalTime, sectors: [totalTime], valid: true, drivenAt }),
      );
    };
    await drive(eventIds[0], 91_000, '2026-05-01T20:00:00Z');
    const best = await drive(eventIds[1], 90_000, '2026-05-02T20:00:00Z');
    const times = async (query: string) => {
      const { content } = await api.anyone.read(path(query, trackLayoutId));
      return (content as readonly JsonObject[]).map((row) => (row['bestLap'] as JsonObject)['totalTime']);
    };
    expect(await times('')).to.deep.equal([90_000]);
    expect(await times('to=2026-05-02T20:00:00Z')).to.deep.equal([91_000]);
    expect(await times('from=2026-05-02T20:00:00Z')).to.deep.equal([90_000]);
    expect(await times('from=2026-05-02T22:00:00.001%2B02:00')).to.deep.equal([]);
    expect(await times(`licenseId=${venue.licenseId}`)).to.deep.equal([90_000]);
    expect(await times(`licenseId=${NOBODY}`)).to.deep.equal([]);
    expect(await times(`simulatorId=${venue.simulatorId}&carId=${venue.carId}`)).to.deep.equal([90_000]);
    await venue.manager.change(`/api/v1/laps/${best}`, { valid: false });
    expect(await times('')).to.deep.equal([91_000]);
    expect(await times('validOnly=false')).to.deep.equal([90_000]);
    await venue.manager.change(`/api/v1/laps/${best}`, { valid: true, totalTime: 89_000, sectors: [89_000] });
    expect(await times('')).to.deep.equal([89_000]);
    await venue.manager.change(`/api/v1/laps/${best}`, { drivenAt: '2026-05-01T19:00:00Z' });
    expect(await times('from=2026-05-02T00:00:00Z')).to.deep.equal([]);
  });

  it('has a tag that stays while nothing changes', async () => {
    const answer = await api.anyone.get(path('size=5'));
    expectStatus(await api.anyone.get(path('size=5'), { 'If-None-Match': answer.header('ETag') }), 304);
    expect(await timesOf('size=5')).to.be.an('array');
  });
});
