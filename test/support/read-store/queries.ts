import { expect } from 'chai';
import fc from 'fast-check';
import { roughBytesOf, type JsonObject } from '../../../src/kernel/json.ts';
import { OverBudget } from '../../../src/kernel/ports/errors.ts';
import {
  MAX_DOCUMENTS_BYTES,
  type Document,
  type FindOptions,
  type Range,
  type ReadModels,
  type Where,
} from '../../../src/kernel/ports/read-store.ts';
import { matches, page } from './memory-read-store.ts';
import { by, COLLECTIONS, COLUMNED, fill, fresh, idsOf, insert, set, streamed, thing, unset } from './fixtures.ts';
import type { Law } from './fixtures.ts';
import { depth } from '../depth.ts';
import { failureOf } from '../failure.ts';

/** Random cases of each law. */
const RUNS = depth({ short: 15, deep: 40 });

const text = fc.string({ unit: 'grapheme', maxLength: 3 });
/** Booleans are only mixed with null, in a field of their own. */
const value = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -3, max: 3 }),
  // JSON as it is sent knows no negative zero.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  text,
  fc.constantFrom('a', 'b'),
);
const group = fc.constantFrom('g', 'h', null);
const tags = fc.array(fc.constantFrom('x', 'y', 'z', 1), { maxLength: 3 });
const fields = fc.record({ value, group, enabled: fc.constantFrom(true, false, null), tags }, { requiredKeys: [] });
const documents = fc
  .dictionary(fc.stringMatching(/^[a-f0-9:]{1,4}$/), fields, { maxKeys: 40 })
  .map((all) => Object.entries(all).map(([id, each]) => thing(id, each)));
const range: fc.Arbitrary<Range> = fc
  .oneof(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.double({ noNaN: true })), fc.tuple(text, text))
  .chain(([from, to]) => fc.constantFrom<Range>({ from, to }, { from }, { to }));
const where: fc.Arbitrary<Where> = fc.oneof(
  fc.constant({}),
  fc.record({ group: fc.constantFrom('g', 'h', null, 'none') }),
  fc.record({ group: fc.constant('g'), enabled: fc.boolean() }),
  fc.record({ value, group: fc.constant('h') }),
  fc.record({ value }),
  fc.record({ value: range }),
  fc.record({ value: range, group: fc.constantFrom('g', null) }),
  fc.record({ value: range, group: fc.constant('h'), enabled: fc.boolean() }),
  fc.record({ 'tags[]': fc.constantFrom('x', 'y', 1, 'none') }),
  fc.record({ 'tags[]': fc.constantFrom('x', 'y'), value: range, enabled: fc.boolean() }),
  fc.record({ 'tags[]': fc.constant('x'), group: fc.constant('g') }),
);
const query = fc.record({
  where,
  offset: fc.nat(45),
  limit: fc.nat(20),
  sort: fc.record({
    field: fc.constantFrom('value', 'group', 'enabled', 'id'),
    direction: fc.constantFrom('asc', 'desc'),
  }),
});

/** The collections that take a filter: by the items of a list only where they are indexed. */
function ableTo(clause: Where): readonly string[] {
  return 'tags[]' in clause ? ['things'] : COLLECTIONS;
}

/** Streams while writing between the batches; the ids of what it yielded. */
async function streamWhileWriting(models: ReadModels, isById: boolean): Promise<string[]> {
  const seen: Document[] = [];
  let position = 2;
  for await (const batch of models.stream('things', { where: { enabled: true }, isById })) {
    seen.push(...batch);
    const moved = batch[0]?.id ?? '';
    const late = thing(`new${position}`, { enabled: true, value: position });
    await models.apply([insert(late), set(moved, { name: 'changed' }, position)], position);
    position += 1;
  }
  return idsOf(seen);
}

