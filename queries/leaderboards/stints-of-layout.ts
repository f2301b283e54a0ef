import { LRUCache } from 'lru-cache';
import { stints, type StintDocument } from '../../projections/leaderboards/stints.ts';
import { laps } from '../../projections/laps.ts';
import { findSome, streamAll } from '../../src/domain/documents.ts';
import { createYielder } from '../../src/runtime/give-way.ts';
import type { QueryBounds, ReadModels } from '../../src/kernel/ports/read-store.ts';
import { sumOf, type Portion } from './portions.ts';

/** Most stints of a layout that are kept in memory, and most of all layouts; each takes 1 to 2 kB. */
const MOST_OF_ONE = 50_000;
const MOST_OF_ALL = 100_000;

/** Stints that are read in one step of about 5 ms. */
const PAGE = 250;

/**
 * Time, in ms, that other work gets between these steps, at most: beside a projector with a backlog, ten turns of the event
 * loop take twice as long, and the deadline of the request would come first.
 */
const GIVEN_MS = 50;

/** Most changes that a layout remembers, for boards that have not followed them yet. */
const MOST_CHANGES = 20_000;

/** The stints of a driver on a layout, or those with one car, and the sums of all of them. */
export interface StintGroup extends Portion {
  readonly stints: readonly StintDocument[];
  /** Moments of the first and the last lap, ISO 8601: none of them was ever driven before or after. */
  readonly drivenFrom: string;
  readonly drivenTo: string;
  /** ms: none of them is shorter, or ever was. */
  readonly least: number;
  readonly eventIds: readonly string[];
  /** All rigs that one of them was ever driven on. */
  readonly rigs: readonly string[];
}

/** The stints of a driver that have laps. */
interface DriverGroups {
  readonly all: StintGroup;
  readonly byCar: ReadonlyMap<string, StintGroup>;
}

function groupOf(some: readonly StintDocument[]): StintGroup {
  let drivenFrom = '~';
  let drivenTo = '';
  let least = Infinity;
  const eventIds = new Set<string>();
  const rigs = new Set<string>();
  for (const stint of some) {
    if (stint.drivenFrom < drivenFrom) drivenFrom = stint.drivenFrom;
    if (stint.drivenTo > drivenTo) drivenTo = stint.drivenTo;
    least = Math.min(least, stint.least);
    eventIds.add(stint.eventId);
    for (const rig of stint.rigs) rigs.add(rig);
  }
  return { ...sumOf(some), stints: some, drivenFrom, drivenTo, least, eventIds: [...eventIds], rigs: [...rigs] };
}

function groupsOf(some: Iterable<StintDocument>): DriverGroups {
  const driven: StintDocument[] = [];
  const byCar = new Map<string, StintDocument[]>();
  for (const stint of some) {
    if (stint.laps === 0) continue;
    driven.push(stint);
    const known = byCar.get(stint.car);
    if (known === undefined) byCar.set(stint.car, [stint]);
    else known.push(stint);
  }
  const groups = new Map<string, StintGroup>();
  for (const [car, ofCar] of byCar) groups.set(car, groupOf(ofCar));
  return { all: groupOf(driven), byCar: groups };
}

/** The stints of a layout, by their drivers. */
export class LayoutStints {
  /** Stands for this object where something is kept that must not keep it. */
  readonly identity = Symbol('stints of a layout');
  /** Whether the next request finds this object. */
  readonly isKept: boolean;
  readonly #byDriver = new Map<string, Map<string, StintDocument>>();
  /** Those of drivers whose stints have not changed since they were asked for. */
  readonly #groups = new Map<string, DriverGroups>();
  readonly #eventIds = new Set<string>();
  readonly #rigIds = new Set<string>();
  /** The drivers of the newest changes. */
  #changes: string[] = [];
  /** Number of the first of these changes. */
  #firstChange = 0;
  #size = 0;

  constructor(isKept: boolean) {
    this.isKept = isKept;
  }

  get size(): number {
    return this.#size;
  }

  /** Every driver who has stints. */
  get participantIds(): Iterable<string> {
    return this.#byDriver.keys();
  }

  /** Every event, and every rig, that a stint is of or was of. */
  get eventIds(): ReadonlySet<string> {
    return this.#eventIds;
  }

  get rigIds(): ReadonlySet<string> {
    return this.#rigIds;
  }

  /** How many changes there have been. */
  get changed(): number {
    return this.#firstChange + this.#changes.length;
  }

