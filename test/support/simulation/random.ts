import { randomFrom } from '../../../src/demo/random.ts';

/** Source of random numbers for one history: the same seed gives the same numbers. */
export interface RandomSource {
  /** A whole number from 0 to below `bound`. */
  readonly below: (bound: number) => number;
  /** True once in so many times on average. */
  readonly oneIn: (times: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
}

export function chancesOf(seed: number): RandomSource {
  const random = randomFrom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}

/**
 * Plays so many histories, one per seed, and names the seed of the first that fails. `SIMULATION_HISTORIES` plays
 * another number of them, `SIMULATION_SEED` begins at another seed.
 */
export async function playHistories(histories: number, play: (seed: number) => Promise<void>): Promise<void> {
  const first = Number(process.env['SIMULATION_SEED'] ?? 1);
  const count = Number(process.env['SIMULATION_HISTORIES'] ?? histories);
  for (let seed = first; seed < first + count; seed++) {
    try {
      await play(seed);
    } catch (error) {
      const which = `history ${seed - first + 1} of ${count} failed, play it again with SIMULATION_SEED=${seed}`;
      throw new Error(which, { cause: error });
    }
  }
}
