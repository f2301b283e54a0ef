import { expect } from 'chai';
import { compactVerify, importJWK, type JWK } from 'jose';
import { expectProblem, expectStatus, textOf } from '../support/api/client.ts';
import { until } from '../support/processes/waits.ts';
import {
  createLicense,
  createVenue,
  issueKey,
  issueLicenseFile,
  NOBODY,
  registerRig,
  works,
} from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';

const LICENSES = '/api/v1/licenses';

// The model has what a licence shows, and the key that comes with it.
describe('API: licences', () => {
  const api = useService();

  it('that are disabled or have expired make each of their keys a 401 until they are enabled or extended', async () => {
    const { licenseId, manager } = await createLicense(api.admin);
    const keys = [manager, (await issueKey(manager, 'R')).client, (await registerRig(manager, licenseId)).rig];
    for (const [end, renewal] of [
      [{ enabled: false }, { enabled: true }],
      [{ expiresAt: '2020-01-01T00:00:00+02:00' }, { expiresAt: '2999-01-01T00:00:00Z' }],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, { expiresAt: null }],
    ] as const) {
      await api.admin.change(`${LICENSES}/${licenseId}`, end);
      for (const key of keys) {
        const answer = await key.get('/api/v1/rigs');
        expectProblem(answer, 401);
        expect(answer.header('www-authenticate')).to.include('X-API-Key');
        expectStatus(await key.get('/api/v1/laps'), 200);
      }
      await api.admin.change(`${LICENSES}/${licenseId}`, renewal);
      for (const key of keys) expectStatus(await key.get('/api/v1/rigs'), 200);
    }
  });

  it('lose their rights the moment they expire', async () => {
    const { licenseId, manager } = await createLicense(api.admin);
    const expiresAt = new Date(Date.now() + 300).toISOString();
    await api.admin.change(`${LICENSES}/${licenseId}`, { expiresAt });
    await until(async () => !(await works(manager)));
    expect(Date.now()).to.be.at.least(Date.parse(expiresAt));
  });

  it('have signed files for their owner and ADMIN', async () => {
    const { licenseId, licenseKey, manager } = await createLicense(api.admin);
    const answer = await manager.send('POST', `${LICENSES}/${licenseId}/file`);
    expectStatus(answer, 200);
    const file = answer.body;
    expect(Object.keys(file)).to.have.members(['licenseId', 'licenseKey', 'issuedAt', 'signature']);
    expect(file).to.include({ licenseId, licenseKey });
    expect(Date.parse(textOf(file, 'issuedAt'))).to.be.closeTo(Date.now(), 60_000);
    const { keys } = await api.anyone.read('/.well-known/jwks.json');
    const [jwk] = keys as readonly JWK[];
    if (jwk === undefined) throw new Error('no public key');
    expect(jwk).not.to.have.property('d');
    const { payload, protectedHeader } = await compactVerify(textOf(file, 'signature'), await importJWK(jwk, 'EdDSA'));
    expect(protectedHeader).to.include({ alg: 'EdDSA' });
    expect(JSON.parse(new TextDecoder().decode(payload))).to.deep.equal({
      licenseId,
      licenseKey,
      issuedAt: file.issuedAt,
    });
    expect(await issueLicenseFile(api.admin, licenseId)).to.include({ licenseId, licenseKey });
  });

  it('ignore a body in a request for a file, and need a licence', async () => {
    const { licenseId, manager } = await createLicense(api.admin);
    expectProblem(await api.admin.send('POST', `${LICENSES}/${NOBODY}/file`), 404);
    expectProblem(await api.admin.send('POST', `${LICENSES}/x/file`), 400, '#/path/licenseId');
    expectStatus(await manager.send('POST', `${LICENSES}/${licenseId}/file`, { body: 'not json' }), 200);
  });

  describe('as venues', () => {
    const venue = { logo: 'LOGO/arena.svg', accentColor: '#e4002b', timeZone: 'Europe/Berlin' };

    it('let their own CRUD keys say how they look, and nothing else', async () => {
      const { licenseId, manager } = await createLicense(api.admin);
      const path = `${LICENSES}/${licenseId}`;
      expect(await manager.change(path, venue)).to.include(venue);
      expect(await manager.read(path)).to.include(venue);
      for (const [field, value] of Object.entries({ displayName: 'Ours', enabled: true, expiresAt: null }))
        expectProblem(await manager.patch(path, { [field]: value, logo: null }), 403, `#/${field}`);
      expect(await manager.read(path)).to.include(venue);
      for (const role of ['CR', 'R'])
        expectProblem(await (await issueKey(manager, role)).client.patch(path, { logo: null }), 403);
      expectProblem(await (await registerRig(manager, licenseId)).rig.patch(path, { logo: null }), 403);
      expectProblem(await api.anyone.patch(path, { logo: null }), 401);
    });

    it('are changed by no other licence, which does not learn whether they exist', async () => {
      const { licenseId } = await createLicense(api.admin);
      const { manager: other } = await createLicense(api.admin);
      for (const id of [licenseId, NOBODY]) expectProblem(await other.patch(`${LICENSES}/${id}`, venue), 403);
      expectProblem(await api.admin.patch(`${LICENSES}/${NOBODY}`, venue), 404);
    });

    it('are shown in the events of their keys, to everybody, and follow each change', async () => {
      const { licenseId, eventId, manager } = await createVenue(api.admin);
      const path = `/api/v1/events/${eventId}`;
      const shown = async () => (await api.anyone.read(path))['venue'];
      const { displayName } = await manager.read(`${LICENSES}/${licenseId}`);
      const plain = { id: licenseId, displayName, logo: null, accentColor: null, timeZone: null };
      expect(await shown()).to.deep.equal(plain);
      await manager.change(`${LICENSES}/${licenseId}`, venue);
      expect(await shown()).to.deep.equal({ ...plain, ...venue });
      await api.admin.change(`${LICENSES}/${licenseId}`, { displayName: 'Apex Arena' });
      expect(await shown()).to.deep.equal({ ...plain, ...venue, displayName: 'Apex Arena' });
      await manager.change(`${LICENSES}/${licenseId}`, { logo: null, accentColor: null, timeZone: null });
      expect(await shown()).to.deep.equal({ ...plain, displayName: 'Apex Arena' });
      const { list } = await api.anyone.get('/api/v1/events');
      expect(list.find(({ id }) => id === eventId)?.['venue']).to.deep.equal({ ...plain, displayName: 'Apex Arena' });
      expect((await api.anyone.get(path)).text).not.to.include('lic_');
    });

    it('change the tag of their events, which `If-Match` of an event does not mind', async () => {
      const { licenseId, eventId, manager } = await createVenue(api.admin);
      const path = `/api/v1/events/${eventId}`;
      const tag = (await api.anyone.get(path)).header('ETag');
      await manager.change(`${LICENSES}/${licenseId}`, venue);
      const answer = await api.anyone.get(path, { 'If-None-Match': tag });
      expectStatus(answer, 200);
      expect(answer.header('ETag')).not.to.equal(tag);
      expectStatus(await manager.patch(path, { description: 'Tonight' }, { 'If-Match': tag }), 200);
    });
  });
});
