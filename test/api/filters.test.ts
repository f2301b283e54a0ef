import { expect } from 'chai';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, idOf, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { bodies, createLicense, issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER } from '../support/resources/entries.ts';
import { FILE } from '../support/resources/operations.ts';
import { sameSet } from '../support/same-set.ts';

const PAGING = ['format', 'bom', 'page', 'size', 'sort', 'includeDisabled'];

const ids = (records: readonly JsonObject[]): string[] => records.map(idOf);

type Query = Readonly<Record<string, string | boolean>>;

function queryText(query: Query): string {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

const listAt = (client: Client, path: string) => ({ client, path });

/** Requests a list and its pages, sorted by id and by creation, and expects exactly these of all records. */
async function expectFound(
  { client, path }: ReturnType<typeof listAt>,
  query: Query,
  expected: readonly JsonObject[],
): Promise<void> {
  const text = queryText(query);
  expect(ids(await client.list(`${path}?${text}`)), text).to.have.members(ids(expected));
  const sorted = ids(expected).sort();
  for (const sort of ['id', 'createdAt,desc']) {
    const page = await client.read(`${path}/paged?size=1000&sort=${sort}&${text}`);
    expect(page.totalElements, text).to.equal(expected.length);
    // The client checks every body against the document: a page's content is a list of resources.
    const found = ids(page.content as readonly JsonObject[]);
    expect(sort === 'id' ? found : found.sort(), `${text} by ${sort}`).to.deep.equal(sorted);
  }
}

// Seasons compare lists with every filter, alone and with others, with a plain calculation.
describe('API: filters of lists', () => {
  const api = useVenue();

  it('are the documented ones, in every list and its pages', () => {
    const found: string[] = [];
    for (const { path, method, operation } of operationsOf(api.service.document)) {
      const [, list, isPaged] = /^\/api\/v1\/([\w-]+)(\/paged)?$/.exec(path) ?? [];
      if (method !== 'GET' || list === undefined) continue;
      const names = (operation.parameters ?? []).flatMap(({ name }) => name ?? []);
      const own = names.filter((name) => !PAGING.includes(name) && name !== 'If-None-Match');
      found.push(...own.map((name) => `/api/v1/${list}${isPaged ?? ''} ${name}`));
    }
    const wanted = [...IN_ORDER, FILE].flatMap(({ path, filters = {} }) =>
      Object.keys(filters).flatMap((filter) => [`${path} ${filter}`, `${path}/paged ${filter}`]),
    );
    sameSet(found, wanted, 'filters');
  });

  for (const entry of IN_ORDER) {
    const { name, filters = {}, hides } = entry;
    for (const [filter, shown] of Object.entries(filters)) {
      if (shown === null) continue;
      it(`${name}: select the records of one ${filter}, and no others`, async () => {
        const resource = api.resource(name);
        const made = resource.unwrap(await api.admin.create(resource.path, await resource.body()));
        const [field, { refersTo, few }] =
          Object.entries(resource.change).find(([one, { shownAs = one }]) => shownAs === shown) ?? expect.fail(shown);
        const [, other = null] = few;
        const value = refersTo === undefined ? other : await newOne(refersTo);
        const isList = Array.isArray(made[shown]);
        await api.admin.change(resource.pathOf(made), { [field]: isList ? [value] : value });
        const whole = hides ? { includeDisabled: true } : {};
        const all = await api.admin.list(resource.path + (hides ? '?includeDisabled=true' : ''));
        const expected = all.filter((one) => [one[shown]].flat().includes(value));
        expect(expected.length).to.be.within(1, all.length - 1);
        const text = typeof value === 'boolean' || typeof value === 'string' ? String(value) : '';
        for (const asked of refersTo === undefined ? [text] : [text, text.toUpperCase()])
          await expectFound(listAt(api.admin, resource.path), { [filter]: asked, ...whole }, expected);
      });
    }
  }

  async function newOne(name: string): Promise<string> {
    const { path, body, unwrap } = api.resource(name);
    return idOf(unwrap(await api.admin.create(path, await body())));
  }

  it('select events in progress at a moment', async () => {
    const [before, start = '', middle, end = ''] = ['10', '11', '12', '13'].map((at) => `2026-05-01T${at}:00:00.000Z`);
    const make = (fields: JsonObject) => api.admin.create('/api/v1/events', { ...bodies.event(api.venue), ...fields });
    const closed = await make({ startsAt: start, endsAt: end });
    const open = await make({ startsAt: start });
    await make({ startsAt: start, enabled: false });
    for (const [at, expected] of [
      [before, []],
      [start, [closed, open]],
      [middle, [closed, open]],
      [end, [open]],
      ['9999-12-31T23:59:59.999Z', [open]],
    ] as const) {
      await expectFound(listAt(api.anyone, '/api/v1/events'), { at: at ?? '' }, expected);
    }
    await api.admin.change(`/api/v1/events/${idOf(open)}`, { endsAt: end });
    await api.admin.change(`/api/v1/events/${idOf(closed)}`, { endsAt: null });
    await expectFound(listAt(api.anyone, '/api/v1/events'), { at: end }, [closed]);
  });

  it('select participants of a licence, and by email only those the caller may see', async () => {
    const { admin } = api;
    const [one, two, three] = [await createLicense(admin), await createLicense(admin), await createLicense(admin)];
    const email = 'shared@example.org';
    const register = (by: Client, licenseId: string) =>
      by.create('/api/v1/participants', { ...bodies.participant(licenseId), email });
    const own = await register(one.manager, one.licenseId);
    const registered = await register(one.manager, two.licenseId);
    const foreign = await register(admin, three.licenseId);
    const path = '/api/v1/participants';
    await expectFound(listAt(admin, path), { email }, [own, registered, foreign]);
    await expectFound(listAt(one.manager, path), { email }, [own, registered]);
    await expectFound(listAt(two.manager, path), { email }, [registered]);
    await expectFound(listAt(three.manager, path), { email, licenseId: one.licenseId }, []);
    await expectFound(listAt((await issueKey(three.manager, 'R')).client, path), { email }, [foreign]);
    await expectFound(listAt(one.manager, path), { licenseId: three.licenseId }, [foreign]);
    await admin.change(`${path}/${idOf(foreign)}`, { email: 'moved@example.org' });
    await expectFound(listAt(admin, path), { email }, [own, registered]);
    // Of one that moved, the new licence sees them: neither the old one nor its registrant.
    const { licenseId, manager } = await createLicense(admin);
    await admin.change(`${path}/${idOf(registered)}`, { licenseId });
    await expectFound(listAt(manager, path), { email }, [registered]);
    await expectFound(listAt(one.manager, path), { email }, [own]);
    await expectFound(listAt(two.manager, path), { email }, []);
  });
});

describe('API: contact data of public participants without tenant isolation', () => {
  const api = useVenue({ LICENSE_WALLS: 'off', PUBLIC_PARTICIPANTS: 'true' });

  it('is shown to callers with a key, who filter by it, and to nobody else', async () => {
    const { licenseId, participantId } = api.venue;
    const hidden = { email: '', phoneNumber: '', extraFieldsJson: {} };
    const reader = (await createLicense(api.admin)).manager;
    const path = `/api/v1/participants/${participantId}`;
    expect(await reader.read(path)).to.include({ email: 'ada@example.org' });
    expect(await api.anyone.read(path)).to.deep.include(hidden);
    const [listed] = await api.anyone.list(`/api/v1/participants?licenseId=${licenseId}`);
    expect(listed).to.deep.include(hidden);
    const page = expectStatus(await api.anyone.get('/api/v1/participants/paged'), 200);
    expect(page.text).to.not.include('ada@example.org');
    const csv = expectStatus(await api.anyone.get('/api/v1/participants?format=csv'), 200);
    expect(csv.text).to.include('Ada').and.not.include('ada@example.org');
    for (const list of ['/api/v1/participants', '/api/v1/participants/paged'])
      expectProblem(await api.anyone.get(`${list}?email=ada@example.org`), 401);
    expect(await reader.list('/api/v1/participants?email=ada@example.org')).to.have.lengthOf(1);
  });
});
