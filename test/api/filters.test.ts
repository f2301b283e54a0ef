import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf, type Client } from '../support/api/client.ts';
import { operationsOf, type Found } from '../support/api/openapi.ts';
import { bodies, createLicense, issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { kindNamed, KINDS } from '../support/model/kinds.ts';
import { IN_ORDER } from '../support/resources/entries.ts';
import { FILE } from '../support/resources/operations.ts';
import { sameSet } from '../support/same-set.ts';

const PAGING = ['format', 'bom', 'delimiter', 'page', 'size', 'sort', 'If-None-Match'];

const ids = (records: readonly JsonObject[]): string[] => records.map(idOf);

type Query = Readonly<Record<string, string>>;

/** Requests a list and a page of it, and expects exactly these of all records. */
async function expectFound(client: Client, path: string, query: Query, expected: readonly JsonObject[]): Promise<void> {
  const text = new URLSearchParams(query).toString();
  expect(ids(await client.list(`${path}?${text}`)), text).to.have.members(ids(expected));
  const page = await client.read(`${path}/paged?size=1000&sort=id&${text}`);
  expect(page.totalElements, text).to.equal(expected.length);
  // The client checks every body against the document: a page's content is a list of resources.
  expect(ids(page.content as readonly JsonObject[]), text).to.deep.equal(ids(expected).sort());
}

// Seasons compare lists with every filter, alone and with others, and with every sort, with a plain calculation.
describe('API: filters and sorts of lists', () => {
  const api = useVenue();
  const operations = (): readonly Found[] =>
    operationsOf(api.service.document).filter(({ method }) => method === 'GET');

  it('are the documented ones, in every list and its pages', () => {
    const found = operations().flatMap(({ path, operation: { parameters = [] } }) => {
      if (!/^\/api\/v1\/([\w-]+)(\/paged)?$/.test(path)) return [];
      return parameters.flatMap(({ name = 'sort' }) => (PAGING.includes(name) ? [] : [`${path} ${name}`]));
    });
    const expected = [...IN_ORDER, FILE].flatMap(({ path, filters = {}, hides, sort }) => {
      const names = Object.keys(filters);
      if (hides) names.push('includeDisabled');
      const paths = sort === null ? [path] : [path, `${path}/paged`];
      return paths.flatMap((one) => names.map((filter) => `${one} ${filter}`));
    });
    sameSet(found, expected, 'filters');
  });

  it('sort by every scalar field that a list shows, and by a default one unless requested', () => {
    for (const { name, path, sort, used = [] } of IN_ORDER.filter((one) => one.sort !== null && KINDS.has(one.name))) {
      const page = operations().find((one) => one.path === `${path}/paged`);
      const { schema } = page?.operation.parameters?.find((one) => one.name === 'sort') ?? {};
      expect(schema?.default, name).to.equal(sort);
      sameSet(schema?.['x-sortable'] ?? [], [...kindNamed(name).sortable, ...used], `sorts of ${name}`);
    }
  });

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
      await expectFound(api.anyone, '/api/v1/events', { at: at ?? '' }, expected);
    }
    await api.admin.change(`/api/v1/events/${idOf(open)}`, { endsAt: end });
    await api.admin.change(`/api/v1/events/${idOf(closed)}`, { endsAt: null });
    await expectFound(api.anyone, '/api/v1/events', { at: end }, [closed]);
  });

  it('select participants of a licence, and by email only those the caller may see', async () => {
    const { admin } = api;
    const one = await createLicense(admin);
    const two = await createLicense(admin);
    const three = await createLicense(admin);
    const email = 'shared@example.org';
    const register = (by: Client, licenseId: string) =>
      by.create('/api/v1/participants', { ...bodies.participant(licenseId), email });
    const own = await register(one.manager, one.licenseId);
    const registered = await register(one.manager, two.licenseId);
    const foreign = await register(admin, three.licenseId);
    const path = '/api/v1/participants';
    await expectFound(admin, path, { email }, [own, registered, foreign]);
    await expectFound(one.manager, path, { email }, [own, registered]);
    await expectFound(two.manager, path, { email }, [registered]);
    await expectFound(three.manager, path, { email, licenseId: one.licenseId }, []);
    await expectFound((await issueKey(three.manager, 'R')).client, path, { email }, [foreign]);
    await expectFound(one.manager, path, { licenseId: three.licenseId.toUpperCase() }, [foreign]);
  });
});

describe('API: contact data of public participants without tenant isolation', () => {
  const api = useVenue({ LICENSE_WALLS: 'off', PUBLIC_PARTICIPANTS: 'true' });

  it('is shown to callers with a key, who may filter by it, and to no others', async () => {
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
