import { expect } from 'chai';
import { expectProblem, expectStatus } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const LAPS = '/api/v1/laps';
const CSV = { headers: { Accept: 'text/csv' } };

describe('API: lists as CSV', () => {
  const api = useVenue();

  /** The lines of a list, headings first; no value in these lists contains a line break. */
  const linesOf = (text: string): readonly string[] => text.split('\r\n');

  it('are requested by parameter or Accept, with a file name and their own ETag', async () => {
    const byParameter = expectStatus(await api.admin.get(`${LAPS}?format=csv`), 200);
    expect(byParameter.header('content-type')).to.equal('text/csv; charset=utf-8; header=present');
    expect(byParameter.header('content-disposition')).to.equal('attachment; filename="laps.csv"');
    expect(byParameter.header('vary')).to.match(/^Accept, Accept-Encoding/);
    const byAccept = expectStatus(await api.admin.send('GET', LAPS, CSV), 200);
    expect(byAccept.text).to.equal(byParameter.text);
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

  it('hold the fields of the view: numbers, times, JSON, and text that no spreadsheet executes', async () => {
    const body = { ...bodies.brand(), name: '=1+1, "quoted"' };
    await api.admin.create('/api/v1/brands', body);
    const brands = linesOf((await api.admin.get('/api/v1/brands?format=csv')).text);
    expect(brands.find((line) => line.includes('quoted'))).to.include(`,"'=1+1, ""quoted""",`);
    const [names = '', lap = ''] = linesOf((await api.admin.get(`${LAPS}?format=csv`)).text);
    const [shown = {}] = await api.admin.list(LAPS);
    expect(names.split(',')).to.deep.equal(Object.keys(shown));
    expect(lap).to.include(`,${JSON.stringify(shown.totalTime)},${JSON.stringify(shown.valid)},`);
    expect(lap).to.include(`"${JSON.stringify(shown.sectors)}"`);
    expect(lap).to.match(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3},/);
  });

  it('have their headings even when empty, and a byte order mark on request', async () => {
    const none = '00000000-0000-7000-8000-000000000001';
    const empty = expectStatus(await api.admin.get(`${LAPS}?format=csv&bom=true&eventId=${none}`), 200);
    expect([...empty.bytes.slice(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
    expect(linesOf(empty.text)).to.have.length(2);
  });

  it('are refused in other forms', async () => {
    expectProblem(await api.admin.get(`${LAPS}?format=xml`), 400);
    expectProblem(await api.admin.get(`${LAPS}?format=csv&bom=maybe`), 400);
    expectProblem(await api.admin.get(`${LAPS}/paged?format=csv`), 400);
  });
});
