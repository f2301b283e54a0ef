import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { sendBatch } from '../support/api/batches.ts';
import { expectProblem, expectStatus, idOf, pointersOf, type Client } from '../support/api/client.ts';
import { unique } from '../support/resources/fields.ts';
import { bodies, createLicense, enter, NOBODY, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const LAPS = '/api/v1/laps';

/** ISO 8601. */
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

describe('API: laps that leave out who drove', () => {
  const api = useVenue();

  /** A rig, an event, two drivers, and a lap of the rig that says neither driver nor event. */
  async function evening() {
    const { manager, licenseId } = await createLicense(api.admin);
    const { rigId, rig } = await registerRig(manager, licenseId);
    const eventId = idOf(await manager.create('/api/v1/events', bodies.event({ ...api.venue, rigId })));
    const nora = await enter(api.admin, 'Nora', 'Lindqvist');
    const niki = await enter(api.admin, 'Niki', 'Lauda');
    const { participantId: _, eventId: __, ...lap } = bodies.lap({ ...api.venue, rigId });
    return { manager, rigId, rig, eventId, nora, niki, lap };
  }

  const seat = async (client: Client, rigId: string, body: JsonObject) =>
    expectStatus(await client.put(`/api/v1/rigs/${rigId}/seat`, body), 200);
  const leave = async (client: Client, rigId: string) =>
    expectStatus(await client.delete(`/api/v1/rigs/${rigId}/seat`), 204);

  it('are those of the driver who sits on the rig, in the event that they drive in', async () => {
    const { manager, rigId, rig, eventId, nora, niki, lap } = await evening();
    for (const participantId of [nora, niki, nora]) {
      // Right after the seat was taken.
      await seat(manager, rigId, { participantId, eventId });
      expect(await rig.create(LAPS, lap)).to.include({ participantId, eventId, rigId });
    }
    const other = idOf(await manager.create('/api/v1/events', bodies.event({ ...api.venue, rigId })));
    expect(await rig.create(LAPS, { ...lap, eventId: other })).to.include({ participantId: nora, eventId: other });
    expect(await rig.create(LAPS, { ...lap, participantId: niki })).to.include({ participantId: niki, eventId });
  });

  it('are those of whoever sat there when they were driven, from the very moment on', async () => {
    const { manager, rigId, rig, eventId, nora, niki, lap } = await evening();
    const first = ago(120_000);
    const second = ago(60_000);
    await seat(manager, rigId, { participantId: nora, eventId, from: first });
    await seat(manager, rigId, { participantId: niki, eventId, from: second });
    await leave(manager, rigId);
    const drivenAt = async (moment: string) => (await rig.create(LAPS, { ...lap, drivenAt: moment }))['participantId'];
    expect(await drivenAt(first)).to.equal(nora);
    expect(await drivenAt(new Date(Date.parse(second) - 1).toISOString())).to.equal(nora);
    expect(await drivenAt(second)).to.equal(niki);
    const before = new Date(Date.parse(first) - 1).toISOString();
    for (const body of [lap, { ...lap, drivenAt: before }]) {
      const refused = await rig.post(LAPS, body);
      expect(expectProblem(refused, 422).type).to.equal('urn:problem-type:unknown-reference');
      expect(pointersOf(refused)).to.deep.equal(['#/participantId', '#/eventId']);
    }
    expect(pointersOf(await rig.post(LAPS, { ...lap, eventId }))).to.deep.equal(['#/participantId']);
    expect(pointersOf(await rig.post(LAPS, { ...lap, participantId: nora }))).to.deep.equal(['#/eventId']);
    // Once the venue has said who it was, the same lap is recorded.
    await seat(manager, rigId, { participantId: niki, eventId, from: before });
    expect(await drivenAt(before)).to.equal(niki);
  });

  it('stay as they were recorded, whatever is said of the seat later', async () => {
    const { manager, rigId, rig, eventId, nora, niki, lap } = await evening();
    await seat(manager, rigId, { participantId: nora, eventId });
    const recorded = await rig.create(LAPS, lap);
    await seat(manager, rigId, { participantId: niki, eventId, from: ago(600_000) });
    expect(await rig.read(`${LAPS}/${idOf(recorded)}`)).to.deep.equal(recorded);
    const [first] = await manager.list(`${LAPS}/${idOf(recorded)}/history`);
    expect(JSON.stringify(first)).to.include(nora);
  });

  it('are retried by what was sent, whoever sits there by now', async () => {
    const { manager, rigId, rig, eventId, nora, niki, lap } = await evening();
    const headers = { 'Idempotency-Key': unique() };
    await seat(manager, rigId, { participantId: nora, eventId });
    const recorded = expectStatus(await rig.post(LAPS, lap, headers), 201);
    const again = async () => {
      const answer = expectStatus(await rig.post(LAPS, lap, headers), 201);
      expect([answer.header('Idempotency-Replayed'), answer.text]).to.deep.equal(['true', recorded.text]);
    };
    await seat(manager, rigId, { participantId: niki, eventId });
    await again();
    await leave(manager, rigId);
    await again();
    const named = { ...lap, participantId: nora, eventId };
    expect(expectProblem(await rig.post(LAPS, named, headers), 422).type).to.equal('urn:problem-type:key-reused');
    const results = await sendBatch(rig, [{ ...lap, key: headers['Idempotency-Key'] }]);
    expect(results).to.deep.equal([{ verdict: 'duplicate', id: idOf(recorded.body) }]);
  });

  it('are rejected one by one in a batch', async () => {
    const { manager, rigId, rig, eventId, nora, niki, lap } = await evening();
    const first = ago(120_000);
    const second = ago(60_000);
    await seat(manager, rigId, { participantId: nora, eventId, from: first });
    await seat(manager, rigId, { participantId: niki, eventId, from: second });
    const keyed = { ...lap, drivenAt: ago(600_000), key: unique() };
    const laps = [
      { ...lap, drivenAt: first },
      keyed,
      { ...lap, drivenAt: second },
      lap,
      { ...lap, drivenAt: first, participantId: NOBODY },
    ];
    const results = await sendBatch(rig, laps);
    const verdicts = results.map(({ verdict }) => verdict);
    expect(verdicts).to.deep.equal(['created', 'rejected', 'created', 'created', 'rejected']);
    expect(results[1]).to.have.nested.property('problem.errors[0].pointer', '#/participantId');
    const drivers = await Promise.all(
      [0, 2, 3].map(async (n) => (await rig.read(`${LAPS}/${results[n]?.id ?? ''}`))['participantId']),
    );
    expect(drivers).to.deep.equal([nora, niki, niki]);
    await seat(manager, rigId, { participantId: nora, eventId, from: ago(900_000) });
    const [retried] = await sendBatch(rig, [keyed]);
    expect(retried).to.include({ verdict: 'created' });
  });

  it('are refused as laps that name all: in an event that no longer admits the rig, and at impossible moments', async () => {
    const { manager, rigId, rig, nora, lap } = await evening();
    const host = await createLicense(api.admin);
    const event = await host.manager.create('/api/v1/events', bodies.event({ ...api.venue, rigId }));
    await seat(manager, rigId, { participantId: nora, eventId: idOf(event) });
    expectStatus(await rig.post(LAPS, lap), 201);
    await host.manager.change(`/api/v1/events/${idOf(event)}`, { rigIds: [api.venue.rigId] });
    expect(expectProblem(await rig.post(LAPS, lap), 403).type).to.equal('urn:problem-type:not-yours');
    expectProblem(await rig.post(LAPS, { ...lap, drivenAt: ago(-3_600_000) }), 400, '#/drivenAt');
    expectProblem(await rig.post(LAPS, { ...lap, rigId: NOBODY }), 422, '#/rigId');
    expectProblem(await rig.post(LAPS, { ...lap, participantId: null }), 400, '#/participantId');
  });
});
