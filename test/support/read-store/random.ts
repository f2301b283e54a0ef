import { expect } from 'chai';
import fc from 'fast-check';
import type { Change, Where } from '../../../src/kernel/ports/read-store.ts';
import { memoryReadModels } from './memory-read-store.ts';
import { by, fresh, insert, pages, setGroup, streamed, thing, THINGS } from './fixtures.ts';
import type { Law } from './fixtures.ts';
import { depth } from '../depth.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const id = fc.constantFrom(...IDS);
const group = fc.constantFrom('g', 'h');
const value = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 3 }), fc.constantFrom('x', 'y'), fc.constant([1]));
const json = fc.dictionary(fc.constantFrom('k', '$', 'a.b'), value);
const fields = fc.record({ value, group, enabled: fc.boolean(), json }, { requiredKeys: [] });
const names = fc.subarray(['value', 'group', 'json'], { minLength: 1 });

/** One event's change, which gets its position later. */
const draft = fc.record({
  kind: fc.constantFrom('insert', 'set', 'unset', 'setWhere'),
  id,
  group,
  fields,
  names,
  revision: fc.option(fc.nat(9)),
});
type Draft = ReturnType<typeof draft.generate>['value'];

function changeOf({ kind, id: each, fields: content, ...others }: Draft, position: number): Change {
  if (kind === 'insert') return insert(thing(each, { ...content, _created: position, _position: position }));
  if (kind === 'setWhere') return setGroup(others.group, content, position);
  const own = { collection: THINGS.name, id: each, position };
  const revised = others.revision === null ? own : { ...own, revision: others.revision };
  return kind === 'set' ? { kind, ...revised, fields: content } : { kind, ...revised, fields: others.names };
}

/** Deliveries of a history: runs of it that start anywhere at or before the next event, so that some come again. */
const history = fc.record({
  drafts: fc.array(draft, { maxLength: 40 }),
  steps: fc.array(fc.record({ back: fc.nat(4), length: fc.integer({ min: 1, max: 8 }) }), { minLength: 1 }),
});

function deliveries({ drafts, steps }: { drafts: Draft[]; steps: { back: number; length: number }[] }) {
  const changes = drafts.map((one, at) => changeOf(one, at + 1));
  const batches = [];
  for (let reached = 0, turn = 0; reached < changes.length; turn += 1) {
    const { back, length } = steps[turn % steps.length] ?? { back: 0, length: 1 };
    const from = Math.max(0, reached - back);
    reached = Math.max(reached, Math.min(changes.length, from + length + back));
    batches.push({ changes: changes.slice(from, reached), checkpoint: reached });
  }
  return batches;
}

const WHERES: readonly Where[] = [
  { group: 'g' },
  { group: 'h', enabled: true },
  { group: null },
  { value: null },
  { value: 1, group: 'g' },
];

export const randomLaws = {
  'any history in any batches, delivered at least once, ends as in a model: in order, each change once': async ({
    store,
  }) => {
    await fc.assert(
      fc.asyncProperty(history, async (each) => {
        const models = await fresh(store);
        const model = memoryReadModels();
        for (const { changes, checkpoint } of deliveries(each)) {
          await models.apply(changes, checkpoint);
          await model.apply(changes, checkpoint);
          const kept = { where: {}, sort: by('value'), offset: 0, limit: 3, isKept: true };
          expect(await models.find('things', kept)).to.deep.equal(await model.find('things', kept));
        }
        for (const one of IDS) expect(await models.get('things', one)).to.deep.equal(await model.get('things', one));
        for (const field of ['id', 'value', 'group']) {
          const query = { where: {}, sort: { field, direction: 'asc' } } as const;
          expect(await pages(models, 'things', query)).to.deep.equal(await pages(model, 'things', query));
        }
        for (const where of WHERES) {
          expect(await models.count('things', where)).to.equal(await model.count('things', where));
          const expected = await streamed(model, 'things', { where });
          expect(await streamed(models, 'things', { where })).to.have.deep.members(expected);
        }
        expect(await models.checkpoint()).to.equal(await model.checkpoint());
      }),
      { numRuns: depth({ short: 40, deep: 150 }) },
    );
  },
} satisfies Record<string, Law>;
