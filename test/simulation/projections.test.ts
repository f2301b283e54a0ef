import { expect } from 'chai';
import { projectedTwice } from '../support/simulation-projectors.ts';
import { playHistories } from '../support/simulation-random.ts';

/** Played in `npm test`; each takes about two milliseconds. */
const HISTORIES = 3_000;

describe('simulation of projections', () => {
  it('ends every history as a clean rebuild does, document by document', async () => {
    await playHistories(HISTORIES, async (seed) => {
      const { projected, rebuilt } = await projectedTwice(seed);
      expect(projected).to.deep.equal(rebuilt);
    });
  }).timeout(120_000);
});
