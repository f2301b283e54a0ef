import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, type Answer, type Client } from '../support/api/client.ts';
import { bodies, createLicense, issueKey, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

/** Expects a 403 of type `not-yours`. */
function expectNotYours(answer: Answer, pointer?: string): void {
  expect(expectProblem(answer, 403, pointer).type).to.equal('urn:problem-type:not-yours');
}

const NO_CONTACT = { email: '', phoneNumber: '', extraFieldsJson: {} };

/** Expects to find contact data: by id, in lists and pages, by e-mail address and in the order of addresses. */
async function expectSeesContacts(client: Client, { id, email }: { readonly id: string; readonly email: string }) {
  const participants = '/api/v1/participants';
  expect(await client.read(`${participants}/${id}`)).to.include({ email });
  for (const query of ['', `?email=${email}`, '?format=csv']) {
    expect(expectStatus(await client.get(participants + query), 200).text, query).to.include(email);
  }
  for (const query of ['size=1000', `email=${email}`, 'size=1000&sort=email']) {
    expect(expectStatus(await client.get(`${participants}/paged?${query}`), 200).text, query).to.include(email);
  }
}

/** Expects to find no contact data, anywhere. */
async function expectSeesNoContacts(client: Client, { id, email }: { readonly id: string; readonly email: string }) {
  const participants = '/api/v1/participants';
  expect(await client.read(`${participants}/${id}`)).to.deep.include(NO_CONTACT);
  const parts = ['', '/paged?size=1000', `?email=${email}`, `/paged?email=${email}`, '?format=csv', `/${id}/history`];
  for (const part of parts) {
    expect(expectStatus(await client.get(participants + part), 200).text, part).to.not.include(email);
  }
  expectNotYours(await client.get(`${participants}/paged?sort=email`));
}

// test/access/authorizer.test.ts has what is shared, files.test.ts what the operator made.
describe('API: walls between licences', () => {
  const api = useVenue();

  describe('a participant registered for another licence', () => {
    /** A participant of `named`, registered by `registrant`. */
    async function registered() {
      const [registrant, named] = [await createLicense(api.admin), await createLicense(api.admin)];
      const body = { ...bodies.participant(named.licenseId), email: `${named.licenseId}@example.org` };
      const id = idOf(await registrant.manager.create('/api/v1/participants', body));
      const { manager, licenseId } = registrant;
      return { id, email: body.email, body, path: `/api/v1/participants/${id}`, registrant: manager, licenseId, named };
    }
    /** Expects the registrant to be no owner any more, whichever way they try. */
    async function expectWalledOff({ id, email, body, path, registrant }: Awaited<ReturnType<typeof registered>>) {
      const before = await api.admin.read(path);
      await expectSeesNoContacts(registrant, { id, email });
      const again = expectStatus(await registrant.post('/api/v1/participants', body), 200);
      expect(again.body).to.deep.include({ id, ...NO_CONTACT });
      for (const change of [{}, { firstName: 'Eve' }, { email: 'eve@example.org' }]) {
        expectNotYours(await registrant.patch(path, change));
      }
      expect(await api.admin.read(path)).to.deep.equal(before);
    }

    it('belongs to both licences, as long as only the one that registered it changes it', async () => {
      const person = await registered();
      const { path, registrant, licenseId, named } = person;
      await registrant.change(path, { firstName: 'Ada', lastName: 'Byron' });
      expectNotYours(await registrant.patch(path, { licenseId }), '#/licenseId');
      // A change that is in effect already is none.
      await named.manager.change(path, { firstName: 'Ada' });
      for (const owner of [registrant, named.manager]) {
        expect(await owner.read(path)).to.include({ email: person.email });
        expect((await owner.get(`${path}/history`)).text).to.include(person.email);
      }
      await registrant.change(path, { phoneNumber: '+44 2' });
    });

    for (const change of [{ email: 'ada@acme.example' }, { lastName: 'Byron' }, { extraFieldsJson: { shirt: 'S' } }]) {
      it(`is the named licence's alone once that changes ${Object.keys(change).join()}`, async () => {
        const person = await registered();
        await person.named.manager.change(person.path, change);
        await expectWalledOff({ ...person, ...change });
        expect(await person.named.manager.read(person.path)).to.deep.include(change);
      });
    }

    it("is the named licence's alone once ADMIN or the operator changes it", async () => {
      for (const client of [api.admin, (await issueKey(api.admin, 'CRUD')).client]) {
        const person = await registered();
        await client.change(person.path, { phoneNumber: '+44 2' });
        await expectWalledOff(person);
        expect(await person.named.manager.read(person.path)).to.include({ email: person.email });
      }
    });

    it("is the named licence's alone once an ADMIN key of the other licence changes it", async () => {
      const person = await registered();
      const { client, id } = await issueKey(person.registrant, 'CRUD');
      await api.admin.change(`/api/v1/api-keys/${id}`, { role: 'ADMIN' });
      await client.change(person.path, { firstName: 'Grace' });
      await expectWalledOff(person);
    });
  });

  describe('a move to another licence', () => {
    it('of a participant or a rig is for ADMIN and the operator, not for an owner', async () => {
      const { manager, licenseId, participantId, rigId } = api.venue;
      const other = await createLicense(api.admin);
      for (const path of [`/api/v1/participants/${participantId}`, `/api/v1/rigs/${rigId}`]) {
        const before = await api.admin.read(path);
        const move = { licenseId: other.licenseId };
        expectNotYours(await manager.patch(path, move), '#/licenseId');
        expectNotYours(await other.manager.patch(path, move));
        expectStatus(await manager.patch(path, { licenseId }), 200);
        expect(await api.admin.read(path)).to.deep.equal(before);
      }
    });

    it('hides the contact data of a participant from the licence that it left', async () => {
      const operator = (await issueKey(api.admin, 'CRUD')).client;
      for (const mover of [api.admin, operator]) {
        const [from, to] = [await createLicense(api.admin), await createLicense(api.admin)];
        const body = { ...bodies.participant(from.licenseId), email: `${from.licenseId}@example.org` };
        const id = idOf(await from.manager.create('/api/v1/participants', body));
        await mover.change(`/api/v1/participants/${id}`, { licenseId: to.licenseId });
        await expectSeesNoContacts(from.manager, { id, email: body.email });
        expectNotYours(await from.manager.patch(`/api/v1/participants/${id}`, { firstName: 'Eve' }));
        expect(await to.manager.read(`/api/v1/participants/${id}`)).to.include({ email: body.email });
      }
    });
  });

  describe('a key of the root licence, the operator', () => {
    it('of any role reads contact data, and one of role CRUD the values in histories', async () => {
      const seen = { id: api.venue.participantId, email: 'ada@example.org' };
      for (const role of ['R', 'CR', 'CRUD']) await expectSeesContacts((await issueKey(api.admin, role)).client, seen);
      const { client } = await issueKey(api.admin, 'CRUD');
      const path = `/api/v1/participants/${seen.id}/history`;
      const history = expectStatus(await client.get(path), 200);
      expect(history.text).to.include(seen.email);
      expect(history.list[0], 'the key of another licence').to.include({ apiKeyName: null, keyPrefix: null });
      expect((await api.admin.list(path))[0]?.['keyPrefix']).to.be.a('string');
    });
  });

  describe('a lap of a driver of another licence than the rig', () => {
    const STRIKE = { valid: false, reason: 'Cut the chicane' };

    /** A rig's licence and a driver's licence, with a driver. */
    async function rivals() {
      const [host, guest] = [await createLicense(api.admin), await createLicense(api.admin)];
      const { rigId } = await registerRig(host.manager, host.licenseId);
      const { manager, licenseId } = guest;
      const participantId = idOf(await manager.create('/api/v1/participants', bodies.participant(licenseId)));
      const own = (await registerRig(manager, licenseId)).rig;
      return { host: host.manager, guest: manager, rigOfGuest: own, rigId, participantId };
    }
    type Rivals = Awaited<ReturnType<typeof rivals>>;

    /** The path of a lap on the host's rig, by the guest's driver, in an event that `organiser` created. */
    async function lapIn(organiser: Client, { host, rigId, participantId }: Rivals): Promise<string> {
      const event = await organiser.create('/api/v1/events', { ...bodies.event({ ...api.venue, rigId }) });
      const lap = { ...bodies.lap({ ...api.venue, rigId, participantId, eventId: idOf(event) }), valid: true };
      return `/api/v1/laps/${idOf(await host.create('/api/v1/laps', lap))}`;
    }
    const operator = async () => (await issueKey(api.admin, 'CRUD')).client;
    const formerAdmin = async ({ host }: Rivals) => {
      const { client, id } = await issueKey(host, 'CRUD');
      await api.admin.change(`/api/v1/api-keys/${id}`, { role: 'ADMIN' });
      return client;
    };

    it("in a shared event is struck by the driver's licence, with a reason that its history shows", async () => {
      const both = await rivals();
      for (const organiser of [api.admin, await operator(), await formerAdmin(both)]) {
        const path = await lapIn(organiser, both);
        expect(await both.guest.change(path, STRIKE)).to.include({ valid: false });
        expect((await api.admin.list(`${path}/history`)).at(-1)).to.include({
          type: 'LapInvalidated',
          reason: STRIKE.reason,
        });
        expectStatus(await both.guest.patch(path, STRIKE), 200);
        expect(await both.host.change(path, { valid: true }), "the rig's licence owns it").to.include({ valid: true });
      }
    });

    it('is struck with a reason only: a 400 otherwise', async () => {
      const both = await rivals();
      const path = await lapIn(api.admin, both);
      for (const change of [{ valid: false }, { valid: false, reason: '' }, { valid: false, reason: ' \t' }]) {
        expectProblem(await both.guest.patch(path, change), 400, '#/reason');
      }
      expect(await both.guest.read(path)).to.include({ valid: true });
    });

    it('is not changed otherwise, nor brought back', async () => {
      const both = await rivals();
      const path = await lapIn(api.admin, both);
      const { rigId, totalTime } = await both.guest.read(path);
      const others = [{ totalTime: 1 }, { totalTime: totalTime ?? null }, { sectors: [] }, { rigId: rigId ?? null }];
      for (const other of others) expectNotYours(await both.guest.patch(path, { ...STRIKE, ...other }));
      const participantId = idOf(await api.admin.create('/api/v1/participants', await otherPerson()));
      expectNotYours(await both.guest.patch(path, { ...STRIKE, participantId }));
      for (const change of [{}, { reason: 'x' }, { valid: true }, { ...STRIKE, valid: true }]) {
        expectNotYours(await both.guest.patch(path, change));
      }
      await both.guest.change(path, STRIKE);
      expectNotYours(await both.guest.patch(path, { valid: true, reason: 'I changed my mind' }));
      expect(await both.guest.read(path)).to.include({ valid: false, totalTime });
    });

    async function otherPerson() {
      return bodies.participant((await createLicense(api.admin)).licenseId);
    }

    it('is not struck in an event that is not shared', async () => {
      const both = await rivals();
      for (const organiser of [both.host, both.guest, (await createLicense(api.admin)).manager]) {
        const path = await lapIn(organiser, both);
        expectNotYours(await both.guest.patch(path, STRIKE));
      }
    });

    it('is not struck by other licences, lower roles or the keys of rigs, whatever these may do', async () => {
      const both = await rivals();
      const path = await lapIn(api.admin, both);
      expectNotYours(await api.venue.manager.patch(path, STRIKE));
      for (const role of ['R', 'CR']) {
        expectProblem(await (await issueKey(both.guest, role)).client.patch(path, STRIKE), 403);
      }
      expect(expectProblem(await both.rigOfGuest.patch(path, STRIKE), 403).type).to.equal('urn:problem-type:rig-scope');
      const service = await api.service.another({ RIG_KEY_SCOPE: 'role' });
      try {
        const asRole = service.client.as(both.rigOfGuest.token);
        expectNotYours(await asRole.patch(path, STRIKE));
      } finally {
        await service.close();
      }
      expect(await both.guest.read(path)).to.include({ valid: true });
    });

    it('is struck by the licence of another driver, once it is given to that one', async () => {
      const [both, other] = [await rivals(), await rivals()];
      const path = await lapIn(api.admin, both);
      await both.host.change(path, { participantId: other.participantId });
      expectNotYours(await both.guest.patch(path, STRIKE));
      await other.guest.change(path, STRIKE);
    });
  });
});
