import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf, type Answer, type Client } from '../support/api/client.ts';
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
describe('API: isolation of tenants', () => {
  const api = useVenue();

  describe('a participant registered for another licence', () => {
    /** A participant of `named`, registered by `registrant`. */
    async function registered() {
      const registrant = await createLicense(api.admin);
      const named = await createLicense(api.admin);
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
        const from = await createLicense(api.admin);
        const to = await createLicense(api.admin);
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
      const host = await createLicense(api.admin);
      const guest = await createLicense(api.admin);
      const { rigId } = await registerRig(host.manager, host.licenseId);
      const { manager, licenseId } = guest;
      const participantId = idOf(await manager.create('/api/v1/participants', bodies.participant(licenseId)));
      const own = (await registerRig(manager, licenseId)).rig;
      return { host: host.manager, guest: manager, rigOfGuest: own, rigId, participantId };
    }
    type Rivals = Awaited<ReturnType<typeof rivals>>;

    /** The path of a lap on the host's rig, by the guest's driver, in an event that `organiser` created. */
    async function lapIn(organiser: Client, { host, rigId, participantId }: Rivals): Promise<string> {
      return (await lapAndEventOf(organiser, { host, rigId, participantId })).path;
    }
    async function lapAndEventOf(
      organiser: Client,
      { host, rigId, participantId }: Pick<Rivals, 'host' | 'rigId' | 'participantId'>,
    ) {
      const event = idOf(await organiser.create('/api/v1/events', { ...bodies.event({ ...api.venue, rigId }) }));
      const lap = { ...bodies.lap({ ...api.venue, rigId, participantId, eventId: event }), valid: true };
      const path = `/api/v1/laps/${idOf(await host.create('/api/v1/laps', lap))}`;
      return { path, event: `/api/v1/events/${event}`, eventId: event, lap };
    }
    const operator = async () => (await issueKey(api.admin, 'CRUD')).client;
    const formerAdmin = async ({ host }: Rivals) => {
      const { client, id } = await issueKey(host, 'CRUD');
      await api.admin.change(`/api/v1/api-keys/${id}`, { role: 'ADMIN' });
      return client;
    };

    it("is struck by the driver's licence in whatever event, with a reason that its history shows", async () => {
      const both = await rivals();
      const stranger = (await createLicense(api.admin)).manager;
      const organisers = [api.admin, await operator(), await formerAdmin(both), both.host, both.guest, stranger];
      for (const organiser of organisers) {
        const path = await lapIn(organiser, both);
        expect(await both.guest.change(path, STRIKE)).to.include({ valid: false });
        expect((await api.admin.list(`${path}/history`)).at(-1)).to.include({
          type: 'LapInvalidated',
          reason: STRIKE.reason,
        });
        expectStatus(await both.guest.patch(path, STRIKE), 200);
        // Of their own event, they are also the owner.
        if (organiser === both.guest) continue;
        expect(await both.host.change(path, { valid: true }), "the rig's licence owns it").to.include({ valid: true });
      }
    });

    it('is not struck without a reason, which is a 400', async () => {
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

    it("stays out of the public bests of the driver, also where the rig's licence brings it back", async () => {
      const both = await rivals();
      const { path, lap } = await lapAndEventOf(both.host, both);
      const forged = { ...lap, totalTime: 1, sectors: [] };
      const forgery = `/api/v1/laps/${idOf(await both.host.create('/api/v1/laps', forged))}`;
      const bests = async (): Promise<readonly unknown[]> => {
        const shown = await api.anyone.list(`/api/v1/participants/${both.participantId}/bests`);
        return shown.map(({ lapId }) => lapId);
      };
      const real = path.split('/').at(-1);
      const fake = forgery.split('/').at(-1);
      expect(await bests()).to.deep.equal([fake]);
      await both.guest.change(forgery, STRIKE);
      expect(await bests()).to.deep.equal([real]);
      await both.host.change(forgery, { valid: true });
      expect(await bests(), 'brought back').to.deep.equal([real]);
      // Another driver's for a moment, and then this one's again.
      const other = await rivals();
      await both.host.change(forgery, { participantId: other.participantId, valid: false });
      await both.host.change(forgery, { participantId: both.participantId, valid: true });
      expect(await bests(), 'given away and back').to.deep.equal([real]);
      await api.admin.change(forgery, { valid: false });
      await api.admin.change(forgery, { valid: true });
      expect(await bests(), 'brought back by ADMIN').to.deep.equal([fake]);
    });

    it('is not struck by other licences, lower roles or the keys of rigs', async () => {
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
      const both = await rivals();
      const other = await rivals();
      const path = await lapIn(api.admin, both);
      await both.host.change(path, { participantId: other.participantId });
      expectNotYours(await both.guest.patch(path, STRIKE));
      await other.guest.change(path, STRIKE);
    });

    describe('in the event of a third licence', () => {
      /** A lap of a host's rig in an event that admits the rig. */
      async function admitted() {
        const both = await rivals();
        const organiser = (await createLicense(api.admin)).manager;
        const { hardwareId } = await both.host.read(`/api/v1/rigs/${both.rigId}`);
        const key = await both.host.send('POST', `/api/v1/rigs/${both.rigId}/key`);
        const rig = api.admin.as(textOf(expectStatus(key, 200).body, 'token'));
        const made = await lapAndEventOf(organiser, both);
        return { ...both, ...made, organiser, rig, hardwareId };
      }
      type Admitted = Awaited<ReturnType<typeof admitted>>;

      const expel = ({ organiser, event }: Admitted) => organiser.change(event, { rigIds: [api.venue.rigId] });
      const best = async ({ eventId }: Admitted) =>
        (await api.anyone.read(`/api/v1/events/${eventId}/leaderboard`))['content'];

      it('is struck, and reinstated, by the owner of the event, also once the rig is no longer in it', async () => {
        const one = await admitted();
        for (const before of [() => Promise.resolve(), () => expel(one)]) {
          await before();
          expect(await one.organiser.change(one.path, STRIKE)).to.include({ valid: false });
          expect(await best(one)).to.deep.equal([]);
          expectProblem(await one.organiser.patch(one.path, { valid: true }), 400, '#/reason');
          const back = await one.organiser.change(one.path, { valid: true, reason: 'Looked at the video' });
          expect(back).to.include({ valid: true });
          expectProblem(await one.organiser.patch(one.path, { valid: false }), 400, '#/reason');
          for (const more of [{ totalTime: 1 }, { rigId: one.rigId }, { eventId: one.eventId }])
            expectNotYours(await one.organiser.patch(one.path, { ...STRIKE, ...more }));
        }
        expect((await api.admin.list(`${one.path}/history`)).at(-2)).to.include({ reason: STRIKE.reason });
      });

      it("is not brought back by the rig's licence or the rig, once the event's owner or ADMIN struck it", async () => {
        const one = await admitted();
        for (const striker of [one.organiser, api.admin, await operator()]) {
          await striker.change(one.path, STRIKE);
          for (const client of [one.host, one.rig]) {
            expectNotYours(await client.patch(one.path, { valid: true }), '#/valid');
            await client.change(one.path, { drivenAt: new Date().toISOString() });
          }
          await api.admin.change(one.path, { valid: true });
        }
        for (const client of [one.host, one.rig]) {
          await client.change(one.path, { valid: false });
          expectNotYours(await one.organiser.patch(one.path, { valid: true, reason: 'It looks good' }));
          await client.change(one.path, { valid: true });
        }
      });

      it('is not changed any more by the owner of a rig that the event no longer admits', async () => {
        const one = await admitted();
        const other = await rivals();
        await expel(one);
        const before = await api.anyone.read(one.path);
        const changes = [
          { totalTime: 1, sectors: [1] },
          { sectors: [1] },
          { valid: false },
          { valid: true },
          { participantId: other.participantId },
          { carId: api.venue.carId },
          { trackId: api.venue.trackLayoutId },
          { drivenAt: '2026-01-01T00:00:00.000Z' },
          { eventId: one.eventId },
          { rigId: one.rigId },
          { reason: 'x' },
          {},
        ];
        for (const client of [one.host, one.rig]) {
          const etag = (await client.get(one.path)).header('ETag');
          for (const change of changes) {
            expectNotYours(await client.patch(one.path, change), '#/eventId');
            expectNotYours(await client.patch(one.path, change, { 'If-Match': etag }), '#/eventId');
          }
          expectNotYours(await client.post('/api/v1/laps', { ...one.lap, totalTime: 1 }), '#/eventId');
        }
        expect(await api.anyone.read(one.path)).to.deep.equal(before);
        // What was admitted may be taken away, but not brought back.
        const own = idOf(await one.host.create('/api/v1/events', bodies.event({ ...api.venue, rigId: one.rigId })));
        await one.host.change(one.path, { eventId: own });
        await one.host.change(one.path, { totalTime: 1, sectors: [1] });
        expectNotYours(await one.host.patch(one.path, { eventId: one.eventId }), '#/eventId');
      });

      it('is not changed by a rig that has moved to another licence, and by that licence only where admitted', async () => {
        const one = await admitted();
        const buyer = await createLicense(api.admin);
        await api.admin.change(`/api/v1/rigs/${one.rigId}`, { licenseId: buyer.licenseId });
        expectNotYours(await one.host.patch(one.path, { totalTime: 2 }));
        await buyer.manager.change(one.path, { totalTime: 2 });
        await expel(one);
        expectNotYours(await buyer.manager.patch(one.path, { totalTime: 1 }), '#/eventId');
      });
    });
  });

  describe('a resource that ADMIN creates below a resource of one licence', () => {
    it('is changed by that licence, and not by others, who share what ADMIN made', async () => {
      const organiser = await createLicense(api.admin);
      const other = await createLicense(api.admin);
      const event = idOf(await organiser.manager.create('/api/v1/events', bodies.event(api.venue)));
      const field = idOf(await api.admin.create('/api/v1/signup-fields', bodies.signupField(event)));
      const simulator = idOf(await organiser.manager.create('/api/v1/simulators', bodies.simulator()));
      const mappings = `/api/v1/simulators/${simulator}`;
      const { carId, trackLayoutId } = api.venue;
      await api.admin.create(`${mappings}/cars`, { carId, simulatorIdentifier: 'x' });
      await api.admin.create(`${mappings}/layouts`, { trackLayoutId, simulatorIdentifier: 'x' });
      const change = { simulatorIdentifier: 'y' };
      const asks: readonly ((client: Client) => Promise<Answer>)[] = [
        (client) => client.patch(`/api/v1/signup-fields/${field}`, { label: 'Changed' }),
        (client) => client.patch(`${mappings}/cars/${carId}`, change),
        (client) => client.patch(`${mappings}/layouts/${trackLayoutId}`, change),
        (client) => client.delete(`${mappings}/cars/${carId}`),
        (client) => client.delete(`${mappings}/layouts/${trackLayoutId}`),
      ];
      for (const ask of asks) {
        expectNotYours(await ask(other.manager));
        expect((await ask(organiser.manager)).status).to.be.oneOf([200, 204]);
      }
    });
  });
});
