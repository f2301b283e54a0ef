import { expect } from 'chai';
import { randomFrom } from '../../../src/clients/demo/random.ts';
import { report } from '../reliability.ts';

/** Source of random numbers for one history. */
export type RandomSource = ReturnType<typeof chancesOf>;

/** Equal seeds give equal numbers. */
export function chancesOf(seed: number) {
  const random = randomFrom(seed);
  /** An integer from 0 to below `bound`. */
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    below,
    /** True once in `times` on average. */
    oneIn: (times: number): boolean => below(times) === 0,
    pick: <T>(list: readonly T[]): T => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}

/** Counts of what happened in the current histories: a simulation without faults would prove nothing. */
export const happened = { steps: 0, crashes: 0, pauses: 0, lostCalls: 0 };

/**
 * Plays histories, one per seed, and names the first seed that fails. Reports what happened, and fails if a kind of
 * fault never did. `SIMULATION_HISTORIES` sets another number of histories, `SIMULATION_SEED` another first seed.
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
