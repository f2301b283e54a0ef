import { expect } from 'chai';
import type { Json, JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, textOf, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import type { Resource } from '../support/api/resources.ts';
import { goodBody, PAGED, without } from '../support/api/resources.ts';
import { bodies } from '../support/api/venue.ts';
import { useService, useVenue, type Furnished } from '../support/api/with-service.ts';

/** Whether a field can be sorted by: what is shown and not sent is. */
function isScalar({ create }: Resource, shown: string): boolean {
  const field = Object.entries(create).find(([name, { shownAs = name }]) => shownAs === shown)?.[1];
  return !(field?.good() ?? []).some((value) => typeof value === 'object' && value !== null);
}

/** null, false, true, numbers, texts by code point. */
function rank(value: Json | undefined): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'boolean') return 1;
  return typeof value === 'number' ? 2 : 3;
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((point, index) => point !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}

function compare(a: Json | undefined, b: Json | undefined): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  return Number(a) - Number(b);
}

/** In the order of a field; those that are equal stay as they are. */
function sorted(all: readonly JsonObject[], field: string): readonly JsonObject[] {
  return all.toSorted((a, b) => compare(a[field], b[field]));
}

/** In the order of creation: of those that were made last, of the same moment maybe, the ids are told in that order. */
function asMade(all: readonly JsonObject[], last: readonly string[]): readonly JsonObject[] {
  const placeOf = (record: JsonObject): number => last.indexOf(textOf(record, 'id'));
  return sorted(all, 'createdAt').toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Makes records that differ in every field, and records that differ in none, so that there are ties; gives their ids. */
async function fill(api: Furnished, { path, create, body }: Resource): Promise<readonly string[]> {
  const made: string[] = [];
  for (let row = 0; row < 7; row += 1) {
    const varied = without(without(goodBody(create, row), 'enabled'), 'endsAt');
    const created = await api.admin.create(path, { ...(await body()), ...varied });
    // The answer to a rig has its key, too.
    made.push(textOf(created, ...('rig' in created ? ['rig'] : []), 'id'));
  }
  return made;
}

async function contentOf(client: Client, path: string): Promise<readonly JsonObject[]> {
  const { content } = await client.read(path);
  // A page's content is a list of resources: every body was held against the document.
  return content as readonly JsonObject[];
}

async function everyPage(client: Client, path: string, size: number): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for (let page = 0; ; page += 1) {
    const content = await contentOf(client, `${path}&size=${size}&page=${page}`);
    all.push(...content);
    if (content.length < size) return all;
  }
}

