import { expect } from 'chai';
import type { JsonObject } from '../../../src/kernel/json.ts';
import type { Change, Condition, Document, ReadModels, Where } from '../../../src/kernel/ports/read-store.ts';
import { depth } from '../depth.ts';
import { COLUMNED, fresh, idsOf, insert, streamed, thing, type Law } from './fixtures.ts';
import { matches, memoryReadModels, sorted } from './memory-read-store.ts';

const ROUNDS = 5;
const BY = ['value', 'group', 'enabled', 'moment', 'far', '_created'];

/** A number that looks like chance, but is the same in each run. */
function scattered(n: number): number {
  return Math.imul(n + 1, 2_654_435_761) >>> 8;
}

function momentOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + (scattered(n) % 10_000) * 1_000).toISOString();
}

function fieldsOf(n: number): JsonObject {
  // As many groups everywhere, but others later.
  const group = `g${(scattered(n) % 7) + Math.floor(n / 4_000)}`;
  const far = new Date(Date.UTC(2020, 0, 1) + (scattered(n * 7) % 10_000) * 1_000_000).toISOString();
  // Two in a row have the same one.
  const value = scattered(n - (n % 2)) % 500;
  return { value, group, enabled: scattered(n) % 5 > 0, moment: momentOf(n), far, tags: tagsOf(n) };
}

/** Up to three texts; some begin with others, and some with signs that stand for others in patterns. */
function tagsOf(n: number): readonly string[] {
  const all = ['li', 'lind', 'lindqvist', 'no', 'nora', 'á.*', 'á', '$x', '李', '💡', ''];
  const count = scattered(n * 3) % 4;
  return Array.from({ length: count }, (_, place) => all[scattered(n * 5 + place) % all.length] ?? '');
}

function added(n: number, position: number): Change {
  // Not in the order of creation: events that were retried are projected late.
  const _created = position + (n % 11 === 0 ? 0 : n);
  return insert(thing(`d${n}`, { ...fieldsOf(n), _created, _position: position }), COLUMNED.name);
}

/** A change of some columns, of another field, or of the kind of value that a column has. */
function changed(n: number, position: number): Change {
  const { value = 0, group = '', moment = '' } = fieldsOf(n + position);
  const usual: readonly JsonObject[] = [{ value, moment }, { group }, { name: 'x' }, { enabled: null }, { value: 0.5 }];
  const unlike: readonly JsonObject[] = [
    { value: 'text' },
    { moment: null },
    { moment: 'never' },
    { group: 7 },
    { tags: tagsOf(n + position) },
    { tags: null },
  ];
  const possible = n % 50 === 0 ? [...usual, ...unlike] : usual;
  const fields = possible[scattered(n + position) % possible.length] ?? {};
  return { kind: 'set', collection: COLUMNED.name, id: `d${n}`, fields, position };
}

const CONDITIONS: readonly (readonly [field: string, condition: Condition])[] = [
  ['value', { from: 100, to: 300 }],
  ['value', 77],
  ['group', 'g3'],
  ['group', 'nobody'],
  ['enabled', false],
  ['moment', { from: momentOf(3) }],
  ['moment', { from: '2026-01-01T00:10:00Z', to: '2026-01-01T02' }],
  ['moment', momentOf(4)],
  ['far', { from: '2020-01-20', to: '2020-03-01T00:00:00.000Z' }],
  ['tags[]', 'lind'],
  ['tags[]', { prefixes: ['li', 'no'] }],
  ['tags[]', { prefixes: ['á.'] }],
];

/** Filters by none, one and any two columns. */
const WHERES: readonly Where[] = [
  {},
  ...CONDITIONS.flatMap(([field, condition], n) =>
    CONDITIONS.slice(n).map(([other, second]) => ({ [other]: second, [field]: condition })),
  ),
];

/** Filters by the columns that are no items of lists. */
const WHERES_WITHOUT_ITEMS = WHERES.filter((where) => Object.keys(where).every((field) => !field.endsWith('[]')));

/** Compares counts, pages all over the lists, and streams, of each view with those of the reference. */
async function expectLists(
  views: readonly ReadModels[],
  all: readonly Document[],
  what: string,
  wheres: readonly Where[] = WHERES,
): Promise<void> {
  // Each time others, until all were tried; a server without real indexes takes long for each.
  const every = all.length < 1_500 ? 9 : depth({ short: 3, deep: 1 });
  // Sorting what each filter finds takes longer than all else.
  const ascending = BY.map((field) => [field, idsOf(sorted(all, { field, direction: 'asc' }))] as const);
  for (const [n, where] of wheres.entries()) {
    if ((n + all.length) % every !== 0) continue;
    const found = new Set(idsOf(all.filter((document) => matches(document, where))));
    const models = views[n % views.length];
    if (models === undefined) throw new Error('no view');
    const expectCount = async (): Promise<void> => {
      const count = await models.count(COLUMNED.name, where, { budget: 1 });
      expect(count, `${what}: ${JSON.stringify(where)}`).to.equal(found.size);
    };
    // Before pages, which may have counted, or after them.
    if (n % 2 === 0) await expectCount();
    for (const [m, [field, order]] of ascending.entries()) {
      const sort = { field, direction: (n + m) % 2 === 0 ? 'asc' : 'desc' } as const;
      const its = order.filter((id) => found.has(id));
      const ids = sort.direction === 'asc' ? its : its.toReversed();
      for (const part of [0, 0.6, 1]) {
        const page = { where, sort, offset: Math.max(0, Math.round(ids.length * part) - 4), limit: 8 };
        const wanted = ids.slice(page.offset, page.offset + page.limit);
        const seen = idsOf(await models.find(COLUMNED.name, { ...page, budget: 1_000 }));
        expect(seen, `${what}: ${JSON.stringify(page)}`).to.deep.equal(wanted);
      }
    }
    await expectCount();
    expect(idsOf(await streamed(models, COLUMNED.name, { where })).toSorted()).to.deep.equal([...found].toSorted());
  }
}

