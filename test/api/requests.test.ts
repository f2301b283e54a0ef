import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, type Answer } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { BAD_UUIDS, ODD_OBJECTS, unique } from '../support/resources/fields.ts';
import { bodies, NOBODY } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const BRANDS = '/api/v1/brands';

const OF_LAPS = {
  eventId: ['', 'x', '1', '%00', 'null', `${NOBODY}0`, `${NOBODY},${NOBODY}`],
  carId: ['', 'x'],
  valid: ['', 'TRUE', '1', 'yes'],
  from: ['', '2026', '2026-13-01T00:00:00Z', '2026-05-01', 'now', '1700000000000'],
  to: ['', '2026-05-01T00:00:00'],
  minTotalTime: ['', '-1', '1.5', '1e3', '%201', '9007199254740992', 'x'],
};
const OF_EVENTS = { mode: ['', 'hotlap', 'null'], at: ['', 'now'], rigId: ['', 'x'] };
const OF_PARTICIPANTS = { email: ['', 'x', 'a@b'] };
const OF_BOARDS = { validOnly: ['yes', 'maybe'], trackLayoutId: ['1'], carId: ['x'], carClassId: [''] };

/** By path, the values that its parameters refuse; `test/http/requests.test.ts` has those of pages. */
const WRONG_VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  laps: { ...OF_LAPS, format: ['xml'], bom: ['maybe'], delimiter: ['', '|', 'TAB', ';;', '%09'] },
  'laps/paged': { ...OF_LAPS, format: ['csv'], sort: ['sectors', '_position'], size: ['1001'] },
  'laps/{lapId}/history': { from: ['-1'], limit: ['0', '1001'] },
  events: OF_EVENTS,
  'events/paged': OF_EVENTS,
  participants: OF_PARTICIPANTS,
  'participants/paged': OF_PARTICIPANTS,
  'events/{eventId}/leaderboard': { ...OF_BOARDS, page: ['-1', 'x'], size: ['0', '1001'], asOf: ['now', '2026-01-01'] },
  'events/{eventId}/results.csv': { ...OF_BOARDS, trackLayoutId: ['some'], delimiter: ['semicolon', '.'] },
  'events/{eventId}/live': {
    ...OF_BOARDS,
    // What the event neither lists nor has a lap of.
    trackLayoutId: ['1', NOBODY],
    carId: ['x', NOBODY],
    carClassId: ['', NOBODY],
    page: ['1'],
    after: ['-1', '1.5'],
    delaySeconds: ['3601'],
    from: ['yesterday'],
    speed: ['2', '0.5&from=2026-05-01T18:00:00Z', '61&from=2026-05-01T18:00:00Z'],
  },
};

