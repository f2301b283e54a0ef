import fc from 'fast-check';
import { startService, type Service } from '../support/api/service.ts';
import { depth } from '../support/depth.ts';
import { sequences, type Call } from '../support/model/calls.ts';
import { furnish, Sequence } from '../support/model/run.ts';
import { World } from '../support/model/world.ts';
import { storesInUse } from '../support/processes/store-environment.ts';
import { report } from '../support/reliability.ts';
import { KEPT } from './kept.ts';

/** Calls per sequence. */
const CALLS = 50;
/** Sequences per service, few so that lists stay short. */
const SEQUENCES_PER_SERVICE = 50;

const SEQUENCES = depth({ short: 8, deep: storesInUse === 'embedded' ? 2_000 : 200 });

/** A service and its model; replaced after some sequences, or once it has disagreed with its model. */
class Worlds {
  #open: { readonly service: Service; readonly world: World } | null = null;
  calls = 0;
  sequences = 0;

  async play(calls: readonly Call[]): Promise<void> {
    const { world } = (this.#open ??= await open());
    const before = world.calls;
    world.sequences += 1;
    const sequence = new Sequence(world, world.sequences);
    let isSound = false;
    try {
      for (const call of calls) await sequence.play(call);
      isSound = world.sequences < SEQUENCES_PER_SERVICE;
    } finally {
      this.calls += world.calls - before;
      this.sequences += 1;
      if (!isSound) await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#open?.service.close();
    this.#open = null;
  }
}

async function open() {
  const service = await startService({ LOG_LEVEL: 'error' });
  const world = new World(service.client);
  try {
    await furnish(world);
  } catch (error) {
    await service.close();
    throw error;
  }
  return { service, world };
}

describe(`sequences of calls against a model of the interface (${storesInUse})`, () => {
  const worlds = new Worlds();
  after(() => worlds.close());

  for (const { what, calls } of KEPT) {
    it(`that once failed: ${what}`, () => worlds.play(calls));
  }

  it('are answered as the model predicts', async () => {
    const { MODEL_SEED: seed = '1', MODEL_PATH: path, MODEL_SEQUENCES: count = `${SEQUENCES}` } = process.env;
    const property = fc.asyncProperty(sequences(CALLS), (calls) => worlds.play(calls));
    const endOnFailure = process.env['MODEL_SHRINK'] === 'no';
    const result = await fc.check(property, {
      endOnFailure,
      seed: Number(seed),
      numRuns: Number(count),
      ...(path === undefined ? {} : { path }),
    });
    report(`model of the interface, ${storesInUse}`, {
      seed,
      sequences: worlds.sequences,
      callsEach: CALLS,
      calls: worlds.calls,
      failures: result.failed ? 1 : 0,
    });
    if (!result.failed) return;
    const shortest = (result.counterexample?.[0] ?? []).filter((call) => call.do !== 'nothing');
    const again = `MODEL_SEED=${result.seed} MODEL_PATH=${result.counterexamplePath}`;
    throw new Error(`play it again with ${again}; the shortest sequence is\n${JSON.stringify(shortest)}`, {
      cause: result.errorInstance,
    });
  }).timeout(7_200_000);
});
