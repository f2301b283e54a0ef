import { expect } from 'chai';
import { COPIES_STREAM } from '../../src/service/resources/copy-events.ts';
import { EXPORT_VIEWS } from '../../src/service/exports/views.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { gathered } from '../support/event-store/events.ts';
import { withStores } from '../support/processes/rebuilding.ts';
import { storesInUse } from '../support/processes/store-environment.ts';
import { useVenue } from '../support/api/with-service.ts';
import { downloaded, exportTable } from '../support/seasons/tables.ts';

const EXPORTS = '/api/v1/operations/exports';

// Seasons compare tables, that of the best laps too, with a plain calculation.
describe('API: lists as Parquet', () => {
  const api = useVenue();

  it('have the rows and columns of the command, personal data included', async () => {
    const use = ({ lastSeenAt: _, ...row }: JsonObject): JsonObject => row;
    for (const { name } of EXPORT_VIEWS) {
      const parquet = await exportTable(name, 'parquet', api.service);
      const rows = await downloaded(api.admin, name);
      expect(rows.map(use), name).to.deep.equal(parquet.map(use));
    }
    const [person = {}] = await downloaded(api.admin, 'participants');
    expect(person.email).to.match(/@/);
    const [nameless = {}] = await downloaded(api.admin, 'participants', '?names=false');
    expect(nameless.id).to.equal(person.id);
    expect(nameless).not.to.have.any.keys('email', 'firstName', 'extraFieldsJson', 'licenseDisplayName');
  });

  it('are files with a name and an ETag, for HEAD too', async () => {
    const file = expectStatus(await api.admin.get(`${EXPORTS}/laps`), 200);
    expect(file.header('content-type')).to.equal('application/vnd.apache.parquet');
    expect(file.header('content-disposition')).to.equal('attachment; filename="laps.parquet"');
    expect(file.text.slice(0, 4) + file.text.slice(-4)).to.equal('PAR1PAR1');
    const head = expectStatus(await api.admin.send('HEAD', `${EXPORTS}/laps`), 200);
    for (const name of ['content-type', 'content-disposition', 'etag'])
      expect(head.header(name)).to.equal(file.header(name));
    expect(head.bytes).to.have.length(0);
    const known = { 'If-None-Match': file.header('etag') };
    expectStatus(await api.admin.get(`${EXPORTS}/laps`, known), 304);
    await api.admin.create('/api/v1/laps', bodies.lap(api.venue));
    expectStatus(await api.admin.get(`${EXPORTS}/laps`, known), 200);
  });

  it('record which key had personal data', async function () {
    // It reads the events of the embedded store.
    if (storesInUse !== 'embedded') this.skip();
    const copies = () => withStores(api.service.dataDir, ({ store }) => gathered(store.readStream(COPIES_STREAM)));
    const before = (await copies()).length;
    await downloaded(api.admin, 'participants', '?names=false');
    await downloaded(api.admin, 'cars');
    expect(await copies()).to.have.lengthOf(before);
    await downloaded(api.admin, 'participants');
    const [{ data, metadata } = expect.fail('nothing was recorded')] = (await copies()).slice(before);
    expect(data).to.deep.equal({ what: 'export', where: 'download of participants', by: null });
    expect(metadata).to.include({ role: 'ADMIN' });
    expect(metadata.apiKeyId).to.be.a('string');
  });

  it('are refused for lists without an export, and for all callers but ADMIN', async () => {
    for (const name of ['licenses', 'api-keys', 'lapses'])
      expectProblem(await api.admin.get(`${EXPORTS}/${name}`), 400);
    expectProblem(await api.anyone.get(`${EXPORTS}/laps`), 401);
  });
});
