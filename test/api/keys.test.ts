import { expect } from 'chai';
import { expectProblem, expectStatus, textOf, type Client } from '../support/api/client.ts';
import { hangingRequest } from '../support/api/hanging-request.ts';
import { createLicense, issueKey, registerRig, works } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';

const KEYS = '/api/v1/api-keys';

// `test/access/authorizer.test.ts` has who manages keys of which role; the model issues some.
describe('API: keys', () => {
  const api = useService();

  it('are issued with their token, once, and shown without it from then on', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const answer = expectStatus(await manager.post(KEYS, { name: 'Timing desk', role: 'CR' }), 201);
    const { apiKey } = answer.body;
    const token = textOf(answer.body, 'token');
    expect(token).to.match(/^srt_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
    expect(apiKey).to.include({
      licenseId,
      name: 'Timing desk',
      role: 'CR',
      enabled: true,
      lastUsedAt: null,
      keyPrefix: token.slice(0, 12),
    });
    expect(Object.keys(answer.body)).to.have.members(['apiKey', 'token']);
    expect(await manager.read(answer.header('location'))).to.deep.equal(apiKey);
    const listed = (await manager.list(KEYS)).find(({ id }) => id === textOf(apiKey, 'id'));
    expect(listed).to.deep.equal(apiKey);
    expect(await works(manager.as(token))).to.equal(true);
  });

  it('are listed for their own licence only, even to ADMIN', async () => {
    const one = await createLicense(api.admin);
    const other = await createLicense(api.admin);
    await issueKey(one.manager, 'R');
    expect((await one.manager.list(KEYS)).map(({ licenseId }) => licenseId)).to.deep.equal([
      one.licenseId,
      one.licenseId,
    ]);
    expect((await other.manager.list(KEYS)).map(({ id }) => id)).to.deep.equal([other.managerKeyId]);
    const own = (await api.admin.read('/api/v1/licenses/current')).id;
    for (const { licenseId } of await api.admin.list(KEYS)) expect(licenseId).to.equal(own);
  });

  it('of a rig manage no keys, whatever their role', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const { rig, rigKeyId } = await registerRig(manager, licenseId);
    expect((await manager.read(`${KEYS}/${rigKeyId}`)).role).to.equal('CRUD');
    for (const role of ['CRUD', 'ADMIN']) {
      await api.admin.change(`${KEYS}/${rigKeyId}`, { role });
      expectProblem(await rig.get(KEYS), 403);
      expectProblem(await rig.get(`${KEYS}/${rigKeyId}`), 403);
      expectProblem(await rig.post(KEYS, { name: 'A key', role: 'R' }), 403);
      expectProblem(await rig.patch(`${KEYS}/${rigKeyId}`, { name: 'A key' }), 403);
      expectProblem(await rig.delete(`${KEYS}/${rigKeyId}`), 403);
    }
  });

  it('that were revoked stay revoked, and are still listed', async () => {
    const { manager } = await createLicense(api.admin);
    const { id, client } = await issueKey(manager, 'CRUD');
    const answer = expectStatus(await manager.delete(`${KEYS}/${id}`), 204);
    expect(answer.text).to.equal('');
    const refused = await client.get('/api/v1/licenses/current');
    expectProblem(refused, 401);
    expect(refused.header('www-authenticate')).to.be.a('string');
    expect(await manager.read(`${KEYS}/${id}`)).to.include({ enabled: false });
    expectStatus(await manager.delete(`${KEYS}/${id}`), 204);
    for (const change of [{ name: 'Still dead' }, { role: 'R' }, { expiresAt: null, role: 'CR' }])
      expect(expectProblem(await manager.patch(`${KEYS}/${id}`, change), 409).type).to.match(/revoked$/);
    expectStatus(await manager.patch(`${KEYS}/${id}`, {}), 200);
    expect(await works(client)).to.equal(false);
    expect((await manager.list(KEYS)).find((key) => key.id === id)).to.include({ enabled: false });
  });

  it('are a 401 at once with every older token when they get a new one without a grace period', async () => {
    const { manager: first, managerKeyId } = await createLicense(api.admin);
    const rotated = async (client: Client, graceSeconds: number): Promise<Client> => {
      const answer = await client.post(`${KEYS}/${managerKeyId}/rotate`, { graceSeconds });
      return client.as(textOf(expectStatus(answer, 200).body, 'token'));
    };
    const hanging = ({ token }: Client) =>
      hangingRequest(api.service.url, { path: '/api/v1/brands', token: token ?? '' });
    const pending = [await hanging(first)];
    const second = await rotated(first, 600);
    pending.push(await hanging(first), await hanging(second));
    const current = await rotated(second, 0);
    expect(await Promise.all(pending.map(({ status }) => status))).to.deep.equal([401, 401, 401]);
    expect(await works(current)).to.equal(true);
  });

  it('show when they were last used, and their licence when it last made a request', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const { id, client } = await issueKey(manager, 'R');
    const license = `/api/v1/licenses/${licenseId}`;
    expect((await manager.read(`${KEYS}/${id}`)).lastUsedAt).to.equal(null);
    const before = Date.now();
    await client.read('/api/v1/licenses/current');
    const lastUsedAt = textOf(await manager.read(`${KEYS}/${id}`), 'lastUsedAt');
    expect(Date.parse(lastUsedAt)).to.be.within(before, Date.now());
    expect(Date.parse(textOf(await api.admin.read(license), 'lastLoginAt'))).to.be.within(before, Date.now());
    await client.list('/api/v1/laps');
    const seen = textOf(await manager.read(`${KEYS}/${id}`), 'lastUsedAt');
    expect(seen >= lastUsedAt, 'public reads under the key count').to.equal(true);
  });
});
