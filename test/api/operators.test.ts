import { expect } from 'chai';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { POISON, useProjectionFault } from '../support/api/projection-fault.ts';
import { bodies, createLicense, issueKey, NOBODY } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { gathered } from '../support/event-store/events.ts';
import { withStores } from '../support/processes/rebuilding.ts';
import { storesInUse } from '../support/processes/store-environment.ts';
import { caughtUp, until } from '../support/processes/waits.ts';

const OPERATIONS = '/api/v1/operations';
const LETTERS = `${OPERATIONS}/dead-letters`;
const REBUILD = `${OPERATIONS}/rebuild`;

describe('API: operations for operators', () => {
  const fault = useProjectionFault();
  const api = useVenue();

  /** Events of these types, with their authors. */
  const recorded = async (...types: readonly string[]): Promise<readonly RecordedEvent[]> =>
    withStores(api.service.dataDir, async ({ store }) => gathered(store.readAll(null, types)));

  it('show health, lag, the projecting process and the read models in use', async () => {
    await caughtUp(api.admin);
    const status = await until(
      () => api.admin.read(`${OPERATIONS}/status`),
      ({ projection }) => (projection as JsonObject)['lag'] === 0,
    );
    expect(status).to.have.nested.property('version', '0.1.0');
    expect(status).to.have.nested.property('health.status', 'UP');
    expect(status['health']).to.have.nested.property('components.projection.holder');
    const { checkpoint, head } = status['projection'] as JsonObject;
    expect(checkpoint).to.be.a('number').and.to.equal(head);
    expect(status['projection']).to.deep.include({ state: 'running', lag: 0, lagMs: 0, stalledMs: 0 });
    expect(status['lease']).to.include({ isHere: true, termMs: 5_000 });
    expect(textOf(status, 'lease', 'holder')).to.include(`process ${process.pid} on `);
    expect(status['generation']).to.include({ next: null, retiring: null, version: status['readModelVersion'] });
    expect(status).to.include({ deadLetters: 0 });
    expect(status['rebuild']).to.include({ phase: 'none', id: null });
  });

  describe('dead letters', () => {
    const letters = async (client: Client = api.admin) => (await client.read(LETTERS))['content'] as JsonObject[];
    const heal = (): void => void (fault.on = false);
    afterEach(heal);

    /** Registers a participant whose event cannot be projected; returns the id and the key used. */
    async function park() {
      const { manager, managerKeyId, licenseId } = await createLicense(api.admin);
      fault.on = true;
      const body = { ...bodies.participant(licenseId), lastName: POISON };
      const headers = { Prefer: 'respond-async' };
      const { body: accepted } = expectStatus(await manager.post('/api/v1/participants', body, headers), 202);
      await caughtUp(api.admin);
      return { person: idOf(accepted), managerKeyId, licenseId };
    }

    it('are shown without personal data, retried under a name, and gone once projected', async () => {
      const { person, managerKeyId, licenseId } = await park();
      const path = `/api/v1/participants/${person}`;
      expectProblem(await api.admin.get(path), 404);
      const answer = expectStatus(await api.admin.get(LETTERS), 200);
      for (const secret of ['Poison', 'Ada', 'ada@example.org', '+49 30 1']) expect(answer.text).not.to.include(secret);
      const [letter] = await letters();
      expect(letter).to.deep.include({
        id: `participant-${person}:0`,
        stream: `participant-${person}`,
        revision: 0,
        type: 'ParticipantRegistered',
        version: 1,
        unknown: false,
        projection: 'participants',
        error: 'cannot project such a person',
        retries: 0,
        retriedAt: null,
        apiKeyId: managerKeyId,
        licenseId,
      });
      expect(letter?.['data']).to.include({ firstName: '***', licenseId });

      const retry = `${LETTERS}/participant-${person}:0/retry`;
      const failed = expectStatus(await api.admin.send('POST', retry), 200).body;
      expect(failed).to.deep.equal({ id: letter?.['id'], outcome: 'parked', error: 'cannot project such a person' });
      expect((await letters())[0]).to.deep.include({ retries: 1 });
      expect(Date.parse(textOf((await letters())[0] ?? {}, 'retriedAt'))).to.be.closeTo(Date.now(), 60_000);

      heal();
      const done = expectStatus(await api.admin.send('POST', retry), 200).body;
      expect(done).to.include({ outcome: 'projected', error: null });
      expect(await letters()).to.deep.equal([]);
      expect(await api.admin.read(path)).to.include({ lastName: POISON });
      expect(expectStatus(await api.admin.send('POST', retry), 200).body).to.include({ outcome: 'projected' });

      if (storesInUse !== 'embedded') return; // This test reads events of the embedded store only.
      const retries = await recorded('DeadLetterRetried');
      expect(retries.map(({ data }) => data['letter'])).to.deep.equal([letter?.['id'], letter?.['id']]);
      const { id: root } = await api.admin.read('/api/v1/licenses/current');
      for (const { metadata } of retries) {
        expect(metadata.licenseId).to.equal(root);
        expect(metadata.apiKeyId).to.be.a('string');
      }
    });

    it('are retried later for a client that does not wait', async () => {
      const { person } = await park();
      const retry = `${LETTERS}/participant-${person}:0/retry`;
      const answer = expectStatus(await api.admin.send('POST', retry, { headers: { Prefer: 'respond-async' } }), 202);
      expect(answer.body).to.deep.equal({ id: `participant-${person}:0`, status: 'accepted' });
      heal();
      await until(
        () => api.admin.send('POST', retry),
        ({ body }) => body['outcome'] === 'projected',
      );
    });

    it('are a 404 if they do not exist, and an empty page past the end', async () => {
      for (const id of ['lap-1:0', NOBODY, 'x'.repeat(255)]) {
        expectProblem(await api.admin.send('POST', `${LETTERS}/${id}/retry`), 404);
      }
      for (const id of ['x'.repeat(256), 'ä', 'a%20b']) {
        expectProblem(await api.admin.send('POST', `${LETTERS}/${id}/retry`), 400);
      }
      expect(await api.admin.read(`${LETTERS}?page=7&size=3&sort=position,desc`)).to.include({ empty: true, page: 7 });
      expectProblem(await api.admin.get(`${LETTERS}?sort=error`), 400);
    });
  });

  describe('a rebuild', () => {
    it('shows in every answer how far it is, and who requested it', async () => {
      const { client: asking, id: apiKeyId } = await issueKey(api.admin, 'ADMIN');
      const asked = expectStatus(await asking.send('POST', REBUILD), 202);
      expect(asked.header('location')).to.equal(REBUILD);
      expect(asked.body).to.include({ apiKeyId, apiKeyName: 'ADMIN key', finishedAt: null, error: null });
      const last = await until(
        () => api.admin.read(REBUILD),
        ({ finishedAt }) => finishedAt !== null,
      );
      const done = { phase: 'done', id: idOf(asked.body), generation: 'built-in-2', apiKeyId, error: null };
      expect(last).to.include({ ...done, process: null });
      expect(last['progress']).to.deep.include({ percent: 100, etaMs: 0 });
      const { generation, rebuild } = await api.admin.read(`${OPERATIONS}/status`);
      expect(generation).to.include({ current: 'built-in-2', next: null });
      expect(rebuild).to.deep.equal(last);

      if (storesInUse !== 'embedded') return; // See above.
      const { request } = await withStores(api.service.dataDir, ({ generations }) => generations.refresh());
      expect(request).to.include({ id: idOf(asked.body), requestId: asked.header('x-request-id') });
      expect(request?.licenseId).to.equal(asked.body['licenseId']);
    });
  });
});
