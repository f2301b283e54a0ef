import { expect } from 'chai';
import { clockTime } from '../../queries/leaderboards/results.ts';
import { expectStatus, idOf, textOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { bodies, NOBODY } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

// Seasons compare results with plain boards, with every filter.
describe('API: results of an event', () => {
  const api = useVenue();
  let race: Race;
  let path = '';
  let car = '';
  let maker = '';

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
    path = `/api/v1/events/${race.eventId}/results.csv`;
    const shown = await api.anyone.read(`/api/v1/cars/${api.venue.carId}`);
    car = textOf(shown, 'modelName');
    maker = textOf(shown, 'brandDisplayName');
  });

  const linesOf = async (query = ''): Promise<readonly string[]> =>
    expectStatus(await api.anyone.get(path + query), 200).text.split('\r\n');

  it('cover all layouts in the order of the event on request, under one header', async () => {
    const header = 'layout,position,driver,car,time,gap,laps,maker,participantId,carId,trackLayoutId';
    const { carId } = api.venue;
    expect(await linesOf('?trackLayoutId=all')).to.deep.equal([header, '']);
    const layout = async (displayName: string): Promise<string> =>
      idOf(await api.admin.create('/api/v1/track-layouts', { ...bodies.trackLayout(api.venue.trackId), displayName }));
    const late = await layout('Late');
    const early = await layout('Early');
    const unlisted = await layout('Unlisted');
    await api.admin.change(`/api/v1/events/${race.eventId}`, { trackLayoutIds: [early, late] });
    const ada = await race.enter('Ada', 'Lovelace');
    const niki = await race.enter('Niki', 'Lauda');
    await race.drive(niki, [30_000], { trackId: unlisted });
    await race.drive(niki, [40_000], { trackId: late });
    const before = await race.drive(ada, [41_000], { trackId: late });
    await race.drive(ada, [50_000], { trackId: early });
    const rows = [
      `Early,1,Ada Lovelace,${car},0:50.000,,1,${maker},${ada},${carId},${early}`,
      `Late,1,Niki Lauda,${car},0:40.000,,1,${maker},${niki},${carId},${late}`,
      `Late,2,Ada Lovelace,${car},0:41.000,0:01.000,1,${maker},${ada},${carId},${late}`,
      `Unlisted,1,Niki Lauda,${car},0:30.000,,1,${maker},${niki},${carId},${unlisted}`,
    ];
    expect(await linesOf('?trackLayoutId=all')).to.deep.equal([header, ...rows, '']);
    const past = `?trackLayoutId=all&asOf=${textOf(before, 'updatedAt')}`;
    expect(await linesOf(past)).to.deep.equal([header, ...rows.slice(1), '']);
    expect(await linesOf(`?trackLayoutId=all&carId=${NOBODY}`)).to.deep.equal([header, '']);
  });

  it('distinguish drivers and cars of the same name by their ids', async () => {
    const one = await race.enter('Max', 'Müller');
    const other = await race.enter('Max', 'Müller');
    const { carBrandId, carClassId } = api.venue;
    const twin = await api.admin.create('/api/v1/cars', { ...bodies.car(carBrandId, carClassId), modelName: car });
    await api.admin.change(`/api/v1/events/${race.eventId}`, { carIds: [api.venue.carId, idOf(twin)] });
    await race.drive(one, [30_000]);
    await race.drive(other, [31_000], { carId: idOf(twin) });
    expect(await linesOf()).to.deep.equal([
      'position,driver,car,time,gap,laps,maker,participantId,carId',
      `1,Max Müller,${car},0:30.000,,1,${maker},${one},${api.venue.carId}`,
      `2,Max Müller,${car},0:31.000,0:01.000,1,${maker},${other},${idOf(twin)}`,
      '',
    ]);
  });

  it('are a file named after the event, which keeps its ETag while nothing changes', async () => {
    const answer = expectStatus(await api.anyone.get(path), 200);
    const slug = textOf(await api.anyone.read(`/api/v1/events/${race.eventId}`), 'slug');
    expect(answer.header('content-type')).to.equal('text/csv; charset=utf-8; header=present');
    expect(answer.header('content-disposition')).to.equal(`attachment; filename="results-${slug}.csv"`);
    const known = { 'If-None-Match': answer.header('etag') };
    for (let n = 0; n < 2; n += 1) expectStatus(await api.anyone.get(path, known), 304);
    const marked = expectStatus(await api.anyone.get(`${path}?bom=true`), 200);
    expect([...marked.bytes.slice(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
    const separated = expectStatus(await api.anyone.get(`${path}?delimiter=;`), 200);
    expect(separated.text).to.match(/^position;driver;car;/);
    expect(expectStatus(await api.anyone.get(`${path}?delimiter=tab`), 200).text).to.match(/^position\tdriver\tcar\t/);
    await race.drive(await race.enter('Ada', 'Lovelace'), [30_000]);
    expectStatus(await api.anyone.get(path, known), 200);
  });

  it('print a time with its minutes, seconds and thousandths', () => {
    const times = [1, 999, 1_000, 59_999, 60_000, 138_123, 6_000_000].map(clockTime);
    const printed = ['0:00.001', '0:00.999', '0:01.000', '0:59.999', '1:00.000', '2:18.123', '100:00.000'];
    expect(times).to.deep.equal(printed);
  });
});
