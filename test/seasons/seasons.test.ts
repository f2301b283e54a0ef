import { startService } from '../support/api/service.ts';
import { depth } from '../support/depth.ts';
import { report } from '../support/reliability.ts';
import { playSeason } from '../support/seasons/play.ts';
import { chancesOf } from '../support/simulation/random.ts';

const SEASONS = depth({ short: 1, deep: 100 });
const SIZE = depth({
  short: { calls: 60, moments: 4, boards: 2, every: 5 },
  deep: { calls: 150, moments: 20, boards: 5, every: 1 },
});

describe('random seasons', () => {
  it('are answered as a plain calculation over their exported history, before and after a rebuild', async () => {
    const {
      SEASON_SEED: first = '1',
      SEASON_COUNT: count = `${SEASONS}`,
      SEASON_CALLS = `${SIZE.calls}`,
    } = process.env;
    let comparisons = 0;
    for (let n = 0; n < Number(count); n += 1) {
      const seed = Number(first) + n;
      const service = await startService({ LOG_LEVEL: 'error', CLIENT_REQUESTS_PER_MINUTE: '0' });
      try {
        comparisons += await playSeason(service, chancesOf(seed), { ...SIZE, calls: Number(SEASON_CALLS) });
      } catch (error) {
        const again = `SEASON_SEED=${seed} SEASON_COUNT=1 SEASON_CALLS=${SEASON_CALLS}`;
        throw new Error(`season ${n + 1} of ${count} failed, play it again with ${again}`, { cause: error });
      } finally {
        await service.close();
      }
    }
    report('random seasons', {
      seasons: count,
      firstSeed: first,
      callsEach: SEASON_CALLS,
      comparisons,
      differences: 0,
    });
  }).timeout(7_200_000);
});
