import { LRUCache } from 'lru-cache';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import type { Clock } from '../kernel/ports/system.ts';

/** From this many documents on, a count is reused while no document of the collection changes. */
const SOME_DOCUMENTS = 1_000;
/** From this many on, even if some change. */
const MANY_DOCUMENTS = 50_000;
/** It is then reused for this many times as long as it took, and for at most this many ms. */
const TIMES = 20;
const MAX_AGE_MS = 60_000;

/** Most counts that are remembered: there are as many filters as clients think of. */
const MAX_COUNTS = 1_000;

interface Counted {
  count: number;
  /** Version of the collection that was counted; null: not known. */
  version: string | null;
  /** Monotonic time, in ms, until which the count is reused even if the collection changes. */
  until: number;
}

/**
 * Read models whose counts cost little, however many pages are asked for: a store counts entry by entry, so a count of
 * many documents is reused for a while, and made once for all requests that wait for it.
 */
export function withPageCounts(models: ReadModels, clock: Clock): ReadModels {
  const memoMethod = (): Counted => ({ count: 0, version: null, until: 0 });
  const counted = new LRUCache<string, Counted>({ max: MAX_COUNTS, memoMethod });
  const pending = new Map<string, Promise<number>>();

  async function count(known: Counted, asked: Parameters<ReadModels['count']>): Promise<number> {
    // A version costs a look, too: not for what is counted as quickly.
    const version = known.count < SOME_DOCUMENTS ? null : await models.version([asked[0]]);
    if (version !== null && version === known.version) return known.count;
    const started = clock.monotonic();
    const found = await models.count(...asked);
    const now = clock.monotonic();
    const until = found < MANY_DOCUMENTS ? 0 : now + Math.min(TIMES * (now - started), MAX_AGE_MS);
    Object.assign(known, { count: found, version, until });
    return found;
  }
  return {
    ...models,
    count(...asked) {
      const [collection, where] = asked;
      const key = JSON.stringify([collection, where]);
      const known = counted.memo(key);
      if (clock.monotonic() < known.until) return Promise.resolve(known.count);
      if (known.count < MANY_DOCUMENTS) return count(known, asked);
      const found = pending.get(key) ?? count(known, asked).finally(() => pending.delete(key));
      pending.set(key, found);
      return found;
    },
  };
}
