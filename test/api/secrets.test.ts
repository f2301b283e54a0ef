import { expect } from 'chai';
import { expectStatus, idOf, textOf } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { startService } from '../support/api/service.ts';
import { storesInUse } from '../support/processes/store-environment.ts';
import { createLicense, createVenue, issueKey, issueLicenseFile } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

// That tokens come back in no problem and reach no log is in `canaries.test.ts`.
describe('API: secrets', () => {
  const api = useVenue();

  const secretOf = (token: string | null): string => {
    if (token === null) throw new Error('no token');
    return token.startsWith('srt_') ? token.slice(13) : token;
  };

  it('tokens are in no list, no single answer and no metrics', async () => {
    const { manager, rig } = api.venue;
    const issued = await issueKey(manager, 'CRUD');
    const tokens = [api.admin, manager, rig, issued.client].map(({ token }) => secretOf(token));
    const paths = operationsOf(api.service.document).filter(
      ({ method, path }) => method === 'GET' && !path.includes('{'),
    );
    for (const { path } of paths) {
      const { text } = await api.admin.get(path);
      for (const token of tokens) expect(text.includes(token), `${path} shows a token`).to.equal(false);
    }
    const keys = await manager.list('/api/v1/api-keys');
    for (const key of keys) expect(await manager.read(`/api/v1/api-keys/${idOf(key)}`)).not.to.have.property('token');
    expect(JSON.stringify(keys)).not.to.match(/hash/i);
  });

  it('tokens are in no event and no file, whatever the service has done', async () => {
    const { manager, licenseId } = api.venue;
    const license = await api.admin.post(
      '/api/v1/licenses',
      { name: 'secret', displayName: 'Secret' },
      { 'Idempotency-Key': 'secret' },
    );
    const again = await api.admin.post(
      '/api/v1/licenses',
      { name: 'secret', displayName: 'Secret' },
      { 'Idempotency-Key': 'secret' },
    );
    const key = await manager.post('/api/v1/api-keys', { name: 'a key', role: 'R' }, { 'Idempotency-Key': 'secret' });
    const rig = await manager.post('/api/v1/rigs', {
      hardwareId: 'secret',
      licenseFile: await issueLicenseFile(manager, licenseId),
    });
    const tokens = [
      textOf(license.body, 'apiKey', 'token'),
      textOf(again.body, 'apiKey', 'token'),
      textOf(key.body, 'token'),
      textOf(rig.body, 'apiKey', 'token'),
      manager.token,
      api.venue.rig.token,
      api.admin.token,
    ];
    expect(new Set(tokens).size, 'every answer has a token of its own').to.equal(tokens.length);
    // Database servers keep their data outside our files.
    if (storesInUse === 'embedded') {
      expect(await api.service.filesWith(licenseId), 'the search finds what is there').not.to.be.empty;
    }
    for (const token of tokens) expect(await api.service.filesWith(secretOf(token))).to.deep.equal([]);
  });
});

describe('API: the first start', () => {
  it('announces the root token that it generates, once', async () => {
    const service = await startService({ BOOTSTRAP_ADMIN_TOKEN: '' });
    let current = service;
    try {
      const [token, ...more] = service.announced;
      expect(more).to.deep.equal([]);
      const admin = service.client.as(token ?? null);
      const { licenseId } = await createLicense(admin);
      expect(service.log.join('')).not.to.include(String(token).slice(13));
      expect(await service.filesWith(String(token).slice(13))).to.deep.equal([]);
      current = await service.restart();
      expect(current.announced).to.deep.equal([]);
      const again = current.client.as(token ?? null);
      expect(await again.read(`/api/v1/licenses/${licenseId}`)).to.include({ id: licenseId });
      expect((await again.list('/api/v1/api-keys')).map(({ role }) => role)).to.deep.equal(['ADMIN']);
    } finally {
      await current.close();
    }
  });

  it('accepts the configured token, and keeps it when another one is configured later', async () => {
    const service = await startService();
    let current = service;
    try {
      expect(service.announced).to.deep.equal([]);
      await createVenue(service.client);
      const { token } = service.client;
      current = await service.restart({ BOOTSTRAP_ADMIN_TOKEN: 'another-token-0123456789-abcdef' });
      expectStatus(await current.client.get('/api/v1/licenses'), 401);
      expectStatus(await current.client.as(token).get('/api/v1/licenses'), 200);
      expect(current.log.join('')).to.include('BOOTSTRAP_ADMIN_TOKEN');
    } finally {
      await current.close();
    }
  });
});
