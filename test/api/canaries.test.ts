import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectNoCanary } from '../support/canaries.ts';
import { textOf, type Client } from '../support/api/client.ts';
import { operationsOf, type Found } from '../support/api/openapi.ts';
import { useVenue } from '../support/api/with-service.ts';
import { issueKey, issueLicenseFile } from '../support/api/venue.ts';
import { record } from '../support/processes/command-process.ts';
import { storesInUse } from '../support/processes/store-environment.ts';
import { untilStatus } from '../support/processes/waits.ts';

/**
 * What the answers and the log of every test are searched for (test/support/canaries.ts) is sent here wherever a request
 * can hold something: a problem, health, metrics or log that shows it fails the test, at the answer or at the close of
 * the service.
 */
describe('API: canaries', () => {
  const api = useVenue();
  const person = {
    firstName: 'Ada',
    lastName: 'Racer',
    email: 'ada@example.org',
    phoneNumber: '+49 30 1',
    extraFieldsJson: { shoe: 'canary-41' },
  };

  /** The four kinds of token: of the root, of a licence, of a rig, and one that was issued. */
  async function tokens(): Promise<readonly string[]> {
    const { manager, rig } = api.venue;
    const issued = await issueKey(manager, 'R');
    return [api.admin, manager, rig, issued.client].map(({ token }) => token ?? '');
  }

  async function everything(): Promise<JsonObject> {
    const { manager, licenseId, licenseKey } = api.venue;
    const [root = '', bootstrap = '', rig = '', issued = ''] = await tokens();
    const licenseFile = await issueLicenseFile(manager, licenseId);
    return { ...person, root, bootstrap, rig, issued, licenseKey, licenseFile };
  }

  /** An operation, with canaries in path, query and headers; root's own token is of no form to be known in a path. */
  async function send(client: Client, { method, path }: Found, canaries: JsonObject): Promise<void> {
    const token = textOf(canaries, 'bootstrap');
    const query = new URLSearchParams(
      Object.fromEntries(Object.entries(canaries).map(([name, value]) => [name, JSON.stringify(value)])),
    );
    const headers = { 'X-Request-Id': token, 'If-Match': `"${token}"`, 'Idempotency-Key': token, Prefer: token };
    const place = path.replaceAll(/\{\w+\}/g, token);
    await client.send(method, `${place}?sort=${token}&${query.toString()}`, { headers });
  }

  /** The same with canaries in its body: as an object, as a list, as broken JSON and as what it is not said to be. */
  async function sendBodies({ method, path }: Found, canaries: JsonObject): Promise<void> {
    const token = textOf(canaries, 'bootstrap');
    const known = path.replaceAll(/\{\w+\}/g, api.venue.rigId);
    const whole = JSON.stringify(canaries);
    const list = JSON.stringify(Object.values(canaries));
    for (const [type, body] of [
      ['application/json', whole],
      ['application/json', list],
      ['application/json', whole.slice(0, -1)],
      [token, whole],
    ] as const) {
      const headers = { 'Idempotency-Key': token, 'If-Match': `"${token}"`, 'Content-Type': type };
      await api.admin.send(method, known, { headers, body });
    }
  }

  it('appear in no problem and no log, whatever part of a request to whatever endpoint contains them', async () => {
    const canaries = await everything();
    const operations = operationsOf(api.service.document);
    expect(operations.length).to.be.greaterThan(80);
    for (const found of operations) {
      for (const client of [api.admin, api.anyone, api.venue.rig]) await send(client, found, canaries);
      if (found.method !== 'GET' && found.method !== 'DELETE') await sendBodies(found, canaries);
    }
    // Good ones, too, and one that exists already.
    for (let times = 0; times < 2; times += 1) {
      await api.admin.post('/api/v1/participants', { licenseId: api.venue.licenseId, ...person });
    }
    for (const path of ['/actuator/metrics', '/actuator/prometheus', '/actuator/health', '/api-docs']) {
      for (const client of [api.admin, api.anyone]) expectNoCanary((await client.get(path)).text, path);
    }
    expectNoCanary(api.service.log.join(''), 'the log');
  });

  it('that are tokens appear in the first answer only and are never stored, even when sent as request id or Idempotency-Key', async () => {
    const reads = operationsOf(api.service.document).filter(
      ({ method, path }) => method === 'GET' && !path.includes('{'),
    );
    const again = { 'Idempotency-Key': 'again' };
    const send = () => api.venue.manager.post('/api/v1/api-keys', { name: 'sent twice', role: 'R' }, again);
    const repeated = [await send(), await send()].map(({ body }) => textOf(body, 'token'));
    const all = [...repeated, ...(await tokens())];
    const answers = await Promise.all(reads.map(({ path }) => api.admin.get(path)));
    if (storesInUse === 'embedded')
      expect(await api.service.filesWith(api.venue.licenseId), 'the search finds what is there').not.to.be.empty;
    for (const token of all) {
      const secret = token.startsWith('srt_') ? token.slice(13) : token;
      expect(answers.filter(({ text }) => text.includes(secret))).to.deep.equal([]);
      expect(await api.service.filesWith(secret), 'a token').to.deep.equal([]);
    }
  });

  it('appear in no log when their events are of an unknown type', async function () {
    // The events of a server are appended by other tests (test/faults/servers-under-load.test.ts).
    if (storesInUse !== 'embedded') this.skip();
    const { participantId, managerKeyId } = api.venue;
    const metadata = {
      version: 1,
      occurredAt: new Date().toISOString(),
      commandId: participantId,
      correlationId: participantId,
    };
    const strange = (type: string, data: JsonObject) => ({ id: crypto.randomUUID(), type, data, metadata });
    const [token] = await tokens();
    await record(api.service.dataDir, [
      { stream: `participant-${participantId}`, event: strange('ParticipantRenamed', { ...person, firstName: null }) },
      { stream: `participant-${participantId}`, event: { ...strange('ParticipantMoved', person) } },
      { stream: `apiKey-${managerKeyId}`, event: strange('ApiKeyPainted', { token: String(token), ...person }) },
    ]);
    await untilStatus(503, () => api.anyone.get('/actuator/health'));
    const log = api.service.log.join('');
    expect(log).to.include('ApiKeyPainted').and.to.include(managerKeyId);
    expectNoCanary(log, 'the log');
  });
});
