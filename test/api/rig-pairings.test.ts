import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { unique } from '../support/resources/fields.ts';
import { createLicense, createVenue, issueKey, NOBODY, works } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const PATH = '/api/v1/rig-pairings';
const REDEMPTION = `${PATH}/redemption`;
const KEY = 'Idempotency-Key';

const newHardware = (): string => `hw-${unique()}`;

describe('API: pairing of rigs', () => {
  // Wrong codes count per address, and the clients of these tests have one.
  const api = useVenue({ TRUSTED_PROXIES: '127.0.0.1' });
  let address = 0;

  /** Redeems a code from an address of its own. */
  const redeem = (body: { readonly code: string; readonly hardwareId: string }, headers = {}) => {
    address += 1;
    return api.anyone.post(REDEMPTION, body, { 'X-Forwarded-For': `203.0.113.${address}`, ...headers });
  };
  const offer = async (client: Client, name = 'Rig 7') => {
    const body = await client.create(PATH, { name });
    return { id: idOf(body), code: textOf(body, 'code'), body };
  };

  it('registers a rig by a code, without a key, for the licence that made it', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const made = expectStatus(await manager.post(PATH, { name: 'By the window' }), 201);
    const id = idOf(made.body);
    expect(made.header('location')).to.equal(`${PATH}/${id}`);
    expect(textOf(made.body, 'code')).to.match(/^[ABCDEFGHJKMNPQRTUVWXYZ2346789]{8}$/);
    const validMs = Date.parse(textOf(made.body, 'expiresAt')) - Date.now();
    expect(validMs).to.be.within(9 * 60_000, 10 * 60_000);
    const { expiresAt } = made.body;
    expect(await manager.read(`${PATH}/${id}`)).to.deep.equal({
      id,
      name: 'By the window',
      expiresAt,
      redeemed: false,
      rigId: null,
    });
    const hardwareId = newHardware();
    const answer = expectStatus(await redeem({ code: textOf(made.body, 'code'), hardwareId }), 201);
    const rigId = textOf(answer.body, 'rig', 'id');
    expect(answer.header('location')).to.equal(`/api/v1/rigs/${rigId}`);
    expect(answer.body['rig']).to.deep.include({ name: 'By the window', hardwareId, licenseId, enabled: true });
    const token = textOf(answer.body, 'apiKey', 'token');
    expect(await works(api.anyone.as(token))).to.equal(true);
    expect(await manager.read(`/api/v1/rigs/${rigId}`)).to.include({ hardwareId, licenseId });
    expect(await manager.read(`${PATH}/${id}`)).to.include({ redeemed: true, rigId });
  });

  it('takes a code as somebody types it', async () => {
    const { manager } = await createLicense(api.admin);
    const { code } = await offer(manager);
    const typed = ` ${code.slice(0, 4).toLowerCase()} - ${code.slice(4)}`;
    expectStatus(await redeem({ code: typed, hardwareId: newHardware() }), 201);
  });

  it('says the same of a code that is wrong, and of one that was used', async () => {
    const { manager } = await createLicense(api.admin);
    const { code } = await offer(manager);
    const hardwareId = newHardware();
    expectStatus(await redeem({ code, hardwareId }), 201);
    const texts = new Set<unknown>();
    for (const used of [
      { code, hardwareId },
      { code, hardwareId: newHardware() },
      { code: 'AAAABBBB', hardwareId },
    ])
      texts.add(expectProblem(await redeem(used), 404).detail);
    expect([...texts]).to.have.lengthOf(1);
  });

  it('is of no use once the key that made it has ended', async () => {
    const { manager } = await createLicense(api.admin);
    const { client, id } = await issueKey(manager, 'CRUD');
    const { code } = await offer(client);
    await manager.delete(`/api/v1/api-keys/${id}`);
    expectProblem(await redeem({ code, hardwareId: newHardware() }), 404);
  });

  it('uses no code up for a rig that is registered already', async () => {
    const { manager } = await createLicense(api.admin);
    const first = await offer(manager);
    const hardwareId = newHardware();
    expectStatus(await redeem({ code: first.code, hardwareId }), 201);
    const { code } = await offer(manager);
    expectProblem(await redeem({ code, hardwareId }), 409, '#/hardwareId');
    expectStatus(await redeem({ code, hardwareId: newHardware() }), 201);
  });

  it('may be sent again under an Idempotency-Key until the key of the rig is used', async () => {
    const { manager } = await createLicense(api.admin);
    const { code } = await offer(manager);
    const body = { code, hardwareId: newHardware() };
    const headers = { [KEY]: unique() };
    const first = expectStatus(await redeem(body, headers), 201);
    const again = expectStatus(await redeem(body, headers), 201);
    expect(again.header('idempotency-replayed')).to.equal('true');
    expect(textOf(again.body, 'rig', 'id')).to.equal(textOf(first.body, 'rig', 'id'));
    expect(await works(api.anyone.as(textOf(first.body, 'apiKey', 'token')))).to.equal(false);
    expectProblem(await redeem({ ...body, hardwareId: newHardware() }, headers), 404);
    const rig = api.anyone.as(textOf(again.body, 'apiKey', 'token'));
    expect(await works(rig)).to.equal(true);
    expectProblem(await redeem(body, headers), 404);
    expect(await works(rig)).to.equal(true);
  });

  it('gives a retry no key once the venue has revoked the first', async () => {
    const { manager } = await createLicense(api.admin);
    const { code } = await offer(manager);
    const body = { code, hardwareId: newHardware() };
    const headers = { [KEY]: unique() };
    const first = expectStatus(await redeem(body, headers), 201);
    await manager.delete(`/api/v1/api-keys/${textOf(first.body, 'apiKey', 'apiKey', 'id')}`);
    expectProblem(await redeem(body, headers), 404);
  });

  it('registers one rig where several redeem a code at once', async () => {
    const { manager } = await createLicense(api.admin);
    const { code } = await offer(manager);
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeem({ code, hardwareId: newHardware() })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 404, 404, 404, 404, 404]);
  });

  it('is for keys of role CRUD that are no rig’s, and seen by the licence and ADMIN', async () => {
    const { manager } = await createLicense(api.admin);
    for (const role of ['R', 'CR'] as const)
      expectProblem(await (await issueKey(manager, role)).client.post(PATH, { name: 'Rig 7' }), 403);
    expectProblem(await (await createVenue(api.admin)).rig.post(PATH, { name: 'Rig 7' }), 403);
    expectProblem(await api.anyone.post(PATH, { name: 'Rig 7' }), 401);
    const { id } = await offer(manager);
    const reader = (await issueKey(manager, 'R')).client;
    expect(await reader.read(`${PATH}/${id}`)).not.to.have.property('code');
    await api.admin.read(`${PATH}/${id}`);
    expectProblem(await (await createLicense(api.admin)).manager.get(`${PATH}/${id}`), 403);
    expectProblem(await api.anyone.get(`${PATH}/${id}`), 401);
    expectProblem(await manager.get(`${PATH}/${NOBODY}`), 404);
  });

  it('refuses bodies that are wrong', async () => {
    const { manager } = await createLicense(api.admin);
    for (const name of ['', ' ', 'x', 'x'.repeat(121), 7, null])
      expectProblem(await manager.post(PATH, { name }), 400, '#/name');
    const { code } = await offer(manager);
    for (const [body, pointer] of [
      [{ code }, '#/hardwareId'],
      [{ hardwareId: newHardware() }, '#/code'],
      [{ code: 'x'.repeat(65), hardwareId: newHardware() }, '#/code'],
      [{ code, hardwareId: '' }, '#/hardwareId'],
    ] as const)
      expectProblem(await api.anyone.post(REDEMPTION, body, { 'X-Forwarded-For': '203.0.113.250' }), 400, pointer);
    expectStatus(await redeem({ code, hardwareId: newHardware() }), 201);
  });
});

describe('API: wrong codes of rigs', () => {
  const api = useVenue({ UNLIMITED_CLIENTS: '127.0.0.1,::1' });

  it('are limited, from this machine and unlimited clients too; then a right one is refused as well', async () => {
    const code = textOf(await api.venue.manager.create(PATH, { name: 'Rig 7' }), 'code');
    for (let n = 0; n < 10; n += 1)
      expectProblem(await api.anyone.post(REDEMPTION, { code: `WRNG${n}`, hardwareId: newHardware() }), 404);
    const body = { code, hardwareId: newHardware() };
    const refused = await api.anyone.post(REDEMPTION, body);
    expectProblem(refused, 429);
    expect(Number(refused.header('retry-after'))).to.be.within(1, 600);
  });
});
