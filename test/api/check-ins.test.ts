import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { bodies, createLicense, createVenue, issueKey, NOBODY } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const PATH = '/api/v1/check-ins';
const PEOPLE = '/api/v1/participants';

const walkIn = { firstName: 'Nora', lastName: 'Lindqvist', email: 'nora@example.org', phoneNumber: '+32 1' };

describe('API: check-ins', () => {
  const api = useVenue();
  const licenses = (): Promise<readonly JsonObject[]> => api.admin.list('/api/v1/licenses');

  it('make a participant and a licence in one step, which the venue owns', async () => {
    const venue = await createLicense(api.admin);
    const answer = expectStatus(await venue.manager.post(PATH, { ...walkIn, extraFieldsJson: '{"shirt":"M"}' }), 201);
    const { body } = answer;
    const id = idOf(body);
    expect(answer.header('location')).to.equal(`${PEOPLE}/${id}`);
    expect(body).to.deep.include({ ...walkIn, extraFieldsJson: { shirt: 'M' } });
    expect(await venue.manager.read(`${PEOPLE}/${id}`)).to.deep.equal(body);
    const license = await venue.manager.read(`/api/v1/licenses/${textOf(body, 'licenseId')}`);
    expect(license).to.include({ id: body['licenseId'], enabled: true, lastLoginAt: null });
    expect(license['displayName']).to.equal(body['licenseDisplayName']);
    expect(JSON.stringify(license)).not.to.match(/nora|lindqvist/i);
    expect(await venue.manager.change(`${PEOPLE}/${id}`, { lastName: 'Berg' })).to.include({ lastName: 'Berg' });
    const reader = (await issueKey(venue.manager, 'R')).client;
    expect(await reader.read(`${PEOPLE}/${id}`)).to.include({ email: walkIn.email, lastName: 'Berg' });
    expect((await reader.list(`${PEOPLE}?email=${walkIn.email}`)).map(idOf)).to.deep.equal([id]);
    expect((await reader.list(`${PEOPLE}?name=nor berg`)).map(idOf)).to.deep.equal([id]);
    const history = await venue.manager.list(`${PEOPLE}/${id}/history`);
    expect(JSON.stringify(history)).to.include('ParticipantCheckedIn').and.to.include(walkIn.email);
  });

  it('show what is left out as empty', async () => {
    const { manager } = await createLicense(api.admin);
    const body = await manager.create(PATH, { firstName: 'Nora', lastName: '' });
    expect(body).to.deep.include({ firstName: 'Nora', lastName: '', email: '', phoneNumber: '', extraFieldsJson: {} });
  });

  it('belong to the venue after an ADMIN key has corrected them, until they move to another licence', async () => {
    const { manager } = await createLicense(api.admin);
    const id = idOf(await manager.create(PATH, walkIn));
    await api.admin.change(`${PEOPLE}/${id}`, { phoneNumber: '+32 2' });
    expect(await manager.change(`${PEOPLE}/${id}`, { lastName: 'Berg' })).to.include({ phoneNumber: '+32 2' });
    const other = await createLicense(api.admin);
    expectProblem(await manager.patch(`${PEOPLE}/${id}`, { licenseId: other.licenseId }), 403, '#/licenseId');
    await api.admin.change(`${PEOPLE}/${id}`, { licenseId: other.licenseId });
    expect(await manager.read(`${PEOPLE}/${id}`)).to.include({ email: '' });
    expectProblem(await manager.patch(`${PEOPLE}/${id}`, { lastName: 'X' }), 403);
    expect(await other.manager.change(`${PEOPLE}/${id}`, { lastName: 'Y' })).to.include({ email: walkIn.email });
  });

  it('are no other licence’s: neither to change nor to see', async () => {
    const { manager } = await createLicense(api.admin);
    const other = (await createLicense(api.admin)).manager;
    const made = await manager.create(PATH, walkIn);
    const id = idOf(made);
    expect(await other.read(`${PEOPLE}/${id}`)).to.include({ email: '', phoneNumber: '' });
    expectProblem(await other.patch(`${PEOPLE}/${id}`, { lastName: 'X' }), 403);
    expectProblem(await other.get(`/api/v1/licenses/${textOf(made, 'licenseId')}`), 403);
    expectProblem(await manager.send('POST', `/api/v1/licenses/${textOf(made, 'licenseId')}/file`), 403);
    expect(await other.list(`${PEOPLE}?name=nora`)).to.deep.equal([]);
  });

  it('of ADMIN keys are ADMIN’s, those of the operator the operator’s', async () => {
    const admin = (await issueKey(api.admin, 'ADMIN')).client;
    const operator = (await issueKey(api.admin, 'CRUD')).client;
    const id = idOf(await admin.create(PATH, walkIn));
    expect(await api.admin.change(`${PEOPLE}/${id}`, { lastName: 'Berg' })).to.include({ email: walkIn.email });
    const venue = (await createLicense(api.admin)).manager;
    expect(await venue.read(`${PEOPLE}/${id}`)).to.include({ email: '' });
    const own = await operator.create(PATH, walkIn);
    expect(await operator.read(`/api/v1/licenses/${textOf(own, 'licenseId')}`)).to.include({ id: own['licenseId'] });
  });

  it('need a key of role CRUD, and not that of a rig', async () => {
    const { manager } = await createLicense(api.admin);
    const before = (await licenses()).length;
    for (const role of ['R', 'CR'] as const)
      expectProblem(await (await issueKey(manager, role)).client.post(PATH, walkIn), 403);
    expectProblem(await api.anyone.post(PATH, walkIn), 401);
    expectProblem(await (await createVenue(api.admin)).rig.post(PATH, walkIn), 403);
    // Two licences are of the venue that was made for its rig.
    const names = (await licenses()).slice(before).map((license) => textOf(license, 'name'));
    expect(names.filter((name) => name.startsWith('check-in-'))).to.deep.equal([]);
  });

  it('leave nothing behind where they are refused', async () => {
    const { manager } = await createLicense(api.admin);
    const before = await licenses();
    for (const [body, status, pointer] of [
      [{ ...walkIn, eventId: NOBODY }, 422, '#/eventId'],
      [{ ...walkIn, eventId: 'x' }, 400, '#/eventId'],
      [{ ...walkIn, firstName: ' ' }, 400, '#/firstName'],
      [{ lastName: 'Lindqvist' }, 400, '#/firstName'],
      [{ ...walkIn, lastName: 'x'.repeat(121) }, 400, '#/lastName'],
      [{ ...walkIn, email: 'nobody' }, 400, '#/email'],
      [{ ...walkIn, extraFieldsJson: '[]' }, 400, '#/extraFieldsJson'],
    ] as const)
      expectProblem(await manager.post(PATH, body), status, pointer);
    expect(await licenses()).to.have.lengthOf(before.length);
    expect(await manager.list(`${PEOPLE}?email=${walkIn.email}`)).to.deep.equal([]);
  });

  it('are for an event that is the venue’s own, or shared', async () => {
    const venue = await createVenue(api.admin);
    const other = await createVenue(api.admin);
    const body = await venue.manager.create(PATH, { ...walkIn, eventId: venue.eventId });
    expect(await venue.manager.change(`${PEOPLE}/${idOf(body)}`, { lastName: 'Berg' })).to.include({
      lastName: 'Berg',
    });
    const shared = await createVenue(api.admin, api.admin);
    await venue.manager.create(PATH, { ...walkIn, eventId: shared.eventId });
    expectProblem(await venue.manager.post(PATH, { ...walkIn, eventId: other.eventId }), 403, '#/eventId');
    await api.admin.create(PATH, { ...walkIn, eventId: other.eventId });
  });

  it('wait at the end of the queue of their event, once, and not again after they have taken a seat', async () => {
    const { manager, eventId, rigId } = await createVenue(api.admin);
    const queue = async (): Promise<readonly string[]> =>
      (await api.anyone.list(`/api/v1/events/${eventId}/queue`)).map((waiting) => textOf(waiting, 'participantId'));
    const send = (firstName: string) =>
      manager.post(PATH, { firstName, lastName: '', eventId }, { 'Idempotency-Key': firstName });
    const ada = idOf(expectStatus(await send('Ada'), 201).body);
    const bob = idOf(expectStatus(await send('Bob'), 201).body);
    expect(await queue()).to.deep.equal([ada, bob]);
    expectStatus(await send('Ada'), 201);
    expect(await queue()).to.deep.equal([ada, bob]);
    expectStatus(await manager.put(`/api/v1/rigs/${rigId}/seat`, { participantId: ada, eventId }), 200);
    expectStatus(await send('Ada'), 201);
    expect(await queue()).to.deep.equal([bob]);
    await manager.create(PATH, { firstName: 'Eve', lastName: '' });
    expect(await queue()).to.deep.equal([bob]);
  });

  it('need an e-mail address where the form of the event requires one', async () => {
    const { manager, ...ids } = await createVenue(api.admin);
    const eventId = textOf(await manager.read(`/api/v1/signup-fields/${ids.signupFieldId}`), 'eventId');
    const field = { ...bodies.signupField(eventId), fieldKey: 'mail', type: 'EMAIL', required: false };
    const added = idOf(await manager.create('/api/v1/signup-fields', field));
    const without = { firstName: 'Nora', lastName: '', eventId };
    const key = { 'Idempotency-Key': 'before-it-was-required' };
    expectStatus(await manager.post(PATH, without, key), 201);
    await manager.change(`/api/v1/signup-fields/${added}`, { required: true });
    expectProblem(await manager.post(PATH, without), 400, '#/email');
    expectStatus(await manager.post(PATH, { ...without, email: walkIn.email }), 201);
    expectStatus(await manager.post(PATH, { firstName: 'Nora', lastName: '' }), 201);
    const again = expectStatus(await manager.post(PATH, without, key), 201);
    expect(again.header('idempotency-replayed')).to.equal('true');
  });

  it('may be sent again under an Idempotency-Key', async () => {
    const { manager } = await createLicense(api.admin);
    const send = (client: Client, body: JsonObject) => client.post(PATH, body, { 'Idempotency-Key': 'nora' });
    const first = expectStatus(await send(manager, walkIn), 201);
    await manager.change(`${PEOPLE}/${idOf(first.body)}`, { lastName: 'Berg' });
    const count = (await licenses()).length;
    const second = expectStatus(await send(manager, walkIn), 201);
    expect(second.header('idempotency-replayed')).to.equal('true');
    expect(second.header('location')).to.equal(first.header('location'));
    expect(second.body).to.include({ id: first.body['id'], lastName: 'Berg' });
    expectProblem(await send(manager, { ...walkIn, firstName: 'Lina' }), 422);
    expect(await licenses()).to.have.lengthOf(count);
    const elsewhere = await send((await createLicense(api.admin)).manager, walkIn);
    expect(idOf(expectStatus(elsewhere, 201).body)).not.to.equal(first.body['id']);
  });

  it('make people who drive, and whose licence is like every other', async () => {
    const { manager, ...venue } = await createVenue(api.admin);
    const made = await manager.create(PATH, { ...walkIn, eventId: venue.eventId });
    const id = idOf(made);
    const licenseId = textOf(made, 'licenseId');
    const lap = await manager.create('/api/v1/laps', bodies.lap({ ...venue, participantId: id }));
    expect(lap).to.include({ participantName: 'Nora Lindqvist' });
    const { trackLayoutId } = venue;
    const board = await api.anyone.read(`/api/v1/events/${venue.eventId}/leaderboard?trackLayoutId=${trackLayoutId}`);
    expect(JSON.stringify(board)).to.include('Nora Lindqvist').and.not.to.include(walkIn.email);
    const existing = await api.admin.post(PEOPLE, bodies.participant(licenseId));
    expect(idOf(expectStatus(existing, 200).body)).to.equal(id);
    expectStatus(await api.admin.send('POST', `/api/v1/licenses/${licenseId}/file`), 200);
    const renamed = await api.admin.change(`/api/v1/licenses/${licenseId}`, { displayName: 'Nora’s own' });
    expect(renamed).to.include({ displayName: 'Nora’s own' });
    expect(await manager.read(`${PEOPLE}/${id}`)).to.include({ licenseDisplayName: 'Nora’s own' });
    const key = expectStatus(await api.admin.send('POST', `/api/v1/licenses/${licenseId}/key`), 200).body;
    expect(await api.anyone.as(textOf(key, 'token')).read(`${PEOPLE}/${id}`)).to.include({ email: walkIn.email });
    const listed = (await licenses()).find((license) => license['id'] === licenseId);
    expect(listed).to.include({ displayName: 'Nora’s own' });
  });

  it('make no key that works', async () => {
    const { manager } = await createLicense(api.admin);
    const made = await manager.create(PATH, walkIn);
    const exported = expectStatus(await api.admin.get('/api/v1/api-keys'), 200).text;
    expect(exported).not.to.include(textOf(made, 'licenseId'));
    expect(JSON.stringify(made)).not.to.match(/srt_|token/);
  });
});

describe('API: check-ins without tenant isolation', () => {
  const api = useVenue({ LICENSE_WALLS: 'off' });

  it('are corrected and seen by every venue', async () => {
    const one = (await createLicense(api.admin)).manager;
    const two = (await createLicense(api.admin)).manager;
    const id = idOf(await one.create(PATH, walkIn));
    expect(await two.change(`${PEOPLE}/${id}`, { lastName: 'Berg' })).to.include({ email: walkIn.email });
  });
});
