import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import {
  bodies,
  createLicense,
  createVenue,
  expiringSoon,
  issueKey,
  issueLicenseFile,
  registerRig,
  works,
} from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';

const KEYS = '/api/v1/api-keys';
const FAR = '9026-01-01T00:00:00.000Z';

describe('API: the life of a key', () => {
  const api = useService();

  it('ends when the key expires, unless the expiry was removed', async () => {
    const { manager } = await createLicense(api.admin);
    const began = Date.now();
    const one = await issueKey(manager, 'R');
    const other = await issueKey(manager, 'R');
    for (const { id } of [one, other]) {
      const changed = await expiringSoon((expiresAt) => manager.patch(`${KEYS}/${id}`, { expiresAt }));
      expect(Date.parse(textOf(changed, 'expiresAt'))).to.be.greaterThan(began);
    }
    expect(await manager.change(`${KEYS}/${other.id}`, { expiresAt: null })).to.include({ expiresAt: null });
    await until(async () => !(await works(one.client)));
    expect(await works(other.client)).to.equal(true);
    const created = await manager.create(KEYS, { name: 'for ever and a day', role: 'R', expiresAt: FAR });
    expect(textOf(created, 'apiKey', 'expiresAt')).to.equal(FAR);
  });

  it('continues with a new token, and with the previous one for the requested time', async () => {
    const { manager } = await createLicense(api.admin);
    const { id, client } = await issueKey(manager, 'CR');
    const place = `${KEYS}/${id}/rotate`;
    const rotate = async (body?: { graceSeconds: number }) =>
      expectStatus(await (body === undefined ? manager.send('POST', place) : manager.post(place, body)), 200).body;
    const second = await rotate({ graceSeconds: 3_600 });
    expect(textOf(second, 'apiKey', 'id')).to.equal(id);
    expect(textOf(second, 'apiKey', 'keyPrefix')).to.equal(textOf(second, 'token').slice(0, 12));
    expect(await works(client)).to.equal(true);
    const before = Date.now();
    const third = await rotate({ graceSeconds: 3_600 });
    const working = [client, manager.as(textOf(second, 'token')), manager.as(textOf(third, 'token'))].map(works);
    expect(await Promise.all(working)).to.deep.equal([false, true, true]);
    const until = textOf(third, 'apiKey', 'oldTokenValidUntil');
    expect(Date.parse(until)).to.be.within(before + 3_600_000, Date.now() + 3_600_000);
    expect(await manager.read(`${KEYS}/${id}`)).to.include({ oldTokenValidUntil: until });
    expect((await manager.list(KEYS)).find((one) => one.id === id)).to.include({ oldTokenValidUntil: until });
    const last = await rotate();
    expect(last).to.have.nested.property('apiKey.oldTokenValidUntil', null);
    expect(await works(manager.as(textOf(second, 'token'))), 'an emergency ends its hour').to.equal(false);
    expect(await works(manager.as(textOf(third, 'token')))).to.equal(false);
    expect(await works(manager.as(textOf(last, 'token')))).to.equal(true);
    for (const graceSeconds of [-1, 604_801, 0.5, '1', null]) {
      expectProblem(await manager.post(place, { graceSeconds }), 400, '#/graceSeconds');
    }
    expectStatus(await manager.delete(`${KEYS}/${id}`), 204);
    expect(expectProblem(await manager.send('POST', place), 409).type).to.equal('urn:problem-type:revoked');
    expect(await works(manager.as(textOf(last, 'token')))).to.equal(false);
  });

  it('shows the expiry of the older token while that is valid, and ignores a value for it in requests', async () => {
    const { manager } = await createLicense(api.admin);
    const { id } = await issueKey(manager, 'R');
    const validUntil = async () => (await manager.read(`${KEYS}/${id}`))['oldTokenValidUntil'];
    expect(await validUntil()).to.equal(null);
    expectStatus(await manager.post(`${KEYS}/${id}/rotate`, { graceSeconds: 1 }), 200);
    await until(validUntil, (end) => end === null, { everyMs: 100 });
    await manager.change(`${KEYS}/${id}`, { oldTokenValidUntil: FAR });
    expect(await validUntil()).to.equal(null);
    expectStatus(await manager.post(`${KEYS}/${id}/rotate`, { graceSeconds: 3_600 }), 200);
    expect(await validUntil()).to.be.a('string');
    expectStatus(await manager.delete(`${KEYS}/${id}`), 204);
    expect(await validUntil(), 'it ended with its key').to.equal(null);
  });

  it('ends with an answer when the key revokes itself', async () => {
    const { manager } = await createLicense(api.admin);
    for (let times = 0; times < 5; times++) {
      const { id, client } = await issueKey(manager, 'CRUD');
      expectStatus(await client.delete(`${KEYS}/${id}`), 204);
      expect(await works(client)).to.equal(false);
    }
  });

  it('does not end for the last ADMIN key: a 409, until there is another one without an expiry', async () => {
    const [root] = await api.admin.list(KEYS);
    const place = `${KEYS}/${textOf(root ?? {}, 'id')}`;
    const other = await createLicense(api.admin);
    const ending = await api.admin.create(KEYS, { name: 'ending', role: 'ADMIN', expiresAt: FAR });
    const refused = async (client: Client): Promise<void> => {
      for (const change of [{ role: 'CRUD' }, { expiresAt: FAR }]) {
        expect(expectProblem(await client.patch(place, change), 409).type).to.equal('urn:problem-type:last-admin-key');
      }
      expectProblem(await client.delete(place), 409);
    };
    await refused(api.admin);
    await refused(api.admin.as(textOf(ending, 'token')));
    expect(await api.admin.change(place, { name: 'Root again' })).to.include({ role: 'ADMIN' });
    const { client, id } = await issueKey(api.admin, 'ADMIN');
    expectStatus(await client.patch(place, { role: 'CRUD' }), 200);
    expectProblem(await client.delete(`${KEYS}/${id}`), 409);
    expectStatus(await client.patch(place, { role: 'ADMIN' }), 200);
    expectStatus(await client.delete(`${KEYS}/${id}`), 204);
    await refused(api.admin);
    expect(await works(other.manager)).to.equal(true);
  });

  it('continues with an older token for recording and reading, but not for managing', async () => {
    const venue = await createVenue(api.admin);
    const { id: adminKeyId, client: admin } = await issueKey(api.admin, 'ADMIN');
    const { manager, licenseId, managerKeyId, rigId, hardwareId } = venue;
    const other = await createLicense(api.admin);
    const licenseFile = await issueLicenseFile(manager, licenseId);
    for (const [client, id] of [
      [manager, managerKeyId],
      [admin, adminKeyId],
    ] as const) {
      const place = `${KEYS}/${id}/rotate`;
      const current = client.as(
        textOf(expectStatus(await client.post(place, { graceSeconds: 600 }), 200).body, 'token'),
      );
      const isAdmin = client === admin;
      const license = `/api/v1/licenses/${licenseId}`;
      for (const refused of [
        await client.get(KEYS),
        await client.get(`${KEYS}/${id}`),
        await client.post(KEYS, { name: 'mine', role: 'R' }),
        await client.patch(`${KEYS}/${id}`, { name: 'mine' }),
        await client.delete(`${KEYS}/${id}`),
        await client.post(place, { graceSeconds: 0 }),
        await client.post('/api/v1/rigs', { hardwareId: `${hardwareId}-${id}`, licenseFile }),
        await client.send('POST', `/api/v1/rigs/${rigId}/key`),
        await client.send('POST', `${license}/file`),
        ...(isAdmin
          ? [
              await client.post('/api/v1/licenses', bodies.license()),
              await client.patch(license, { displayName: 'Mine' }),
              await client.send('POST', `${license}/rotate-key`),
              await client.send('POST', '/api/v1/operations/rebuild'),
              await client.send('POST', '/api/v1/operations/dead-letters/lap-1:0/retry'),
              await client.patch(`/api/v1/rigs/${rigId}`, { licenseId: other.licenseId }),
              await client.patch(`/api/v1/participants/${venue.participantId}`, { licenseId: other.licenseId }),
            ]
          : []),
      ]) {
        expect(expectProblem(refused, 403).detail).to.match(/^This token was replaced: only the new one /);
      }
      expectStatus(await client.get('/api/v1/licenses/current'), 200);
      expectStatus(await client.get(`${KEYS}/current`), 200);
      expectStatus(await client.get('/api/v1/rigs'), 200);
      await client.create('/api/v1/laps', bodies.lap(venue));
      await client.change(`/api/v1/rigs/${rigId}`, { name: 'Seat 4', licenseId });
      expectStatus(await current.get(`${KEYS}/${id}`), 200);
      expectStatus(await current.post(place, { graceSeconds: 0 }), 200);
      expect([await works(client), await works(current)]).to.deep.equal([false, false]);
    }
  });

  it('ends when its rig gets a new one', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const { rig, rigId } = await registerRig(manager, licenseId);
    const issued = expectStatus(await manager.send('POST', `/api/v1/rigs/${rigId}/key`), 200).body;
    expect(textOf(issued, 'apiKey', 'licenseId')).to.equal(licenseId);
    expect(await works(rig)).to.equal(false);
    const renewed = manager.as(textOf(issued, 'token'));
    expect(await renewed.change(`/api/v1/rigs/${rigId}`, { name: 'Back again' })).to.include({ name: 'Back again' });
    expectStatus(await api.admin.send('POST', `/api/v1/rigs/${rigId}/key`), 200);
    expect(await works(renewed)).to.equal(false);
  });

  it('ends for licence files signed by the previous licence key: they register no rig', async () => {
    const { manager, licenseId, licenseKey } = await createLicense(api.admin);
    const licenseFile = await issueLicenseFile(manager, licenseId);
    expectProblem(await manager.send('POST', `/api/v1/licenses/${licenseId}/rotate-key`), 403);
    const answer = expectStatus(await api.admin.send('POST', `/api/v1/licenses/${licenseId}/rotate-key`), 200);
    expect(textOf(answer.body, 'licenseKey')).not.to.equal(licenseKey);
    expectProblem(await manager.post('/api/v1/rigs', { hardwareId: 'rotated', licenseFile }), 403);
    await registerRig(manager, licenseId);
  });
});

