import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/kernel/json.ts';
import type { Document, ReadModels, Where } from '../../../src/kernel/ports/read-store.ts';
import { matches, page } from './memory-read-store.ts';
import { fresh, idsOf, insert, set, streamed, thing } from './fixtures.ts';
import type { Law } from './fixtures.ts';
import { depth } from '../depth.ts';

/** Random cases of each law. */
const RUNS = depth({ short: 15, deep: 40 });

/** Booleans are only mixed with null, in a field of their own. */
const value = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -3, max: 3 }),
  // JSON as it is sent knows no negative zero.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.constantFrom('a', 'b'),
);
const group = fc.constantFrom('g', 'h', null);
const fields = fc.record({ value, group, enabled: fc.constantFrom(true, false, null) }, { requiredKeys: [] });
const documents = fc
  .dictionary(fc.stringMatching(/^[a-f0-9:]{1,4}$/), fields, { maxKeys: 40 })
  .map((all) => Object.entries(all).map(([id, each]) => thing(id, each)));
const where: fc.Arbitrary<Where> = fc.oneof(
  fc.constant({}),
  fc.record({ group: fc.constantFrom('g', 'h', null, 'none') }),
  fc.record({ group: fc.constant('g'), enabled: fc.boolean() }),
  fc.record({ value, group: fc.constant('h') }),
  fc.record({ value }),
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

/** Streams while writing between the batches; the ids of what it yielded. */
async function streamWhileWriting(models: ReadModels, sort: 'value' | null): Promise<string[]> {
  const seen: Document[] = [];
  let position = 2;
  const sorting = sort === null ? {} : { sort: { field: sort, direction: 'asc' } as const };
  for await (const batch of models.stream('things', { where: { enabled: true }, ...sorting })) {
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
        await models.apply(
          all.flatMap((document) => [insert(document), insert(document, 'plain')]),
          1,
        );
        for (const each of queries) {
          const matching = all.filter((document) => matches(document, each.where));
          for (const collection of ['things', 'plain']) {
            expect(await models.find(collection, each)).to.deep.equal(page(matching, each));
            expect(await models.count(collection, each.where)).to.equal(matching.length);
          }
        }
      }),
      { numRuns: RUNS },
    );
  },

  'a stream yields every matching document once, in order when one is asked for': async ({ store }) => {
    await fc.assert(
      fc.asyncProperty(documents, query, async (all, { where: clause, sort }) => {
        const models = await fresh(store);
        await models.apply(
          all.flatMap((document) => [insert(document), insert(document, 'plain')]),
          1,
        );
        const expected = page(
          all.filter((document) => matches(document, clause)),
          { sort, offset: 0, limit: Infinity },
        );
        for (const collection of ['things', 'plain']) {
          expect(await streamed(models, collection, { where: clause, sort })).to.deep.equal(expected);
          expect(await streamed(models, collection, { where: clause })).to.have.deep.members(expected);
        }
      }),
      { numRuns: RUNS },
    );
  },

  'a stream yields each document that exists throughout exactly once while others are written': async ({ store }) => {
    for (const sort of ['value', null] as const) {
      const models = await fresh(store);
      const fieldsOf = (at: number): JsonObject => ({ value: (at * 31) % 700, enabled: at % 3 !== 0 });
      const all = Array.from({ length: 1500 }, (_, at) => thing(`t${at}`, fieldsOf(at)));
      await models.apply(
        all.map((document) => insert(document)),
        1,
      );
      const seen = await streamWhileWriting(models, sort);
      expect(new Set(seen).size).to.equal(seen.length);
      const expected = idsOf(all.filter((document) => document['enabled'] === true));
      expect(seen.filter((id) => id.startsWith('t'))).to.have.members(expected);
    }
  },

  'a stream that is left early leaves nothing behind': async ({ store }) => {
    const models = await fresh(store);
    await models.apply(
      Array.from({ length: 1000 }, (_, at) => insert(thing(`t${at}`, { value: at }))),
      1,
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
