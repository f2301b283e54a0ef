import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, type Answer, type Client } from '../support/api/client.ts';
import { bodies, createLicense, issueKey } from '../support/api/venue.ts';
import { useService, useVenue } from '../support/api/with-service.ts';

/** Expects a 403 of type `not-yours`. */
function expectNotYours(answer: Answer, pointer?: string): void {
  expect(expectProblem(answer, 403, pointer).type).to.equal('urn:problem-type:not-yours');
}

describe('API: what an ADMIN key made', () => {
  const api = useService();

  it('is shared by the role that the key had then, whatever its role is now', async () => {
    const [acme, beta] = [await createLicense(api.admin), await createLicense(api.admin)];
    const key = await issueKey(acme.manager, 'CRUD');
    const setRole = (role: string) => api.admin.change(`/api/v1/api-keys/${key.id}`, { role });
    const create = async () => `/api/v1/brands/${idOf(await key.client.create('/api/v1/brands', bodies.brand()))}`;

    const own = await create();
    await setRole('ADMIN');
    const shared = await create();
    expectNotYours(await beta.manager.patch(own, { name: 'Promoting the key does not share it' }));
    await beta.manager.change(shared, { name: 'Shared' });
    await setRole('R');
    await beta.manager.change(shared, { name: 'Demoting the key does not take it back' });
  });
});

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

describe('API: a key of the root licence, the operator', () => {
  const api = useVenue();

  it('records and corrects laps on the rig of any licence, and changes what any licence owns', async () => {
    const operator = (await issueKey(api.admin, 'CRUD')).client;
    const { venue } = api;
    const lap = await operator.create('/api/v1/laps', bodies.lap(venue));
    await operator.change(`/api/v1/laps/${idOf(lap)}`, { valid: false });
    await operator.change(`/api/v1/laps/${venue.lapId}`, { totalTime: 1 });
    await operator.change(`/api/v1/rigs/${venue.rigId}`, { name: 'Rig 1' });
    await operator.change(`/api/v1/brands/${venue.brandId}`, { name: 'Sponsor' });
    await operator.create('/api/v1/signup-fields', bodies.signupField(venue.eventId));
    const batch = expectStatus(await operator.post('/api/v1/laps/batch', { laps: [bodies.lap(venue)] }), 200);
    expect(batch.body).to.have.nested.property('results[0].verdict', 'created');
  });

  it('creates what all licences share, and so does a key of a lower role', async () => {
    const { client } = await issueKey(api.admin, 'CRUD');
    const brand = `/api/v1/brands/${idOf(await client.create('/api/v1/brands', bodies.brand()))}`;
    expect(await api.venue.manager.change(brand, { name: 'Shared' })).to.include({ name: 'Shared' });
  });

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

  it('below ADMIN manages no keys, licences or rig keys of others, nor the service', async () => {
    const { venue } = api;
    const operator = (await issueKey(api.admin, 'CRUD')).client;
    const key = `/api/v1/api-keys/${venue.managerKeyId}`;
    expectProblem(await operator.patch(key, { name: 'Mine' }), 404);
    expectProblem(await operator.delete(key), 404);
    expectProblem(await operator.post(`${key}/rotate`, {}), 404);
    expectNotYours(await operator.send('POST', `/api/v1/rigs/${venue.rigId}/key`));
    expectProblem(await operator.send('POST', `/api/v1/licenses/${venue.licenseId}/file`), 403);
    expectProblem(await operator.get(`/api/v1/licenses/${venue.licenseId}`), 403);
    expectProblem(await operator.patch(`/api/v1/licenses/${venue.licenseId}`, { displayName: 'Mine' }), 403);
    expectProblem(await operator.get('/api/v1/operations/status'), 403);
  });
});
