import { expect } from 'chai';
import { readCsv } from '../support/csv.ts';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expectStatus, idOf, type Answer, type Client } from '../support/api/client.ts';
import { sendRaw, type Raw } from '../support/api/raw.ts';
import { PAGED } from '../support/api/resources.ts';
import { bodies, createLicense } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: lists', () => {
  const api = useVenue();

  const conditional = (client: Client, path: string, etag: string): Promise<Answer> =>
    client.get(path, { 'If-None-Match': etag });

  /** The ETag of a list, which a 304 repeats. */
  async function tagOf(client: Client, path: string): Promise<string> {
    const etag = expectStatus(await client.get(path), 200).header('etag');
    expect(etag, path).to.match(/^W\/"[\w-]{16}"$/);
    for (let n = 0; n < 2; n += 1) {
      const unchanged = expectStatus(await conditional(client, path, etag), 304);
      expect([unchanged.text, unchanged.header('etag')], path).to.deep.equal(['', etag]);
    }
    return etag;
  }

  for (const { name } of PAGED) {
    it(`${name}: keep their ETags until something in the list changes`, async () => {
      const resource = api.resource(name);
      const paths = [resource.path, `${resource.path}/paged?size=1000`];
      const before = await Promise.all(paths.map((path) => tagOf(api.admin, path)));
      await api.admin.create('/api/v1/licenses', bodies.license());
      for (const [n, path] of paths.entries()) expectStatus(await conditional(api.admin, path, before[n] ?? ''), 304);
      const made = resource.unwrap(await api.admin.create(resource.path, await resource.body()));
      if (resource.shows.includes('enabled')) await api.admin.change(resource.pathOf(made), { enabled: true });
      for (const [n, path] of paths.entries()) {
        const after = expectStatus(await conditional(api.admin, path, before[n] ?? ''), 200);
        expect(after.header('etag')).not.to.equal(before[n]);
      }
    });
  }

  it('keep the ETags of boards and bests until a lap arrives', async () => {
    const path = `/api/v1/events/${api.venue.eventId}/leaderboard`;
    const before = await tagOf(api.anyone, path);
    const bests = `/api/v1/participants/${api.venue.participantId}/bests`;
    const own = await tagOf(api.anyone, bests);
    const other = await api.admin.create('/api/v1/events', bodies.event(api.venue));
    await api.admin.create('/api/v1/laps', { ...bodies.lap(api.venue), eventId: idOf(other) });
    expectStatus(await conditional(api.anyone, path, before), 304);
    await api.admin.create('/api/v1/laps', { ...bodies.lap(api.venue), totalTime: 12_345 });
    let after = expectStatus(await conditional(api.anyone, path, before), 200);
    expect(after.text).to.include('12345');
    expectStatus(await conditional(api.anyone, bests, own), 200);
    const { eventId, carId, participantId } = api.venue;
    for (const [named, change] of [
      [`/api/v1/participants/${participantId}`, { lastName: 'Renamed' }],
      // Only rows name cars, and only the head names the event.
      [`/api/v1/cars/${carId}`, { modelName: 'Renamed' }],
      [`/api/v1/events/${eventId}`, { name: 'Renamed' }],
    ] as const) {
      await api.admin.change(named, change);
      after = expectStatus(await conditional(api.anyone, path, after.header('etag')), 200);
    }
  });

  it('change the ETags of simulators, and of each one, with a mapping', async () => {
    const one = `/api/v1/simulators/${api.venue.simulatorId}`;
    const all = await tagOf(api.anyone, '/api/v1/simulators');
    const mappings = await tagOf(api.anyone, `${one}/layouts`);
    const own = (await api.anyone.get(one)).header('etag');
    await api.admin.create(`${one}/layouts`, { trackLayoutId: api.venue.trackLayoutId, simulatorIdentifier: 'spa' });
    expectStatus(await conditional(api.anyone, '/api/v1/simulators', all), 200);
    expectStatus(await conditional(api.anyone, `${one}/layouts`, mappings), 200);
    expectStatus(await conditional(api.anyone, one, own), 200);
  });

  it('have different ETags for callers who see different fields, for each page and for each filter', async () => {
    const { manager } = await createLicense(api.admin);
    const list = '/api/v1/participants';
    const tags = new Set<string>();
    for (const client of [api.admin, manager, api.venue.manager]) tags.add(await tagOf(client, list));
    expect(tags.size).to.equal(3);
    const page = await tagOf(api.admin, `${list}/paged`);
    expectStatus(await conditional(manager, `${list}/paged`, page), 200);
    const laps = await tagOf(api.anyone, '/api/v1/laps/paged?size=1');
    expectStatus(await conditional(api.anyone, '/api/v1/laps/paged?size=2', laps), 200);
    expect((await api.admin.get('/api/v1/api-keys')).headers.get('etag'), 'its use changes it').to.equal(null);
  });

  describe('compression', () => {
    before(async () => {
      const laps = Array.from({ length: 30 }, () => bodies.lap(api.venue));
      expectStatus(await api.admin.post('/api/v1/laps/batch', { laps }), 200);
    });

    const decoded = ({ headers, body }: Raw): string => {
      const coding = headers['content-encoding'];
      if (coding === undefined) return body.toString();
      return (coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString();
    };

    const get = (path: string, accepted?: string): Promise<Raw> =>
      sendRaw(api.service.url, { path, headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted } });

    for (const path of ['/api/v1/laps', '/api/v1/laps/paged?size=30', '/api-docs']) {
      it(`${path} is sent in the coding that the client prefers`, async () => {
        const plain = await get(path);
        expect(plain.headers).not.to.have.property('content-encoding');
        for (const [accepted, coding] of [
          ['gzip', 'gzip'],
          ['br', 'br'],
          ['gzip, deflate, br', 'br'],
          ['GZIP;q=1, br;q=0.5', 'gzip'],
          ['br;q=0, gzip', 'gzip'],
          ['*', 'br'],
          ['identity', undefined],
          ['identity;q=1, gzip;q=0.5', undefined],
          ['br;q=0, gzip;q=0', undefined],
          ['deflate, zstd', undefined],
          ['gzip;q=x', undefined],
          ['', undefined],
        ] as const) {
          const answer = await get(path, accepted);
          expect(answer.headers['content-encoding'], accepted).to.equal(coding);
          expect(decoded(answer), accepted).to.equal(plain.body.toString());
          expect(answer.headers.vary, accepted).to.match(/^(Accept, )?Accept-Encoding$/);
          if (coding !== undefined) expect(answer.body.length).to.be.below(plain.body.length / 3);
        }
      });
    }

    it('answers 304 to a client that has the ETag, whatever the coding', async () => {
      for (const path of ['/api/v1/laps', '/api/v1/laps/paged?size=30', '/api-docs']) {
        const etag = String((await get(path, 'br')).headers.etag);
        expect(etag).to.match(/^W\//);
        const again = await api.anyone.get(path, { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' });
        expectStatus(again, 304);
      }
    });

    it('leaves small answers, single resources and problems uncompressed', async () => {
      for (const path of [
        `/api/v1/laps/${api.venue.lapId}`,
        `/api/v1/laps/paged?size=1`,
        `/api/v1/laps/paged?${'x'.repeat(2_000)}=1`,
        '/actuator/health',
      ]) {
        expect((await get(path, 'gzip, br')).headers, path).not.to.have.property('content-encoding');
      }
    });
  });

  // test/export/csv.test.ts has values, and seasons compare those of all lists.
  describe('as CSV', () => {
    const LAPS = '/api/v1/laps';
    const CSV = { headers: { Accept: 'text/csv' } };
    /** The lines of a list, headings first; no value in these lists contains a line break. */
    const rowsOf = (text: string): readonly string[] => text.split('\r\n');

    it('are requested by parameter or Accept, with a file name and their own ETag', async () => {
      const byParameter = expectStatus(await api.admin.get(`${LAPS}?format=csv`), 200);
      expect(byParameter.header('content-type')).to.equal('text/csv; charset=utf-8; header=present');
      expect(byParameter.header('content-disposition')).to.equal('attachment; filename="laps.csv"');
      expect(byParameter.header('vary')).to.match(/^Accept, Accept-Encoding/);
      const byAccept = expectStatus(await api.admin.send('GET', LAPS, CSV), 200);
      expect(byAccept.text).to.equal(byParameter.text);
      const [shown = {}] = await api.admin.list(LAPS);
      expect(rowsOf(byAccept.text)[0]?.split(',')).to.deep.equal(Object.keys(shown));
      const json = expectStatus(await api.admin.get(LAPS), 200);
      expect(json.header('etag')).not.to.equal(byAccept.header('etag'));
      const headers = { 'If-None-Match': byAccept.header('etag') };
      expectStatus(await api.admin.send('GET', `${LAPS}?format=csv`, { headers }), 304);
      expectStatus(await api.admin.send('GET', LAPS, { headers }), 200);
    });

    it('are JSON when the client does not ask for CSV, or asks for JSON by parameter', async () => {
      for (const Accept of ['*/*', 'text/html, */*;q=0.8', 'application/json, text/csv;q=0.5', 'text/csv;q=0']) {
        const answer = expectStatus(await api.admin.send('GET', LAPS, { headers: { Accept } }), 200);
        expect(answer.header('content-type'), Accept).to.equal('application/json');
      }
      const answer = expectStatus(await api.admin.send('GET', `${LAPS}?format=json`, CSV), 200);
      expect(answer.header('content-type')).to.equal('application/json');
    });

    it('separate cells by a comma, or by the requested delimiter, each with its own ETag', async () => {
      const texts: string[] = [];
      const tags: string[] = [];
      for (const [sent, delimiter] of [
        ['', ','],
        ['&delimiter=,', ','],
        ['&delimiter=;', ';'],
        ['&delimiter=%3B', ';'],
        ['&delimiter=tab', '\t'],
      ] as const) {
        const answer = expectStatus(await api.admin.get(`${LAPS}?format=csv${sent}`), 200);
        const [heading = [], ...rows] = readCsv(answer.text, delimiter);
        expect(heading, sent).to.include('totalTime');
        for (const row of rows) expect(row, sent).to.have.length(heading.length);
        texts.push(answer.text);
        tags.push(answer.header('etag'));
      }
      expect(new Set(texts).size).to.equal(3);
      expect(new Set(tags).size).to.equal(3);
      const byAccept = expectStatus(await api.admin.send('GET', `${LAPS}?delimiter=;`, CSV), 200);
      expect(byAccept.text).to.equal(texts[2]);
    });

    it('have a header row even when empty, and a byte order mark on request', async () => {
      const none = '00000000-0000-7000-8000-000000000001';
      const empty = expectStatus(await api.admin.get(`${LAPS}?format=csv&bom=true&eventId=${none}`), 200);
      expect([...empty.bytes.slice(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
      expect(rowsOf(empty.text)).to.have.length(2);
    });
  });
});
