import { pointedAt, type Category, type Pointed, type References } from '../domain/references.ts';
import { streamOf } from '../kernel/aggregate/aggregate.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { Rejection, type Fault } from '../kernel/aggregate/rejections.ts';

/**
 * Streams that are remembered to exist; nothing that was referred to is ever deleted, so what was seen stays true
 * (DESIGN §3).
 */
const MAX_CACHED_STREAMS = 100_000;

/** Tells whether what a request points at exists. */
export interface ReferenceCheck {
  exists(category: Category, id: string): Promise<boolean>;
  /** The refusal of a body that names something unknown, or null; fields that are absent or null name nothing. */
  refusal(references: References | undefined, body: unknown): Promise<Rejection | null>;
}

/** Asks the event store, so that a projection that lags never refuses a good request. */
export function createReferenceCheck(store: Pick<EventStore, 'readNewest'>): ReferenceCheck {
  const existing = new Set<string>();

  async function exists(category: Category, id: string): Promise<boolean> {
    const stream = streamOf(category, id);
    if (existing.has(stream)) return true;
    if ((await store.readNewest(stream)) === null) return false;
    if (existing.size >= MAX_CACHED_STREAMS) existing.clear();
    existing.add(stream);
    return true;
  }
  function isKnown(category: Category, id: string): boolean {
    return existing.has(streamOf(category, id));
  }
  async function faultsOf(pointed: Iterable<Pointed>): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const { category, id, pointer } of pointed) {
      if (isKnown(category, id) || (await exists(category, id))) continue;
      faults.push({ pointer, detail: `there is no ${category} with this id` });
    }
    return faults;
  }
  return {
    exists,
    async refusal(references, body) {
      if (references === undefined) return null;
      const faults = await faultsOf(pointedAt(references, body));
      return faults.length === 0
        ? null
        : new Rejection('UNKNOWN_REFERENCE', 'The request refers to something that does not exist.', faults);
    },
  };
}
