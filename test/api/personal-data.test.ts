import { expect } from 'chai';
import { claimStream } from '../../src/kernel/aggregate/claims.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { createRace } from '../support/api/leaderboard.ts';
import { createLicense, issueKey, NOBODY, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: everything that is kept about a participant', () => {
  const api = useVenue();

  const dataOf = async (client: Client, participantId: string): Promise<JsonObject> =>
    expectStatus(await client.get(`/api/v1/participants/${participantId}/personal-data`), 200).body;

  it('has all values, earlier ones too, and says where they are', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const body = { firstName: 'Nora', lastName: 'Lindqvist', email: 'nora@example.org', nickname: 'Lindy' };
    const checkedIn = await manager.create('/api/v1/check-ins', { ...body, extraFieldsJson: { shirtSize: 'M' } });
    const participantId = idOf(checkedIn);
    const path = `/api/v1/participants/${participantId}`;
    const changed = await manager.change(path, { lastName: 'Berg', email: 'nora@berg.example.org', phoneNumber: '1' });
    const { rigId } = await registerRig(manager, licenseId);
    const race = await createRace(api.admin, { ...api.venue, rigId });
    await race.drive(participantId, [30_000, 31_000]);
    const seat = { participantId, eventId: race.eventId };
    expectStatus(await api.admin.put(`/api/v1/rigs/${rigId}/seat`, seat), 200);

    const { values, places, ...rest } = await dataOf(manager, participantId);
    expect(rest).to.deep.equal({ participantId, erasedAt: null });
    const first = textOf(checkedIn, 'createdAt');
    const second = textOf(changed, 'updatedAt');
    const kept = (field: string, value: unknown, from: string, until: string | null = null) => ({
      field,
      value,
      from,
      until,
    });
    expect(withoutEvents(values)).to.have.deep.members([
      kept('firstName', 'Nora', first),
      kept('lastName', 'Lindqvist', first, second),
      kept('email', 'nora@example.org', first, second),
      kept('phoneNumber', '', first, second),
      kept('extraFieldsJson', { shirtSize: 'M' }, first),
      kept('nickname', 'Lindy', first),
      kept('lastName', 'Berg', second),
      kept('email', 'nora@berg.example.org', second),
      kept('phoneNumber', '1', second),
    ]);
    expect(places).to.deep.equal([
      { place: 'log', where: `participant-${participantId}`, count: 3 },
      { place: 'claims', where: claimStream('participantLicense', participantId), count: 1 },
      { place: 'readModels', where: path, count: 1 },
      { place: 'readModels', where: `/api/v1/laps?participantId=${participantId}`, count: 1 },
      { place: 'readModels', where: 'seats', count: 1 },
      { place: 'leaderboards', where: `${path}/bests`, count: 1 },
      { place: 'histories', where: `${path}/history`, count: 3 },
    ]);
  });

  it('is shown to the owner and to ADMIN alone', async () => {
    const { manager } = await createLicense(api.admin);
    const participantId = idOf(await manager.create('/api/v1/check-ins', { firstName: 'Nora', lastName: '' }));
    const path = `/api/v1/participants/${participantId}/personal-data`;
    const stranger = (await createLicense(api.admin)).manager;
    expectProblem(await stranger.get(path), 403);
    expectProblem(await (await issueKey(manager, 'CR')).client.get(path), 403);
    expectProblem(await api.anyone.get(path), 401);
    expectProblem(await api.admin.get(`/api/v1/participants/${NOBODY}/personal-data`), 404);
    expect(await dataOf(manager, participantId)).to.deep.equal(await dataOf(api.admin, participantId));
  });
});

function withoutEvents(values: unknown): readonly unknown[] {
  if (!Array.isArray(values)) return expect.fail('there are no values');
  return values.map((value: JsonObject) => {
    const { event: _, ...rest } = value;
    return rest;
  });
}
