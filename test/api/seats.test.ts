import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import {
  expectProblem,
  expectStatus,
  idOf,
  pointersOf,
  textOf,
  type Answer,
  type Client,
} from '../support/api/client.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { bodies, createLicense, enter, issueKey, NOBODY, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const RACES = 25;

const seatOf = (rigId: string): string => `/api/v1/rigs/${rigId}/seat`;

// The matrix has who may do this, `test/commands/rig-seats.test.ts` what becomes of the past of a seat.
describe('API: seats', () => {
  const api = useVenue();

  /** Two rigs of a licence of their own, an event of theirs, and two drivers of other licences. */
  async function evening() {
    const { manager, licenseId } = await createLicense(api.admin);
    const one = await registerRig(manager, licenseId);
    const two = await registerRig(manager, licenseId);
    const event = await manager.create('/api/v1/events', bodies.event({ ...api.venue, rigId: one.rigId }));
    const nora = await enter(api.admin, 'Nora', 'Lindqvist');
    const niki = await enter(api.admin, 'Niki', 'Lauda');
    return { manager, licenseId, one, two, eventId: idOf(event), nora, niki };
  }

  const take = async (client: Client, rigId: string, body: JsonObject): Promise<JsonObject> =>
    expectStatus(await client.put(seatOf(rigId), body), 200).body;
  const seat = async (rigId: string): Promise<Answer> => api.anyone.get(seatOf(rigId));
  const seatsOf = (eventId: string): Promise<readonly JsonObject[]> =>
    api.anyone.list(`/api/v1/events/${eventId}/seats`);
  const historyOf = async (rigId: string) => api.admin.list(`/api/v1/rigs/${rigId}/history`);

  it('are taken, shown to everybody and left', async () => {
    const { manager, one, two, eventId, nora, niki } = await evening();
    expectProblem(await seat(one.rigId), 404);
    expect(await seatsOf(eventId)).to.deep.equal([]);
    const before = Date.now();
    const taken = await take(manager, one.rigId, { participantId: nora, eventId });
    const { from: _, ...rest } = taken;
    expect(rest).to.deep.equal({ rigId: one.rigId, participantId: nora, participantName: 'Nora Lindqvist', eventId });
    expect(Date.parse(textOf(taken, 'from'))).to.be.within(before, Date.now());
    expect(expectStatus(await seat(one.rigId), 200).body).to.deep.equal(taken);
    const other = await take(two.rig, two.rigId, { participantId: niki, eventId });
    expect(await seatsOf(eventId)).to.have.deep.members([taken, other]);
    expectStatus(await one.rig.delete(seatOf(one.rigId)), 204);
    expectProblem(await seat(one.rigId), 404);
    expect(await seatsOf(eventId)).to.deep.equal([other]);
  });

  it('show the present name of the driver', async () => {
    const { manager, one, eventId, nora } = await evening();
    await take(manager, one.rigId, { participantId: nora, eventId });
    await api.admin.change(`/api/v1/participants/${nora}`, { lastName: 'Berg' });
    expect((await seat(one.rigId)).body).to.include({ participantName: 'Nora Berg' });
  });

  it('record nothing where nothing changes, and leave the rig as it is', async () => {
    const { manager, one, eventId, nora } = await evening();
    const rig = `/api/v1/rigs/${one.rigId}`;
    const etag = (await manager.get(rig)).header('ETag');
    expectStatus(await manager.delete(seatOf(one.rigId)), 204);
    expect((await historyOf(one.rigId)).map(({ type }) => type)).to.deep.equal(['RigRegistered']);
    const taken = await take(manager, one.rigId, { participantId: nora, eventId });
    for (const body of [{}, { from: taken['from'] ?? null }])
      expect(await take(manager, one.rigId, { participantId: nora, eventId, ...body })).to.deep.equal(taken);
    for (let n = 0; n < 2; n += 1) expectStatus(await manager.delete(seatOf(one.rigId)), 204);
    const types = (await historyOf(one.rigId)).map(({ type }) => type);
    expect(types).to.deep.equal(['RigRegistered', 'DriverSeated', 'DriverLeft']);
    expect((await manager.get(rig)).header('ETag')).to.equal(etag);
  });

  it('are in the history of the rig, between its other changes', async () => {
    const { manager, one, eventId, nora } = await evening();
    const taken = await take(manager, one.rigId, { participantId: nora, eventId });
    await manager.change(`/api/v1/rigs/${one.rigId}`, { name: 'By the window' });
    expectStatus(await one.rig.delete(seatOf(one.rigId)), 204);
    const all = await historyOf(one.rigId);
    expect(all.map(({ revision, type }) => [revision, type])).to.deep.equal([
      [0, 'RigRegistered'],
      [1, 'DriverSeated'],
      [2, 'RigRenamed'],
      [3, 'DriverLeft'],
    ]);
    expect(all[1]).to.deep.include({
      changes: [
        { field: 'participantId', from: null, to: nora },
        { field: 'eventId', from: null, to: eventId },
        { field: 'from', from: null, to: taken['from'] ?? null },
      ],
    });
    const path = `/api/v1/rigs/${one.rigId}/history`;
    expect(await api.admin.list(`${path}?from=2`)).to.deep.equal(all.slice(2));
    expect(await api.admin.list(`${path}?after=${textOf(all[1] ?? {}, 'changeId')}&limit=1`)).to.deep.equal([all[2]]);
  });

  it('are of one driver on one rig of a licence: whoever takes another one leaves the first', async () => {
    const { manager, one, two, eventId, nora, niki } = await evening();
    await take(manager, one.rigId, { participantId: nora, eventId });
    await take(manager, two.rigId, { participantId: niki, eventId });
    // The rig's own key, too.
    await take(two.rig, two.rigId, { participantId: nora, eventId });
    expectProblem(await seat(one.rigId), 404);
    const [taken, ...others] = await seatsOf(eventId);
    expect(taken).to.include({ rigId: two.rigId, participantId: nora });
    expect(others).to.deep.equal([]);
    expect((await historyOf(one.rigId)).map(({ type }) => type)).to.include('DriverLeft');
  });

  it('are not left because another venue seats the driver', async () => {
    const { manager, one, eventId, nora } = await evening();
    const elsewhere = await evening();
    await take(manager, one.rigId, { participantId: nora, eventId });
    await take(elsewhere.manager, elsewhere.one.rigId, { participantId: nora, eventId: elsewhere.eventId });
    expect((await seat(one.rigId)).body).to.include({ participantId: nora });
    expect((await seat(elsewhere.one.rigId)).body).to.include({ participantId: nora });
  });

  it('are taken by one of two rigs that seat a driver at once', async () => {
    const { manager, one, two, eventId, nora, niki } = await evening();
    for (let n = 0; n < RACES; n += 1) {
      await Promise.all([
        take(manager, one.rigId, { participantId: nora, eventId }),
        take(manager, two.rigId, { participantId: nora, eventId }),
        take(manager, n % 2 === 0 ? one.rigId : two.rigId, { participantId: niki, eventId }),
      ]);
      const drivers = (await seatsOf(eventId)).map(({ participantId }) => participantId);
      expect(drivers.filter((driver) => driver === nora).length, `race ${n}`).to.be.at.most(1);
      expect(drivers.filter((driver) => driver === niki).length, `race ${n}`).to.be.at.most(1);
      await Promise.all([manager.delete(seatOf(one.rigId)), manager.delete(seatOf(two.rigId))]);
    }
    await Promise.all([one, two].map(({ rigId }) => take(manager, rigId, { participantId: nora, eventId })));
    expect((await seatsOf(eventId)).map(({ participantId }) => participantId)).to.deep.equal([nora]);
  });

  it('may be corrected since when, but not begin in the future', async () => {
    const { manager, one, two, eventId, nora } = await evening();
    const from = new Date(Date.now() - 600_000).toISOString();
    await take(manager, one.rigId, { participantId: nora, eventId });
    expect(await take(manager, one.rigId, { participantId: nora, eventId, from })).to.include({ from });
    expect(await take(manager, two.rigId, { participantId: nora, eventId, from })).to.include({ from });
    const types = (await historyOf(one.rigId)).map(({ type }) => type);
    expect(types).to.deep.equal(['RigRegistered', 'DriverSeated', 'DriverSeated', 'DriverLeft']);
    for (const wrong of [new Date(Date.now() + 60_000).toISOString(), '1999-12-31T23:59:59Z', 'yesterday', null]) {
      const answer = await manager.put(seatOf(one.rigId), { participantId: nora, eventId, from: wrong });
      expectProblem(answer, 400, '#/from');
    }
    expectProblem(await seat(one.rigId), 404);
  });

  it('correct the past of the driver on rigs that they have left since', async () => {
    const { manager, one, two, eventId, nora, niki } = await evening();
    const from = new Date(Date.now() - 600_000).toISOString();
    await take(manager, one.rigId, { participantId: nora, eventId, from });
    await take(manager, one.rigId, { participantId: niki, eventId });
    await take(manager, two.rigId, { participantId: nora, eventId, from });
    const types = (await historyOf(one.rigId)).map(({ type }) => type);
    expect(types).to.deep.equal(['RigRegistered', 'DriverSeated', 'DriverSeated', 'PastSeatCorrected']);
    expect((await seat(one.rigId)).body).to.include({ participantId: niki });
  });

  it('refuse what does not exist, with pointers, and leave no rig then', async () => {
    const { manager, one, two, eventId, nora } = await evening();
    await take(manager, one.rigId, { participantId: nora, eventId });
    const unknown = await manager.put(seatOf(two.rigId), { participantId: NOBODY, eventId: NOBODY });
    expectProblem(unknown, 422);
    expect(pointersOf(unknown)).to.deep.equal(['#/participantId', '#/eventId']);
    expectProblem(await manager.put(seatOf(two.rigId), { participantId: nora, eventId: NOBODY }), 422, '#/eventId');
    expectProblem(await manager.put(seatOf(two.rigId), { eventId }), 400, '#/participantId');
    for (const rigId of [NOBODY, eventId]) {
      expectProblem(await manager.put(seatOf(rigId), { participantId: nora, eventId }), 404);
      expectProblem(await manager.delete(seatOf(rigId)), 404);
      expectProblem(await seat(rigId), 404);
    }
    expectProblem(await api.anyone.get(`/api/v1/events/${NOBODY}/seats`), 404);
    expect((await seat(one.rigId)).body).to.include({ participantId: nora });
  });

  it('are taken on a disabled rig and in a disabled event, as laps are recorded', async () => {
    const { manager, one, eventId, nora } = await evening();
    await manager.change(`/api/v1/rigs/${one.rigId}`, { enabled: false });
    await manager.change(`/api/v1/events/${eventId}`, { enabled: false });
    expect(await take(manager, one.rigId, { participantId: nora, eventId })).to.include({ participantId: nora });
  });

  it('are for events that admit the rig, and are left even if the event admits it no longer', async () => {
    const { manager, one, two, eventId, nora } = await evening();
    const host = await evening();
    const notYours = async (answer: Promise<Answer>) =>
      expect(expectProblem(await answer, 403).type).to.equal('urn:problem-type:not-yours');
    await notYours(manager.put(seatOf(one.rigId), { participantId: nora, eventId: host.eventId }));
    await notYours(host.manager.put(seatOf(one.rigId), { participantId: nora, eventId: host.eventId }));
    await notYours(host.manager.delete(seatOf(one.rigId)));
    const rigIds = [host.one.rigId, one.rigId];
    await host.manager.change(`/api/v1/events/${host.eventId}`, { rigIds });
    await take(manager, two.rigId, { participantId: nora, eventId });
    await take(one.rig, one.rigId, { participantId: nora, eventId: host.eventId });
    await notYours(host.manager.delete(seatOf(one.rigId)));
    await host.manager.change(`/api/v1/events/${host.eventId}`, { rigIds: [host.one.rigId] });
    await notYours(manager.put(seatOf(two.rigId), { participantId: nora, eventId: host.eventId }));
    expect((await seat(one.rigId)).body, 'who was refused has left no rig').to.include({ participantId: nora });
    expectStatus(await one.rig.delete(seatOf(one.rigId)), 204);
  });

  it('are those of its own rig for the key of a rig, and not for roles below CRUD', async () => {
    const { manager, one, two, eventId, nora } = await evening();
    const body = { participantId: nora, eventId };
    for (const answer of [await one.rig.put(seatOf(two.rigId), body), await one.rig.delete(seatOf(two.rigId))])
      expect(expectProblem(answer, 403).type).to.equal('urn:problem-type:rig-scope');
    for (const role of ['R', 'CR'])
      expectProblem(await (await issueKey(manager, role)).client.put(seatOf(one.rigId), body), 403);
    expectProblem(await api.anyone.put(seatOf(one.rigId), body), 401);
  });

  it('are kept by a restart, and of the same rig still', async () => {
    const { manager, one, eventId, nora } = await evening();
    const taken = await take(manager, one.rigId, { participantId: nora, eventId });
    const { token } = manager;
    await api.restart();
    expect((await seat(one.rigId)).body).to.deep.equal(taken);
    expect(await take(api.admin.as(token ?? ''), one.rigId, { participantId: nora, eventId })).to.deep.equal(taken);
  });

  describe('on the live board of the event', () => {
    const readers: LiveReader[] = [];

    const watch = async (eventId: string, query = ''): Promise<LiveReader> => {
      const reader = await LiveReader.open(api.service.url, eventId, { query });
      readers.push(reader);
      return reader;
    };
    /** The next change, which has one event. */
    const nextOf = async (reader: LiveReader) => {
      const change = (await reader.change()) ?? [];
      expect(change).to.have.length(1);
      return { event: change[0]?.event, data: change[0]?.data };
    };

    afterEach(() => {
      for (const reader of readers.splice(0)) reader.close();
    });

    it('are shown with the board, and told when they change', async () => {
      const { manager, one, two, eventId, nora, niki } = await evening();
      await manager.change(`/api/v1/rigs/${one.rigId}`, { name: 'By the window' });
      const taken = await take(manager, one.rigId, { participantId: nora, eventId });
      const reader = await watch(eventId);
      const shown = { ...taken, rigName: 'By the window' };
      expect((await nextOf(reader)).data).to.deep.include({ seats: [shown] });
      const other = await take(manager, two.rigId, { participantId: niki, eventId });
      expect(await nextOf(reader)).to.deep.equal({ event: 'seat', data: { ...other, rigName: null } });
      await api.admin.change(`/api/v1/participants/${nora}`, { firstName: 'Eleonora' });
      const renamed = { ...shown, participantName: 'Eleonora Lindqvist' };
      expect(await nextOf(reader)).to.deep.equal({ event: 'seat', data: renamed });
      expectStatus(await manager.delete(seatOf(one.rigId)), 204);
      const nobody = { ...shown, participantId: null, participantName: '', from: null };
      expect(await nextOf(reader)).to.deep.equal({ event: 'seat', data: nobody });
      expect((await nextOf(await watch(eventId))).data).to.deep.include({ seats: [{ ...other, rigName: null }] });
    });

    it('end when the rig is used for another event', async () => {
      const { manager, one, eventId, nora, niki } = await evening();
      const next = idOf(await manager.create('/api/v1/events', bodies.event({ ...api.venue, rigId: one.rigId })));
      await take(manager, one.rigId, { participantId: nora, eventId });
      const reader = await watch(eventId);
      const ofNext = await watch(next);
      for (const each of [reader, ofNext]) await nextOf(each);
      const taken = await take(manager, one.rigId, { participantId: niki, eventId: next });
      expect((await nextOf(reader)).data).to.include({ rigId: one.rigId, participantId: null });
      expect((await nextOf(ofNext)).data).to.include({ ...taken });
      expect(await seatsOf(eventId)).to.deep.equal([]);
    });

    it('are continued after a restart with exactly the next change, and told again with the past', async () => {
      const { manager, one, eventId, nora, niki } = await evening();
      const began = new Date().toISOString();
      const first = await watch(eventId);
      await nextOf(first);
      await take(manager, one.rigId, { participantId: nora, eventId });
      const seen = [await nextOf(first)];
      const { lastId } = first;
      await take(manager, one.rigId, { participantId: niki, eventId });
      seen.push(await nextOf(first));
      expectStatus(await manager.delete(seatOf(one.rigId)), 204);
      seen.push(await nextOf(first));
      await api.restart();
      const resumed = await watch(eventId, `?after=${lastId ?? ''}`);
      expect([await nextOf(resumed), await nextOf(resumed)]).to.deep.equal(seen.slice(1));
      const replayed = await watch(eventId, `?from=${began}&speed=60`);
      expect((await nextOf(replayed)).data).to.deep.include({ seats: [] });
      for (const expected of seen) expect(await nextOf(replayed)).to.deep.equal(expected);
    });
  });
});
