import { expect } from 'chai';
import type { Json, JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, textOf } from '../support/api/client.ts';
import { unique } from '../support/resources/fields.ts';
import { bodies, createLicense, issueKey, issueLicenseFile, NOBODY, registerRig, works } from '../support/api/venue.ts';
import { hangingRequest } from '../support/api/hanging-request.ts';
import { until } from '../support/processes/waits.ts';
import { useVenue } from '../support/api/with-service.ts';

const RIGS = '/api/v1/rigs';

/** hardwareIds that are awkward in URLs, except `.` and `..`, which every client resolves, encoded or not. */
const ODD_HARDWARE_IDS = [
  ...['a b', 'a/b/c', '/', '//', 'a\\b', 'a+b', 'a?b=c', 'a#b', ':id', '{id}', '*', '"quoted"'],
  ...['100%', 'a%2Fb', '%2e%2e', ' lead', 'trail ', '\u00a0', 'a\nb', '\u202eabc', 'ä🏁', 'x'.repeat(255)],
  ...['paged', 'hardwareId', '00000000-0000-7000-8000-000000000001'],
  ...['CON', '$where', "'; DROP TABLE rigs; --", '__proto__', 'constructor'],
];

// The model and the matrix have who registers rigs, what these show, and the key that comes with them.
describe('API: rigs', () => {
  const api = useVenue();

  it('register with a name, or without one until they are given one', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const licenseFile = await issueLicenseFile(manager, licenseId);
    const register = (name: JsonObject) => manager.create(RIGS, { hardwareId: `hw-${unique()}`, licenseFile, ...name });
    for (const [sent, name] of [
      [{ name: 'By the window' }, 'By the window'],
      [{}, null],
    ] as const) {
      const registered = await register(sent);
      expect(registered).to.have.nested.property('rig.name', name);
      expect(await manager.read(`${RIGS}/${textOf(registered, 'rig', 'id')}`)).to.include({ name });
    }
    expectProblem(await manager.post(RIGS, { hardwareId: `hw-${unique()}`, licenseFile, name: 'x' }), 400, '#/name');
  });

  it('show when they were last seen: when one of their keys was last used', async () => {
    const { manager, licenseId } = api.venue;
    const { rig, rigId } = await registerRig(manager, licenseId);
    const path = `${RIGS}/${rigId}`;
    const lastSeenAt = async (): Promise<Json> => (await manager.read(path))['lastSeenAt'] ?? null;
    expect(await lastSeenAt()).to.equal(null);
    const before = Date.now();
    await rig.list('/api/v1/laps');
    const seen = await until(lastSeenAt, (at) => at !== null);
    expect(Date.parse(textOf({ seen }, 'seen'))).to.be.within(before, Date.now());
    const listed = (await manager.list(RIGS)).find(({ id }) => id === rigId);
    expect(listed?.['lastSeenAt']).to.equal(seen);
  });

  it('are refused with a licence file that was tampered with, in any field', async () => {
    const { manager, licenseId } = api.venue;
    const other = await createLicense(api.admin);
    const file = await issueLicenseFile(manager, licenseId);
    const signature = textOf(file, 'signature');
    const [head = '', payload = '', mac = ''] = signature.split('.');
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const tampered: readonly JsonObject[] = [
      { licenseId: other.licenseId },
      { licenseId: NOBODY },
      { licenseKey: other.licenseKey },
      { licenseKey: '' },
      { licenseId: other.licenseId, licenseKey: other.licenseKey },
      { issuedAt: '2030-01-01T00:00:00.000Z' },
      { issuedAt: textOf(file, 'issuedAt').replace('Z', '+00:00') },
      { signature: '' },
      { signature: 'x.y.z' },
      { signature: `${signature.slice(0, -3)}AAA` },
      { signature: [head, payload, ''].join('.') },
      { signature: [encoded({ alg: 'none' }), payload, ''].join('.') },
      { signature: [encoded({ alg: 'HS256' }), payload, mac].join('.') },
      { signature: [head, encoded({ licenseId, licenseKey: 'x', issuedAt: file.issuedAt }), mac].join('.') },
    ];
    for (const change of tampered) {
      const body = { hardwareId: `hw-${unique()}`, licenseFile: { ...file, ...change } };
      for (const client of [manager, api.admin]) expectProblem(await client.post(RIGS, body), 403);
    }
    const untimed = { ...file, issuedAt: 'yesterday' };
    const answer = await manager.post(RIGS, { hardwareId: 'hw', licenseFile: untimed });
    expectProblem(answer, 400, '#/licenseFile/issuedAt');
  });

  it('are found by their hardwareId, whatever it holds', async () => {
    const { manager, licenseId } = api.venue;
    for (const odd of ODD_HARDWARE_IDS) {
      const { rigId, hardwareId } = await registerRig(manager, licenseId, odd);
      const found = await manager.get(`${RIGS}/hardwareId/${escaped(odd)}`);
      expectStatus(found, 200);
      expect(found.body, odd).to.include({ id: rigId, hardwareId });
    }
    for (const unknown of ['nobody', 'a%2Fb%2Fd', 'A%20B', '%00', 'ä']) {
      const answer = await manager.get(`${RIGS}/hardwareId/${unknown}`);
      expect(answer.status, unknown).to.be.oneOf([400, 404]);
    }
    expectProblem(await manager.get(`${RIGS}/hardwareId/%E0%A4%A`), 400);
  });

  it('keep their ended keys as they are: no new token, name or rights, and nothing is recorded', async () => {
    const from = await createLicense(api.admin);
    const to = await createLicense(api.admin);
    const { rigId, rigKeyId } = await registerRig(from.manager, from.licenseId);
    const key = `/api/v1/api-keys/${rigKeyId}`;
    const path = `/api/v1/rigs/${rigId}`;
    await api.admin.change(path, { licenseId: to.licenseId });
    const before = await from.manager.get(key);
    const expectEnded = async (): Promise<void> => {
      const answers = [
        await from.manager.send('POST', `${key}/rotate`),
        await from.manager.patch(key, { name: 'Another name' }),
        await from.manager.patch(key, { role: 'R' }),
        await from.manager.patch(key, { expiresAt: '2999-01-01T00:00:00.000Z' }),
      ];
      for (const answer of answers) {
        expect(expectProblem(answer, 409).type).to.equal('urn:problem-type:revoked');
      }
      expect((await from.manager.get(key)).header('ETag'), 'nothing is recorded').to.equal(before.header('ETag'));
    };
    await expectEnded();
    await api.admin.change(path, { licenseId: from.licenseId });
    await expectEnded();
    expectStatus(await from.manager.delete(key), 204);
    const revoked = await issueKey(from.manager, 'R');
    expectStatus(await from.manager.delete(`/api/v1/api-keys/${revoked.id}`), 204);
    expectProblem(await from.manager.patch(`/api/v1/api-keys/${revoked.id}`, { role: 'CR' }), 409);
  });

  it('of another licence cannot be taken over with LICENSE_WALLS=off, neither by their keys nor by moving them', async () => {
    const service = await api.service.another({ LICENSE_WALLS: 'off' });
    try {
      const admin = service.client;
      const owner = await createLicense(admin);
      const thief = await createLicense(admin);
      const third = await createLicense(admin);
      const { rigId, rig } = await registerRig(owner.manager, owner.licenseId);
      const path = `/api/v1/rigs/${rigId}`;
      for (const licenseId of [thief.licenseId, third.licenseId]) {
        const move = await thief.manager.patch(path, { licenseId, name: 'Taken' });
        expect(expectProblem(move, 403, '#/licenseId').type).to.equal('urn:problem-type:not-yours');
      }
      expectProblem(await thief.manager.send('POST', `${path}/key`), 403);
      expect(await works(rig)).to.equal(true);
      // Without tenant isolation, the role decides everything else, and the owner of a rig may give it away.
      await thief.manager.change(path, { name: 'Renamed' });
      await owner.manager.change(path, { licenseId: third.licenseId });
      expectStatus(await third.manager.send('POST', `${path}/key`), 200);
    } finally {
      await service.close();
    }
  });

  // test/simulation/rig-moves.test.ts moves a rig before each step of a request for its key.
  it('lose their keys, older tokens included, when they move to another licence, which issues the next', async () => {
    const { manager, licenseId } = api.venue;
    const other = await createLicense(api.admin);
    const licenseFile = await issueLicenseFile(manager, licenseId);
    const registration = { hardwareId: `hw-${unique()}`, licenseFile };
    const register = () => manager.post(RIGS, registration, { 'Idempotency-Key': registration.hardwareId });
    const registered = expectStatus(await register(), 201).body;
    const rigId = textOf(registered, 'rig', 'id');
    const key = textOf(registered, 'apiKey', 'apiKey', 'id');
    const place = `${RIGS}/${rigId}`;
    const rotated = expectStatus(await manager.post(`/api/v1/api-keys/${key}/rotate`, { graceSeconds: 600 }), 200).body;
    const old = manager.as(textOf(registered, 'apiKey', 'token'));
    const current = manager.as(textOf(rotated, 'token'));
    expect([await works(old), await works(current)]).to.deep.equal([true, true]);
    const pending = await hangingRequest(api.service.url, { path: '/api/v1/laps', token: current.token ?? '' });
    await api.admin.change(place, { name: 'Still here', licenseId });
    expect(await works(current), 'it has not moved').to.equal(true);
    await api.admin.change(place, { licenseId: other.licenseId });
    expect(await pending.status).to.equal(401);
    expect([await works(old), await works(current)]).to.deep.equal([false, false]);
    const shown = await manager.read(`/api/v1/api-keys/${key}`);
    expect(shown).to.include({ enabled: false, oldTokenValidUntil: null });
    expect(expectProblem(await manager.send('POST', `/api/v1/api-keys/${key}/rotate`), 409).type).to.match(/revoked$/);
    for (const again of [register(), manager.send('POST', `${place}/key`)]) {
      expect(expectProblem(await again, 403).type).to.equal('urn:problem-type:not-yours');
    }
    const issued = expectStatus(await other.manager.send('POST', `${place}/key`), 200).body;
    expect(issued).to.have.nested.property('apiKey.licenseId', other.licenseId);
    const next = manager.as(textOf(issued, 'token'));
    expect(await next.change(place, { name: 'Elsewhere' })).to.include({ name: 'Elsewhere' });
    await api.admin.change(place, { licenseId });
    expect([await works(old), await works(current), await works(next)]).to.deep.equal([false, false, false]);
    expect(expectProblem(await register(), 409).type).to.equal('urn:problem-type:no-new-token');
    const back = expectStatus(await manager.send('POST', `${place}/key`), 200).body;
    expect(await works(manager.as(textOf(back, 'token'))), 'it is back').to.equal(true);
  });

  it('take a role from the configuration', async () => {
    const service = await api.service.another({ RIG_KEY_ROLE: 'CR' });
    try {
      const { rig } = await registerRig(service.client.as(api.venue.manager.token), api.venue.licenseId);
      expectProblem(await rig.post('/api/v1/laps', bodies.lap(api.venue)), 403);
      expectStatus(await rig.get('/api/v1/rigs'), 200);
    } finally {
      await service.close();
    }
  });
});

/** Percent-encodes a path segment, including characters that need no encoding. */
function escaped(segment: string): string {
  return encodeURIComponent(segment).replaceAll('.', '%2E').replaceAll('*', '%2A');
}
