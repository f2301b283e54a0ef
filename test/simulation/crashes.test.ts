import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { report } from '../support/reliability.ts';
import { crashAt, furnished, type Furnished } from '../support/simulation/service/play.ts';
import { WRITES } from '../support/simulation/service/requests.ts';

/** Steps of a request between two tested crashes, and the number of tested orders of all calls. */
const STRIDE = depth({ short: 8, deep: 1 });
const ORDERS = depth({ short: 1, deep: 6 });

/** Operations that call no port and so have no step to crash at. */
const WITHOUT_STEPS = ['createLicenseFile'];

const FILE = 'dist/test/simulation/crashes.test.js';

describe('simulation of crashes', () => {
  let base: Furnished | null = null;
  const figures = { operations: 0, orders: ORDERS, crashes: 0, steps: 0 };
  before(async () => {
    base = await furnished();
  });
  after(() => report('simulation: a crash at every step of every write', figures));

  it('are of every operation that writes, but for uploads', () => {
    expect(WRITES).to.have.members(base?.writes ?? []);
  });

  /** Crashes after each step of an operation, until it needs fewer steps; resolves to the number of crashes. */
  async function crashEverywhere(operation: string, seed: number): Promise<number> {
    if (base === null) throw new Error('there is no history');
    for (let crashes = 0; ; crashes += 1) {
      const step = crashes * STRIDE;
      const { crashed, steps } = await crashAt({ operation, step, seed }, base).catch((error: unknown) => {
        const again = `SIMULATION_SEED=${seed} SIMULATION_STEP=${step} npx mocha ${FILE} -g '${operation} '`;
        throw new Error(`a crash after ${step} steps of ${operation}; play it again with ${again}`, { cause: error });
      });
      figures.steps += steps;
      if (!crashed) return crashes;
    }
  }

  const { SIMULATION_SEED: seed = '1', SIMULATION_STEP: only } = process.env;
  for (const operation of WRITES) {
    it(`${operation} is carried out, at whichever step its node crashes`, async () => {
      if (only !== undefined && base !== null) {
        await crashAt({ operation, step: Number(only), seed: Number(seed) }, base);
        return;
      }
      let crashes = 0;
      for (let order = 0; order < ORDERS; order += 1) crashes += await crashEverywhere(operation, Number(seed) + order);
      if (WITHOUT_STEPS.includes(operation)) expect(crashes, 'crashes').to.equal(0);
      else expect(crashes, 'crashes').to.be.greaterThan(0);
      figures.operations += 1;
      figures.crashes += crashes;
    }).timeout(3_600_000);
  }
});
