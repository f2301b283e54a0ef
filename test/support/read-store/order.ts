import { expect } from 'chai';
import type { Json } from '../../../src/kernel/json.ts';
import type { Document, ReadModels, Sort, Where } from '../../../src/kernel/ports/read-store.ts';
import { matches, sorted } from './memory-read-store.ts';
import { by, COLLECTIONS, fresh, idsOf, insert, pages, set, setGroup, streamed, thing, unset } from './fixtures.ts';
import { fill, type Law } from './fixtures.ts';

const UUID = '0190a3f2-7c1b-7a44-9d3e-1b2c3d4e5f60';

/** Every kind of value, with the pairs that tempt a store into another order; undefined is a field that is missing. */
const VALUES: readonly (Json | undefined)[] = [
  ...[undefined, null, false, true],
  ...[0, -1, 1, -0.5, 0.5, 1e-7, -1e-7, 9, 10, 1e300, -1e300, 5e-324],
  ...[2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53) + 1],
  ...['', ' ', 'a', 'B', 'b', 'aa', 'a\u0000', 'a\u0000b', 'a\u0001', 'z', '10', '9', 'null', UUID],
  ...['é', 'e\u0301', 'ä', '\uffff', '\ud7ff', '💡', '💡\uffff', '𐀀', '\u007f', '\u0080'],
  ...['x'.repeat(255), `${'x'.repeat(254)}y`, '漢'.repeat(255), `${'漢'.repeat(254)}字`, '💡'.repeat(127)],
];

/** Those that are ordered within one field: booleans are only mixed with null, since MongoDB has them last. */
const ORDERED = VALUES.filter((value) => typeof value !== 'boolean');

/** Positions of creation, not in their order, and few of them: several documents are of one event. */
const CREATIONS = [7, 2 ** 48 + 1, 2, 2 ** 32, Number.MAX_SAFE_INTEGER];

/** Ids of different kinds, so that ties are broken in the right order too. */
const IDS = [`${UUID}:${UUID}`, UUID, `${UUID.slice(0, -1)}1`, `${UUID}0`, 'f', '0'];

function documents(values: readonly (Json | undefined)[]): Document[] {
  return values.flatMap((value, at) =>
    IDS.map((id, n) => {
      const fields: Record<string, Json> = {
        _created: CREATIONS[(3 * at + n) % CREATIONS.length] ?? 1,
        group: at % 2 === 0 ? 'even' : 'odd',
      };
      if (value !== undefined) fields['value'] = value;
      if (at % 7 !== 0) fields['enabled'] = at % 5 === 0;
      return thing(at % 3 === 0 ? `${id}:${at}` : `${id}${at}`, fields);
    }),
  );
}

/** Where-clauses that an index serves, in part or not at all. */
const WHERES: readonly Where[] = [
  {},
  { group: 'odd' },
  { group: 'even', enabled: true },
  { enabled: false },
  { value: null },
  { value: '💡', group: 'even' },
];

const SORTS: readonly Sort[] = ['value', 'group', 'enabled', 'id', '_created', 'nowhere'].flatMap((field): Sort[] => [
  by(field),
  { field, direction: 'desc' },
]);

/** Up to 300 matching documents, by two pages. */
async function inTwo(models: ReadModels, collection: string, query: { where: Where; sort: Sort }): Promise<Document[]> {
  const first = await models.find(collection, { ...query, offset: 0, limit: 150 });
  return [...first, ...(await models.find(collection, { ...query, offset: 150, limit: 150 }))];
}

export const orderLaws = {
  'null; false, true; numbers, strings by code point; ties by creation, then by id; by any index or none': async ({
    store,
  }) => {
    const models = await fresh(store);
    const all = documents(ORDERED);
    expect(all.length).to.be.at.most(300);
    await fill(models, all, COLLECTIONS);
    for (const where of WHERES) {
      const matching = all.filter((document) => matches(document, where));
      for (const collection of COLLECTIONS) {
        expect(await models.count(collection, where)).to.equal(matching.length);
        for (const sort of SORTS) {
          const found = await inTwo(models, collection, { where, sort });
          expect(idsOf(found), JSON.stringify([collection, where, sort])).to.deep.equal(idsOf(sorted(matching, sort)));
        }
      }
    }
  },

  'ties are in the order of creation, whenever each was projected and whatever has changed since': async ({
    store,
  }) => {
    const models = await fresh(store);
    const created = (id: string, position: number): Document =>
      thing(id, { _created: position, _position: position, value: 1, group: 'g' });
    await models.apply([insert(created('y', 20)), insert(created('b', 20)), insert(created('m', 30))], 30);
    await models.apply([insert({ ...created('z', 10), _position: 40 })], 40);
    await models.apply([set('m', { value: 2 }, 41), set('y', { value: 2, _created: 99, id: 'x' }, 42)], 42);
    await models.apply([setGroup('g', { value: 1, _created: 1 }, 43), unset('b', ['_created', 'nothing'], 44)], 44);
    for (const where of [{}, { group: 'g' }, { value: 1 }]) {
      for (const direction of ['asc', 'desc'] as const) {
        const query = { where, sort: { field: 'value', direction } };
        const expected = direction === 'asc' ? ['z', 'b', 'y', 'm'] : ['m', 'y', 'b', 'z'];
        expect(idsOf(await pages(models, 'things', query))).to.deep.equal(expected);
      }
      expect(await models.count('things', where)).to.equal(4);
    }
    expect(await models.get('things', 'b')).to.include({ _created: 20, _position: 44 });
    expect(await models.get('things', 'y')).to.include({ _created: 20, _position: 43 });
    expect(await models.get('things', 'x')).to.equal(null);
  },

  'values of every kind are found by equality, and by nothing else': async ({ store }) => {
    const models = await fresh(store);
    const all = documents(VALUES);
    await fill(models, all, COLLECTIONS);
    for (const value of VALUES) {
      const where = { value: typeof value === 'object' || value === undefined ? null : value };
      const expected = idsOf(
        sorted(
          all.filter((document) => matches(document, where)),
          by('id'),
        ),
      );
      for (const collection of COLLECTIONS) {
        expect(idsOf(await streamed(models, collection, { where, isById: true }))).to.deep.equal(expected);
        expect(await models.count(collection, where)).to.equal(expected.length);
      }
    }
  },

  'strings of any length are kept, sorted by a prefix at least, and distinguished by equality': async ({ store }) => {
    const models = await fresh(store);
    const x = 'x'.repeat(5000);
    const y = `y${'💡'.repeat(3000)}`;
    const long = [x, `${x}y`, y, `${y}!`, '\u0000'.repeat(3000)];
    const all = long.map((value, at) => thing(`t${at}`, { value, group: value, enabled: true }));
    await fill(models, all);
    await models.apply([setGroup(x, { hit: true }, 2)], 2);
    const found = await pages(models, 'things', { where: {}, sort: by('value') });
    expect(idsOf(found).toSorted()).to.deep.equal(['t0', 't1', 't2', 't3', 't4']);
    expect(idsOf(found).indexOf('t4')).to.equal(0);
    expect(idsOf(found.filter((each) => each['hit'] === true))).to.deep.equal(['t0']);
    for (const [at, value] of long.entries()) {
      const hits = await pages(models, 'things', { where: { group: value }, sort: by('value') });
      expect(idsOf(hits)).to.deep.equal([`t${at}`]);
      expect(await models.count('things', { group: value, value })).to.equal(1);
    }
  },
} satisfies Record<string, Law>;
