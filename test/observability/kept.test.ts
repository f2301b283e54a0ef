import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { keptForAMoment } from '../../src/service/observability/kept.ts';

describe('what is kept for a moment', () => {
  it('is made once for all who ask at once and soon after, and then again', async () => {
    let made = 0;
    const ask = keptForAMoment(() => Promise.resolve(++made));
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal([1, 1, 1]);
    while ((await ask()) === 1) await turn();
    expect(made).to.equal(2);
  });

  it('may have failed: all who ask learn of it, and it is made again', async () => {
    let made = 0;
    const ask = keptForAMoment(() => (++made === 1 ? Promise.reject(new Error('away')) : Promise.resolve('here')));
    const asked = () => ask().catch((error: unknown) => String(error));
    expect(await Promise.all([asked(), asked()])).to.deep.equal(['Error: away', 'Error: away']);
    while ((await asked()) !== 'here') await turn();
    expect(made).to.equal(2);
  });
});
