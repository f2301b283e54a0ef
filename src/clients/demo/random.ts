/** A 32-bit hash (FNV-1a) of a text: the same everywhere and for ever. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** A seeded generator (mulberry32) of numbers from 0 to below 1: one seed, one sequence. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number from -1 to 1, mostly near 0: the mean of three throws. */
export function bell(random: () => number): number {
  return ((random() + random() + random()) / 3) * 2 - 1;
}
