import { expectProblem, expectStatus } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { useVenue } from '../support/api/with-service.ts';

const NOBODY = '00000000-0000-7000-8000-0000000000ff';

// Seasons compare the bests of every participant with a plain calculation.
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
