import type { ReadModels } from '../kernel/ports/read-store.ts';
import type { Clock } from '../kernel/ports/system.ts';

/** From so many documents on, a count is used again. */
const MANY_DOCUMENTS = 50_000;
/** For how many times as long as it took, and for how long, in ms, at most. */
const TIMES = 20;
const MAX_AGE_MS = 60_000;

interface Counted {
  readonly count: number;
  /** When it is counted again, ms of the monotonic clock. */
  readonly until: number;
}

/**
 * Read models whose counts cost little, however many pages are asked for: a store counts entry by entry, so a count of
 * many documents is used again for a while, and made once for all who wait for it.
 */
export function withPageCounts(models: ReadModels, clock: Clock): ReadModels {
  /** The counts of many documents. */
  const counted = new Map<string, Counted>();
  const pending = new Map<string, Promise<number>>();

  async function count(key: string, asked: Parameters<ReadModels['count']>): Promise<number> {
    const started = clock.monotonic();
    try {
      const found = await models.count(...asked);
      const now = clock.monotonic();
      if (found < MANY_DOCUMENTS) counted.delete(key);
      else counted.set(key, { count: found, until: now + Math.min(TIMES * (now - started), MAX_AGE_MS) });
      return found;
    } finally {
      pending.delete(key);
    }
  }
  return {
    ...models,
    count(...asked) {
      const [collection, where] = asked;
      const key = JSON.stringify([collection, where]);
      const known = counted.get(key);
      if (known === undefined) return count(key, asked);
      if (clock.monotonic() < known.until) return Promise.resolve(known.count);
      const found = pending.get(key) ?? count(key, asked);
      pending.set(key, found);
      return found;
    },
  };
}
