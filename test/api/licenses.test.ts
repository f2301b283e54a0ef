import { expect } from 'chai';
import { compactVerify, importJWK, type JWK } from 'jose';
import { expectProblem, expectStatus, textOf } from '../support/api/client.ts';
import { until } from '../support/processes/waits.ts';
import { createLicense, issueKey, issueLicenseFile, NOBODY, registerRig, works } from '../support/api/venue.ts';
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
});
