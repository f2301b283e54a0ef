import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { cachedFor } from '../../src/service/observability/cached-for.ts';

describe('a cached value', () => {
  it('is computed once for all who ask within its time, and then again', async () => {
    let made = 0;
    const ask = cachedFor(500, () => Promise.resolve(++made));
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal([1, 1, 1]);
    while ((await ask()) === 1) await turn();
    expect(made).to.equal(2);
  });

  it('is computed again after a failure, which all who asked meanwhile learn of', async () => {
    let made = 0;
    const ask = cachedFor(500, () => (++made === 1 ? Promise.reject(new Error('away')) : Promise.resolve('here')));
    const asked = () => ask().catch((error: unknown) => String(error));
    expect(await Promise.all([asked(), asked()])).to.deep.equal(['Error: away', 'Error: away']);
    while ((await asked()) !== 'here') await turn();
    expect(made).to.equal(2);
  });
});
