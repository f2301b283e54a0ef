import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { createRace } from '../support/api/leaderboard.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { bodies, createLicense, issueKey, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const PEOPLE = '/api/v1/participants';

/** What nobody who does not own the person may see. */
const SECRET = /Kowalska|"Ace/;

// `test/domain/public-names.test.ts` has what the names are.
describe('API: public names', () => {
  const api = useVenue();

  /** A licence that shows its people so. */
  async function showing(publicNames: string) {
    const license = await createLicense(api.admin);
    await license.manager.change(`/api/v1/licenses/${license.licenseId}`, { publicNames });
    return license;
  }

  const ada = { firstName: 'Ada', lastName: 'Kowalska', nickname: 'Ace' };

  /** An evening of a venue: Ada is checked in, drives, and sits on one rig; she waits for another event. */
  async function evening(publicNames: string, person: JsonObject = ada) {
    const { manager, licenseId } = await showing(publicNames);
    const { rigId } = await registerRig(manager, licenseId);
    const race = await createRace(api.admin, { ...api.venue, rigId });
    const { eventId } = race;
    const checkedIn = await manager.create('/api/v1/check-ins', person);
    const participantId = idOf(checkedIn);
    const lap = await race.drive(participantId, [30_000, 31_000]);
    expectStatus(await api.admin.put(`/api/v1/rigs/${rigId}/seat`, { participantId, eventId }), 200);
    const other = await createRace(api.admin, { ...api.venue, rigId });
    const queue = `/api/v1/events/${other.eventId}/queue`;
    expectStatus(await api.admin.put(queue, { participantIds: [participantId] }), 200);
    const paths = {
      lap: `/api/v1/laps/${idOf(lap)}`,
      laps: `/api/v1/laps?eventId=${eventId}`,
      page: `/api/v1/laps/paged?eventId=${eventId}`,
      board: `/api/v1/events/${eventId}/leaderboard`,
      filteredBoard: `/api/v1/events/${eventId}/leaderboard?carId=${api.venue.carId}`,
      layoutBoard: `/api/v1/track-layouts/${api.venue.trackLayoutId}/leaderboard`,
      seat: `/api/v1/rigs/${rigId}/seat`,
      seats: `/api/v1/events/${eventId}/seats`,
      queue,
    };
    return {
      manager,
      licenseId,
      participantId,
      checkedIn,
      race,
      eventId,
      rigId,
      paths,
      results: `/api/v1/events/${eventId}/results.csv`,
    };
  }
  type Evening = Awaited<ReturnType<typeof evening>>;

  /** The names of a driver in an answer, wherever they are. */
  function namesIn(body: unknown, participantId: string): readonly object[] {
    if (Array.isArray(body)) return body.flatMap((item) => namesIn(item, participantId));
    if (typeof body !== 'object' || body === null) return [];
    const inner = Object.values(body).flatMap((value) => namesIn(value, participantId));
    if (!('participantId' in body) || body.participantId !== participantId || !('participantName' in body))
      return inner;
    const { participantName } = body;
    const shown = 'publicName' in body ? { participantName, publicName: body.publicName } : { participantName };
    return [shown, ...inner];
  }

  /** Expects one name of a driver everywhere; `publicName` where the reader sees the whole one. */
  async function expectNames(
    client: Client,
    { paths, participantId, results }: Evening,
    names: { readonly participantName: string; readonly publicName?: string },
    printed = names.publicName ?? names.participantName,
  ): Promise<void> {
    for (const [what, path] of Object.entries(paths)) {
      const answer = expectStatus(await client.get(path), 200);
      const found = namesIn(JSON.parse(answer.text), participantId);
      expect(found, what).not.to.deep.equal([]);
      for (const one of found) expect(one, what).to.deep.equal(names);
      if (what.startsWith('seat')) continue;
      const again = await client.get(path, { 'If-None-Match': answer.header('etag') });
      expect(again.status, what).to.equal(304);
    }
    expect((await client.get(results)).text, 'results')
      .to.include(printed)
      .and.not.match(/undefined/);
  }

  for (const [setting, shown] of [
    ['initial', 'Ada K.'],
    ['nickname', 'Ace'],
  ] as const) {
    it(`are shown to everybody, and owners see both: ${setting}`, async () => {
      const found = await evening(setting);
      const stranger = await createLicense(api.admin);
      const whole = { participantName: 'Ada Kowalska', publicName: shown };
      await expectNames(api.anyone, found, { participantName: shown });
      await expectNames(stranger.manager, found, { participantName: shown });
      for (const client of [found.manager, api.admin, (await issueKey(found.manager, 'R')).client])
        await expectNames(client, found, whole);
      expect((await api.anyone.get(found.results)).text).not.to.match(SECRET);
    });
  }

  it('are whole unless the licence says otherwise, and a nickname alone shows nowhere', async () => {
    const found = await evening('full');
    await expectNames(api.anyone, found, { participantName: 'Ada Kowalska' });
    expect((await api.anyone.get(found.paths.board)).text).not.to.include('Ace');
  });

  it('follow a change of the setting, of the nickname, of the name and of the licence, everywhere and at once', async () => {
    const found = await evening('full');
    const { manager, licenseId, participantId } = found;
    const person = `${PEOPLE}/${participantId}`;
    const tagged = Object.values(found.paths).filter((path) => !/seats?$/.test(path));
    const tags = (): Promise<readonly string[]> =>
      Promise.all(tagged.map(async (path) => (await api.anyone.get(path)).header('etag')));
    for (const [client, path, change, shown] of [
      [manager, `/api/v1/licenses/${licenseId}`, { publicNames: 'initial' }, 'Ada K.'],
      [manager, `/api/v1/licenses/${licenseId}`, { publicNames: 'nickname' }, 'Ace'],
      [manager, person, { nickname: 'Lady A' }, 'Lady A'],
      [manager, person, { nickname: null }, 'Ada K.'],
      [manager, person, { lastName: 'Zielinska' }, 'Ada Z.'],
      [manager, person, { lastName: '' }, 'Ada'],
      [manager, person, { lastName: 'Kowalska', nickname: 'Ace' }, 'Ace'],
      [api.admin, person, { licenseId: (await createLicense(api.admin)).licenseId }, 'Ada Kowalska'],
      [api.admin, person, { licenseId: (await showing('initial')).licenseId }, 'Ada K.'],
    ] as const) {
      const before = await tags();
      await client.change(path, change);
      await expectNames(api.anyone, found, { participantName: shown });
      for (const [n, tag] of (await tags()).entries())
        expect(tag, `${tagged[n]} after ${JSON.stringify(change)}`).not.to.equal(before[n]);
    }
  });

  it('are told live, to watchers of an event where the people are, and to no others', async () => {
    const found = await evening('full');
    const { manager, licenseId, participantId, eventId, race } = found;
    const quiet = await createRace(api.admin, api.venue);
    await quiet.drive(api.venue.participantId, [30_000]);
    const reader = await LiveReader.open(api.service.url, eventId);
    const other = await LiveReader.open(api.service.url, quiet.eventId);
    try {
      expect(
        namesIn(
          (await reader.change())?.map(({ data }) => data),
          participantId,
        ),
      ).to.not.be.empty;
      await other.change();
      const next = async (): Promise<readonly string[]> => {
        const change = (await reader.change()) ?? expect.fail('the stream has ended');
        const names = namesIn(
          change.map(({ data }) => data),
          participantId,
        );
        return [...new Set(names.map((one) => JSON.stringify(one)))];
      };
      await manager.change(`/api/v1/licenses/${licenseId}`, { publicNames: 'initial' });
      expect(await next()).to.deep.equal(['{"participantName":"Ada K."}']);
      await manager.change(`/api/v1/licenses/${licenseId}`, { publicNames: 'nickname' });
      expect(await next()).to.deep.equal(['{"participantName":"Ace"}']);
      await manager.change(`${PEOPLE}/${participantId}`, { nickname: 'Lady A' });
      expect(await next()).to.deep.equal(['{"participantName":"Lady A"}']);
      await race.drive(participantId, [29_000, 30_000]);
      expect(await next()).to.deep.equal(['{"participantName":"Lady A"}']);
      await api.admin.change(`${PEOPLE}/${participantId}`, { licenseId: (await createLicense(api.admin)).licenseId });
      expect(await next()).to.deep.equal(['{"participantName":"Ada Kowalska"}']);
      await quiet.drive(api.venue.participantId, [29_000]);
      expect((await other.change())?.map(({ event }) => event)).to.include('lap');
    } finally {
      reader.close();
      other.close();
    }
  });

  it('are what other licences see of people: in the first name, and nothing beside it', async () => {
    const { licenseId, manager } = await showing('nickname');
    const stranger = (await createLicense(api.admin)).manager;
    const driver = await createLicense(api.admin);
    const made = await manager.create(PEOPLE, { ...bodies.participant(driver.licenseId), ...ada });
    const id = idOf(made);
    expect(made).to.include({ ...ada, publicName: 'Ace' });
    const masked = { firstName: 'Ace', lastName: '', nickname: null, publicName: 'Ace', email: '' };
    expect(await stranger.read(`${PEOPLE}/${id}`)).to.include(masked);
    const lists = [await stranger.list(PEOPLE), (await stranger.read(`${PEOPLE}/paged?size=1000`))['content']];
    for (const list of lists as readonly (readonly JsonObject[])[])
      expect(list.find((one) => one['id'] === id)).to.include(masked);
    const table = (await stranger.get(`${PEOPLE}?bom=false`, { Accept: 'text/csv' })).text;
    const line = table.split('\r\n').find((one) => one.startsWith(id));
    expect(line)
      .to.include('Ace')
      .and.not.match(/Kowalska/);
    expect((await stranger.get(`${PEOPLE}/${id}/history`)).text).not.to.match(SECRET);
    for (const client of [manager, driver.manager, api.admin])
      expect(await client.read(`${PEOPLE}/${id}`)).to.include({ ...ada, publicName: 'Ace' });
    // The second registration of one licence answers with the first, as its sender may see it.
    const second = await stranger.post(PEOPLE, bodies.participant(driver.licenseId));
    expect(expectStatus(second, 200).body).to.include(masked);
    await manager.change(`/api/v1/licenses/${licenseId}`, { publicNames: 'full' });
    expect(await stranger.read(`${PEOPLE}/${id}`)).to.include({
      firstName: 'Ada',
      lastName: 'Kowalska',
      nickname: null,
    });
  });

  it('are what other licences sort people by, so that an order tells nothing', async () => {
    const { manager } = await showing('initial');
    const stranger = (await createLicense(api.admin)).manager;
    const checkIn = async (lastName: string): Promise<string> =>
      idOf(await manager.create('/api/v1/check-ins', { firstName: 'Same', lastName }));
    const late = await checkIn('Zz-late');
    const early = await checkIn('Za-early');
    const order = async (client: Client, field: string): Promise<readonly unknown[]> => {
      const { content } = await client.read(`${PEOPLE}/paged?size=1000&sort=${field}`);
      return (content as readonly JsonObject[]).map(({ id }) => id).filter((id) => id === late || id === early);
    };
    for (const field of ['lastName', 'firstName']) expect(await order(stranger, field)).to.deep.equal([late, early]);
    expect(await order(api.admin, 'lastName')).to.deep.equal([early, late]);
    expectProblem(await stranger.get(`${PEOPLE}/paged?sort=nickname`), 403);
  });

  it('are the more private ones of the two licences that a person has', async () => {
    const own = await showing('initial');
    const registrant = await showing('full');
    const id = idOf(await registrant.manager.create(PEOPLE, { ...bodies.participant(own.licenseId), ...ada }));
    const shown = async () => textOf(await api.admin.read(`${PEOPLE}/${id}`), 'publicName');
    expect(await shown()).to.equal('Ada K.');
    await registrant.manager.change(`/api/v1/licenses/${registrant.licenseId}`, { publicNames: 'nickname' });
    expect(await shown()).to.equal('Ace');
    // Also once the registrant no longer owns them: a correction by others makes no name public.
    await own.manager.change(`${PEOPLE}/${id}`, { phoneNumber: '1' });
    await own.manager.change(`/api/v1/licenses/${own.licenseId}`, { publicNames: 'full' });
    expect(await shown()).to.equal('Ace');
  });

  it('find people by their nicknames, for keys that see these', async () => {
    const { manager } = await showing('full');
    const stranger = (await createLicense(api.admin)).manager;
    const id = idOf(await manager.create('/api/v1/check-ins', { ...ada, nickname: 'Überholer' }));
    for (const client of [manager, api.admin])
      expect((await client.list(`${PEOPLE}?name=uberh kow`)).map(idOf)).to.deep.equal([id]);
    expect(await stranger.list(`${PEOPLE}?name=uberh`)).to.deep.equal([]);
    await manager.change(`${PEOPLE}/${id}`, { nickname: null });
    expect(await manager.list(`${PEOPLE}?name=uberh`)).to.deep.equal([]);
  });

  it('take a nickname of 2 to 40 characters that shows something, in a check-in, too', async () => {
    const { manager } = await showing('full');
    for (const nickname of ['A', 'x'.repeat(41), '   ', '\u200b\u200b', 7]) {
      expectProblem(
        await manager.post('/api/v1/check-ins', { firstName: 'A', lastName: '', nickname }),
        400,
        '#/nickname',
      );
    }
    const made = await manager.create('/api/v1/check-ins', { firstName: 'A', lastName: '', nickname: '🏁🏁' });
    expect(made).to.include({ nickname: '🏁🏁', publicName: 'A' });
    const history = await manager.list(`${PEOPLE}/${idOf(made)}/history`);
    expect(JSON.stringify(history)).to.include('"nickname","from":null,"to":"🏁🏁"');
  });

  it('are set by the licence itself, and by ADMIN', async () => {
    const { licenseId, manager } = await createLicense(api.admin);
    const path = `/api/v1/licenses/${licenseId}`;
    expect(await manager.read(path)).to.include({ publicNames: 'full' });
    expect(await manager.change(path, { publicNames: 'nickname' })).to.include({ publicNames: 'nickname' });
    expect(await api.admin.change(path, { publicNames: 'initial' })).to.include({ publicNames: 'initial' });
    expectProblem(await manager.patch(path, { publicNames: 'none' }), 400, '#/publicNames');
    expectProblem(await (await createLicense(api.admin)).manager.patch(path, { publicNames: 'full' }), 403);
  });
});
