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
    await race.drive(ada, [10_000, 10_000], { valid: false });
    await race.drive(niki, [29_000, 31_000]);
    await race.drive(tazio, [40_000, 40_000]);
    const { rows, head, body } = await race.board();
    const { modelName } = await api.anyone.read(`/api/v1/cars/${api.venue.carId}`);
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
        trackId: api.venue.trackLayoutId,
        trackDisplayName: best['trackDisplayName'],
        drivenAt: best['createdAt'],
        createdAt: best['createdAt'],
      },
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

  it('lists nobody without a lap that counts; validOnly=false counts all', async () => {
    await race.drive(ada, [30_000]);
    await race.drive(niki, [20_000], { valid: false });
    expect((await race.board()).names).to.deep.equal(['Lovelace']);
    const all = await race.board('?validOnly=false');
    expect(all.names).to.deep.equal(['Lauda', 'Lovelace']);
    expect(all.rows[0]).to.include({ laps: 1, validLaps: 0 });
  });

  it('orders equal times by when they were driven, then by when they were recorded', async () => {
    const [seven, eight] = ['2026-05-01T19:00:00Z', '2026-05-01T20:00:00Z'];
    await race.drive(ada, [30_000, 40_000], { drivenAt: eight });
    const late = await race.drive(niki, [30_000, 40_000], { drivenAt: seven });
    await race.drive(tazio, [30_000, 40_000], { drivenAt: eight });
    const before = await race.board();
    expect(before.names).to.deep.equal(['Lauda', 'Lovelace', 'Nuvolari']);
    expect(before.rows.map(({ position }) => position)).to.deep.equal([1, 1, 1]);
    expect(before.rows[0]?.['bestLap']).to.include({ drivenAt: '2026-05-01T19:00:00.000Z', createdAt: late.createdAt });
    expect(before.head.bestSectors).to.have.nested.property('[0].participantId', niki);
    const put = await race.change(late, { drivenAt: '2026-05-01T21:00:00Z' });
    const after = await race.board();
    expect(after.names).to.deep.equal(['Lovelace', 'Nuvolari', 'Lauda']);
    expect(after.head.bestSectors).to.have.nested.property('[0].participantId', ada);
    const filtered = await race.board(`?trackLayoutId=${api.venue.trackLayoutId}&validOnly=false`);
    expect(filtered.names).to.deep.equal(after.names);
    // What was known then: neither laps that came later, nor a moment that was put right later.
    const then = new Date(Date.parse(textOf(put, 'updatedAt')) - 1).toISOString();
    expect((await race.board(`?asOf=${then}`)).names).to.deep.equal(before.names);
    expect((await race.board(`?asOf=${seven}`)).names).to.deep.equal([]);
  });

  it('shares a position among equal times, the first to drive it first, over pages too', async () => {
    await race.drive(tazio, [20_000]);
    await race.drive(niki, [30_000]);
    await race.drive(ada, [30_000]);
    await race.drive(ada, [30_000]);
    const placesOf = async (query: string) =>
      (await race.board(query)).rows.map(({ participantId, position, gapToLeader, gapToNext }) => [
        participantId,
        position,
        gapToLeader,
        gapToNext,
      ]);
    const places = [
      [tazio, 1, null, null],
      [niki, 2, 10_000, 10_000],
      [ada, 2, 10_000, 0],
    ];
    expect(await placesOf('')).to.deep.equal(places);
    for (const page of [0, 1, 2]) expect(await placesOf(`?size=1&page=${page}`)).to.deep.equal([places[page]]);
    const { body } = await race.board('?size=2&page=1');
    expect(body).to.include({ page: 1, size: 2, totalElements: 3, totalPages: 2, first: false, last: true });
    expect((await race.board('?page=7')).body).to.deep.include({ content: [], totalElements: 3, empty: true });
    await race.drive(ada, [20_000]);
    expect(await placesOf('?size=1&page=1')).to.deep.equal([[ada, 1, 0, 0]]);
  });

  it('has the best sectors of laps with as many as the fastest lap', async () => {
    await race.drive(ada, [30_000, 30_000]);
    await race.drive(ada, [29_000, 32_000]);
    const last = await race.drive(niki, [20_000, 20_000, 25_000]);
    await race.drive(tazio, [1_000, 70_000]);
    await race.drive(tazio, [], { totalTime: 66_000 });
    const two = await race.board();
    expect(two.head).to.deep.include({ theoreticalBest: 31_000 });
    expect(two.head.bestSectors).to.have.length(2).and.to.have.nested.property('[0].participantId', tazio);
    expect(two.rows.map((row) => [row['bestSectors'], row['theoreticalBest']])).to.deep.equal([
      [[29_000, 30_000], 59_000],
      [[], null],
      [[1_000, 70_000], 71_000],
    ]);
    await race.change(last, { sectors: [20_000, 20_000, 15_000], totalTime: 55_000 });
    const three = await race.board();
    expect(three.head).to.include({ theoreticalBest: 55_000 });
    expect(three.rows.map((row) => row['bestSectors'])).to.deep.equal([[20_000, 20_000, 15_000], [], []]);
    const filtered = await race.board(`?validOnly=false&carId=${api.venue.carId}`);
    expect(filtered.body).to.deep.equal(three.body);
  });

  it('is of the first layout of the event, and lists its own and others with laps', async () => {
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

  it('has no lap of 0 ms', async () => {
    await race.drive(ada, [0, 0]);
    await race.drive(niki, [30_000, 0]);
    for (const query of ['', '?validOnly=false', `?carId=${api.venue.carId}`, '?asOf=2999-01-01T00:00:00Z']) {
      const { names, head } = await race.board(query);
      expect(names, query).to.deep.equal(['Lauda']);
      expect(head, query).to.have.nested.property('layouts[0].laps', 1);
    }
  });

  it('takes laps of more sectors than have an index, or of none', async () => {
    await race.drive(
      ada,
      Array.from({ length: 9 }, () => 1_000),
    );
    await race.drive(niki, [], { totalTime: 5_000 });
    const { rows, head } = await race.board();
    expect(rows[0]).to.deep.include({ participantId: niki, bestSectors: [], theoreticalBest: null });
    expect(rows[1]).to.deep.include({ bestSectors: [], theoreticalBest: null });
    expect(head['bestSectors']).to.deep.equal([]);
    await race.drive(
      ada,
      Array.from({ length: 9 }, () => 500),
    );
    const after = await race.board();
    expect(after.rows[0]).to.include({ participantId: ada, theoreticalBest: 4_500 });
    expect(after.head['bestSectors']).to.have.length(9);
  });

  it('falls back on the next best lap when the best is taken away, and on none', async () => {
    const laps: JsonObject[] = [];
    for (let n = 0; n < 24; n += 1) laps.push(await race.drive(ada, [30_000 + n]));
    for (const [n, lap] of laps.entries()) {
      const { rows } = await race.board();
      expect(rows[0]).to.deep.include({ laps: 24, validLaps: 24 - n, bestSectors: [30_000 + n] });
      expect(textOf(rows[0], 'bestLap', 'lapId')).to.equal(idOf(lap));
      await race.change(lap, { valid: false });
    }
    expect((await race.board()).rows).to.be.empty;
    await race.change(laps[7] ?? {}, { valid: true });
    expect((await race.board()).rows[0]).to.deep.include({ validLaps: 1, bestSectors: [30_007] });
  });

  it('follows corrections, moves and names', async () => {
    const other = await createRace(api.admin, api.venue);
    const lap = await race.drive(ada, [30_000]);
    await race.drive(niki, [35_000]);
    await race.change(lap, { sectors: [40_000], totalTime: 40_000 });
    expect((await race.board()).names).to.deep.equal(['Lauda', 'Lovelace']);
    await race.change(lap, { participantId: tazio, sectors: [34_000], totalTime: 34_000 });
    expect((await race.board()).names).to.deep.equal(['Nuvolari', 'Lauda']);
    await api.admin.change(`/api/v1/participants/${tazio}`, { lastName: 'Varzi' });
    expect((await race.board()).names).to.deep.equal(['Varzi', 'Lauda']);
    await race.change(lap, { eventId: other.eventId });
    expect((await race.board()).names).to.deep.equal(['Lauda']);
    expect((await other.board()).names).to.deep.equal(['Varzi']);
    expect((await other.board()).head['bestSectors']).to.deep.equal([
      { sector: 1, time: 34_000, participantId: tazio, participantName: 'Tazio Varzi' },
    ]);
  });

  it('filters by layout, car and class, alone and together', async () => {
    const { carBrandId, carClassId, trackId, carId, trackLayoutId } = api.venue;
    const otherClassId = idOf(await api.admin.create('/api/v1/car-classes', bodies.carClass()));
    const otherCarId = idOf(await api.admin.create('/api/v1/cars', bodies.car(carBrandId, otherClassId)));
    const otherLayoutId = idOf(await api.admin.create('/api/v1/track-layouts', bodies.trackLayout(trackId)));
    await race.drive(ada, [30_000]);
    await race.drive(niki, [20_000], { carId: otherCarId });
    await race.drive(tazio, [10_000], { trackId: otherLayoutId });
    const namesOf = async (query: string) => (await race.board(`?${query}`)).names;
    expect(await namesOf('')).to.deep.equal(['Lauda', 'Lovelace']);
    expect(await namesOf(`trackLayoutId=${trackLayoutId}`)).to.deep.equal(['Lauda', 'Lovelace']);
    expect(await namesOf(`trackLayoutId=${otherLayoutId}`)).to.deep.equal(['Nuvolari']);
    expect(await namesOf(`carId=${carId}`)).to.deep.equal(['Lovelace']);
    expect(await namesOf(`carId=${carId}&trackLayoutId=${otherLayoutId}`)).to.deep.equal(['Nuvolari']);
    expect(await namesOf(`carClassId=${otherClassId}`)).to.deep.equal(['Lauda']);
    expect(await namesOf(`carId=${carId}&trackLayoutId=${trackLayoutId}`)).to.deep.equal(['Lovelace']);
    expect(await namesOf(`carId=${carId}&carClassId=${otherClassId}`)).to.deep.equal([]);
    expect(await namesOf(`trackLayoutId=${NOBODY}`)).to.deep.equal([]);
    await api.admin.change(`/api/v1/cars/${carId}`, { carClassId: otherClassId });
    expect(await namesOf(`carClassId=${otherClassId}`)).to.deep.equal(['Lauda', 'Lovelace']);
    await api.admin.change(`/api/v1/cars/${carId}`, { carClassId });
  });

  it('shows the board as it was, before and after every change', async () => {
    const other = await createRace(api.admin, api.venue);
    const lap = await race.drive(ada, [30_000]);
    const second = await race.drive(niki, [29_000]);
    const moments: { readonly at: string; readonly times: readonly (readonly [string, number])[] }[] = [
      { at: textOf(lap, 'updatedAt'), times: [['Lovelace', 30_000]] },
      {
        at: textOf(second, 'updatedAt'),
        times: [
          ['Lauda', 29_000],
          ['Lovelace', 30_000],
        ],
      },
    ];
    const after = async (change: JsonObject, times: readonly (readonly [string, number])[]): Promise<void> => {
      moments.push({ at: textOf(await race.change(second, change), 'updatedAt'), times });
    };
    await after({ sectors: [31_000], totalTime: 31_000 }, [
      ['Lovelace', 30_000],
      ['Lauda', 31_000],
    ]);
    await after({ valid: false }, [['Lovelace', 30_000]]);
    await after({ valid: true, participantId: tazio }, [
      ['Lovelace', 30_000],
      ['Nuvolari', 31_000],
    ]);
    await after({ eventId: other.eventId }, [['Lovelace', 30_000]]);
    await after({ eventId: race.eventId, participantId: ada }, [['Lovelace', 30_000]]);
    await after({ eventId: other.eventId }, [['Lovelace', 30_000]]);
    for (const { at, times } of moments) {
      const { rows, names, head } = await race.board(`?asOf=${at}`);
      const shown = rows.map(({ bestLap }, n): readonly unknown[] => [
        names[n],
        Reflect.get(Object(bestLap), 'totalTime'),
      ]);
      expect(shown, at).to.deep.equal(times);
      expect(head['asOf']).to.equal(at);
    }
    expect((await race.board('?asOf=2020-01-01T00:00:00Z')).rows).to.be.empty;
    const future = await race.board('?asOf=2999-01-01T00:00:00Z');
    expect(future.rows).to.deep.equal((await race.board()).rows);
  });

  it('is there for a disabled event as the event is, not for an unknown one', async () => {
    await race.drive(ada, [30_000]);
    await api.admin.change(`/api/v1/events/${race.eventId}`, { enabled: false });
    expect((await race.board()).names).to.deep.equal(['Lovelace']);
    expectProblem(await api.anyone.get(`/api/v1/events/${NOBODY}/leaderboard`), 404);
    expectProblem(await api.anyone.get('/api/v1/events/x/leaderboard'), 400, '#/path/eventId');
  });

  it('refuses what makes no sense, naming the parameter', async () => {
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
