import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { caughtUp, untilStatus } from '../support/processes/waits.ts';
import { startService, type Service } from '../support/api/service.ts';
import { bodies, createVenue, issueKey, issueLicenseFile, type Venue } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { itIsOneService } from '../support/api/two-nodes.ts';
import { upload } from '../support/api/uploads.ts';

/**
 * All that lists and pages show, as text, except when keys were last used, which is saved only now and then.
 * The status of the service itself is left out.
 */
async function everything(client: Client, service: Service): Promise<Readonly<Record<string, string>>> {
  const shown: Record<string, string> = {};
  for (const { method, path } of operationsOf(service.document)) {
    if (method !== 'GET' || path.includes('{') || !/^\/api\/v1\/(?!operations\/)/.test(path)) continue;
    shown[path] = (await client.get(path)).text.replaceAll(
      /"(lastUsedAt|lastLoginAt|lastSeenAt)":("[^"]*"|null)/g,
      '"$1":…',
    );
  }
  return shown;
}

describe('API: a service that is closed and started again', () => {
  const api = useVenue();

  it('shows the same records and files, and when a key was last used', async () => {
    const { id, client } = await issueKey(api.admin, 'R');
    await client.read('/api/v1/licenses/current');
    const usedAt = async () => (await api.admin.read(`/api/v1/api-keys/${id}`)).lastUsedAt;
    expectStatus(await upload(api.admin, 'LOGO/kept.png', 'kept'), 201);
    const before = await everything(api.admin, api.service);
    const used = await usedAt();
    await api.restart();
    expect(await everything(api.admin, api.service)).to.deep.equal(before);
    expect(before['/api/v1/laps']).to.include(api.venue.lapId);
    expect((await api.admin.get('/cdn/LOGO/kept.png')).text).to.equal('kept');
    expect(await usedAt())
      .to.equal(used)
      .and.to.be.a('string');
  });

  it('still knows keys, revoked keys and licence files', async () => {
    const manager = api.admin.as(api.venue.manager.token);
    const revoked = await issueKey(manager, 'R');
    expectStatus(await manager.delete(`/api/v1/api-keys/${revoked.id}`), 204);
    const licenseFile = await issueLicenseFile(manager, api.venue.licenseId);
    await api.restart();
    expectProblem(await api.admin.as(revoked.token).get('/api/v1/rigs'), 401);
    const again = api.admin.as(api.venue.manager.token);
    const registered = await again.create('/api/v1/rigs', { hardwareId: 'after-restart', licenseFile });
    expectStatus(await again.as(textOf(registered, 'apiKey', 'token')).get('/api/v1/rigs'), 200);
    expectProblem(await again.post('/api/v1/rigs', { hardwareId: api.venue.hardwareId, licenseFile }), 409);
    expectStatus(await api.admin.post('/api/v1/participants', bodies.participant(api.venue.licenseId)), 200);
  });

  it('answers an earlier Idempotency-Key as before, and shows writes that were only accepted', async () => {
    const headers = { 'Idempotency-Key': 'across-a-restart' };
    const rigBody = { hardwareId: 'retried-rig', licenseFile: await issueLicenseFile(api.admin, api.venue.licenseId) };
    const body = bodies.lap(api.venue);
    const lap = expectStatus(await api.admin.post('/api/v1/laps', body, headers), 201);
    const rig = expectStatus(await api.admin.post('/api/v1/rigs', rigBody, headers), 201);
    const prefer = { Prefer: 'respond-async' };
    const accepted = expectStatus(await api.admin.post('/api/v1/brands', bodies.brand(), prefer), 202);
    await api.restart();
    const again = expectStatus(await api.admin.post('/api/v1/laps', body, headers), 201);
    expect([again.header('idempotency-replayed'), again.text]).to.deep.equal(['true', lap.text]);
    expectProblem(await api.admin.post('/api/v1/laps', { ...body, totalTime: 1 }, headers), 422);
    const rigAgain = expectStatus(await api.admin.post('/api/v1/rigs', rigBody, headers), 201);
    expect(rigAgain.body.rig).to.deep.equal(rig.body.rig);
    expectProblem(await api.admin.as(textOf(rig.body, 'apiKey', 'token')).get('/api/v1/rigs'), 401);
    expectStatus(await api.admin.as(textOf(rigAgain.body, 'apiKey', 'token')).get('/api/v1/rigs'), 200);
    await untilStatus(200, () => api.admin.get(accepted.header('location')));
  });

  it('keeps its ADMIN token when another one is configured later, and says so', async () => {
    const { token } = api.admin;
    await api.restart({ BOOTSTRAP_ADMIN_TOKEN: 'another-token-0123456789-abcdef' });
    expectStatus(await api.admin.get('/api/v1/licenses'), 401);
    expectStatus(await api.admin.as(token).get('/api/v1/licenses'), 200);
    expect(api.service.announced).to.deep.equal([]);
    expect(api.service.log.join('')).to.include('BOOTSTRAP_ADMIN_TOKEN');
  });
});

describe('API: two services on one directory', () => {
  let one: Service;
  let other: Service;
  let venue: Venue;

  before(async () => {
    one = await startService();
    other = await one.another();
    venue = await createVenue(one.client);
  });
  after(async () => {
    await other.close();
    await one.close();
  });

  const nodeOf = ({ url, client }: Service) => ({ url, admin: client });
  itIsOneService(() => ({ here: nodeOf(one), there: nodeOf(other), venue }));

  it('show the same', async () => {
    for (const { client } of [one, other]) await caughtUp(client);
    expect(await everything(other.client, other)).to.deep.equal(await everything(one.client, one));
  });

  it('serve the same read models even if only one of them projects', async () => {
    const third = await one.another({ PROJECTOR: 'off' });
    try {
      const brand = await third.client.create('/api/v1/brands', bodies.brand());
      expect(await third.client.read(`/api/v1/brands/${idOf(brand)}`)).to.deep.equal(brand);
      expect((await third.client.read('/actuator/health')).status).to.equal('UP');
    } finally {
      await third.close();
    }
  });
});