describe('API: pages', () => {
  const api = useVenue();

  for (const { name, sort } of PAGED) {
    it(`${name}: by every scalar field, both ways, ties as they were made; by ${sort} unless asked`, async () => {
      const resource = api.resource(name);
      const paged = `${resource.path}/paged`;
      const made = await fill(api, resource);
      const hides = resource.shows.includes('enabled') ? '?includeDisabled=true' : '';
      const all = asMade(await api.admin.list(resource.path + hides), made);
      const more = hides === '' ? '?' : `${hides}&`;
      for (const field of resource.shows.filter((shown) => isScalar(resource, shown))) {
        const expected = sorted(all, field);
        expect(await contentOf(api.admin, `${paged}${more}size=1000&sort=${field}`), field).to.deep.equal(expected);
        const backwards = await contentOf(api.admin, `${paged}${more}size=1000&sort=${field},desc`);
        expect(backwards, `${field} desc`).to.deep.equal([...expected].reverse());
      }
      const expected = sorted(all, sort);
      expect(await everyPage(api.admin, `${paged}${more}sort=${sort},ASC`, 3)).to.deep.equal(expected);
      expect(await contentOf(api.admin, `${paged}${more}size=1000`)).to.deep.equal(expected);
      expect(await everyPage(api.admin, `${paged}${more}`, 4)).to.deep.equal(expected);
    });
  }

  it('every paged endpoint of the document is among them, and no other', () => {
    const documented = operationsOf(api.service.document)
      .map(({ path }) => path)
      .filter((path) => path.endsWith('/paged'));
    const named = PAGED.map(({ name }) => `${api.resource(name).path}/paged`);
    expect(documented, 'see test/support/api/resources.ts').to.have.members(named);
  });

  it('long names that differ at their end only are in order', async () => {
    const head = '🏁'.repeat(119);
    for (const end of ['c', 'a', 'b'])
      await api.admin.create('/api/v1/brands', { ...bodies.brand(), name: head + end });
    const all = await contentOf(api.anyone, '/api/v1/brands/paged?size=1000');
    const ends = all
      .map((brand) => textOf(brand, 'name'))
      .filter((name) => name.startsWith(head))
      .map((name) => name.at(-1));
    expect(ends).to.deep.equal(['a', 'b', 'c']);
  });

  it('have all nine fields, on the first, a middle and the last page and past the end', async () => {
    for (let i = 0; i < 25; i += 1) await api.admin.create('/api/v1/car-classes', bodies.carClass());
    const total = (await api.anyone.list('/api/v1/car-classes')).length;
    const pageOf = async (query: string) => {
      const { content, ...rest } = await api.anyone.read(`/api/v1/car-classes/paged${query}`);
      return { ...rest, length: Array.isArray(content) ? content.length : null };
    };
    const totals = { totalElements: total, totalPages: Math.ceil(total / 20) };
    const first = { page: 0, number: 0, size: 20, first: true, last: false, empty: false, length: 20 };
    expect(await pageOf('')).to.deep.equal({ ...totals, ...first });
    expect(await pageOf('?page=0&size=20&sort=displayName,asc')).to.deep.equal({ ...totals, ...first });
    expect(await pageOf('?page=1&size=10')).to.deep.equal({
      totalElements: total,
      totalPages: Math.ceil(total / 10),
      page: 1,
      number: 1,
      size: 10,
      first: false,
      last: Math.ceil(total / 10) === 2,
      empty: false,
      length: 10,
    });
    expect(await pageOf(`?page=0&size=${total}`)).to.include({ totalPages: 1, first: true, last: true, length: total });
    expect(await pageOf(`?page=${total - 1}&size=1`)).to.include({
      totalPages: total,
      first: false,
      last: true,
      length: 1,
    });
    expect(await pageOf('?page=99')).to.deep.equal({
      ...totals,
      page: 99,
      number: 99,
      size: 20,
      first: false,
      last: true,
      empty: true,
      length: 0,
    });
    expect(await pageOf('?size=1000')).to.include({ size: 1000, totalPages: 1 });
  });

  const BAD: Readonly<Record<string, readonly string[]>> = {
    page: ['-1', '1.5', 'x', '', '1e3', '0x1', ' 1', '9'.repeat(30), 'NaN', 'null', '1%00'],
    size: ['0', '-1', '1001', '1.5', 'x', '', '99999999999999999999'],
    sort: [
      '',
      'unknown',
      '_position',
      '_id',
      'id,',
      'name,up',
      'totalTime,asc,desc',
      '__proto__',
      'constructor',
      'sectors',
      'TOTALTIME',
      ',asc',
      'totalTime desc',
      'totalTime%00',
      '$where',
      'a.b',
      'totalTime;desc',
    ],
  };

  for (const [parameter, values] of Object.entries(BAD)) {
    it(`refuse a bad ${parameter}`, async () => {
      for (const value of values) {
        const answer = await api.anyone.get(`/api/v1/laps/paged?${parameter}=${value}`);
        expectProblem(answer, 400, `#/query/${parameter}`);
      }
      const odd = [
        `${parameter}=1&${parameter}=2`,
        `${parameter}[]=1`,
        `${parameter}[a]=1`,
        `${parameter}[a][b]=1`,
        `${parameter}=%E0%A4%A`,
      ];
      for (const query of odd)
        expectProblem(await api.anyone.get(`/api/v1/laps/paged?${query}`), 400, `#/query/${parameter}`);
    });
  }
});

describe('API: lists of a service with nothing in it', () => {
  const api = useService();

  it('are empty, and their pages first, last and empty', async () => {
    const paths = operationsOf(api.service.document)
      .map(({ path }) => path)
      .filter((path) => path.endsWith('/paged'));
    for (const path of paths) {
      expect(await api.admin.list(path.replace('/paged', '')), path).to.deep.equal([]);
      expect(await api.admin.read(path), path).to.deep.equal({
        content: [],
        page: 0,
        number: 0,
        size: 20,
        totalElements: 0,
        totalPages: 0,
        first: true,
        last: true,
        empty: true,
      });
    }
    expect(await api.anyone.list('/api/v1/simulators')).to.deep.equal([]);
  });
});
