import { expect } from 'chai';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { Allowance } from '../../queries/leaderboards/sources.ts';
import { personalBests } from '../../queries/leaderboards/personal-bests.ts';
import { recorded, registered } from '../support/history/lap-events.ts';
import { givenHistory } from '../support/kernel/projecting.ts';
import { depth } from '../support/depth.ts';

const LAPS = depth({ short: 300, deep: 100_000 });
/** One lap in this many is driven with another car. */
const CARS = 5;

describe('bests of a participant', () => {
  it('visit two laps for each layout and car, however many there are', async () => {
    const laps = Array.from({ length: LAPS }, (_, n) => recorded(`${n}`, [LAPS - n], { carId: `car${n % CARS}` }));
    const { models } = await givenHistory(builtInProjections, registered('ada', 'Ada'), ...laps);
    // One document per car, and two laps.
    const allowance = new Allowance({ budget: CARS * 3 });
    const bests = await personalBests('ada', { models, allowance });
    expect(bests?.map(({ totalTime, trackLayoutId }) => [totalTime, trackLayoutId])).to.deep.equal(
      Array.from({ length: CARS }, (_, n) => [n + 1, 'spa']),
    );
  });
});
