import { expect } from 'chai';
import { randomFrom } from '../../../src/clients/demo/random.ts';
import { report } from '../reliability.ts';

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

/** What really happened in the histories that are being played: a simulation without faults would prove nothing. */
export const happened = { steps: 0, crashes: 0, pauses: 0, lostCalls: 0 };

/**
 * Plays so many histories, one per seed, and names the seed of the first that fails; reports what happened in all of
 * them, and fails when some fault never did. `SIMULATION_HISTORIES` plays another number of them, `SIMULATION_SEED`
 * begins at another seed.
 */
export async function playHistories(
  name: string,
  histories: number,
  play: (seed: number) => Promise<void>,
): Promise<void> {
  const { SIMULATION_SEED: first = '1', SIMULATION_HISTORIES: count = `${histories}` } = process.env;
  Object.assign(happened, { steps: 0, crashes: 0, pauses: 0, lostCalls: 0 });
  for (let n = 0; n < Number(count); n += 1) {
    const seed = Number(first) + n;
    try {
      await play(seed);
    } catch (error) {
      const again = `SIMULATION_SEED=${seed} SIMULATION_HISTORIES=1`;
      throw new Error(`history ${n + 1} of ${count} failed, play it again with ${again}`, { cause: error });
    }
  }
  report(`simulation: ${name}`, { histories: count, firstSeed: first, ...happened });
  if (Number(count) < histories) return;
  for (const [what, times] of Object.entries(happened)) expect(times, what).to.be.greaterThan(0);
}
