import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { bodies, createLicense, issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const NINE = '2026-05-01T21:00:00.000Z';
const TEN = '2026-05-01T22:00:00.000Z';
const ELEVEN = '2026-05-01T23:00:00.000Z';

// `test/live/histories.test.ts` and the seasons finish and reopen events at random moments.
describe('API: the end of an event', () => {
  const api = useVenue();
  let race: Race;
  let path = '';
  const readers: LiveReader[] = [];

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
    path = `/api/v1/events/${race.eventId}`;
  });

  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const finish = (finishedAt: string | null) => api.admin.change(path, { finishedAt });
  const timesOn = async (query = ''): Promise<readonly unknown[]> => {
    const { rows } = await race.board(query);
    return rows.map((row) => (row['bestLap'] as JsonObject)['totalTime']);
  };

  it('lets those laps count that were driven up to then, however late they arrive', async () => {
    const { participantId } = api.venue;
    const niki = await race.enter('Niki', 'Lauda');
    await race.drive(participantId, [30_000], { drivenAt: NINE });
    await race.drive(participantId, [20_000], { drivenAt: ELEVEN });
    expect(await finish(TEN)).to.include({ finishedAt: TEN, state: 'finished' });
    expect(await timesOn()).to.deep.equal([30_000]);
    await race.drive(niki, [29_000], { drivenAt: TEN });
    const after = await race.drive(niki, [10_000], { drivenAt: '2026-05-01T22:00:00.001Z' });
    const now = await race.drive(niki, [11_000]);
    const { rows, head } = await race.board();
    expect(rows.map(({ lastLap }) => lastLap)).to.deep.include.members([
      { ...(rows[0]?.['lastLap'] as JsonObject), drivenAt: TEN, totalTime: 29_000, valid: true },
    ]);
    expect(rows.map(({ laps }) => laps)).to.deep.equal([1, 1]);
    expect(head).to.include({ state: 'finished', finishedAt: TEN });
    expect(head['layouts']).to.have.nested.property('[0].laps', 2);
    const csv = expectStatus(await api.anyone.get(`${path}/results.csv`), 200).text;
    expect(csv).to.include('0:29.000').and.to.include('0:30.000').and.not.to.include('0:10.000');
    const listed = await api.anyone.read(`/api/v1/laps/paged?eventId=${race.eventId}&size=100`);
    const ids = (listed['content'] as readonly JsonObject[]).map(idOf);
    expect(ids)
      .to.include.members([idOf(after), idOf(now)])
      .and.to.have.length(5);
  });

  it('moves earlier and later, and is taken back: boards follow', async () => {
    const { participantId, carId } = api.venue;
    await race.drive(participantId, [30_000], { drivenAt: NINE });
    const late = await race.drive(participantId, [20_000], { drivenAt: ELEVEN });
    for (const [finishedAt, best] of [
      [TEN, [30_000]],
      ['2026-05-01T20:00:00.000Z', []],
      [ELEVEN, [20_000]],
      [NINE, [30_000]],
      [null, [20_000]],
    ] as const) {
      expect(await finish(finishedAt)).to.include({ finishedAt });
      for (const query of ['', `?carId=${carId}`, '?validOnly=false'])
        expect(await timesOn(query), `${finishedAt} ${query}`).to.deep.equal(best);
    }
    await finish(TEN);
    await race.change(late, { drivenAt: NINE });
    expect(await timesOn()).to.deep.equal([20_000]);
  });

  it('is told live, with the state, and so are other times of the event', async () => {
    await race.drive(api.venue.participantId, [30_000], { drivenAt: ELEVEN });
    const reader = await LiveReader.open(api.service.url, race.eventId);
    readers.push(reader);
    await reader.change();
    for (const [change, state, shown] of [
      [{ finishedAt: TEN }, 'finished', 0],
      [{ finishedAt: null }, 'live', 1],
      [{ endsAt: TEN }, 'finished', 1],
      [{ startsAt: '2036-05-01T18:00:00Z', endsAt: null }, 'upcoming', 1],
    ] as const) {
      await api.admin.change(path, change);
      const [board] = (await reader.change()) ?? [];
      const { rows, head } = await race.board();
      expect(rows).to.have.length(shown);
      expect(head).to.include({ state });
      expect(board).to.deep.include({ event: 'board' }).and.to.have.property('data').that.deep.includes({ rows, head });
    }
  });

  it('is followed by boards as of a moment: they show what counted then', async () => {
    await race.drive(api.venue.participantId, [30_000], { drivenAt: NINE });
    const late = await race.drive(api.venue.participantId, [20_000], { drivenAt: ELEVEN });
    const before = textOf(late, 'updatedAt');
    const finished = textOf(await finish(TEN), 'updatedAt');
    // Two changes of one moment could not be told apart.
    while (Date.now() <= Date.parse(finished)) await new Promise((resolve) => setImmediate(resolve));
    await finish(null);
    const seen = async (asOf: string) => {
      const { head } = await race.board(`?asOf=${asOf}`);
      return [await timesOn(`?asOf=${asOf}`), head['state'], head['finishedAt']];
    };
    expect(await seen(finished)).to.deep.equal([[30_000], 'finished', TEN]);
    const [times, , finishedAt] = await seen(before);
    expect([times, finishedAt]).to.deep.equal([[20_000], null]);
    expect(await seen('2036-01-01T00:00:00Z')).to.deep.equal([[20_000], 'live', null]);
  });

  it('is recorded once, shown in the history, and written by those who may change the event', async () => {
    const { manager } = await createLicense(api.admin);
    const event = idOf(await manager.create('/api/v1/events', bodies.event(api.venue)));
    const its = `/api/v1/events/${event}`;
    const other = (await createLicense(api.admin)).manager;
    const change = { finishedAt: TEN };
    expectProblem(await other.patch(its, change), 403);
    expectProblem(await (await issueKey(manager, 'CR')).client.patch(its, change), 403);
    expectProblem(await api.anyone.patch(its, change), 401);
    const tag = (await manager.get(its)).header('ETag');
    await manager.change(its, change);
    expectProblem(await manager.patch(its, { finishedAt: null }, { 'If-Match': tag }), 412);
    await manager.change(its, { finishedAt: '2026-05-02T00:00:00+02:00' });
    await manager.change(its, { finishedAt: ELEVEN });
    await manager.change(its, { finishedAt: null });
    await manager.change(its, { finishedAt: null });
    const history = expectStatus(await manager.get(`${its}/history`), 200).list;
    expect(history.slice(1).map(({ type, changes }) => [type, changes])).to.deep.equal([
      ['EventFinished', [{ field: 'finishedAt', from: null, to: TEN }]],
      ['EventFinished', [{ field: 'finishedAt', from: TEN, to: ELEVEN }]],
      ['EventReopened', [{ field: 'finishedAt', from: ELEVEN, to: null }]],
    ]);
    for (const finishedAt of ['2036-05-01T22:00:00Z', '1999-12-31T23:59:59Z', 'now', 1])
      expectProblem(await manager.patch(its, { finishedAt }), 400);
  });

  it('ends the event for the filter `at`, too', async () => {
    await api.admin.change(path, { startsAt: NINE, endsAt: null });
    const during = async (at: string) => {
      const { list } = expectStatus(await api.anyone.get(`/api/v1/events?at=${at}`), 200);
      return list.map(idOf).includes(race.eventId);
    };
    expect([await during(TEN), await during(ELEVEN)]).to.deep.equal([true, true]);
    await finish(ELEVEN);
    expect([await during(TEN), await during(ELEVEN)]).to.deep.equal([true, false]);
  });

  it('changes lists, pages and boards when a time comes, though nothing was written', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    await api.admin.change(path, { startsAt: NINE, endsAt: soon });
    const lists = ['/api/v1/events/paged?size=100', '/api/v1/events', path, `${path}/leaderboard`];
    const before = await Promise.all(lists.map(async (list) => (await api.anyone.get(list)).header('ETag')));
    const stateIn = async (n: number): Promise<boolean> => {
      const known = { 'If-None-Match': before[n] ?? '' };
      return (await api.anyone.get(lists[n] ?? '', known)).status === 200;
    };
    while (Date.now() <= Date.parse(soon)) await new Promise((resolve) => setImmediate(resolve));
    for (const n of lists.keys()) expect(await stateIn(n), lists[n]).to.equal(true);
    expect(await api.anyone.read(path)).to.include({ state: 'finished', finishedAt: null });
    expect((await race.board()).head).to.include({ state: 'finished' });
  });
});
