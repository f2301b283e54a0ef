import { createProgress, type Output } from '../cli/progress.ts';
import { mapConcurrently } from './pool.ts';

/** Result of one item; `sent` where the response does not tell whether it is new. */
export interface ItemResult {
  readonly outcome: 'new' | 'existing' | 'sent';
}

/** Runs a phase: the same work for all items, 32 at a time, with a progress display. Results keep the items' order. */
export type RunPhase = <T, R extends ItemResult>(
  label: string,
  items: readonly T[],
  work: (item: T) => Promise<R>,
) => Promise<readonly R[]>;

const CONCURRENCY = 32;

interface Counts {
  done: number;
  known: number;
  sent: number;
}

function summary({ done, known, sent }: Counts): string {
  return `${String(done)}${sent > 0 ? '' : ` (${String(done - known)} new, ${String(known)} already there)`}`;
}

function count(counts: Counts, { outcome }: ItemResult): void {
  counts.done += 1;
  if (outcome === 'existing') counts.known += 1;
  if (outcome === 'sent') counts.sent += 1;
}

/** Creates a phase runner that shows progress on `out`. A failed phase leaves its bar where it stopped. */
export function createPhaseRunner(out: Output): RunPhase {
  return async (label, items, work) => {
    const progress = createProgress(out, label);
    const counts: Counts = { done: 0, known: 0, sent: 0 };
    const total = items.length;
    try {
      const results = await mapConcurrently(items, CONCURRENCY, async (item) => {
        const result = await work(item);
        count(counts, result);
        progress.show({ done: counts.done, total, share: counts.done / total });
        return result;
      });
      progress.end(summary(counts));
      return results;
    } catch (error) {
      progress.abandon();
      throw error;
    }
  };
}
