import { expect } from 'chai';
import { expectProblem, expectStatus, idOf, type Answer } from '../support/api/client.ts';
import { untilStatus } from '../support/processes/waits.ts';
import { goodBody, RESOURCES } from '../support/api/resources.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER } from '../support/resources/entries.ts';

const revisionOf = (etag: string): string => /^"(\d+)-/.exec(etag)?.[1] ?? '';
const hashOf = (etag: string): string => /^"\d+-([^"]+)"$/.exec(etag)?.[1] ?? '';

describe('API: conditional and asynchronous requests', () => {
  const api = useVenue();

  for (const name of RESOURCES) {
    it(`${name}: ETag, If-None-Match and If-Match`, async () => {
      const resource = api.resource(name);
      const shown = resource.unwrap(await api.admin.create(resource.path, await resource.body()));
      const path = resource.pathOf(shown);
      const get = (headers = {}): Promise<Answer> => api.admin.get(path, headers);
      const first = (await get()).header('etag');
      expect(first).to.match(/^"\d+-[^"]+"$/);

      const unchanged = expectStatus(await get({ 'If-None-Match': first }), 304);
      expect(unchanged.text).to.equal('');
      expect(unchanged.header('etag')).to.equal(first);
      for (const known of ['*', `W/${first}`, `"x", ${first}`])
        expectStatus(await get({ 'If-None-Match': known }), 304);
      for (const other of ['"x"', first.slice(1, -1), `"${revisionOf(first)}-AAAAAAAAAAAAAAAA"`]) {
        expectStatus(await get({ 'If-None-Match': other }), 200);
      }

      const bodyOf = (): Promise<object> => (resource.replaces === true ? resource.body() : Promise.resolve({}));
      const change = async (etag: string): Promise<Answer> => {
        const next = { ...(await bodyOf()), ...goodBody(resource.change, 1), endsAt: null };
        return api.admin.patch(path, next, { 'If-Match': etag });
      };
      const changed = expectStatus(await change(first), 200);
      expect(changed.header('etag')).to.equal((await get()).header('etag'));
      expect(changed.header('etag')).not.to.equal(first);
      expectProblem(await change(first), 412);
      expectProblem(await change('"999999-AAAAAAAAAAAAAAAA"'), 412);
      expectProblem(await change(`W/${changed.header('etag')}`), 412);
      expectProblem(await change('"not-ours"'), 412);
      expectProblem(await change('no quotes'), 400, '#/header/If-Match');
      expect((await get()).text, 'nothing half-written').to.equal(changed.text);
      expectStatus(await change('*'), 200);
    });
  }

  it('see another ETag when a referenced resource is renamed, but the same revision for If-Match', async () => {
    const { lapId, rigId } = api.venue;
    const path = `/api/v1/laps/${lapId}`;
    const before = (await api.anyone.get(path)).header('etag');
    await api.admin.change(`/api/v1/rigs/${rigId}`, { name: 'Renamed neighbour' });
    const after = expectStatus(await api.anyone.get(path, { 'If-None-Match': before }), 200).header('etag');
    expect(revisionOf(after)).to.equal(revisionOf(before));
    expect(hashOf(after)).not.to.equal(hashOf(before));
    expectStatus(await api.admin.patch(path, { totalTime: 1 }, { 'If-Match': before }), 200);
    expectProblem(await api.admin.patch(path, { totalTime: 2 }, { 'If-Match': before }), 412);
    expect((await api.anyone.read(path)).totalTime).to.equal(1);
  });

  describe('Prefer: respond-async', () => {
    const prefer = { Prefer: 'respond-async' };

    /** Polls until the resource exists, as a client would. */
    const appears = (path: string): Promise<Answer> => untilStatus(200, () => api.admin.get(path));

    for (const { name } of IN_ORDER.filter(({ member }) => member === undefined)) {
      it(`${name}: 202 with Location and Retry-After, then the resource appears`, async () => {
        const resource = api.resource(name);
        const accepted = expectStatus(await api.admin.post(resource.path, await resource.body(), prefer), 202);
        expect(accepted.header('retry-after')).to.match(/^\d+$/);
        expect(accepted.body.status).to.equal('accepted');
        const path = accepted.header('location');
        const shown = (await appears(path)).body;
        expect(Object.keys(shown)).to.have.members(resource.shows);
        const body = resource.replaces === true ? await resource.body() : {};
        const changing = expectStatus(await api.admin.patch(path, body, { Prefer: 'respond-async, wait=10' }), 202);
        expect(changing.header('location')).to.equal(path);
        expectProblem(await api.admin.post(resource.path, {}, prefer), 400);
      });
    }

    it('does not apply to answers that carry a token', async () => {
      const answer = expectStatus(await api.admin.post('/api/v1/api-keys', { name: 'a key', role: 'R' }, prefer), 201);
      expect(answer.body.token).to.be.a('string');
    });

    it('lets accepted creates with an Idempotency-Key be retried', async () => {
      const headers = { ...prefer, 'Idempotency-Key': 'async' };
      const body = bodies.brand();
      const first = expectStatus(await api.admin.post('/api/v1/brands', body, headers), 202);
      const again = expectStatus(await api.admin.post('/api/v1/brands', body, headers), 202);
      expect(again.body).to.deep.equal(first.body);
      expect(idOf((await appears(first.header('location'))).body)).to.equal(first.body.id);
    });
  });
});
