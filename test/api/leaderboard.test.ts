import { expect } from 'chai';
import { expectProblem, expectStatus, idOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { useVenue } from '../support/api/with-service.ts';

// Seasons compare boards with every filter and at past moments with plain ones, `test/queries` after every event.
describe('API: leaderboard', () => {
  const api = useVenue();
  let race: Race;
  let [ada, niki, tazio]: [string, string, string] = ['', '', ''];

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
    [ada, niki, tazio] = [
      await race.enter('Ada', 'Lovelace'),
      await race.enter('Niki', 'Lauda'),
      await race.enter('Tazio', 'Nuvolari'),
    ];
  });

  it('is empty before the first lap', async () => {
    const { body, head } = await race.board();
    expect(body).to.deep.include({
      content: [],
      page: 0,
      number: 0,
      size: 20,
      totalElements: 0,
      totalPages: 0,
      first: true,
      last: true,
      empty: true,
    });
    const { name } = await api.anyone.read(`/api/v1/events/${race.eventId}`);
    const { trackLayoutId } = api.venue;
    const { displayName } = await api.anyone.read(`/api/v1/track-layouts/${trackLayoutId}`);
    expect(head).to.deep.equal({
      eventId: race.eventId,
      eventName: name,
      trackLayoutId,
      trackDisplayName: displayName,
      layouts: [{ trackLayoutId, trackDisplayName: displayName, laps: 0 }],
      bestSectors: [],
      theoreticalBest: null,
      asOf: null,
    });
  });

  it('ranks everybody by their best valid lap, with gaps, counts and sectors', async () => {
    const slow = await race.drive(ada, [31_000, 29_000]);
    const best = await race.drive(ada, [30_000, 29_500]);
    const last = await race.drive(ada, [10_000, 10_000], { valid: false });
    await race.drive(niki, [29_000, 31_000]);
    await race.drive(tazio, [40_000, 40_000]);
    const { rows, head, body } = await race.board();
    const { modelName, brandDisplayName } = await api.anyone.read(`/api/v1/cars/${api.venue.carId}`);
    expect(body).to.include({ totalElements: 3, totalPages: 1 });
    expect(rows[0]).to.deep.equal({
      position: 1,
      participantId: ada,
      participantName: 'Ada Lovelace',
      bestLap: {
        lapId: idOf(best),
        totalTime: 59_500,
        sectors: [30_000, 29_500],
        car: api.venue.carId,
        carDisplayName: modelName,
        carBrandDisplayName: brandDisplayName,
        trackId: api.venue.trackLayoutId,
        trackDisplayName: best['trackDisplayName'],
        drivenAt: best['createdAt'],
        createdAt: best['createdAt'],
      },
      lastLap: { lapId: idOf(last), totalTime: 20_000, valid: false, drivenAt: last['createdAt'] },
      gapToLeader: null,
      gapToNext: null,
      laps: 3,
      validLaps: 2,
      bestSectors: [30_000, 29_000],
      theoreticalBest: 59_000,
    });
    expect(slow).to.include({ totalTime: 60_000 });
    expect(rows[1]).to.include({ position: 2, participantId: niki, gapToLeader: 500, gapToNext: 500, laps: 1 });
    expect(rows[2]).to.include({ position: 3, participantId: tazio, gapToLeader: 20_500, gapToNext: 20_000 });
    expect(head).to.deep.include({
      bestSectors: [
        { sector: 1, time: 29_000, participantId: niki, participantName: 'Niki Lauda' },
        { sector: 2, time: 29_000, participantId: ada, participantName: 'Ada Lovelace' },
      ],
      theoreticalBest: 58_000,
    });
  });

  it('exists for a disabled event, like the event itself', async () => {
    await race.drive(ada, [30_000]);
    await api.admin.change(`/api/v1/events/${race.eventId}`, { enabled: false });
    expect((await race.board()).names).to.deep.equal(['Lovelace']);
  });

  it('refuses invalid parameters by name', async () => {
    const path = `/api/v1/events/${race.eventId}/leaderboard`;
    const wrong: readonly (readonly [string, string])[] = [
      ['page=-1', 'page'],
      ['page=x', 'page'],
      ['size=0', 'size'],
      ['size=1001', 'size'],
      ['validOnly=yes', 'validOnly'],
      ['trackLayoutId=1', 'trackLayoutId'],
      ['carId=x', 'carId'],
      ['carClassId=', 'carClassId'],
      ['asOf=now', 'asOf'],
      ['asOf=2026-01-01', 'asOf'],
      ['page=1&page=2', 'page'],
    ];
    for (const [query, name] of wrong) expectProblem(await api.anyone.get(`${path}?${query}`), 400, `#/query/${name}`);
    expectStatus(await api.anyone.get(`${path}?size=1000&validOnly=true`), 200);
  });
});
