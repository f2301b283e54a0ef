import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { createLicense, expiringSoon, issueKey, issueLicenseFile, registerRig, works } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';

const KEYS = '/api/v1/api-keys';
const FAR = '9026-01-01T00:00:00.000Z';

describe('API: the life of a key', () => {
  const api = useService();

  it('ends when the key expires, unless the expiry was removed', async () => {
    const { manager } = await createLicense(api.admin);
    const began = Date.now();
    const [one, other] = [await issueKey(manager, 'R'), await issueKey(manager, 'R')];
    for (const { id } of [one, other]) {
      const changed = await expiringSoon((expiresAt) => manager.patch(`${KEYS}/${id}`, { expiresAt }));
      expect(Date.parse(textOf(changed, 'expiresAt'))).to.be.greaterThan(began);
    }
    expect(await manager.change(`${KEYS}/${other.id}`, { expiresAt: null })).to.include({ expiresAt: null });
    await until(
      () => works(one.client),
      (working) => !working,
    );
    expect(await works(other.client)).to.equal(true);
    const created = await manager.create(KEYS, { name: 'for ever and a day', role: 'R', expiresAt: FAR });
    expect(textOf(created, 'apiKey', 'expiresAt')).to.equal(FAR);
  });

  it('continues with a new token, and with the old ones for as long as requested', async () => {
    const { manager } = await createLicense(api.admin);
    const { id, client } = await issueKey(manager, 'CR');
    const place = `${KEYS}/${id}/rotate`;
    const rotate = async (body?: { graceSeconds: number }) =>
      expectStatus(await (body === undefined ? manager.send('POST', place) : manager.post(place, body)), 200).body;
    const second = await rotate({ graceSeconds: 3_600 });
    expect(textOf(second, 'apiKey', 'id')).to.equal(id);
    expect(textOf(second, 'apiKey', 'keyPrefix')).to.equal(textOf(second, 'token').slice(0, 12));
    const third = await rotate({ graceSeconds: 3_600 });
    for (const each of [client, manager.as(textOf(second, 'token')), manager.as(textOf(third, 'token'))]) {
      expect(await works(each)).to.equal(true);
    }
    const last = await rotate();
    expect(await works(manager.as(textOf(third, 'token')))).to.equal(false);
    expect(await works(client), 'its hour is not over').to.equal(true);
    expect(await works(manager.as(textOf(last, 'token')))).to.equal(true);
    for (const graceSeconds of [-1, 604_801, 0.5, '1', null]) {
      expectProblem(await manager.post(place, { graceSeconds }), 400, '#/graceSeconds');
    }
    expectStatus(await manager.delete(`${KEYS}/${id}`), 204);
    expect(expectProblem(await manager.send('POST', place), 409).type).to.equal('urn:problem-type:revoked');
    expect(await works(manager.as(textOf(last, 'token')))).to.equal(false);
    expect(await works(client)).to.equal(false);
  });

  it('is extended by rotation only for callers who may revoke the key', async () => {
    const [one, other] = [await createLicense(api.admin), await createLicense(api.admin)];
    const place = `${KEYS}/${one.managerKeyId}/rotate`;
    expectProblem(await other.manager.send('POST', place), 404);
    expectProblem(await (await issueKey(one.manager, 'CR')).client.send('POST', place), 403);
    const token = textOf(expectStatus(await api.admin.send('POST', place), 200).body, 'token');
    expect(await works(one.manager)).to.equal(false);
    expect(await works(one.manager.as(token))).to.equal(true);
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
});

describe('API: ADMIN keys that revoke each other at the same moment', () => {
  const api = useService();

  it('leave one working key', async () => {
    const [root = {}] = await until(
      () => api.admin.list(KEYS),
      ({ length }) => length > 0,
    );
    let [admin, adminId] = [api.admin, idOf(root)];
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

describe('API: a rig that lost its key', () => {
  const api = useService();

  it('gets a new one, and its others end', async () => {
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

  it('gets none from another licence, from itself, from a lower role, or if the rig does not exist', async () => {
    const [one, other] = [await createLicense(api.admin), await createLicense(api.admin)];
    const { rig, rigId } = await registerRig(one.manager, one.licenseId);
    const place = `/api/v1/rigs/${rigId}/key`;
    expect(expectProblem(await other.manager.send('POST', place), 403).type).to.equal('urn:problem-type:not-yours');
    expect(expectProblem(await rig.send('POST', place), 403).type).to.equal('urn:problem-type:rig-scope');
    expectProblem(await (await issueKey(one.manager, 'CR')).client.send('POST', place), 403);
    expectProblem(await one.manager.send('POST', `/api/v1/rigs/${one.licenseId}/key`), 404);
    expect(await works(rig)).to.equal(true);
  });
});

describe('API: licence files that are no longer valid', () => {
  const aged = useService({ LICENSE_FILE_MAX_AGE: '1' });

  it('are those signed with the previous key', async () => {
    const { manager, licenseId, licenseKey } = await createLicense(aged.admin);
    const licenseFile = await issueLicenseFile(manager, licenseId);
    expectProblem(await manager.send('POST', `/api/v1/licenses/${licenseId}/rotate-key`), 403);
    const answer = expectStatus(await aged.admin.send('POST', `/api/v1/licenses/${licenseId}/rotate-key`), 200);
    expect(textOf(answer.body, 'licenseKey')).not.to.equal(licenseKey);
    expectProblem(await manager.post('/api/v1/rigs', { hardwareId: 'rotated', licenseFile }), 403);
    await registerRig(manager, licenseId);
  });

  it('are those that are too old', async () => {
    const { manager, licenseId } = await createLicense(aged.admin);
    const licenseFile = await issueLicenseFile(manager, licenseId);
    let tries = 0;
    const register = async (): Promise<number> => {
      const { status } = await manager.post('/api/v1/rigs', { hardwareId: `aged-${++tries}`, licenseFile });
      expect(status).to.be.oneOf([201, 403]);
      return status;
    };
    await until(register, (status) => status === 403);
  });
});