  of(participantId: string): DriverGroups {
    const known = this.#groups.get(participantId);
    if (known !== undefined) return known;
    const groups = groupsOf(this.#byDriver.get(participantId)?.values() ?? []);
    this.#groups.set(participantId, groups);
    return groups;
  }

  put(stint: StintDocument): void {
    const { id, participantId, eventId, rigs } = stint;
    let own = this.#byDriver.get(participantId);
    if (own === undefined) {
      own = new Map();
      this.#byDriver.set(participantId, own);
    }
    if (!own.has(id)) this.#size += 1;
    own.set(id, stint);
    this.#groups.delete(participantId);
    this.#eventIds.add(eventId);
    for (const rig of rigs) this.#rigIds.add(rig);
    this.#changes.push(participantId);
    if (this.#changes.length < 2 * MOST_CHANGES) return;
    this.#changes = this.#changes.slice(MOST_CHANGES);
    this.#firstChange += MOST_CHANGES;
  }

  /** The drivers whose stints have changed since there were so many changes; null: that is no longer known. */
  changedSince(changed: number): Set<string> | null {
    if (changed < this.#firstChange) return null;
    return new Set(this.#changes.slice(changed - this.#firstChange));
  }
}

/** The stints of a layout in memory, and how far they have been read. */
class KeptLayout {
  readonly stints = new LayoutStints(true);
  /** The version of the namespace that they are of. */
  readonly namespace: string;
  /** The version of stints and laps when they were last read to the end; null: they never were. */
  version: string | null = null;
  /** Up to this position, all events are reflected. */
  position = -1;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  /**
   * Reads what has changed since the last time, in the order of positions: what moves meanwhile comes later. Where it is
   * aborted, the next reading goes on from there.
   */
  async read(models: ReadModels, trackId: string, { signal, visits }: QueryBounds): Promise<void> {
    // Boards read laps, too. Where an event has changed these and not yet its stint, that is read again with the next one.
    const version = await models.version([stints.collection, laps.collection]);
    if (this.version === version) return;
    // What has been written beyond the checkpoint may not be all yet: it is read again the next time.
    const checkpoint = (await models.checkpoint()) ?? -1;
    const sort = { field: '_position', direction: 'asc' } as const;
    const step = createYielder(signal, GIVEN_MS);
    let from = this.position + 1;
    let limit = PAGE;
    while (true) {
      const where = { trackId, _position: { from } };
      const page = await findSome(models, stints, { where, sort, offset: 0, limit, ...(visits && { visits }) });
      for (const stint of page) this.stints.put(stint);
      const last = page.at(-1)?._position ?? from;
      // The others at the position of the last one are still to come.
      this.position = Math.max(this.position, Math.min(checkpoint, last - 1));
      if (page.length < limit) break;
      limit = last === from ? limit * 2 : PAGE;
      from = last;
      signal?.throwIfAborted();
      await step();
    }
    this.position = Math.max(this.position, checkpoint);
    this.version = version;
  }
}

class KeptLayouts {
  readonly #layouts = new LRUCache<string, KeptLayout>({
    maxSize: MOST_OF_ALL,
    sizeCalculation: ({ stints: { size } }) => size + 1,
  });
  /** The newest work on a layout: one waits for the other. */
  readonly #working = new Map<string, Promise<unknown>>();

  /** Runs work on the stints of a layout as they are now, while no other work on them runs. */
  async run<T>(
    models: ReadModels,
    trackId: string,
    bounds: QueryBounds,
    work: (layout: LayoutStints) => Promise<T>,
  ): Promise<T> {
    const before = this.#working.get(trackId);
    const working = (before ?? Promise.resolve())
      .catch(() => undefined)
      .then(async () => {
        const { stints: current } = await this.#read(models, trackId, bounds);
        return work(current);
      });
    this.#working.set(trackId, working);
    try {
      return await working;
    } finally {
      if (this.#working.get(trackId) === working) this.#working.delete(trackId);
    }
  }

  async #read(models: ReadModels, trackId: string, bounds: QueryBounds): Promise<KeptLayout> {
    bounds.signal?.throwIfAborted();
    const namespace = await models.version([]);
    const known = this.#layouts.get(trackId);
    const layout = known?.namespace === namespace ? known : new KeptLayout(namespace);
    try {
      await layout.read(models, trackId, bounds);
    } finally {
      // It is weighed only when it is new in the cache.
      this.#layouts.delete(trackId);
      this.#layouts.set(trackId, layout);
    }
    return layout;
  }
}

const keptBy = new WeakMap<ReadModels, KeptLayouts>();

/**
 * Runs work on the stints of a layout on some days of UTC (null: without end on that side), and possibly on others. Those
 * of a layout with up to `MOST_OF_ONE` are kept in memory, and only what has changed is read; of a larger one, those of the
 * days are read each time.
 * @throws {OverBudget} where these are too many
 */
export async function withStintsOf<T>(
  models: ReadModels,
  trackId: string,
  days: { readonly from: string | null; readonly to: string | null },
  bounds: QueryBounds,
  work: (layout: LayoutStints) => Promise<T>,
): Promise<T> {
  if ((await models.count(stints.collection, { trackId })) <= MOST_OF_ONE) {
    const kept = keptBy.get(models) ?? new KeptLayouts();
    keptBy.set(models, kept);
    return kept.run(models, trackId, bounds, work);
  }
  // The day after the last one sorts before this text.
  const range = { from: days.from ?? '', to: days.to === null ? '~' : `${days.to}~` };
  const found = new LayoutStints(false);
  for await (const batch of streamAll(models, stints, { where: { trackId, day: range }, ...bounds })) {
    for (const stint of batch) found.put(stint);
  }
  return work(found);
}
