import { LRUCache } from 'lru-cache';
import { stints, type StintDocument } from '../../projections/leaderboards/stints.ts';
import { streamAll } from '../../src/domain/documents.ts';
import type { QueryBounds, ReadModels } from '../../src/kernel/ports/read-store.ts';

/** Most stints of a layout that are kept in memory, and most of all layouts; each takes about 1 kB. */
const MOST_OF_ONE = 50_000;
const MOST_OF_ALL = 100_000;

/** The stints of a layout as of some moment. */
interface Kept {
  /** The version of the read model when they were read; it says of which namespace, too. */
  version: string;
  /** Up to this position, all events are reflected. */
  position: number;
  readonly byId: Map<string, StintDocument>;
}

class KeptStints {
  readonly #layouts = new LRUCache<string, Kept>({
    maxSize: MOST_OF_ALL,
    sizeCalculation: ({ byId }) => byId.size + 1,
  });
  /** The newest reading of a layout: concurrent requests wait for one another. */
  readonly #reading = new Map<string, Promise<unknown>>();

  /** All stints of a layout as they are now. */
  async of(models: ReadModels, trackId: string, bounds: QueryBounds): Promise<ReadonlyMap<string, StintDocument>> {
    const before = this.#reading.get(trackId);
    const reading = (before ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#read(models, trackId, bounds));
    this.#reading.set(trackId, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(trackId) === reading) this.#reading.delete(trackId);
    }
  }

  /** Reads what has changed since the last time; all where nothing is kept. */
  async #read(models: ReadModels, trackId: string, bounds: QueryBounds): Promise<ReadonlyMap<string, StintDocument>> {
    const namespace = await models.version([]);
    const version = await models.version([stints.collection]);
    const known = this.#layouts.get(trackId);
    if (known?.version === version) return known.byId;
    const isOfNamespace = known?.version.startsWith(`${namespace}.`) === true;
    const kept = isOfNamespace ? known : { version, position: -1, byId: new Map<string, StintDocument>() };
    // What has been written beyond the checkpoint may not be all yet: it is read again the next time.
    const position = (await models.checkpoint()) ?? -1;
    const where = { trackId, _position: { from: kept.position + 1 } };
    const { signal, visits } = bounds;
    const options = { where, ...(signal && { signal }), ...(visits && { visits }) };
    for await (const batch of streamAll(models, stints, options)) {
      for (const stint of batch) kept.byId.set(stint.id, stint);
    }
    kept.version = version;
    kept.position = position;
    this.#layouts.set(trackId, kept);
    return kept.byId;
  }
}

const keptBy = new WeakMap<ReadModels, KeptStints>();

/**
 * The stints of a layout on some days of UTC (null: without end on that side), and possibly others. Those of a layout with
 * up to `MOST_OF_ONE` are kept in memory, and only what has changed is read; of a larger one, those of the days are read.
 * @throws {OverBudget} where these are too many
 */
export async function* stintsOf(
  models: ReadModels,
  trackId: string,
  days: { readonly from: string | null; readonly to: string | null },
  bounds: QueryBounds,
): AsyncGenerator<Iterable<StintDocument>> {
  if ((await models.count(stints.collection, { trackId })) <= MOST_OF_ONE) {
    const kept = keptBy.get(models) ?? new KeptStints();
    keptBy.set(models, kept);
    yield (await kept.of(models, trackId, bounds)).values();
    return;
  }
  // The day after the last one sorts before this text.
  const range = { from: days.from ?? '', to: days.to === null ? '~' : `${days.to}~` };
  for await (const batch of streamAll(models, stints, { where: { trackId, day: range }, ...bounds })) yield batch;
}
