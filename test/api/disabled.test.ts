import { expect } from 'chai';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, idOf, type Client } from '../support/api/client.ts';
import { bodies, issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER } from '../support/resources/entries.ts';

async function idsIn(client: Client, path: string): Promise<readonly unknown[]> {
  return (await client.list(path)).map(({ id }) => id);
}

async function idsPaged(client: Client, path: string): Promise<readonly unknown[]> {
  const { content } = await client.read(`${path}${path.includes('?') ? '&' : '?'}size=1000`);
  // The client checks every body against the document: a page's content is a list of resources.
  return (content as readonly JsonObject[]).map(({ id }) => id);
}

describe('API: disabled records', () => {
  const api = useVenue();

  for (const { name, sort, reads } of IN_ORDER.filter(({ hides }) => hides)) {
    it(`${name}: lists hide them, a GET by id shows them, CRUD may list them`, async () => {
      const resource = api.resource(name);
      const { path } = resource;
      const shown = resource.unwrap(await api.admin.create(path, await resource.body()));
      const id = idOf(shown);
      const place = resource.pathOf(shown);
      const whole = resource.replaces === true ? await resource.body() : {};
      const paged = sort === null ? null : `${path}/paged`;
      const reader = reads === 'public' ? api.anyone : api.admin;

      expect(await api.admin.change(place, { ...whole, enabled: false })).to.include({ id, enabled: false });
      expect(await idsIn(reader, path)).not.to.include(id);
      expect(await idsIn(reader, `${path}?includeDisabled=false`)).not.to.include(id);
      expect(await idsIn(api.venue.manager, `${path}?includeDisabled=true`)).to.include(id);
      expect(await reader.read(place)).to.include({ id, enabled: false });
      if (paged !== null) {
        expect(await idsPaged(reader, paged)).not.to.include(id);
        expect(await idsPaged(api.venue.manager, `${paged}?includeDisabled=true`)).to.include(id);
        const { totalElements } = await reader.read(paged);
        expect(totalElements).to.equal((await reader.list(path)).length);
      }
      expect(await api.admin.change(place, { ...whole, enabled: true })).to.include({ enabled: true });
      expect(await idsIn(reader, path)).to.include(id);
      if (paged !== null) expect(await idsPaged(reader, paged)).to.include(id);
    });

    it(`${name}: includeDisabled needs role CRUD`, async () => {
      const { path } = api.resource(name);
      const places = sort === null ? [path] : [path, `${path}/paged`];
      const low = [await issueKey(api.admin, 'R'), await issueKey(api.admin, 'CR')];
      for (const place of places) {
        const none = expectProblem(await api.anyone.get(`${place}?includeDisabled=true`), 401);
        expect(none.type).to.equal('urn:problem-type:unauthenticated');
        expectProblem(await api.admin.as('srt_nobody').get(`${place}?includeDisabled=true`), 401);
        for (const { client } of low) {
          expectProblem(await client.get(`${place}?includeDisabled=true`), 403);
          expectStatus(await client.get(`${place}?includeDisabled=false`), 200);
        }
      }
    });
  }

  it('lists of resources that cannot be disabled show everything and refuse includeDisabled', async () => {
    for (const { path } of IN_ORDER.filter(({ hides, sort }) => !hides && sort !== null)) {
      expect(await api.venue.rig.list(path)).not.to.be.empty;
      const refused = await api.venue.rig.get(`${path}?includeDisabled=true`);
      expectProblem(refused, 400, '#/query/includeDisabled');
    }
  });

  it('a simulator keeps svg and enabled when a full replacement leaves them out', async () => {
    const created = await api.admin.create('/api/v1/simulators', { ...bodies.simulator(), svg: true, enabled: false });
    const next = bodies.simulator();
    const replaced = await api.admin.change(`/api/v1/simulators/${idOf(created)}`, next);
    expect(replaced).to.include({ displayName: next.displayName, slug: next.slug, svg: true, enabled: false });
  });
});
