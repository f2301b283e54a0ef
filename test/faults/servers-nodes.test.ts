import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { expectStatus, idOf, type Answer, type Client } from '../support/api/client.ts';
import { hangingRequest } from '../support/api/hanging-request.ts';
import { Cluster, ready, type Servers } from '../support/processes/cluster.ts';
import { caughtUp, MOMENT_MS, until } from '../support/processes/waits.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { noFerret, noTime } from '../support/processes/servers.ts';
import { bodies, createLicense, createVenue, issueKey, issueLicenseFile, type Venue } from '../support/api/venue.ts';

const RACERS = 20;

/** Settings of nodes that share only their servers, with limits that slow servers do not exceed. */
const ENVIRONMENT = {
  LICENSE_SIGNING_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  PROJECTION_WAIT_MS: '25000',
  REQUEST_DEADLINE_MS: '30000',
  STORE_TIMEOUT_MS: '20000',
};

const noServer = noFerret() ?? noTime();

/** With embedded read stores, each node builds its own read models from the same events. */
const SET_UPS: readonly (readonly [stores: string, servers: Servers, lacking: string | null])[] = [
  ['an event store', { eventStore: true }, null],
  ['an event store and a read store', { eventStore: true, readStore: true }, noServer],
];

for (const [stores, servers, lacking] of SET_UPS) {
  const suite = `two API nodes on ${stores}${lacking === null ? '' : ` (${lacking})`}`;
  (lacking === null ? describe : describe.skip)(suite, () => {
    let cluster: Cluster;
    let here: ServiceProcess;
    let there: ServiceProcess;
    let venue: Venue;

    let directories: readonly string[];

    before(async () => {
      cluster = await Cluster.start(servers);
      directories = [cluster.directory(), cluster.directory()];
      here = await cluster.node(ENVIRONMENT, directories[0]);
      there = await cluster.node(ENVIRONMENT, directories[1]);
      for (const each of [here, there]) await ready(each);
      venue = await createVenue(here.admin);
    });
    after(() => cluster.clean());

    const managerOn = ({ admin }: ServiceProcess): Client => admin.as(venue.manager.token);
    /** Sends requests to both nodes at once. */
    const race = (send: (node: ServiceProcess) => Promise<Answer>): Promise<readonly Answer[]> =>
      Promise.all(Array.from({ length: RACERS }, (_, n) => send(n % 2 === 0 ? here : there)));
    const countOf = (answers: readonly Answer[], status: number): number =>
      answers.filter((answer) => answer.status === status).length;

    it('a new key works on the other at once', async () => {
      for (let n = 0; n < 10; n++) {
        const { token } = await issueKey(venue.manager, 'R');
        expectStatus(await there.admin.as(token).get('/api/v1/licenses/current'), 200);
      }
    });

    it('a revoked key is refused by the other within moments, in the middle of a request too', async () => {
      const { id, token } = await issueKey(venue.manager, 'CRUD');
      expectStatus(await there.admin.as(token).get('/api/v1/licenses/current'), 200);
      const hanging = await hangingRequest(there.url, { path: '/api/v1/car-classes', token });
      const revoked = Date.now();
      expectStatus(await venue.manager.delete(`/api/v1/api-keys/${id}`), 204);
      expectStatus(await here.admin.as(token).get('/api/v1/licenses/current'), 401);
      expect((await hanging.answer).status).to.equal(401);
      expect(Date.now() - revoked, 'moments, in ms').to.be.below(2 * MOMENT_MS);
      expectStatus(await there.admin.as(token).get('/api/v1/licenses/current'), 401);
    });

    it('the keys of a disabled licence are refused by the other', async () => {
      const { licenseId, manager } = await createLicense(here.admin);
      const other = there.admin.as(manager.token);
      expectStatus(await other.get('/api/v1/licenses/current'), 200);
      await here.admin.change(`/api/v1/licenses/${licenseId}`, { enabled: false });
      await until(
        () => other.get('/api/v1/licenses/current'),
        ({ status }) => status === 401,
      );
    });

    it('a lap that is written and corrected on one shows on the other', async () => {
      const created = await venue.manager.create('/api/v1/laps', bodies.lap(venue));
      const path = `/api/v1/laps/${idOf(created)}`;
      await until(
        () => there.admin.get(path),
        ({ status }) => status === 200,
      );
      const patched = expectStatus(await managerOn(there).patch(path, { totalTime: 98_000 }), 200);
      expect(patched.body).to.deep.equal({ ...created, totalTime: 98_000, updatedAt: patched.body['updatedAt'] });
      const seen = await until(
        () => here.admin.get(path),
        ({ body }) => body['totalTime'] === 98_000,
      );
      expect([seen.header('ETag'), seen.body]).to.deep.equal([patched.header('ETag'), patched.body]);
      const stale = { 'If-Match': '"0-0"' };
      expectStatus(await venue.manager.patch(path, { totalTime: 97_000 }, stale), 412);
    });

    it('a reference to a resource that was just created on the other is accepted', async () => {
      for (let n = 0; n < 5; n++) {
        const { licenseId } = await createLicense(here.admin);
        const participantId = idOf(await here.admin.create('/api/v1/participants', bodies.participant(licenseId)));
        await managerOn(there).create('/api/v1/laps', bodies.lap({ ...venue, participantId }));
      }
    });

    it('a retry with an Idempotency-Key meets its first attempt, whichever node it comes to', async () => {
      const headers = { 'Idempotency-Key': 'one-lap-twenty-times' };
      const answers = await race((node) => managerOn(node).post('/api/v1/laps', bodies.lap(venue), headers));
      expect(countOf(answers, 201)).to.equal(RACERS);
      expect(new Set(answers.map(({ body }) => body['id'])).size).to.equal(1);
      const replays = answers.filter(({ headers: sent }) => sent.get('Idempotency-Replayed') === 'true');
      expect(replays).to.have.length(RACERS - 1);
    });

    it('a licence file that one signed registers one rig, whichever node they come to', async () => {
      const licenseFile = await issueLicenseFile(venue.manager, venue.licenseId);
      const body = { hardwareId: 'hw-raced', licenseFile };
      const answers = await race((node) => managerOn(node).post('/api/v1/rigs', body));
      expect([countOf(answers, 201), countOf(answers, 409)]).to.deep.equal([1, RACERS - 1]);
      for (const each of [here, there]) await caughtUp(each.admin);
      const rigs = await there.admin.list('/api/v1/rigs?includeDisabled=true');
      expect(rigs.filter(({ hardwareId }) => hardwareId === 'hw-raced')).to.have.length(1);
      const forged = { hardwareId: 'hw-forged', licenseFile: { ...licenseFile, signature: 'e30.e30.e30' } };
      expectStatus(await managerOn(there).post('/api/v1/rigs', forged), 403);
      const keys = await Promise.all([here, there].map(({ admin }) => admin.get('/.well-known/jwks.json')));
      expect(keys[0]?.text).to.equal(keys[1]?.text);
    });

    it('many simultaneous creates make one participant, which all answers show', async () => {
      const { licenseId } = await createLicense(here.admin);
      const body = bodies.participant(licenseId);
      const answers = await race(({ admin }) => admin.post('/api/v1/participants', body));
      expect([countOf(answers, 201), countOf(answers, 200)]).to.deep.equal([1, RACERS - 1]);
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    });

    it('the read models are those of a rebuild', async () => {
      await cluster.endAll();
      for (const dataDir of directories) expect(await cluster.rebuilt(dataDir)).to.be.greaterThan(0);
    });
  });
}