export const queryLaws = {
  'where, sort, offset and limit agree with a model, with and without indexes': async ({ store }) => {
    await fc.assert(
      fc.asyncProperty(documents, fc.array(query, { maxLength: 20 }), async (all, queries) => {
        const models = await fresh(store);
        await fill(models, all, COLLECTIONS);
        for (const each of queries) {
          const matching = all.filter((document) => matches(document, each.where));
          for (const collection of ableTo(each.where)) {
            expect(await models.find(collection, each)).to.deep.equal(page(matching, each));
            expect(await models.count(collection, each.where)).to.equal(matching.length);
          }
        }
      }),
      { numRuns: RUNS },
    );
  },

  'a stream yields every matching document once, in order of id when that is asked for': async ({ store }) => {
    await fc.assert(
      fc.asyncProperty(documents, query, async (all, { where: clause }) => {
        const models = await fresh(store);
        await fill(models, all, COLLECTIONS);
        const expected = page(
          all.filter((document) => matches(document, clause)),
          { sort: by('id'), offset: 0, limit: Infinity },
        );
        for (const collection of ableTo(clause)) {
          expect(await streamed(models, collection, { where: clause, isById: true })).to.deep.equal(expected);
          expect(await streamed(models, collection, { where: clause })).to.have.deep.members(expected);
        }
      }),
      { numRuns: RUNS },
    );
  },

  'a stream yields each document that exists throughout exactly once while others are written': async ({ store }) => {
    for (const isById of [true, false]) {
      const models = await fresh(store);
      const fieldsOf = (at: number): JsonObject => ({ value: (at * 31) % 700, enabled: at % 3 !== 0 });
      const all = Array.from({ length: 1500 }, (_, at) => thing(`t${at}`, fieldsOf(at)));
      await fill(models, all);
      const seen = await streamWhileWriting(models, isById);
      expect(new Set(seen).size).to.equal(seen.length);
      const expected = idsOf(all.filter((document) => document['enabled'] === true));
      expect(seen.filter((id) => id.startsWith('t'))).to.have.members(expected);
    }
  },

  'counts the documents that it visits: at least those that it returns': async ({ store }) => {
    const models = await fresh(store);
    await fill(
      models,
      Array.from({ length: 120 }, (_, n) => thing(`t${n}`, { value: n, group: n < 100 ? 'g' : 'h' })),
    );
    const visits = { documents: 0 };
    const page = { where: {}, sort: by('value'), offset: 10, limit: 7, budget: 1_000, visits };
    expect(await models.find('things', page)).to.have.length(7);
    expect(visits.documents).to.be.within(7, 120);
    visits.documents = 0;
    let seen = 0;
    for await (const batch of models.stream('things', { where: { group: 'g' }, visits })) seen += batch.length;
    expect(seen).to.equal(100);
    expect(visits.documents).to.be.within(100, 120);
  },

  'a query visits no more documents than its budget, and says so before it reads': async ({ store }) => {
    const models = await fresh(store);
    const all = Array.from({ length: 30 }, (_, at) =>
      thing(`t${String(at).padStart(2, '0')}`, { value: at, group: at < 10 ? 'g' : 'h' }),
    );
    await fill(models, all, COLLECTIONS);
    const where = {};
    const found = async (collection: string, query: FindOptions): Promise<number | 'over budget'> => {
      try {
        return (await models.find(collection, query)).length;
      } catch (error) {
        expect(error).to.be.instanceOf(OverBudget);
        return 'over budget';
      }
    };
    const first = { where, offset: 0, limit: 5 };
    // By an index, a page costs what it holds.
    expect(await found('things', { ...first, sort: by('value'), budget: 5 })).to.equal(5);
    expect(await found('things', { ...first, sort: by('value'), budget: 4 })).to.equal('over budget');
    expect(await found('things', { ...first, where: { group: 'h' }, sort: by('value'), budget: 5 })).to.equal(5);
    // Without one, all that matches, or all that there is.
    for (const [collection, sort] of [
      ['things', 'other'],
      ['plain', 'value'],
    ] as const) {
      expect(await found(collection, { ...first, sort: by(sort), budget: 30 }), collection).to.equal(5);
      expect(await found(collection, { ...first, sort: by(sort), budget: 29 }), collection).to.equal('over budget');
    }
    const grouped = { ...first, where: { group: 'g' }, sort: by('other') };
    expect(await found('things', { ...grouped, budget: 10 })).to.equal(5);
    expect(await found('things', { ...grouped, budget: 9 })).to.equal('over budget');
    expect(await found('plain', { ...grouped, budget: 29 })).to.equal('over budget');
    for (const [budget, length] of [
      [10, 10],
      [9, 'over budget'],
    ] as const) {
      const query = { where: { group: 'g' }, budget };
      const read = streamed(models, 'things', query).then(({ length: seen }) => seen);
      expect(await read.catch((error: unknown) => (error instanceof OverBudget ? 'over budget' : error))).to.equal(
        length,
      );
    }
  },

  'a page in an order that is not declared is of what an index or columns find by a part of the filter': async ({
    store,
  }) => {
    const listed = {
      ...COLUMNED,
      indexes: [
        ['tags[]', 'value'],
        ['name', 'value'],
      ],
      // Tags have an index alone.
      columns: ['value', 'group', 'enabled'],
    };
    const models = await fresh(store, [listed]);
    const fieldsOf = (at: number): JsonObject => ({
      value: at,
      other: -at,
      name: at < 390 ? 'most' : 'few',
      group: at % 10 === 0 ? 'tenth' : 'most',
      enabled: at % 2 === 0,
      tags: at < 5 ? ['few', 'all'] : ['all'],
    });
    const all = Array.from({ length: 400 }, (_, at) => thing(`t${String(at).padStart(3, '0')}`, fieldsOf(at)));
    await fill(models, all, [listed.name]);
    const read = async (where: Where, field: string): Promise<unknown> => {
      const query = { where, sort: by(field), offset: 0, limit: 3, budget: 50 };
      return models.find(listed.name, query).then(idsOf, (error: unknown) => error instanceof OverBudget || error);
    };
    const overBudget = true;
    expect(await read({ enabled: true }, 'value')).to.deep.equal(['t000', 't002', 't004']);
    expect(await read({ enabled: true }, 'other')).to.equal(overBudget);
    expect(await read({ group: 'tenth', enabled: true }, 'other')).to.deep.equal(['t390', 't380', 't370']);
    expect(await read({ name: 'few' }, 'other')).to.deep.equal(['t399', 't398', 't397']);
    expect(await read({ name: 'most', value: { from: 100, to: 150 } }, 'other')).to.have.lengthOf(3);
    expect(await read({ name: 'few', enabled: true }, 'other')).to.equal(overBudget);
    expect(await read({ value: { from: 100, to: 150 } }, 'other')).to.deep.equal(['t149', 't148', 't147']);
    expect(await read({ value: { from: 100, to: 151 } }, 'other')).to.equal(overBudget);
    expect(await read({ 'tags[]': 'few' }, 'other')).to.deep.equal(['t004', 't003', 't002']);
    expect(await read({ 'tags[]': 'all' }, 'other')).to.equal(overBudget);
    expect(await read({ 'tags[]': 'all', group: 'tenth' }, 'value')).to.deep.equal(['t000', 't010', 't020']);
    expect(await read({ 'tags[]': 'few', group: 'most' }, 'value')).to.deep.equal(['t001', 't002', 't003']);
    expect(await read({ 'tags[]': 'all', group: 'most' }, 'value')).to.equal(overBudget);
    const counted = async (where: Where): Promise<unknown> =>
      models.count(listed.name, where, { budget: 50 }).catch((error: unknown) => error instanceof OverBudget || error);
    expect(await counted({ 'tags[]': 'all' }), 'by the index alone').to.equal(400);
    expect(await counted({ name: 'most', value: { from: 100 } }), 'by the index alone').to.equal(290);
    expect(await counted({ 'tags[]': 'few', value: { from: 0, to: 50 } })).to.equal(5);
    expect(await counted({ 'tags[]': 'all', group: 'most' })).to.equal(overBudget);
    expect(await counted({ other: -120 })).to.equal(overBudget);
  },

  'the items of a list are found after every change of it': async ({ store }) => {
    const models = await fresh(store);
    await models.apply([insert(thing('a', { tags: ['x', 'y', 'x'] })), insert(thing('b'))], 1);
    const found = async (item: string): Promise<string[]> =>
      idsOf(await streamed(models, 'things', { where: { 'tags[]': item } }));
    expect([await found('x'), await found('y')]).to.deep.equal([['a'], ['a']]);
    expect(await models.get('things', 'a')).to.deep.equal(thing('a', { tags: ['x', 'y', 'x'] }));
    await models.apply([set('a', { tags: ['y', 'z'] }, 2), set('b', { tags: ['x'] }, 2)], 2);
    expect([await found('x'), await found('y'), await found('z')]).to.deep.equal([['b'], ['a'], ['a']]);
    await models.apply([unset('a', ['tags'], 3), set('b', { value: 7 }, 3)], 3);
    expect([await found('x'), await found('y'), await found('z')]).to.deep.equal([['b'], [], []]);
    expect(await models.count('things', { 'tags[]': 'x', value: { from: 7 } })).to.equal(1);
  },

  'a page past the end is empty': async ({ store }) => {
    const models = await fresh(store);
    const all = Array.from({ length: 20 }, (_, at) => thing(`t${at}`, { value: at, group: 'g' }));
    await fill(models, all, COLLECTIONS);
    for (const where of [{}, { group: 'g' }])
      for (const collection of COLLECTIONS)
        for (const offset of [20, 21, 2 ** 40]) {
          const query = { where, sort: by('value'), offset, limit: 1, budget: 20 };
          expect(await models.find(collection, query)).to.deep.equal([]);
        }
  },

  'large documents are streamed in batches of bounded bytes, and a page of too many bytes is refused': async ({
    store,
  }) => {
    const models = await fresh(store);
    const text = 'x'.repeat(300_000);
    const large = Array.from({ length: 12 }, (_, n) => thing(`t${n + 10}`, { value: n, enabled: true, text }));
    for (const document of large)
      await models.apply(
        COLLECTIONS.map((collection) => insert(document, collection)),
        1,
      );
    const bytesOf = (some: readonly Document[]): number => some.reduce((sum, one) => sum + roughBytesOf(one), 0);
    const sort = by('value');
    for (const collection of COLLECTIONS) {
      for (const options of [{ where: {} }, { where: { enabled: true } }, { where: {}, isById: true }]) {
        const seen: string[] = [];
        for await (const batch of models.stream(collection, options)) {
          expect(bytesOf(batch.slice(0, -1))).to.be.below(MAX_DOCUMENTS_BYTES);
          seen.push(...idsOf(batch));
        }
        expect(seen.toSorted()).to.deep.equal(idsOf(large));
      }
      const page = { where: {}, sort, offset: 0, limit: 12 };
      const refused: unknown = await models
        .find(collection, { ...page, maxBytes: 3_000_000 })
        .catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(OverBudget).and.to.include({ of: 'bytes' });
      expect(await models.find(collection, { ...page, maxBytes: 4_000_000 })).to.have.lengthOf(12);
      expect(await models.find(collection, { ...page, limit: 9, maxBytes: 3_000_000 })).to.have.lengthOf(9);
    }
  },

  'a signal that aborts ends a query': async ({ store }) => {
    const models = await fresh(store);
    await fill(
      models,
      Array.from({ length: 1500 }, (_, at) => thing(`t${at}`, { value: at })),
    );
    const gone = new AbortController();
    const reason = new Error('the client has gone');
    let seen = 0;
    const reading = async (): Promise<void> => {
      for await (const batch of models.stream('things', { where: {}, signal: gone.signal })) {
        seen += batch.length;
        gone.abort(reason);
      }
    };
    expect(await failureOf(reading())).to.equal(reason);
    expect(seen).to.be.within(1, 1_000);
    const { signal } = gone;
    for (const field of ['value', 'other']) {
      const late = models.find('things', { where: {}, sort: by(field), offset: 0, limit: 1, signal });
      expect(await failureOf(late), field).to.equal(reason);
    }
  },

  'a stream that is left early leaves nothing behind': async ({ store }) => {
    const models = await fresh(store);
    await fill(
      models,
      Array.from({ length: 1000 }, (_, at) => thing(`t${at}`, { value: at })),
    );
    let first: readonly Document[] = [];
    for await (const batch of models.stream('things', { where: {} })) {
      first = batch;
      break;
    }
    expect(first.length).to.be.within(1, 999);
    await models.apply([set('t0', { value: -1 }, 2)], 2);
    expect(await models.count('things', { value: -1 })).to.equal(1);
  },
} satisfies Record<string, Law>;
