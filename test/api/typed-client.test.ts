import { expect } from 'chai';
import * as typed from '../support/api/typed-client.ts';
import { useVenue } from '../support/api/with-service.ts';

// `npm run typecheck` generates its types from the document, and compiles what is done with them.
describe('API: the generated client', () => {
  const api = useVenue();
  const connect = () => typed.connect(api.service.url, api.venue.manager.token ?? '');

  it('records laps, and distinguishes those that are only accepted', async () => {
    const client = connect();
    const { participantId, rigId, eventId, carId, trackLayoutId: trackId } = api.venue;
    const times = { sectors: [31_001, 28_455, 40_120], totalTime: 99_576, valid: true };
    const lap = { participantId, rigId, eventId, carId, trackId, ...times };
    const first = await typed.recordLap(client, lap, 'typed-1');
    expect(first.totalTime).to.equal(lap.totalTime);
    expect(await typed.recordLap(client, lap, 'typed-1')).to.deep.equal(first);
    const wrong = await typed.recordLap(client, { ...lap, totalTime: -1 }, 'typed-2').catch(String);
    expect(wrong).to.match(/#\/totalTime/);
  });

  it('reads lists, pages and boards', async () => {
    const { eventId, participantId } = api.venue;
    const laps = await typed.validLaps(connect(), eventId);
    expect(laps.every((lap) => lap.eventId === eventId && lap.valid)).to.equal(true);
    const page = await typed.newestLaps(connect(), participantId);
    expect(page).to.include({ total: laps.length });
    expect(page.laps.map(({ id }) => id)).to.have.members(laps.map(({ id }) => id));
    expect(await typed.leaderOf(connect(), eventId)).to.deep.include({ time: laps[0]?.totalTime });
  });

  it('leaves out fields with a default, and uploads files', async () => {
    expect(await typed.addSimulator(connect(), 'typed-sim')).to.equal(true);
    expect(await typed.uploadLogo(connect(), 'typed.png', new Blob(['x'], { type: 'image/png' }))).to.equal(true);
    expect((await api.anyone.get('/cdn/LOGO/typed.png')).text).to.equal('x');
  });
});
