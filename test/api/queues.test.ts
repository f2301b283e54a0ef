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

// The matrix has who may do this, `test/commands/event-queues.test.ts` what it records.
describe('API: queues', () => {
  const api = useVenue();

  /** An event of a licence of its own with a rig, and two drivers. */
  async function evening() {
    const { manager, licenseId } = await createLicense(api.admin);
    const { rigId, rig } = await registerRig(manager, licenseId);
    const eventId = idOf(await manager.create('/api/v1/events', bodies.event({ ...api.venue, rigId })));
    const nora = await enter(api.admin, 'Nora', 'Lindqvist');
    const niki = await enter(api.admin, 'Niki', 'Lauda');
    return { manager, rigId, rig, eventId, nora, niki, path: `/api/v1/events/${eventId}/queue` };
  }

  const arrange = async (client: Client, path: string, participantIds: readonly string[]): Promise<Answer> =>
    expectStatus(await client.put(path, { participantIds: [...participantIds] }), 200);
  const idsIn = (queue: readonly JsonObject[]) => queue.map(({ participantId }) => participantId);
  const seat = async (client: Client, rigId: string, body: JsonObject) =>
    expectStatus(await client.put(`/api/v1/rigs/${rigId}/seat`, body), 200);

  it('are empty at first, and then what was put there, in order, with names', async () => {
    const { manager, path, nora, niki } = await evening();
    const empty = await api.anyone.get(path);
    expect(empty.list).to.deep.equal([]);
    const before = Date.now();
    const put = await arrange(manager, path, [niki, nora]);
    expect(put.list.map(({ since: _, ...rest }) => rest)).to.deep.equal([
      { participantId: niki, participantName: 'Niki Lauda' },
      { participantId: nora, participantName: 'Nora Lindqvist' },
    ]);
    expect(Date.parse(textOf(put.list[0], 'since'))).to.be.within(before, Date.now());
    const got = expectStatus(await api.anyone.get(path), 200);
    expect(got.text).to.equal(put.text);
    expect(got.header('ETag')).to.equal(put.header('ETag'));
    expectStatus(await api.anyone.get(path, { 'If-None-Match': got.header('ETag') }), 304);
    await api.admin.change(`/api/v1/participants/${nora}`, { firstName: 'Eleonora' });
    expect((await api.anyone.list(path))[1]).to.include({ participantName: 'Eleonora Lindqvist' });
  });

  it('keep since when those wait who stay, and record nothing where nothing changes', async () => {
    const { manager, path, nora, niki } = await evening();
    const [first] = (await arrange(manager, path, [nora])).list;
    const second = await arrange(manager, path, [niki, nora]);
    expect(second.list[1]).to.deep.equal(first);
    const again = await arrange(manager, path, [niki, nora]);
    expect([again.text, again.header('ETag')]).to.deep.equal([second.text, second.header('ETag')]);
    expect((await arrange(manager, path, [])).list).to.deep.equal([]);
  });

  it('are changed under If-Match only as they were read, from the empty one on', async () => {
    const { manager, path, nora, niki } = await evening();
    const put = (participantIds: readonly string[], etag: string) =>
      manager.put(path, { participantIds: [...participantIds] }, { 'If-Match': etag });
    const empty = (await api.anyone.get(path)).header('ETag');
    expectStatus(await put([], empty), 200);
    const one = expectStatus(await put([nora], empty), 200).header('ETag');
    expectProblem(await put([niki], empty), 412);
    const two = expectStatus(await put([nora, niki], one), 200).header('ETag');
    for (const stale of [empty, one]) expectProblem(await put([niki], stale), 412);
    expectStatus(await put([niki, nora], two), 200);
    expectStatus(await put([nora], '*'), 200);
    expect(idsIn(await api.anyone.list(path))).to.deep.equal([nora]);
  });

  it('refuse who does not exist, and somebody twice', async () => {
    const { manager, path, nora } = await evening();
    const unknown = await manager.put(path, { participantIds: [nora, NOBODY] });
    expectProblem(unknown, 422);
    expect(pointersOf(unknown)).to.deep.equal(['#/participantIds/1']);
    expectProblem(await manager.put(path, { participantIds: [nora, nora] }), 400, '#/participantIds/1');
    expectProblem(await manager.put(path, {}), 400, '#/participantIds');
    const many = Array.from({ length: 1_001 }, () => nora);
    expectProblem(await manager.put(path, { participantIds: many }), 400, '#/participantIds');
    const nowhere = `/api/v1/events/${NOBODY}/queue`;
    expectProblem(await api.anyone.get(nowhere), 404);
    expectProblem(await manager.put(nowhere, { participantIds: [nora] }), 404);
    expect(await api.anyone.list(path)).to.deep.equal([]);
  });

  it("are changed by the event's owner, the operator and ADMIN, not by rigs and other licences", async () => {
    const { manager, path, rig, nora } = await evening();
    const body = { participantIds: [nora] };
    const other = await createLicense(api.admin);
    for (const participantIds of [[], [nora]])
      expect(expectProblem(await other.manager.put(path, { participantIds }), 403).type).to.match(/not-yours$/);
    expect(expectProblem(await rig.put(path, body), 403).type).to.match(/rig-scope$/);
    for (const role of ['R', 'CR']) expectProblem(await (await issueKey(manager, role)).client.put(path, body), 403);
    for (const client of [api.admin, (await issueKey(api.admin, 'CRUD')).client, manager])
      expectStatus(await client.put(path, body), 200);
  });

  it('are left by whoever takes a seat in the event, and not in another one', async () => {
    const { manager, path, rigId, eventId, nora, niki } = await evening();
    await arrange(manager, path, [nora, niki]);
    const next = idOf(await manager.create('/api/v1/events', bodies.event({ ...api.venue, rigId })));
    await seat(manager, rigId, { participantId: nora, eventId: next });
    expect(idsIn(await api.anyone.list(path))).to.deep.equal([nora, niki]);
    const before = (await api.anyone.get(path)).header('ETag');
    await seat(manager, rigId, { participantId: nora, eventId });
    expect(idsIn(await api.anyone.list(path))).to.deep.equal([niki]);
    const stale = await manager.put(path, { participantIds: [nora, niki] }, { 'If-Match': before });
    expectProblem(stale, 412);
    // Somebody who sits may wait for the next time.
    expect(idsIn((await arrange(manager, path, [niki, nora])).list)).to.deep.equal([niki, nora]);
  });

  it('are kept by a restart', async () => {
    const { manager, path, nora, niki } = await evening();
    const { text } = await arrange(manager, path, [niki, nora]);
    await api.restart();
    expect((await api.anyone.get(path)).text).to.equal(text);
  });

  describe('on the live board of the event', () => {
    const readers: LiveReader[] = [];

    const watch = async (eventId: string, query = ''): Promise<LiveReader> => {
      const reader = await LiveReader.open(api.service.url, eventId, { query });
      readers.push(reader);
      return reader;
    };
    const nextOf = async (reader: LiveReader) =>
      ((await reader.change()) ?? []).map(({ event, data }) => ({ event, data }));

    afterEach(() => {
      for (const reader of readers.splice(0)) reader.close();
    });

    it('are shown with the board, and told as a whole when they change', async () => {
      const { manager, path, rigId, eventId, nora, niki } = await evening();
      const first = (await arrange(manager, path, [nora])).list;
      const reader = await watch(eventId);
      expect((await nextOf(reader))[0]?.data).to.deep.include({ queue: first });
      const { lastId } = reader;
      const second = (await arrange(manager, path, [nora, niki])).list;
      const seen = [await nextOf(reader)];
      expect(seen).to.deep.equal([[{ event: 'queue', data: { queue: second } }]]);
      await seat(manager, rigId, { participantId: nora, eventId });
      const rest = second.slice(1);
      const taken = await nextOf(reader);
      seen.push(taken);
      expect(taken.map(({ event }) => event)).to.deep.equal(['seat', 'queue']);
      expect(taken[1]?.data).to.deep.equal({ queue: rest });
      await api.admin.change(`/api/v1/participants/${niki}`, { firstName: 'Andreas' });
      const renamed = rest.map((entry) => ({ ...entry, participantName: 'Andreas Lauda' }));
      const last = await nextOf(reader);
      expect(last).to.deep.equal([{ event: 'queue', data: { queue: renamed } }]);
      await api.restart();
      const shown = (await nextOf(await watch(eventId)))[0]?.data;
      expect(shown).to.deep.include({ queue: renamed }).and.to.have.nested.property('seats[0].participantId', nora);
      const resumed = await watch(eventId, `?after=${lastId ?? ''}`);
      const names = [...(await nextOf(resumed)), ...(await nextOf(resumed))].map(({ event }) => event);
      expect(names).to.deep.equal(['queue', 'seat', 'queue']);
      expect(await nextOf(resumed)).to.deep.equal(last);
    });
  });
});
