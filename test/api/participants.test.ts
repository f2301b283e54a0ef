import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus, idOf, type Client } from '../support/api/client.ts';
import { bodies, createLicense } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';

const PARTICIPANTS = '/api/v1/participants';

// The model has those that are registered twice, bodies that are invalid, and moves to licences that are free or taken.
describe('API: participants', () => {
  const api = useService();

  const newLicense = async (): Promise<string> => (await createLicense(api.admin)).licenseId;

  it('are reported as the same or different when they exist already, but only to their owners', async () => {
    const { licenseId, manager } = await createLicense(api.admin);
    const venue = (await createLicense(api.admin)).manager;
    const body = { ...bodies.participant(licenseId), extraFieldsJson: '{"a":1,"b":[{"c":2,"d":null}]}' };
    const made = expectStatus(await venue.post(PARTICIPANTS, body), 201);
    expect(made.headers.get('existing-resource')).to.equal(null);
    const existing = async (client: Client, more: JsonObject = {}) => {
      const answer = expectStatus(await client.post(PARTICIPANTS, { ...body, ...more }), 200);
      return answer.headers.get('existing-resource');
    };
    const stranger = (await createLicense(api.admin)).manager;
    for (const owner of [manager, venue, api.admin]) {
      expect(await existing(owner)).to.equal('same');
      expect(await existing(owner, { extraFieldsJson: { b: [{ d: null, c: 2.0 }], a: 1 } })).to.equal('same');
      const others = { firstName: 'X', lastName: 'X', email: 'x@example.org', phoneNumber: '0', extraFieldsJson: '{}' };
      for (const [field, value] of Object.entries(others))
        expect(await existing(owner, { [field]: value }), field).to.equal('different');
    }
    expect([await existing(stranger), await existing(stranger, { email: 'x@example.org' })]).to.deep.equal([
      null,
      null,
    ]);
    const bare = { ...bodies.participant((await createLicense(api.admin)).licenseId), extraFieldsJson: {} };
    await api.admin.create(PARTICIPANTS, bare);
    const { extraFieldsJson: _, ...missing } = bare;
    const again = expectStatus(await api.admin.post(PARTICIPANTS, missing), 200);
    expect(again.header('existing-resource'), 'a missing one is {}').to.equal('same');
    // As they are kept now; and a licence that no longer owns part of the participant gets nothing.
    await manager.change(`${PARTICIPANTS}/${idOf(made.body)}`, { lastName: 'Renamed' });
    expect([await existing(manager), await existing(venue)]).to.deep.equal(['different', null]);
    expect(await existing(manager, { lastName: 'Renamed' })).to.equal('same');
  });

  it('are answered with 200 when they exist already, whatever the Idempotency-Key', async () => {
    const body = bodies.participant(await newLicense());
    const headers = { 'Idempotency-Key': 'participant' };
    expectStatus(await api.admin.post(PARTICIPANTS, body, headers), 201);
    expectStatus(await api.admin.post(PARTICIPANTS, body, headers), 200);
    expectStatus(await api.admin.post(PARTICIPANTS, { ...body, firstName: 'Else' }, headers), 200);
  });
});
