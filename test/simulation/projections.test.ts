import { expectSameAsRebuilt } from '../support/simulation-league-laws.ts';
import { projectedTwice } from '../support/simulation-projectors.ts';
import { playHistories } from '../support/simulation-random.ts';

/** Played in `npm test`; each takes two to four milliseconds. */
const HISTORIES = 2_500;

describe('simulation of projections', () => {
  it('ends every history as a clean rebuild does, document by document', async () => {
    await playHistories(HISTORIES, async (seed) => expectSameAsRebuilt(await projectedTwice(seed)));
  }).timeout(120_000);
});
