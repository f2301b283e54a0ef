import { expect } from 'chai';
import type { Json, JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const NOBODY = '00000000-0000-7000-8000-0000000000ff';

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

  it('leaves out laps below the minimum of the event, or of the layout, of now or of a moment', async () => {
    const trackId = idOf(await api.admin.create('/api/v1/track-layouts', bodies.trackLayout(api.venue.trackId)));
    const set = (path: string, minLapTime: number | null) => api.admin.change(`/api/v1/${path}`, { minLapTime });
    const fast = await race.drive(ada, [10_000, 20_000], { trackId });
    await race.drive(ada, [40_000, 40_000], { trackId });
    const last = await race.drive(niki, [25_000, 25_000], { trackId });
    const query = `?trackLayoutId=${trackId}`;
    const forms = [query, `${query}&validOnly=false`, `${query}&carId=${api.venue.carId}`];
    const expectBoards = async (...bests: readonly (readonly [best: number, laps: number])[]): Promise<void> => {
      for (const form of forms) {
        const { rows, head } = await race.board(form);
        const shown = rows.map(({ bestLap, laps }) => [(bestLap as JsonObject)['totalTime'], laps]);
        expect(shown, form).to.deep.equal(bests);
        expect(head['layouts']).to.deep.include.members([{ ...layout, laps: 3 }]);
      }
    };
    const layout = { trackLayoutId: trackId, trackDisplayName: last['trackDisplayName'] };
    const bestOf = async () =>
      (await api.anyone.list(`/api/v1/participants/${ada}/bests`)).map((one) => one['totalTime']);
    await expectBoards([30_000, 2], [50_000, 1]);
    const since = textOf(await set(`track-layouts/${trackId}`, 30_001), 'updatedAt');
    await expectBoards([50_000, 1], [80_000, 1]);
    expect(await bestOf()).to.deep.equal([80_000]);
    const { rows, head } = await race.board(query);
    expect([rows.length, head['theoreticalBest']]).to.deep.equal([2, 50_000]);
    await set(`events/${race.eventId}`, 60_000);
    await expectBoards([80_000, 1]);
    await set(`events/${race.eventId}`, 1);
    await expectBoards([30_000, 2], [50_000, 1]);
    expect(await bestOf()).to.deep.equal([30_000]);
    await set(`events/${race.eventId}`, null);
    await race.change(fast, { totalTime: 70_000 });
    await expectBoards([50_000, 1], [70_000, 2]);
    const asOf = async (moment: string) => (await race.board(`${query}&asOf=${moment}`)).names;
    expect(await asOf(textOf(last, 'createdAt'))).to.deep.equal(['Lovelace', 'Lauda']);
    expect(await asOf(since)).to.deep.equal(['Lauda', 'Lovelace']);
    const laps = await api.anyone.list(`/api/v1/laps?eventId=${race.eventId}`);
    expect(laps).to.have.lengthOf(3);
  });

  it('is read in pages, and equal times share a position', async () => {
    await race.drive(tazio, [20_000]);
    await race.drive(niki, [30_000]);
    await race.drive(ada, [30_000]);
    const places = (rows: readonly JsonObject[]) =>
      rows.map(({ participantId, position, gapToLeader, gapToNext }) => [
        participantId,
        position,
        gapToLeader,
        gapToNext,
      ]);
    const expected = [
      [tazio, 1, null, null],
      [niki, 2, 10_000, 10_000],
      [ada, 2, 10_000, 0],
    ];
    expect(places((await race.board()).rows)).to.deep.equal(expected);
    const { body, rows } = await race.board('?size=2&page=1');
    expect(places(rows)).to.deep.equal(expected.slice(2));
    expect(body).to.include({ page: 1, size: 2, totalElements: 3, totalPages: 2, first: false, last: true });
    expect((await race.board('?page=7')).body).to.deep.include({ content: [], totalElements: 3, empty: true });
  });

  it('covers the first layout of the event, and lists the layouts of the event and others with laps', async () => {
    const { trackId, trackLayoutId } = api.venue;
    const created = async (displayName: string) =>
      idOf(await api.admin.create('/api/v1/track-layouts', { ...bodies.trackLayout(trackId), displayName }));
    const [second, third, fourth] = [await created('Second'), await created('Third'), await created('Fourth')];
    await race.drive(ada, [60_000]);
    const moved = await race.drive(niki, [30_000], { trackId: second });
    await race.drive(niki, [40_000], { trackId: fourth });
    await race.drive(niki, [40_000], { trackId: fourth, valid: false });
    const listed = async (query = '') => {
      const { names, head } = await race.board(query);
      return { names, of: head.trackLayoutId, layouts: head.layouts };
    };
    const first = { trackLayoutId, laps: 1 };
    const { layouts, ...board } = await listed();
    expect(board).to.deep.equal({ names: ['Lovelace'], of: trackLayoutId });
    expect(layouts).to.have.nested.property('[1].trackDisplayName', 'Fourth');
    const withoutNames = (some: Json = null) =>
      (some as readonly JsonObject[]).map(({ trackDisplayName: _, ...rest }) => rest);
    expect(withoutNames(layouts)).to.deep.equal([
      first,
      { trackLayoutId: fourth, laps: 2 },
      { trackLayoutId: second, laps: 1 },
    ]);
    expect(await listed(`?trackLayoutId=${second}`)).to.deep.include({ names: ['Lauda'], of: second });
    const then = textOf(moved, 'updatedAt');
    expect(withoutNames((await listed(`?asOf=${then}`)).layouts)).to.deep.equal([
      first,
      { trackLayoutId: second, laps: 1 },
    ]);
    await api.admin.change(`/api/v1/events/${race.eventId}`, { trackLayoutIds: [third, second] });
    const changed = await listed();
    expect(changed).to.deep.include({ names: [], of: third });
    expect(withoutNames(changed.layouts)).to.deep.equal([
      { trackLayoutId: third, laps: 0 },
      { trackLayoutId: second, laps: 1 },
      { trackLayoutId: fourth, laps: 2 },
      first,
    ]);
  });

  it('takes filters by layout, car, class and validity', async () => {
    const { carBrandId, carClassId, trackId, carId } = api.venue;
    const otherClassId = idOf(await api.admin.create('/api/v1/car-classes', bodies.carClass()));
    const otherCarId = idOf(await api.admin.create('/api/v1/cars', bodies.car(carBrandId, otherClassId)));
    const otherLayoutId = idOf(await api.admin.create('/api/v1/track-layouts', bodies.trackLayout(trackId)));
    await race.drive(ada, [30_000]);
    await race.drive(ada, [10_000], { valid: false });
    await race.drive(niki, [20_000], { carId: otherCarId });
    await race.drive(tazio, [10_000], { trackId: otherLayoutId });
    for (const [query, names] of [
      ['', ['Lauda', 'Lovelace']],
      ['validOnly=false', ['Lovelace', 'Lauda']],
      [`trackLayoutId=${otherLayoutId}`, ['Nuvolari']],
      [`carId=${carId}`, ['Lovelace']],
      [`carClassId=${otherClassId}`, ['Lauda']],
      [`carId=${carId}&carClassId=${otherClassId}`, []],
      [`trackLayoutId=${NOBODY}`, []],
    ] as const) {
      expect((await race.board(`?${query}`)).names, query).to.deep.equal(names);
    }
    await api.admin.change(`/api/v1/cars/${carId}`, { carClassId: otherClassId });
    expect((await race.board(`?carClassId=${otherClassId}`)).names).to.deep.equal(['Lauda', 'Lovelace']);
    await api.admin.change(`/api/v1/cars/${carId}`, { carClassId });
  });

  it('shows the board as it was at a moment', async () => {
    const other = await createRace(api.admin, api.venue);
    const lap = await race.drive(ada, [30_000]);
    const second = await race.drive(niki, [29_000]);
    const moved = await race.change(second, { eventId: other.eventId, participantId: tazio });
    for (const [written, names] of [
      [lap, ['Lovelace']],
      [second, ['Lauda', 'Lovelace']],
      [moved, ['Lovelace']],
    ] as const) {
      const updatedAt = textOf(written, 'updatedAt');
      const shown = await race.board(`?asOf=${updatedAt}`);
      expect(shown.names).to.deep.equal(names);
      expect(shown.head['asOf']).to.equal(updatedAt);
    }
    expect((await race.board('?asOf=2020-01-01T00:00:00Z')).rows).to.be.empty;
    const future = await race.board('?asOf=2999-01-01T00:00:00Z');
    expect(future.rows).to.deep.equal((await race.board()).rows);
  });

  it('exists for a disabled event, like the event itself, but not for an unknown one', async () => {
    await race.drive(ada, [30_000]);
    await api.admin.change(`/api/v1/events/${race.eventId}`, { enabled: false });
    expect((await race.board()).names).to.deep.equal(['Lovelace']);
    expectProblem(await api.anyone.get(`/api/v1/events/${NOBODY}/leaderboard`), 404);
    expectProblem(await api.anyone.get('/api/v1/events/x/leaderboard'), 400, '#/path/eventId');
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
