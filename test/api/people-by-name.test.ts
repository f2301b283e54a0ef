import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { readCsv } from '../support/csv.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { bodies, createLicense, issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const PATH = '/api/v1/participants';

type Api = ReturnType<typeof useVenue>;
type Licensed = Awaited<ReturnType<typeof createLicense>>;

/** Registers somebody for a new licence, by a key, or by the key of that licence. */
async function register(api: Api, firstName: string, lastName: string, by?: Client): Promise<string> {
  const license = await createLicense(api.admin);
  const client = by ?? license.manager;
  return idOf(await client.create(PATH, { ...bodies.participant(license.licenseId), firstName, lastName }));
}

/** The ids that a name finds, in a list and in its pages. */
async function found(client: Client, name: string, more = ''): Promise<readonly string[]> {
  const asked = `name=${encodeURIComponent(name)}${more}`;
  const list = (await client.list(`${PATH}?${asked}`)).map(idOf).sort();
  const page = await client.read(`${PATH}/paged?${asked}&size=1000&sort=id`);
  expect((page.content as readonly JsonObject[]).map(idOf), name).to.deep.equal(list);
  expect(page.totalElements, name).to.equal(list.length);
  return list;
}

describe('API: people by name', () => {
  const api = useVenue();
  const people: Record<string, string> = {};
  const idsOf = (...names: readonly string[]): readonly string[] => names.map((name) => people[name] ?? name).sort();

  before(async () => {
    for (const [firstName, lastName] of [
      ['Nora', 'Lindqvist'],
      ['Lina', 'Norén'],
      ['Jean-Luc', 'O’Brien'],
      ['Søren', 'Weiß'],
      ['Łukasz', 'Ærø'],
      ['李', '小龙'],
    ] as const)
      people[firstName] = await register(api, firstName, lastName);
  });

  it('are found by the beginnings of their words, in any order, without case and accents', async () => {
    for (const [name, ...wanted] of [
      ['nora', 'Nora'],
      ['NO', 'Nora', 'Lina'],
      ['li no', 'Nora', 'Lina'],
      ['lindqvist nora', 'Nora'],
      ['lin noren', 'Lina'],
      ['no nor nora', 'Nora'],
      ['qvist'],
      ['nora lina'],
      ['luc', 'Jean-Luc'],
      ["o'brien jean-luc", 'Jean-Luc'],
      ['obrien'],
      ['soren weiss', 'Søren'],
      ['SØREN WEIẞ', 'Søren'],
      ['lukasz aero', 'Łukasz'],
      ['小', '李'],
      ['.*'],
      ['$ne'],
    ] as const)
      expect(await found(api.admin, name), name).to.deep.equal(idsOf(...wanted));
  });

  it('are found by their names of now', async () => {
    const id = await register(api, 'Mia', 'Before');
    expect(await found(api.admin, 'mia before')).to.deep.equal([id]);
    await api.admin.change(`${PATH}/${id}`, { lastName: 'After' });
    expect(await found(api.admin, 'mia before')).to.deep.equal([]);
    expect(await found(api.admin, 'aft mia')).to.deep.equal([id]);
    await api.admin.change(`${PATH}/${id}`, { phoneNumber: '1' });
    expect(await found(api.admin, 'aft mia')).to.deep.equal([id]);
  });

  it('are found together with other filters, in any order, page by page and as CSV', async () => {
    const ids: string[] = [];
    for (const n of [3, 1, 2]) ids.push(await register(api, `Page${n}`, `Turner${n}`));
    const [third = '', first = '', second = ''] = ids;
    const pages = `${PATH}/paged?name=turner&size=2&sort=`;
    const contentOf = async (rest: string): Promise<readonly string[]> =>
      ((await api.admin.read(`${pages}${rest}`)).content as readonly JsonObject[]).map(idOf);
    expect(await contentOf('lastName')).to.deep.equal([first, second]);
    expect(await contentOf('lastName&page=1')).to.deep.equal([third]);
    expect(await contentOf('firstName,desc')).to.deep.equal([third, second]);
    expect(await contentOf('createdAt,desc')).to.deep.equal([second, first]);
    expect(await contentOf('updatedAt')).to.deep.equal([third, first]);
    const licenseId = textOf(await api.admin.read(`${PATH}/${second}`), 'licenseId');
    expect(await found(api.admin, 'turner', `&licenseId=${licenseId}`)).to.deep.equal([second]);
    expect(await found(api.admin, 'nora', `&licenseId=${licenseId}`)).to.deep.equal([]);
    const csv = expectStatus(await api.admin.get(`${PATH}?name=turner2&format=csv`), 200);
    const [head = [], ...rows] = readCsv(csv.text);
    expect(rows.map((row) => row[head.indexOf('id')])).to.deep.equal([second]);
    const etag = csv.header('etag');
    expectStatus(await api.admin.get(`${PATH}?name=turner2&format=csv`, { 'If-None-Match': etag }), 304);
  });

  it('are found by keys below ADMIN only where they may see the contact data', async () => {
    const one = await createLicense(api.admin);
    const two: Licensed = await createLicense(api.admin);
    const own = idOf(await one.manager.create(PATH, { ...bodies.participant(one.licenseId), firstName: 'Zelda' }));
    const made = await register(api, 'Zelda', 'Made', one.manager);
    const other = await register(api, 'Zelda', 'Other');
    expect(await found(api.admin, 'zelda')).to.deep.equal(idsOf(own, made, other));
    expect(await found(one.manager, 'zelda')).to.deep.equal(idsOf(own, made));
    expect(await found((await issueKey(one.manager, 'R')).client, 'zelda')).to.deep.equal(idsOf(own, made));
    expect(await found(two.manager, 'zelda')).to.deep.equal([]);
    for (const list of [PATH, `${PATH}/paged`]) expectProblem(await api.anyone.get(`${list}?name=zelda`), 401);
  });

  it('are not looked for by no word, by too many, or by one that is too long', async () => {
    for (const [name, detail] of [
      ['', 'must not be empty'],
      [" - '", 'must have a word'],
      ['a b c d e f g h i j k', 'must have at most 10 words'],
      ['x'.repeat(121), 'must have no word of more than 120 characters'],
    ] as const)
      for (const list of [PATH, `${PATH}/paged`]) {
        const problem = expectProblem(await api.admin.get(`${list}?name=${encodeURIComponent(name)}`), 400);
        expect(problem['errors'], name).to.deep.equal([{ pointer: '#/query/name', detail }]);
      }
    expect(await found(api.admin, `a b c d e f g h i ${'x'.repeat(120)}`)).to.deep.equal([]);
  });
});

describe('API: people by name without tenant isolation', () => {
  const api = useVenue({ LICENSE_WALLS: 'off', PUBLIC_PARTICIPANTS: 'true' });

  it('are found by every key, as it sees all contact data, and by nobody without one', async () => {
    const id = await register(api, 'Zelda', 'Open');
    const reader = await issueKey((await createLicense(api.admin)).manager, 'R');
    expect(await found(reader.client, 'open zelda')).to.deep.equal([id]);
    for (const list of [PATH, `${PATH}/paged`]) expectProblem(await api.anyone.get(`${list}?name=zelda`), 401);
  });
});
