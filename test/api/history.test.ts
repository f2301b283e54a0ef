import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: history', () => {
  const api = useVenue();

  it('shows who changed a lap, what and when, oldest first', async () => {
    const { manager, managerKeyId, licenseId } = api.venue;
    const body = bodies.lap(api.venue);
    const created = await manager.create('/api/v1/laps', body);
    const path = `/api/v1/laps/${idOf(created)}`;
    const asked = await manager.patch(path, { valid: false, totalTime: 100_000 }, { 'X-Request-Id': 'steward-7' });
    const changed = expectStatus(asked, 200).body;
    await api.admin.change(`/api/v1/api-keys/${managerKeyId}`, { name: 'Race control' });
    const [recorded, corrected, ...others] = await manager.list(`${path}/history`);
    const keyPrefix = manager.token?.slice(0, 12);
    const by = { apiKeyId: managerKeyId, apiKeyName: 'Race control', keyPrefix, licenseId, reason: null };
    const { position, changeId, requestId, ...rest } = recorded ?? {};
    const fields = Object.entries(body).map(([field, to]) => ({ field, from: null, to }));
    expect(rest).to.deep.equal({ ...by, revision: 0, type: 'LapRecorded', at: created['createdAt'], changes: fields });
    expect(requestId).to.be.a('string').with.lengthOf.above(0);
    const { position: later, changeId: laterId, ...correction } = corrected ?? {};
    expect(later).to.be.above(Number(position));
    expect(laterId).to.be.a('string').and.not.to.equal(changeId);
    expect(correction).to.deep.equal({
      ...by,
      revision: 1,
      type: 'LapCorrected',
      at: changed['updatedAt'],
      requestId: 'steward-7',
      changes: [{ field: 'totalTime', from: body.totalTime, to: 100_000 }],
    });
    expect(others.map(({ type, changes }) => ({ type, changes }))).to.deep.equal([
      { type: 'LapInvalidated', changes: [{ field: 'valid', from: true, to: false }] },
    ]);
  });

  it('gives the reason with every event that a change to a lap, or its reversal, records', async () => {
    const created = await api.venue.manager.create('/api/v1/laps', bodies.lap(api.venue));
    const path = `/api/v1/laps/${idOf(created)}`;
    const reason = `Cut the chicane 🏁 ${'x'.repeat(237)}`;
    const changed = await api.venue.rig.change(path, { valid: false, totalTime: 1, reason });
    expect(changed).not.to.have.property('reason');
    expect(changed).to.include({ valid: false, totalTime: 1 });
    await api.admin.change(path, { valid: true, reason: 'Protest upheld' });
    await api.admin.change(path, { totalTime: 2 });
    const reasonsOf = async () => (await api.admin.list(`${path}/history`)).map(({ type, reason: why }) => [type, why]);
    const reasons = [
      ['LapRecorded', null],
      ['LapCorrected', reason],
      ['LapInvalidated', reason],
      ['LapValidated', 'Protest upheld'],
      ['LapCorrected', null],
    ];
    expect(await reasonsOf()).to.deep.equal(reasons);
    // A reason alone, or with values already in effect, changes nothing.
    const before = expectStatus(await api.admin.get(path), 200);
    for (const body of [{ reason: 'Why not' }, { valid: true, reason: 'Still upheld' }]) {
      const answer = expectStatus(await api.admin.patch(path, body), 200);
      expect(answer.text).to.equal(before.text);
      expect(answer.header('etag')).to.equal(before.header('etag'));
    }
    expect(await reasonsOf()).to.deep.equal(reasons);
  });

  it('is read in pages', async () => {
    const path = `/api/v1/laps/${idOf(await api.admin.create('/api/v1/laps', bodies.lap(api.venue)))}`;
    for (let n = 0; n < 4; n += 1) await api.admin.change(path, { totalTime: n });
    const revisionsOf = async (query: string) =>
      (await api.admin.list(`${path}/history?${query}`)).map(({ revision }) => revision);
    expect(await revisionsOf('')).to.deep.equal([0, 1, 2, 3, 4]);
    expect(await revisionsOf('limit=2')).to.deep.equal([0, 1]);
    expect(await revisionsOf('from=2&limit=2')).to.deep.equal([2, 3]);
    expect(await revisionsOf('from=4')).to.deep.equal([4]);
    expect(await revisionsOf('from=5')).to.deep.equal([]);
    const [third] = await api.admin.list(`${path}/history?from=3&limit=1`);
    expect(third).to.deep.include({ changes: [{ field: 'totalTime', from: 1, to: 2 }] });
  });

  it('continues after a change that the client has, and refuses one that the history no longer has', async () => {
    const path = `/api/v1/laps/${idOf(await api.admin.create('/api/v1/laps', bodies.lap(api.venue)))}`;
    for (let n = 0; n < 3; n += 1) await api.admin.change(path, { totalTime: n });
    const all = await api.admin.list(`${path}/history`);
    const known = textOf(all[1] ?? {}, 'changeId');
    expect(await api.admin.list(`${path}/history?after=${known}`)).to.deep.equal(all.slice(2));
    expect(await api.admin.list(`${path}/history?after=${known}&limit=1`)).to.deep.equal([all[2]]);
    expect(await api.admin.list(`${path}/history?after=${known}&from=3`)).to.deep.equal([all[3]]);
    expect(await api.admin.list(`${path}/history?after=${textOf(all[3] ?? {}, 'changeId')}`)).to.deep.equal([]);
    const other = await api.admin.create('/api/v1/laps', bodies.lap(api.venue));
    const [elsewhere] = await api.admin.list(`/api/v1/laps/${idOf(other)}/history`);
    const lost = textOf(elsewhere ?? {}, 'changeId');
    const refused = await api.admin.get(`${path}/history?after=${lost}`);
    expect(expectProblem(refused, 412)['type']).to.equal('urn:problem-type:revision-mismatch');
    expectProblem(await api.admin.get(`${path}/history?after=4`), 400, '#/query/after');
  });
});
