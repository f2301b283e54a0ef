import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { report } from '../support/reliability.ts';
import { playHistories } from '../support/simulation/random.ts';
import { playHistory } from '../support/simulation/service/histories.ts';
import { furnished } from '../support/simulation/service/play.ts';

const HISTORIES = depth({ short: 8, deep: 1_000 });

describe('simulation of the service', () => {
  it('loses nothing while everything fails, and comes to rest when the faults end', async () => {
    const base = await furnished();
    const figures = { requests: 0, attempts: 0, wronglyRefused: 0 };
    await playHistories('the service under faults', HISTORIES, async (seed) => {
      const { requests, attempts, wronglyRefused } = await playHistory(seed, base);
      figures.requests += requests;
      figures.attempts += attempts;
      figures.wronglyRefused += wronglyRefused;
    });
    report('simulation: clients of the service under faults', figures);
    expect(figures.attempts).to.be.greaterThan(figures.requests);
  }).timeout(7_200_000);
});
