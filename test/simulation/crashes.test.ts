import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { report } from '../support/reliability.ts';
import { crashAt, crashInCheckIn, furnished, type Furnished } from '../support/simulation/service/play.ts';
import { WRITES } from '../support/simulation/service/requests.ts';

/** Steps of a request between two tested crashes, and the number of tested orders of all calls. */
const STRIDE = depth({ short: 8, deep: 1 });
const ORDERS = depth({ short: 1, deep: 6 });

/** The same for check-ins that nobody repeats. */
const CHECK_IN_STRIDE = depth({ short: 3, deep: 1 });

/** Operations that call no port and so have no step to crash at. */
const WITHOUT_STEPS = ['createLicenseFile'];

const FILE = 'dist/test/simulation/crashes.test.js';

/** Operations that hash codes in threads of their own, which no simulation controls. */
const HASHING = ['offerRigPairing', 'redeemRigPairing'];

describe('simulation of crashes', () => {
  let base: Furnished | null = null;
  const figures = { operations: 0, orders: ORDERS, crashes: 0, steps: 0 };
  before(async () => {
    base = await furnished();
  });
  after(() => report('simulation: a crash at every step of every write', figures));

  it('are of every operation that writes, but for uploads and pairings', () => {
    const simulated = (base?.writes ?? []).filter((operation) => !HASHING.includes(operation));
    expect(WRITES).to.have.members(simulated);
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

  it('checkIn becomes whole, or leaves nothing, at whichever step its node crashes and though nobody repeats it', async () => {
    if (base === null) throw new Error('there is no history');
    const found = { nothing: 0, whole: 0 };
    for (let step = 0; ; step += CHECK_IN_STRIDE) {
      const { crashed, isRecorded } = await crashInCheckIn({ step, seed: 1 }, base);
      found[isRecorded ? 'whole' : 'nothing'] += 1;
      if (!crashed) break;
    }
    expect(found.nothing, 'crashes before it was recorded').to.be.greaterThan(0);
    expect(found.whole, 'crashes after it was recorded').to.be.greaterThan(1);
  }).timeout(3_600_000);

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
