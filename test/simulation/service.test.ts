import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { report } from '../support/reliability.ts';
import { playHistories } from '../support/simulation/random.ts';
import { playHistory } from '../support/simulation/service/histories.ts';
import { furnished } from '../support/simulation/service/play.ts';

const HISTORIES = depth({ short: 40, deep: 1_000 });

describe('simulation of the service', () => {
  it('loses nothing while everything goes wrong, and comes to rest when the faults end', async () => {
    const base = await furnished();
    const figures = { histories: 0, steps: 0, crashes: 0, requests: 0, attempts: 0, faults: 0, wronglyRefused: 0 };
    await playHistories(HISTORIES, async (seed) => {
      const one = await playHistory(seed, base);
      figures.histories += 1;
      figures.steps += one.steps;
      figures.crashes += one.crashes;
      figures.requests += one.requests;
      figures.attempts += one.attempts;
      figures.faults += one.faults;
      figures.wronglyRefused += one.wronglyRefused;
    });
    report('simulation: the service under faults', figures);
    for (const what of ['crashes', 'requests', 'faults'] as const) expect(figures[what], what).to.be.greaterThan(0);
    expect(figures.attempts).to.be.greaterThan(figures.requests);
  }).timeout(7_200_000);
});
