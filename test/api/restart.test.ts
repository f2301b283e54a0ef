import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { caughtUp, untilStatus } from '../support/processes/waits.ts';
import { startService, type Service } from '../support/api/service.ts';
import { bodies, createVenue, issueKey, issueLicenseFile, type Venue } from '../support/api/venue.ts';
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
  let service: Service;
  let venue: Venue;

  before(async () => {
    service = await startService();
    venue = await createVenue(service.client);
  });
  after(() => service.close());

  it('shows what it showed, files too, and when a key was last used', async () => {
    const { id, client } = await issueKey(service.client, 'R');
    await client.read('/api/v1/licenses/current');
    const usedAt = async () => (await service.client.read(`/api/v1/api-keys/${id}`)).lastUsedAt;
    expectStatus(await upload(service.client, 'LOGO/kept.png', 'kept'), 201);
    const [before, used] = [await everything(service.client, service), await usedAt()];
    service = await service.restart();
    expect(await everything(service.client, service)).to.deep.equal(before);
    expect(before['/api/v1/laps']).to.include(venue.lapId);
    expect((await service.client.get('/cdn/LOGO/kept.png')).text).to.equal('kept');
    expect(await usedAt())
      .to.equal(used)
      .and.to.be.a('string');
  });

  it('still knows keys, revoked keys and licence files', async () => {
    const manager = service.client.as(venue.manager.token);
    const revoked = await issueKey(manager, 'R');
    expectStatus(await manager.delete(`/api/v1/api-keys/${revoked.id}`), 204);
    const licenseFile = await issueLicenseFile(manager, venue.licenseId);
    service = await service.restart();
    expectProblem(await service.client.as(revoked.token).get('/api/v1/rigs'), 401);
    const again = service.client.as(venue.manager.token);
    const registered = await again.create('/api/v1/rigs', { hardwareId: 'after-restart', licenseFile });
    expectStatus(await again.as(textOf(registered, 'apiKey', 'token')).get('/api/v1/rigs'), 200);
    expectProblem(await again.post('/api/v1/rigs', { hardwareId: venue.hardwareId, licenseFile }), 409);
    expectStatus(await service.client.post('/api/v1/participants', bodies.participant(venue.licenseId)), 200);
  });

  it('replays an earlier Idempotency-Key, and shows what was only accepted', async () => {
    const headers = { 'Idempotency-Key': 'across-a-restart' };
    const rigBody = { hardwareId: 'retried-rig', licenseFile: await issueLicenseFile(service.client, venue.licenseId) };
    const body = bodies.lap(venue);
    const lap = expectStatus(await service.client.post('/api/v1/laps', body, headers), 201);
    const rig = expectStatus(await service.client.post('/api/v1/rigs', rigBody, headers), 201);
    const prefer = { Prefer: 'respond-async' };
    const accepted = expectStatus(await service.client.post('/api/v1/brands', bodies.brand(), prefer), 202);
    service = await service.restart();
    const again = expectStatus(await service.client.post('/api/v1/laps', body, headers), 201);
    expect([again.header('idempotency-replayed'), again.text]).to.deep.equal(['true', lap.text]);
    expectProblem(await service.client.post('/api/v1/laps', { ...body, totalTime: 1 }, headers), 422);
    const rigAgain = expectStatus(await service.client.post('/api/v1/rigs', rigBody, headers), 201);
    expect(rigAgain.body.rig).to.deep.equal(rig.body.rig);
    expectProblem(await service.client.as(textOf(rig.body, 'apiKey', 'token')).get('/api/v1/rigs'), 401);
    expectStatus(await service.client.as(textOf(rigAgain.body, 'apiKey', 'token')).get('/api/v1/rigs'), 200);
    await untilStatus(200, () => service.client.get(accepted.header('location')));
  });

  it('keeps its ADMIN token when another one is configured later, and says so', async () => {
    const { token } = service.client;
    service = await service.restart({ BOOTSTRAP_ADMIN_TOKEN: 'another-token-0123456789-abcdef' });
    expectStatus(await service.client.get('/api/v1/licenses'), 401);
    expectStatus(await service.client.as(token).get('/api/v1/licenses'), 200);
    expect(service.announced).to.deep.equal([]);
    expect(service.log.join('')).to.include('BOOTSTRAP_ADMIN_TOKEN');
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

  it('one that does not project serves what the other projected', async () => {
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
