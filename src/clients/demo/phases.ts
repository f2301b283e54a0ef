/** Result of one item; `sent` if the response does not say whether it is new. */
export interface ItemResult {
  readonly outcome: 'new' | 'existing' | 'sent';
}

/** Runs a phase: the same work for all items, 32 at a time, with a progress display. Results keep the items' order. */
export type RunPhase = <T, R extends ItemResult>(
  label: string,
  items: readonly T[],
  work: (item: T) => Promise<R>,
) => Promise<readonly R[]>;

interface Progress {
  readonly show: (progress: { readonly done: number; readonly total: number; readonly share: number }) => void;
  /** Replaces the display by a line: the phase is done. */
  readonly end: (line: string) => void;
  /** Leaves the display where it is: the phase has failed. */
  readonly abandon: () => void;
}

const CONCURRENCY = 32;

export function createPhaseRunner(createProgress: (label: string) => Progress): RunPhase {
  return async (label, items, work) => {
    const progress = createProgress(label);
    const total = items.length;
    let done = 0;
    try {
      const results = await mapConcurrently(items, async (item) => {
        const result = await work(item);
        done += 1;
        progress.show({ done, total, share: done / total });
        return result;
      });
      progress.end(summaryOf(results));
      return results;
    } catch (error) {
      progress.abandon();
      throw error;
    }
  };
}

/** After a failure it starts no more items, waits for those in progress, and throws the first failure. */
async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = entriesOf(items);
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/** A queue for several workers: one that throws closes it for all, since leaving its loop ends the generator. */
function* entriesOf<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}

function summaryOf(results: readonly ItemResult[]): string {
  const count = (wanted: ItemResult['outcome']): number => results.filter(({ outcome }) => outcome === wanted).length;
  const split = count('sent') > 0 ? '' : ` (${count('new')} new, ${count('existing')} already there)`;
  return `${results.length}${split}`;
}
