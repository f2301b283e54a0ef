import { expect } from 'chai';
import { caughtUp, MOMENT_MS, until, untilStatus } from '../processes/waits.ts';
import { expectStatus, idOf, textOf, type Answer, type Client } from './client.ts';
import { hangingRequest } from './hanging-request.ts';
import { bodies, createLicense, issueKey, issueLicenseFile, registerRig, works, type Venue } from './venue.ts';

const RACERS = 20;

/** One of several nodes. */
interface Node {
  readonly url: string;
  readonly admin: Client;
}

/** Two nodes of one service, and a venue that was made on the first. */
export interface TwoNodes {
  readonly here: Node;
  readonly there: Node;
  readonly venue: Venue;
}

/** Declares what holds of two nodes, whatever they share: a data directory, or the servers of their stores. */
export function itIsOneService(nodes: () => TwoNodes): void {
  const managerOn = ({ admin }: Node): Client => admin.as(nodes().venue.manager.token);
  /** Sends requests to both nodes at once. */
  const race = (send: (node: Node) => Promise<Answer>): Promise<readonly Answer[]> => {
    const { here, there } = nodes();
    return Promise.all(Array.from({ length: RACERS }, (_, n) => send(n % 2 === 0 ? here : there)));
  };
  const countOf = (answers: readonly Answer[], status: number): number =>
    answers.filter((answer) => answer.status === status).length;

  it('a new key works on the other at once', async () => {
    const { there, venue } = nodes();
    for (let n = 0; n < 10; n++) {
      const { token } = await issueKey(venue.manager, 'R');
      expectStatus(await there.admin.as(token).get('/api/v1/licenses/current'), 200);
    }
  });

  it('a revoked key is refused by the other within moments, in the middle of a request too', async () => {
    const { here, there, venue } = nodes();
    const { id, token } = await issueKey(venue.manager, 'CRUD');
    expectStatus(await there.admin.as(token).get('/api/v1/licenses/current'), 200);
    const hanging = await hangingRequest(there.url, { path: '/api/v1/car-classes', token });
    const revoked = Date.now();
    expectStatus(await venue.manager.delete(`/api/v1/api-keys/${id}`), 204);
    expectStatus(await here.admin.as(token).get('/api/v1/licenses/current'), 401);
    expect(await hanging.status).to.equal(401);
    expect(Date.now() - revoked, 'moments, in ms').to.be.below(2 * MOMENT_MS);
    expectStatus(await there.admin.as(token).get('/api/v1/licenses/current'), 401);
  });

  it('the keys of a disabled licence are refused by the other', async () => {
    const { here, there } = nodes();
    const { licenseId, manager } = await createLicense(here.admin);
    const other = there.admin.as(manager.token);
    expectStatus(await other.get('/api/v1/licenses/current'), 200);
    await here.admin.change(`/api/v1/licenses/${licenseId}`, { enabled: false });
    await untilStatus(401, () => other.get('/api/v1/licenses/current'));
  });

  it('the key of a rig that one moves to another licence is refused by the other', async () => {
    const { here, there, venue } = nodes();
    const { rigId, rig } = await registerRig(venue.manager, venue.licenseId);
    const moved = there.admin.as(rig.token);
    expect(await works(moved)).to.equal(true);
    const { licenseId } = await createLicense(here.admin);
    await here.admin.change(`/api/v1/rigs/${rigId}`, { licenseId });
    await until(async () => !(await works(moved)));
  });

  it('a lap that is written and corrected on one shows on the other', async () => {
    const { here, there, venue } = nodes();
    const created = await venue.manager.create('/api/v1/laps', bodies.lap(venue));
    const path = `/api/v1/laps/${idOf(created)}`;
    await untilStatus(200, () => there.admin.get(path));
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
    const { here, there, venue } = nodes();
    for (let n = 0; n < 5; n++) {
      const { licenseId } = await createLicense(here.admin);
      const participantId = idOf(await here.admin.create('/api/v1/participants', bodies.participant(licenseId)));
      await managerOn(there).create('/api/v1/laps', bodies.lap({ ...venue, participantId }));
    }
  });

  it('a retry with an Idempotency-Key meets its first attempt, whichever node it comes to', async () => {
    const { venue } = nodes();
    const headers = { 'Idempotency-Key': 'one-lap-twenty-times' };
    const answers = await race((node) => managerOn(node).post('/api/v1/laps', bodies.lap(venue), headers));
    expect(countOf(answers, 201)).to.equal(RACERS);
    expect(new Set(answers.map(({ body }) => body['id'])).size).to.equal(1);
    const replays = answers.filter(({ headers: sent }) => sent.get('Idempotency-Replayed') === 'true');
    expect(replays).to.have.length(RACERS - 1);
  });

  it('a licence file that one signed registers one rig, whichever node they come to', async () => {
    const { here, there, venue } = nodes();
    const licenseFile = await issueLicenseFile(venue.manager, venue.licenseId);
    const body = { hardwareId: 'hw-raced', licenseFile };
    const answers = await race((node) => managerOn(node).post('/api/v1/rigs', body));
    expect([countOf(answers, 201), countOf(answers, 409)]).to.deep.equal([1, RACERS - 1]);
    for (const each of [here, there]) await caughtUp(each.admin);
    const rigs = await there.admin.list('/api/v1/rigs?includeDisabled=true');
    expect(rigs.filter(({ hardwareId }) => hardwareId === 'hw-raced')).to.have.length(1);
    const issued = await managerOn(there).list('/api/v1/api-keys');
    expect(
      issued.filter(({ name }) => textOf({ name: name ?? null }, 'name').includes('hw-raced')),
      'no key without a rig',
    ).to.have.length(1);
    const forged = { hardwareId: 'hw-forged', licenseFile: { ...licenseFile, signature: 'e30.e30.e30' } };
    expectStatus(await managerOn(there).post('/api/v1/rigs', forged), 403);
    const keys = await Promise.all([here, there].map(({ admin }) => admin.get('/.well-known/jwks.json')));
    expect(keys[0]?.text).to.equal(keys[1]?.text);
  });

  it('many simultaneous creates make one participant, which all answers show', async () => {
    const { here } = nodes();
    const { licenseId } = await createLicense(here.admin);
    const body = bodies.participant(licenseId);
    const answers = await race(({ admin }) => admin.post('/api/v1/participants', body));
    expect([countOf(answers, 201), countOf(answers, 200)]).to.deep.equal([1, RACERS - 1]);
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
  });
}