// test/http/requests.test.ts has bodies that are unreadable or cannot be stored, test/http/routing.test.ts unknown paths.
describe('API: invalid requests', () => {
  const api = useVenue();
  afterEach(async () => {
    expect(Reflect.get({}, 'polluted'), 'nothing is polluted').to.equal(undefined);
    expectStatus(await api.anyone.get('/actuator/health'), 200);
  });

  it('get a 413 for bodies over 1 MB, but not for 1 MB', async () => {
    const limit = 1_048_576;
    const track = { displayName: 'Long', logo: 'TRACK/l.svg', country: 'BEL', location: 'Spa' };
    const bytesOf = (body: object): number => Buffer.byteLength(JSON.stringify(body));
    /** A body of so many bytes, all of them in what is recorded, or the last in a field that is ignored. */
    const bodyOf = (length: number, isIgnored: boolean): string => {
      const alternativeNames = Array.from({ length: 999 }, (_, n) =>
        (n < (isIgnored ? 40 : 46) ? 'ü' : 'x').repeat(1_000),
      );
      const body = { ...track, slug: unique(), alternativeNames };
      const filling = 'x'.repeat(length - bytesOf({ ...body, unknown: '' }));
      if (isIgnored) return JSON.stringify({ ...body, unknown: filling });
      const rest = 'x'.repeat(length - bytesOf({ ...body, alternativeNames: [...alternativeNames, ''] }));
      return JSON.stringify({ ...body, alternativeNames: [...alternativeNames, rest] });
    };
    const post = (body: string): Promise<Answer> =>
      api.admin.send('POST', '/api/v1/tracks', { body, headers: JSON_TYPE });
    const fits = expectStatus(await post(bodyOf(limit, true)), 201);
    expect(fits.text.length).to.be.greaterThan(990_000);
    // A body may be read, though its event with metadata would exceed the 1 MiB of an append.
    expect(expectProblem(await post(bodyOf(limit, false)), 413).detail).to.include('recorded');
    expect(await api.anyone.read(fits.header('location'))).to.deep.equal(fits.body);
    expectProblem(await post(bodyOf(limit + 1, true)), 413);
    expectProblem(await post(bodyOf(2_000_000, true)), 413);
    expectProblem(await post(' '.repeat(2_000_000)), 413);
    expectProblem(await api.anyone.send('POST', BRANDS, { body: 'x'.repeat(2_000_000), headers: JSON_TYPE }), 401);
  });

  it('do not include JSON fields with odd keys, which are stored exactly', async () => {
    for (const odd of ODD_OBJECTS) {
      const event = await api.admin.create('/api/v1/events', {
        ...bodies.event(api.venue),
        settingsJson: odd,
        i18nJson: odd,
      });
      const shown = await api.anyone.get(`/api/v1/events/${idOf(event)}`);
      expect(JSON.stringify(shown.body.settingsJson), 'the order of keys included').to.equal(JSON.stringify(odd));
      expect(shown.body.i18nJson).to.deep.equal(odd);
    }
  });

  it('get a 400 that names the parameter for ids that are not UUIDs', async () => {
    const rows = operationsOf(api.service.document).filter(
      ({ path, method }) => /\{\w+Id\}/.test(path) && method !== 'POST' && !path.includes('hardwareId'),
    );
    for (const { method, path } of rows) {
      const last = /\{(\w+)\}$/.exec(path)?.[1] ?? /\{(\w+)\}/.exec(path)?.[1] ?? '';
      for (const bad of BAD_UUIDS.filter((one) => one !== '').map(encodeURIComponent)) {
        const body = method === 'PATCH' ? { body: '{}', headers: JSON_TYPE } : {};
        const answer = await api.admin.send(
          method,
          path.replace(`{${last}}`, bad).replaceAll(/\{\w+\}/g, api.venue.simulatorId),
          body,
        );
        expectProblem(answer, 400, `#/path/${last}`);
      }
    }
    expectProblem(await api.anyone.get('/api/v1/laps/%E0%A4%A'), 400);
    expectProblem(await api.anyone.get('/api/v1/laps/%00'), 400);
  });

  // `hostile-requests.test.ts` has those that are repeated.
  it('get a 400 that names the parameter for empty or wrong values', async () => {
    const { lapId, eventId } = api.venue;
    for (const [place, parameters] of Object.entries(WRONG_VALUES)) {
      const path = `/api/v1/${place.replace('{lapId}', lapId).replace('{eventId}', eventId)}`;
      for (const [name, values] of Object.entries(parameters)) {
        for (const query of [...values.map((value) => `${name}=${value}`), name])
          expectProblem(await api.admin.get(`${path}?${query}`), 400, `#/query/${name}`);
      }
    }
  });

  it('get a 404 for ids of nothing, or of another kind of resource, in either case', async () => {
    const rows = operationsOf(api.service.document).filter(
      ({ path, method }) => /\{\w+Id\}/.test(path) && ['GET', 'DELETE'].includes(method),
    );
    const { brandId, carId, lapId } = api.venue;
    for (const { path, method } of rows) {
      for (const id of [NOBODY, path.includes('/brands/') ? carId : brandId]) {
        const answer = await api.admin.send(method, path.replaceAll(/\{\w+\}/g, id));
        expect(expectProblem(answer, 404).type).to.equal('urn:problem-type:not-found');
      }
    }
    expect(await api.anyone.read(`/api/v1/laps/${lapId.toUpperCase()}`)).to.include({ id: lapId });
  });

  it('get a 404 for unknown paths', async () => {
    for (const path of ['events', 'events/a/b', 'overlay', 'assets', 'actuator', 'actuator/env', 'cdn', 'cdn/LOGO'])
      expectProblem(await api.admin.get(`/${path}`), 404);
  });

  it('get the advice to set the clock for laps driven before 2000, or more than 5 minutes ahead', async () => {
    const body = bodies.lap(api.venue);
    const ahead = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
    const headers = { 'Idempotency-Key': 'driven-at' };
    for (const [drivenAt, reason] of [
      ['1999-12-31T23:59:59.999Z', 'before 2000'],
      ['1999-12-31T23:00:00-00:30', 'before 2000'],
      [ahead(6), 'ahead of the server'],
    ] as const) {
      const wrong = { ...body, drivenAt };
      const alone = await api.venue.rig.post('/api/v1/laps', wrong, headers);
      expectProblem(alone, 400, '#/drivenAt');
      expect(alone.text).to.include(reason).and.include('set the clock by the `Date` header');
    }
    // The refused requests have not consumed the key.
    const millennium = { drivenAt: '2000-01-01T00:00:00.000Z' };
    const first = expectStatus(await api.venue.rig.post('/api/v1/laps', { ...body, ...millennium }, headers), 201);
    expect(first.body).to.include(millennium);
    const soon = { drivenAt: ahead(4) };
    expect(await api.venue.rig.create('/api/v1/laps', { ...body, ...soon })).to.include(soon);
  });
});