describe('API: ADMIN keys that revoke each other at the same time', () => {
  const api = useService();

  it('leave one working key', async () => {
    const [root = {}] = await until(
      () => api.admin.list(KEYS),
      ({ length }) => length > 0,
    );
    let admin = api.admin;
    let adminId = idOf(root);
    for (let round = 0; round < 10; round += 1) {
      const other = await issueKey(admin, 'ADMIN');
      const answers = await Promise.all([
        admin.delete(`${KEYS}/${other.id}`),
        other.client.delete(`${KEYS}/${adminId}`),
      ]);
      for (const { status } of answers) expect(status).to.be.oneOf([204, 401, 409]);
      const working = [await works(admin), await works(other.client)];
      expect(working.filter(Boolean)).to.have.length(1);
      if (working[1] === true) [admin, adminId] = [other.client, other.id];
    }
  });
});

describe('API: licence files', () => {
  const aged = useService({ LICENSE_FILE_MAX_AGE: '1' });

  it('are refused once they are too old', async () => {
    const { manager, licenseId } = await createLicense(aged.admin);
    const licenseFile = await issueLicenseFile(manager, licenseId);
    let tries = 0;
    const register = async (): Promise<number> => {
      const { status } = await manager.post('/api/v1/rigs', { hardwareId: `aged-${++tries}`, licenseFile });
      expect(status).to.be.oneOf([201, 403]);
      return status;
    };
    await until(register, (status) => status === 403, { everyMs: 100 });
  });
});
