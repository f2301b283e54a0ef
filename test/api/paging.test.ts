import { expect } from 'chai';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { textOf, type Client } from '../support/api/client.ts';
import type { Resource } from '../support/api/resources.ts';
import { goodBody, PAGED, without } from '../support/api/resources.ts';
import { useVenue, type Furnished } from '../support/api/with-service.ts';
import { compareValues } from '../support/read-store/memory-read-store.ts';

/** Whether a field is sortable; fields that are shown but never sent are. */
function isScalar({ create }: Resource, shown: string): boolean {
  const field = Object.entries(create).find(([name, { shownAs = name }]) => shownAs === shown)?.[1];
  return !(field?.good() ?? []).some((value) => typeof value === 'object' && value !== null);
}

/** Sorted by a field; equal ones keep their order. */
function sorted(all: readonly JsonObject[], field: string): readonly JsonObject[] {
  return all.toSorted((a, b) => compareValues(a[field], b[field]));
}

/** In the order of creation; the last ones may share a moment, so their ids are given in order. */
function asMade(all: readonly JsonObject[], last: readonly string[]): readonly JsonObject[] {
  const placeOf = (record: JsonObject): number => last.indexOf(textOf(record, 'id'));
  return sorted(all, 'createdAt').toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Creates records that differ in every field and records that differ in none (ties); returns their ids. */
async function fill(api: Furnished, { path, create, body }: Resource): Promise<readonly string[]> {
  const made: string[] = [];
  for (let row = 0; row < 7; row += 1) {
    const varied = without(without(goodBody(create, row), 'enabled'), 'endsAt');
    const created = await api.admin.create(path, { ...(await body()), ...varied });
    // The answer to a rig's registration also contains its key.
    made.push(textOf(created, ...('rig' in created ? ['rig'] : []), 'id'));
  }
  return made;
}

async function contentOf(client: Client, path: string): Promise<readonly JsonObject[]> {
  const { content } = await client.read(path);
  // The client checks every body against the document: a page's content is a list of resources.
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
    it(`${name}: are sorted by every scalar field, both ways, ties by creation; by ${sort} by default`, async () => {
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
});
