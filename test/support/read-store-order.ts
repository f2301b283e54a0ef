import { expect } from 'chai';
import type { Json } from '../../src/kernel/json.ts';
import type { Document, Where } from '../../src/kernel/read-store.ts';
import { matches, sorted } from './memory-read-store.ts';
import { fresh, idsOf, insert, pages, streamed, thing } from './read-store-fixtures.ts';
import type { Law } from './read-store-fixtures.ts';

const UUID = '0190a3f2-7c1b-7a44-9d3e-1b2c3d4e5f60';

/** Every kind of value, with the pairs that tempt a store into another order; undefined is a field that is missing. */
const VALUES: readonly (Json | undefined)[] = [
  undefined, null, false, true, 0, -1, 1, -0.5, 0.5, 1e-7, -1e-7, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53) + 1, 1e300, -1e300, 5e-324, 9, 10,
  '', ' ', 'a', 'B', 'b', 'aa', 'a\u0000', 'a\u0000b', 'a\u0001', 'é', 'e\u0301', 'z', 'ä', '10', '9', 'null', '\uffff', '\ud7ff', '💡', '💡\uffff', '𐀀', '\u007f', '\u0080',
  'x'.repeat(255), `${'x'.repeat(254)}y`, '漢'.repeat(255), `${'漢'.repeat(254)}字`, '💡'.repeat(127), UUID,
];

/** Ids of different kinds, so that ties are told apart in the right order too. */
const IDS = ['a', `${UUID}:${UUID}`, UUID, `${UUID.slice(0, -1)}1`, `${UUID}0`, 'f', '0', 'zz'];

function documents(): Document[] {
  return VALUES.flatMap((value, at) => IDS.map((id) => thing(`${id}${at % 3 === 0 ? '' : at}`.concat(at % 3 === 0 ? `:${at}` : ''), {
    ...(value === undefined ? {} : { value }), group: at % 2 === 0 ? 'even' : 'odd', enabled: at % 5 === 0,
  })));
}

/** Where-clauses that an index serves, in part or not at all. */
const WHERES: readonly Where[] = [{}, { group: 'odd' }, { group: 'even', enabled: true }, { enabled: false }, { value: null }, { value: '💡', group: 'even' }];

export const orderLaws = {
  'null, false, true, numbers, strings by code point, ties by id; both ways, by every index and by none': async ({ store }) => {
    const models = await fresh(store);
    const all = documents();
    await models.apply(all.flatMap((document) => [insert(document), insert(document, 'plain')]), 1);
    for (const collection of ['things', 'plain']) {
      for (const where of WHERES) {
        for (const field of ['value', 'group', 'id', 'nowhere']) {
          for (const direction of ['asc', 'desc'] as const) {
            const sort = { field, direction };
            const expected = idsOf(sorted(all.filter((document) => matches(document, where)), sort));
            expect(idsOf(await pages(models, collection, { where, sort })), JSON.stringify([collection, where, sort])).to.deep.equal(expected);
          }
        }
        expect(await models.count(collection, where)).to.equal(all.filter((document) => matches(document, where)).length);
      }
    }
  },

  'values of every kind are found by equality, and by nothing else': async ({ store }) => {
    const models = await fresh(store);
    const all = documents();
    await models.apply(all.flatMap((document) => [insert(document), insert(document, 'plain')]), 1);
    for (const value of VALUES) {
      const where = { value: typeof value === 'object' || value === undefined ? null : value };
      const expected = idsOf(sorted(all.filter((document) => matches(document, where)), { field: 'id', direction: 'asc' }));
      for (const collection of ['things', 'plain']) {
        expect(idsOf(await streamed(models, collection, { where, sort: { field: 'id', direction: 'asc' } }))).to.deep.equal(expected);
        expect(await models.count(collection, where)).to.equal(expected.length);
      }
    }
  },

  'strings of any length are kept, sorted by a prefix at least, and told apart by equality': async ({ store }) => {
    const models = await fresh(store);
    const long = ['x'.repeat(5000), `${'x'.repeat(5000)}y`, `y${'💡'.repeat(3000)}`, `y${'💡'.repeat(3000)}!`, '\u0000'.repeat(3000)];
    const all = long.map((value, at) => thing(`t${at}`, { value, group: value, enabled: true }));
    await models.apply(all.map((document) => insert(document)), 1);
    await models.apply([{ kind: 'setWhere', collection: 'things', field: 'group', value: all[0]?.['group'] as string, fields: { hit: true }, position: 2 }], 2);
    const found = await pages(models, 'things', { where: {}, sort: { field: 'value', direction: 'asc' } });
    expect(idsOf(found).toSorted()).to.deep.equal(['t0', 't1', 't2', 't3', 't4']);
    expect(idsOf(found).indexOf('t4')).to.equal(0);
    expect(idsOf(found.filter((each) => each['hit'] === true))).to.deep.equal(['t0']);
    for (const [at, value] of long.entries()) {
      expect(idsOf(await pages(models, 'things', { where: { group: value }, sort: { field: 'value', direction: 'asc' } }))).to.deep.equal([`t${at}`]);
      expect(await models.count('things', { group: value, value })).to.equal(1);
    }
  },

  'deep pages are the same from either end': async ({ store }) => {
    const models = await fresh(store);
    const all = Array.from({ length: 1000 }, (_, at) => thing(`t${at}`, { value: (at * 7919) % 97, group: at % 2 === 0 ? 'even' : 'odd' }));
    await models.apply(all.map((document) => insert(document)), 1);
    for (const direction of ['asc', 'desc'] as const) {
      const sort = { field: 'value', direction };
      const expected = idsOf(sorted(all, sort));
      for (const offset of [0, 1, 499, 500, 501, 990, 999, 1000, 1001, 5_000_000_000]) {
        const page = await models.find('things', { where: {}, sort, offset, limit: 20 });
        expect(idsOf(page), `${direction} ${offset}`).to.deep.equal(expected.slice(offset, offset + 20));
      }
    }
  },
} satisfies Record<string, Law>;