export const columnLaws: Readonly<Record<string, Law>> = {
  'any filters by columns with any order have exact pages and counts, whichever process has written': async ({
    store,
    open,
    many,
  }) => {
    const name = `columns-${Date.now()}`;
    const other = await open();
    try {
      const views = [await store.namespace(name, [COLUMNED]), await other.namespace(name, [COLUMNED])];
      const expected = memoryReadModels([COLUMNED]);
      for (let round = 1, at = 0; round <= ROUNDS; round += 1) {
        const count = Math.round(many / (round === 1 ? 1 : 8));
        const inserts = Array.from({ length: count }, (_, n) => added(at + n, round * many));
        const sets = round === 1 ? [] : Array.from({ length: 40 }, (_, n) => changed(scattered(n * round) % at, at));
        at += count;
        const rename = { kind: 'setWhere', collection: COLUMNED.name, field: 'group', position: 10 * at } as const;
        const fanOut: Change[] = round < 4 ? [] : [{ ...rename, value: 'g1', fields: { group: 'g2', value: round } }];
        for (const models of [views[round % 2], expected])
          await models?.apply([...inserts, ...sets, ...fanOut], round * many);
        const all = await streamed(expected, COLUMNED.name, { where: {} });
        await expectLists(views, all, `round ${round}`);
      }
    } finally {
      await store.drop(name);
      await other.close();
    }
  },

  'columns distinguish the largest whole numbers from larger values': async ({ store }) => {
    const models = await fresh(store, [COLUMNED]);
    const most = Number.MAX_SAFE_INTEGER;
    const changes = [most, 0, most - 1, 1].map((value, n) =>
      insert(thing(`d${n}`, { ...fieldsOf(n), value, _created: n, _position: n }), COLUMNED.name),
    );
    await models.apply(changes, 4);
    for (const [value, wanted] of [
      [{ from: 1, to: most + 1 }, ['d3', 'd2', 'd0']],
      [{ from: most }, ['d0']],
      [{ from: 0.5, to: most }, ['d3', 'd2']],
    ] as const) {
      // In an order that no index has.
      const sort = { field: 'moment', direction: 'asc' } as const;
      const found = await models.find(COLUMNED.name, { where: { value }, sort, offset: 0, limit: 9 });
      expect(idsOf(found)).to.have.members(wanted);
      expect(await models.count(COLUMNED.name, { value })).to.equal(wanted.length);
    }
  },

  'pages by columns show no change of a failed transaction': async ({ store }) => {
    const models = await fresh(store, [COLUMNED]);
    const count = (where: Where): Promise<number> => models.count(COLUMNED.name, where);
    await models.apply([added(1, 1), added(2, 1)], 1);
    expect(await count({ moment: { from: '2026' } })).to.equal(2);
    const tooLong = insert(thing('x'.repeat(5_000), { value: 1 }), COLUMNED.name);
    const value = {
      kind: 'set',
      collection: COLUMNED.name,
      id: 'd1',
      fields: { group: 'changed' },
      position: 2,
    } as const;
    // What comes before a fan-out is written before what follows.
    const fanOut = { kind: 'setWhere', field: 'group', value: 'nobody', fields: {} } as const;
    const changes = [added(3, 2), value, { ...fanOut, collection: COLUMNED.name, position: 2 }, tooLong];
    const failed = await models.apply(changes, 2).catch((error: unknown) => error);
    if (failed === undefined) return;
    expect(await count({ moment: { from: '2026' } })).to.equal(2);
    expect(await count({ group: 'changed' })).to.equal(0);
    await models.apply([added(3, 2), value], 2);
    expect([await count({ moment: { from: '2026' } }), await count({ group: 'changed' })]).to.deep.equal([3, 1]);
  },

  'a column that is declared later includes earlier documents': async ({ store, many }) => {
    const name = `columns-later-${Date.now()}`;
    const before = await store.namespace(name, [{ name: COLUMNED.name, indexes: [] }]);
    const count = many + 10;
    const inserts = Array.from({ length: count }, (_, n) => added(n, 1));
    await before.apply(inserts, 1);
    const after = await store.namespace(name, [COLUMNED]);
    await before.apply([added(count, 2)], 2);
    const expected = memoryReadModels([COLUMNED]);
    await expected.apply([...inserts, added(count, 2)], 2);
    // MongoDB stores the items of a list apart only where the list is declared: a new generation has them.
    await expectLists([after], await streamed(expected, COLUMNED.name, { where: {} }), 'later', WHERES_WITHOUT_ITEMS);
    await store.drop(name);
  },
};
