import { expect } from 'chai';
import { systemClock } from '../../infra/system/system.ts';
import { withPageCounts } from '../../src/service/api/lists.ts';
import { insert, set, thing, THINGS } from '../support/read-store/fixtures.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';

describe('counts of pages', () => {
  it('of many records are made again when the collection has changed, of few each time', async () => {
    const models = memoryReadModels([THINGS]);
    let made = 0;
    const counting = withPageCounts(
      {
        ...models,
        count: (...asked) => {
          made += 1;
          return models.count(...asked);
        },
      },
      systemClock,
    );
    const counts = async (group: string): Promise<readonly [number, number]> => {
      const before = made;
      return [await counting.count('things', { group }), made - before];
    };
    const things = Array.from({ length: 1_005 }, (_, n) => thing(`t${n}`, { group: n < 5 ? 'few' : 'many' }));
    await models.apply(
      things.map((document) => insert(document)),
      1,
    );
    for (let n = 0; n < 3; n += 1) expect(await counts('few')).to.deep.equal([5, 1]);
    for (let n = 0; n < 2; n += 1) expect(await counts('many')).to.deep.equal([1_000, 1]);
    for (let n = 0; n < 3; n += 1) expect(await counts('many')).to.deep.equal([1_000, 0]);
    await models.apply([set('t0', { group: 'many' }, 2)], 2);
    expect(await counts('many')).to.deep.equal([1_001, 1]);
    expect(await counts('many')).to.deep.equal([1_001, 0]);
    expect(await counts('few')).to.deep.equal([4, 1]);
  });
});
