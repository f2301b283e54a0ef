import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { sendBatch } from '../support/api/batches.ts';
import { expectProblem, expectStatus, idOf, textOf, type Answer, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { goodBody } from '../support/api/resources.ts';
import { unique } from '../support/resources/fields.ts';
import {
  bodies,
  createLicense,
  createVenue,
  issueKey,
  issueLicenseFile,
  NOBODY,
  registerRig,
  works,
} from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER } from '../support/resources/entries.ts';
import { sameSet } from '../support/same-set.ts';

/** The creates that accept the header and whose answers carry no token. */
const PLAIN = IN_ORDER.flatMap(({ name, idempotent }) => (idempotent === undefined ? [name] : []));
const WITH_TOKEN = IN_ORDER.flatMap(({ name, idempotent }) => (idempotent === 'with a fresh key' ? [name] : []));

const KEY = 'Idempotency-Key';

describe('API: Idempotency-Key', () => {
  const api = useVenue();

  it('is accepted by every create in the document that could use it', () => {
    const takes = operationsOf(api.service.document)
      .filter(({ operation }) => operation.parameters?.some(({ $ref }) => $ref?.endsWith(`/${KEY}`)))
      .map(({ method, path }) => `${method} ${path}`);
    sameSet(
      takes,
      // These have tests of their own, in `check-ins.test.ts` and `rig-pairings.test.ts`.
      [
        'POST /api/v1/check-ins',
        'POST /api/v1/rig-pairings/redemption',
        ...[...PLAIN, ...WITH_TOKEN].map((name) => `POST ${api.resource(name).path}`),
      ],
    );
  });

  for (const name of PLAIN) {
    it(`${name}: a retry gets the same resource in its current state, another body a 422`, async () => {
      const resource = api.resource(name);
      const body = await resource.body();
      const headers = { [KEY]: `${name}/${unique()}` };
      const first = expectStatus(await api.admin.post(resource.path, body, headers), 201);
      expect(first.headers.get('idempotency-replayed')).to.equal(null);
      const again = expectStatus(await api.admin.post(resource.path, body, headers), 201);
      expect(again.header('idempotency-replayed')).to.equal('true');
      expect(again.text).to.equal(first.text);
      expect(again.header('location')).to.equal(first.header('location'));
      expect(again.header('etag')).to.equal(first.header('etag'));

      const shuffled = Object.fromEntries(Object.entries(body).reverse());
      expectStatus(await api.admin.post(resource.path, shuffled, headers), 201);
      const change = { ...goodBody(resource.change, 1), endsAt: null };
      const other = await api.admin.post(resource.path, { ...body, ...change }, headers);
      expect(expectProblem(other, 422).type).to.equal('urn:problem-type:key-reused');
      expectProblem(await api.admin.post(resource.path, { ...body, unknown: 1 }, headers), 422);

      const changed = await api.admin.change(first.header('location'), change);
      expect(expectStatus(await api.admin.post(resource.path, body, headers), 201).body).to.deep.equal(changed);
    });
  }

  it('belongs to its route and to the licence of its key', async () => {
    const headers = { [KEY]: unique() };
    const other = await createLicense(api.admin);
    const brand = expectStatus(await api.admin.post('/api/v1/brands', bodies.brand(), headers), 201);
    expectStatus(await api.admin.post('/api/v1/car-classes', bodies.carClass(), headers), 201);
    const theirs = expectStatus(await other.manager.post('/api/v1/brands', bodies.brand(), headers), 201);
    expect(theirs.body.id).not.to.equal(brand.body.id);
    const body = bodies.lap(api.venue);
    const byRig = expectStatus(await api.venue.rig.post('/api/v1/laps', body, headers), 201);
    const byManager = expectStatus(await api.venue.manager.post('/api/v1/laps', body, headers), 201);
    expect(byManager.body.id, 'one licence').to.equal(byRig.body.id);
  });

  it('can be reused for a valid request after a refused one', async () => {
    const headers = { [KEY]: unique() };
    expectProblem(await api.admin.post('/api/v1/brands', { ...bodies.brand(), name: 'x' }, headers), 400);
    const lap = { ...bodies.lap(api.venue), carId: NOBODY };
    expectProblem(await api.admin.post('/api/v1/laps', lap, headers), 422, '#/carId');
    expectStatus(await api.admin.post('/api/v1/laps', bodies.lap(api.venue), headers), 201);
    const taken = {
      ...bodies.track(),
      slug: (await api.anyone.read(`/api/v1/tracks/${api.venue.trackId}`)).slug ?? null,
    };
    expectProblem(await api.admin.post('/api/v1/tracks', taken, headers), 409);
    expectStatus(await api.admin.post('/api/v1/tracks', bodies.track(), headers), 201);
  });

  describe('for answers that carry a token', () => {
    const keyIn = ({ body }: Answer) =>
      Object('token' in body ? body : body.apiKey) as { readonly apiKey: JsonObject; readonly token: string };

    for (const name of WITH_TOKEN) {
      it(`${name}: a retry gets a fresh key and ends unused ones until one is used; after that it is a 409`, async () => {
        const { path, entry, body: makeBody } = api.resource(name);
        const client = entry.creates === 'ADMIN' ? api.admin : api.venue.manager;
        const body = await makeBody();
        const headers = { [KEY]: unique() };
        const send = async (): Promise<Answer> => expectStatus(await client.post(path, body, headers), 201);
        const first = await send();
        const second = await send();
        expect(first.headers.get('idempotency-replayed')).to.equal(null);
        expect(second.header('idempotency-replayed')).to.equal('true');
        expect(keyIn(second).token).not.to.equal(keyIn(first).token);
        if (name !== 'ApiKey') {
          const field = entry.member ?? '';
          expect(second.body[field]).to.deep.equal(first.body[field]);
          expect(second.header('location')).to.equal(first.header('location'));
        }
        expect(await works(client.as(keyIn(first).token)), 'never used, so nobody can have got it').to.equal(false);
        expect(await works(client.as(keyIn(second).token))).to.equal(true);
        expectNoNewToken(await client.post(path, body, headers));
        expectProblem(await client.post(path, { ...body, name: 'Other', hardwareId: 'other' }, headers), 422);
        expect(await works(client.as(keyIn(second).token)), 'a refused retry revokes nothing').to.equal(true);
      });

      it(`${name}: another key of the licence, whatever its role, gets no key by a retry`, async () => {
        const { path, entry, body: makeBody } = api.resource(name);
        const client = entry.creates === 'ADMIN' ? api.admin : api.venue.manager;
        const body = await makeBody();
        const headers = { [KEY]: unique() };
        const first = expectStatus(await client.post(path, body, headers), 201);
        const roles = client === api.admin ? ['R', 'CR', 'CRUD', 'ADMIN'] : ['R', 'CR', 'CRUD'];
        for (const role of roles) {
          const other = (await issueKey(client, role)).client;
          const { status, text } = await other.post(path, body, headers);
          expect(status, role).to.be.oneOf([403, 409]);
          expect(text).not.to.include('srt_');
        }
        expect(await works(client.as(keyIn(first).token)), 'it ended no key').to.equal(true);
      });

      it(`${name}: a retry gets no key once the key of the first attempt is revoked`, async () => {
        const { path, entry, body: makeBody } = api.resource(name);
        const client = entry.creates === 'ADMIN' ? api.admin : api.venue.manager;
        const body = await makeBody();
        const headers = { [KEY]: unique() };
        const send = () => client.post(path, body, headers);
        await send();
        const { apiKey } = keyIn(expectStatus(await send(), 201));
        expectStatus(await api.admin.delete(`/api/v1/api-keys/${idOf(apiKey)}`), 204);
        expectNoNewToken(await send());
      });
    }

    /** Expects a 409 that names what exists, and no token. */
    function expectNoNewToken(answer: Answer): void {
      expect(expectProblem(answer, 409).type).to.equal('urn:problem-type:no-new-token');
      expect(answer.header('location')).to.match(/^\/api\/v1\/[a-z-]+\/[0-9a-f-]{36}$/);
    }

    describe('a registration of a rig', () => {
      async function registered() {
        const { manager, licenseId } = await createLicense(api.admin);
        const body = { hardwareId: `hw-${unique()}`, licenseFile: await issueLicenseFile(manager, licenseId) };
        const headers = { [KEY]: unique() };
        const send = (client = manager) => client.post('/api/v1/rigs', body, headers);
        const path = expectStatus(await send(), 201).header('location');
        return { manager, send, path };
      }

      it('gets no key on a retry while the rig is disabled, or after the rig got a key in another way', async () => {
        const { manager, send, path } = await registered();
        await manager.change(path, { enabled: false });
        expectNoNewToken(await send());
        await manager.change(path, { enabled: true });
        expectStatus(await send(), 201);
        const issued = expectStatus(await manager.send('POST', `${path}/key`), 200);
        expectNoNewToken(await send());
        expect(await works(manager.as(textOf(issued.body, 'token'))), 'that one').to.equal(true);
      });

      it('gets no key on a retry after the rig moved to another licence and back', async () => {
        const { send, path, manager } = await registered();
        const { licenseId } = await manager.read(path);
        const other = await createLicense(api.admin);
        await api.admin.change(path, { licenseId: other.licenseId });
        await api.admin.change(path, { licenseId: licenseId ?? null });
        expectNoNewToken(await send());
      });
    });

    it('answers the retry of a rig whose hardwareId has changed since', async () => {
      const { manager, licenseId } = api.venue;
      const body = { hardwareId: `hw-${unique()}`, licenseFile: await issueLicenseFile(manager, licenseId) };
      const headers = { [KEY]: unique() };
      const first = await manager.post('/api/v1/rigs', body, headers);
      const path = first.header('location');
      await manager.change(path, { hardwareId: `hw-${unique()}`, name: 'Renamed' });
      const again = expectStatus(await manager.post('/api/v1/rigs', body, headers), 201);
      expect(again.body.rig, 'as it is now').to.deep.equal(await manager.read(path));
    });

    it('answers simultaneous attempts with the same rig, and at least one working key', async () => {
      const { manager, licenseId } = api.venue;
      const body = { hardwareId: `hw-${unique()}`, licenseFile: await issueLicenseFile(manager, licenseId) };
      const headers = { [KEY]: unique() };
      const answers = await Promise.all(Array.from({ length: 8 }, () => manager.post('/api/v1/rigs', body, headers)));
      answers.forEach((answer) => expectStatus(answer, 201));
      expect(new Set(answers.map((answer) => textOf(answer.body, 'rig', 'id'))).size).to.equal(1);
      const alive = await Promise.all(answers.map((answer) => works(manager.as(keyIn(answer).token))));
      expect(alive).to.include(true);
    });
  });

  describe('a retry is judged by what was sent', () => {
    const LAPS = '/api/v1/laps';

    /** A lap that the rig has sent under a key; how to send it again, alone and in a batch. */
    async function sentLap(first: Client = api.venue.rig) {
      const key = unique();
      const body = bodies.lap(api.venue);
      const lap = expectStatus(await first.post(LAPS, body, { [KEY]: key }), 201).body;
      const path = `${LAPS}/${idOf(lap)}`;
      const alone = (client: Client, more: JsonObject = {}) => client.post(LAPS, { ...body, ...more }, { [KEY]: key });
      const inBatch = async (client: Client, more: JsonObject = {}) =>
        (await sendBatch(client, [{ ...body, ...more, key }]))[0];
      const history = () => api.admin.list(`${path}/history`);
      /** Expects each of these clients to be answered with the lap as it is now, and nothing to be recorded. */
      const expectAnswered = async (...clients: readonly Client[]) => {
        const now = await api.admin.read(path);
        const before = await history();
        for (const client of clients) {
          const again = expectStatus(await alone(client), 201);
          expect(again.header('idempotency-replayed')).to.equal('true');
          expect(again.body).to.deep.equal(now);
          expect(await inBatch(client)).to.deep.equal({ verdict: 'duplicate', id: idOf(lap) });
          const other = await alone(client, { totalTime: 1 });
          expect(expectProblem(other, 422).type).to.equal('urn:problem-type:key-reused');
          const refused = await inBatch(client, { totalTime: 1 });
          expect([refused?.verdict, refused?.problem?.status]).to.deep.equal(['rejected', 422]);
        }
        expect(await history()).to.deep.equal(before);
      };
      return { path, alone, inBatch, expectAnswered };
    }

    it('even if the lap now belongs to another rig, of the same or another licence', async () => {
      const { manager, licenseId, rig } = api.venue;
      const other = await registerRig(manager, licenseId);
      const elsewhere = await createVenue(api.admin);
      const lap = await sentLap();
      await manager.change(lap.path, { rigId: other.rigId });
      await lap.expectAnswered(rig, manager);
      await api.admin.change(lap.path, { rigId: elsewhere.rigId });
      await lap.expectAnswered(rig, manager);
    });

    it('even if the rig is gone, or the event no longer admits it', async () => {
      const { manager, licenseId } = api.venue;
      const elsewhere = await createVenue(api.admin);
      const guest = await registerRig(manager, licenseId);
      const event = `/api/v1/events/${elsewhere.eventId}`;
      await api.admin.change(event, { rigIds: [elsewhere.rigId, guest.rigId] });
      const key = unique();
      const body = { ...bodies.lap(api.venue), rigId: guest.rigId, eventId: elsewhere.eventId };
      const send = (client: Client) => client.post(LAPS, body, { [KEY]: key });
      const { id } = expectStatus(await send(guest.rig), 201).body;
      await api.admin.change(event, { rigIds: [elsewhere.rigId] });
      for (const client of [guest.rig, manager]) expect(expectStatus(await send(client), 201).body.id).to.equal(id);
      await api.admin.change(`/api/v1/rigs/${guest.rigId}`, { licenseId: elsewhere.licenseId });
      expect(expectStatus(await send(manager), 201).body.id).to.equal(id);
      expectProblem(await send(guest.rig), 401);
    });

    it('and is refused to a rig or a licence that could not have sent it', async () => {
      const { manager, licenseId } = api.venue;
      const other = await registerRig(manager, licenseId);
      const stranger = await createLicense(api.admin);
      const lap = await sentLap();
      // Even where the lap is that rig's by now.
      await manager.change(lap.path, { rigId: other.rigId });
      expect(expectProblem(await lap.alone(other.rig), 403).type).to.equal('urn:problem-type:rig-scope');
      expect(await lap.inBatch(other.rig)).to.have.nested.property('problem.status', 403);
      expect(expectProblem(await lap.alone(stranger.manager), 403).type).to.equal('urn:problem-type:not-yours');
      expect(expectProblem(await lap.alone(other.rig, { totalTime: 1 }), 422).type).to.include('key-reused');
    });

    it('and only ADMIN keys may retry what an ADMIN key sent, unless it concerns their own resources', async () => {
      const elsewhere = await createVenue(api.admin);
      const { id, client } = await issueKey(api.venue.manager, 'CRUD');
      const setRole = (role: string) => api.admin.change(`/api/v1/api-keys/${id}`, { role });
      await setRole('ADMIN');
      const key = unique();
      const body = bodies.lap(elsewhere);
      const first = expectStatus(await client.post(LAPS, body, { [KEY]: key }), 201).body;
      expect(expectProblem(await api.venue.manager.post(LAPS, body, { [KEY]: key }), 403).type).to.include('not-yours');
      const own = await sentLap(client);
      await setRole('CRUD');
      expect(expectStatus(await client.post(LAPS, body, { [KEY]: key }), 201).body.id).to.equal(first.id);
      await own.expectAnswered(api.venue.manager, api.venue.rig);
    });

    it('and a registration whose rig has moved issues no key, while a different body is a 422', async () => {
      const { licenseId, manager } = await createLicense(api.admin);
      const elsewhere = await createLicense(api.admin);
      const headers = { [KEY]: unique() };
      const body = { hardwareId: `hw-${unique()}`, licenseFile: await issueLicenseFile(manager, licenseId) };
      const { rig } = expectStatus(await manager.post('/api/v1/rigs', body, headers), 201).body;
      await api.admin.change(`/api/v1/rigs/${textOf({ rig: rig ?? null }, 'rig', 'id')}`, {
        licenseId: elsewhere.licenseId,
      });
      const keys = async () => [
        ...(await manager.list('/api/v1/api-keys')),
        ...(await elsewhere.manager.list('/api/v1/api-keys')),
      ];
      const before = (await keys()).length;
      for (const client of [manager, api.admin]) {
        const { status } = await client.post('/api/v1/rigs', body, headers);
        expect(status).to.equal(client === manager ? 403 : 409);
      }
      const foreignFile = await issueLicenseFile(elsewhere.manager, elsewhere.licenseId);
      for (const change of [
        { hardwareId: 'other' },
        { licenseFile: foreignFile },
        { licenseFile: { ...body.licenseFile, signature: 'x' } },
      ]) {
        const other = await manager.post('/api/v1/rigs', { ...body, ...change }, headers);
        expect(expectProblem(other, 422).type).to.equal('urn:problem-type:key-reused');
      }
      expect(await keys()).to.have.length(before);
    });
  });
});
