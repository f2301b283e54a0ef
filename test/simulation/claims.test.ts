import { claimsHistory } from '../support/simulation/claims.ts';
import { expectConsistent } from '../support/simulation/claims-laws.ts';
import { playHistories } from '../support/simulation/random.ts';
import { depth } from '../support/depth.ts';

/** Each takes one to two milliseconds. */
const HISTORIES = depth({ short: 400, deep: 4_000 });

describe('simulation of claims', () => {
  it('keeps keys unique and commands whole in every history', async () => {
    await playHistories('claims', HISTORIES, async (seed) => expectConsistent(await claimsHistory(seed)));
  });
});
