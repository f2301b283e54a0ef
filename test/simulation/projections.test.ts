import { expectLeague } from '../support/simulation/league-laws.ts';
import { leagueProjections } from '../support/simulation/league.ts';
import { appendLeague } from '../support/simulation/league-events.ts';
import { projectedTwice, type Simulated } from '../support/simulation/projectors.ts';
import { playHistories } from '../support/simulation/random.ts';
import { depth } from '../support/depth.ts';

/** Each takes two to four milliseconds. */
const HISTORIES = depth({ short: 250, deep: 2_500 });

const league: Simulated = {
  projections: leagueProjections,
  append: (store, chances) => appendLeague(store, chances, 10 + chances.below(30)),
  luck: { crash: [0, 40, 150], pause: [0, 8, 20] },
};

describe('simulation of projections', () => {
  it('ends every history as a clean rebuild does, document by document', async () => {
    await playHistories('projections', HISTORIES, async (seed) => expectLeague(await projectedTwice(seed, league)));
  });
});
