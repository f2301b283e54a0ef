import { lapEvents, laps } from '../../../projections/all.ts';
import { dispatch, handlersByType, createUnitOfWork } from '../../kernel/projection/unit-of-work.ts';
import type { UnitOfWork } from '../../kernel/projection/unit-of-work.ts';
import type { Project, Projection, ReadModel } from '../../kernel/projection/projection.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { EventStore, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { LineageCheck } from '../../kernel/projection/lineage.ts';
import { REPLACEABLE_EVENTS } from '../../service/resources/built-in.ts';
import type { Document, ReadModels } from '../../kernel/ports/read-store.ts';
import { within, type Bound } from '../history/bounds.ts';
import { checkEffects } from './check-effects.ts';
import { withOwnNames } from './lap-names.ts';
import { isOfHistory } from './namespace.ts';
import { ReplayRefused } from './refused.ts';

/** Longest time between two commits, in ms: the most work that a kill costs. */
const COMMIT_EVERY_MS = 5_000;

/** Pending changes that cause a commit: looking up a document that is not cached goes through all of them. */
const MAX_PENDING_CHANGES = 1_000;

/** Smaller than every position. */
const BEFORE_ALL = -1;

export interface ProjectOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly models: Pick<ReadModels, 'get' | 'stream' | 'apply' | 'checkpoint'>;
  readonly projections: readonly Projection[];
  /** Checks that the documents were made from this history, and says in each commit from which. */
  readonly lineage: LineageCheck;
  /** Null: up to the newest event. */
  readonly until: Bound | null;
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Called before an event is handed to the projections, which wait for it. */
  readonly onEvent?: ((event: RecordedEvent) => void | Promise<void>) | undefined;
  /** Called at the start without events, then with the events of each batch; `share` is an estimate from 0 to 1. */
  readonly onProjected: (events: readonly RecordedEvent[], share: number) => void;
  /** Called when all events so far have been committed; with `follow`, again after each further commit. */
  readonly onCaughtUp: () => Promise<void>;
}

/**
 * Runs projections over the history, starting after the checkpoint of the read models. The event store is only read.
 * @throws {PoisonEvent} for the first event that a projection fails on.
 * @throws {ReplayRefused} when the documents were made from another history.
 * @throws {StoreUnavailable}
 */
export async function project(options: ProjectOptions) {
  return new HistoryProjector(options).run();
}

class HistoryProjector {
  readonly #options: ProjectOptions;
  readonly #unit: UnitOfWork;
  readonly #handlers: ReturnType<typeof handlersByType>;
  #pendingChanges = 0;
  #committedAt = performance.now();
  #checkpoint: Position | null = null;
  #reached: Position | null = null;
  /** The last event since the last commit that will always be there. */
  #newest: RecordedEvent | null = null;
  /** Position at which `onCaughtUp` was last called. */
  #deliveredUpTo: Position | null = null;
  #range: { readonly from: Position; readonly head: Position } = { from: 0, head: 0 };

  constructor(options: ProjectOptions) {
    const { projections, models } = options;
    this.#options = options;
    this.#handlers = handlersByType(projections.map(withCheckedEffects));
    const unit = createUnitOfWork(models);
    const add: UnitOfWork['add'] = (...changes) => {
      this.#pendingChanges += changes.length;
      unit.add(...changes);
    };
    this.#unit = { ...unit, add, ...readsOf(unit, projections) };
  }

  /** `complete`: false when it was stopped before the end. */
  async run() {
    const { store, models, lineage, signal, follow, onProjected, onCaughtUp } = this.#options;
    // Also after a store that was away is back: it may have been restored.
    if (!(await isOfHistory(models, lineage, signal)))
      throw new ReplayRefused('the documents were made from events that this history does not have');
    const head = (await store.head()) ?? BEFORE_ALL;
    const from = await models.checkpoint();
    this.#checkpoint = from;
    this.#reached = from;
    this.#range = { from: from ?? 0, head };
    onProjected([], this.#share());
    const target = follow ? Infinity : head;
    const complete = (from ?? BEFORE_ALL) >= target || (await this.#readTo(target));
    await this.#commit();
    // With `follow`, the last commit is delivered too when the replay was stopped.
    if (complete || (this.#deliveredUpTo !== null && this.#deliveredUpTo !== this.#reached)) await onCaughtUp();
    return { complete, checkpoint: this.#checkpoint };
  }

  /** Reads up to the target or the bound; false when it was stopped before. */
  async #readTo(target: Position): Promise<boolean> {
    const { store, signal, follow, until, onProjected } = this.#options;
    const lastBound = until?.kind === 'position' ? until.position : Infinity;
    const deliveries = store.subscribe(this.#checkpoint, [...this.#handlers.keys()], signal);
    for await (const { events, upTo, caughtUp } of deliveries) {
      const wanted = within(events, until);
      const done = await this.#projectEvents(wanted);
      // The checkpoint must not pass the bound: a later run may continue to a later one.
      if (done === events.length) this.#reached = Math.min(upTo, lastBound);
      onProjected(wanted.slice(0, done), this.#share());
      if (done < wanted.length) return false;
      if (wanted.length < events.length || upTo >= Math.min(target, lastBound)) return true;
      const isDue = performance.now() - this.#committedAt > COMMIT_EVERY_MS;
      if (isDue || this.#pendingChanges >= MAX_PENDING_CHANGES) await this.#commit();
      if (follow && caughtUp) await this.#deliver();
    }
    return false;
  }

  /** Projects events one by one until it is stopped; how many. */
  async #projectEvents(events: readonly RecordedEvent[]): Promise<number> {
    const { signal, onEvent } = this.#options;
    for (const [done, event] of events.entries()) {
      if (!signal.aborted) await onEvent?.(event);
      if (signal.aborted) return done;
      const poison = await dispatch([event], { handlers: this.#handlers, unit: this.#unit });
      if (poison !== null) throw poison;
      this.#reached = event.position;
      if (!REPLACEABLE_EVENTS.has(event.type)) this.#newest = event;
    }
    return events.length;
  }

  async #deliver(): Promise<void> {
    if (this.#deliveredUpTo !== null && this.#deliveredUpTo === this.#reached) return;
    await this.#commit();
    await this.#options.onCaughtUp();
    this.#deliveredUpTo = this.#reached;
  }

  async #commit(): Promise<void> {
    if (this.#reached === null || this.#reached === this.#checkpoint) return;
    if (this.#newest !== null) this.#unit.add(...(await this.#options.lineage.changes([this.#newest])));
    await this.#unit.commit(this.#reached);
    this.#newest = null;
    this.#checkpoint = this.#reached;
    this.#pendingChanges = 0;
    this.#committedAt = performance.now();
  }

  #share(): number {
    const { from, head } = this.#range;
    return head <= from ? 1 : Math.min(1, ((this.#reached ?? 0) - from) / (head - from));
  }
}

/** The same projection; what its handlers return is checked. */
function withCheckedEffects(projection: Projection): Projection {
  const checked =
    (run: Project<JsonObject>): Project<JsonObject> =>
    (event, ...reads) => {
      if (event.recorded.type in lapEvents) withOwnNames(event.data);
      const effects = run(event, ...reads);
      return effects instanceof Promise ? effects.then(checkEffects) : checkEffects(effects);
    };
  return { ...projection, on: new Map([...projection.on].map(([type, run]) => [type, checked(run)])) };
}

/** Reads that throw for a table that none of the projections keeps, and for a lap's field by another name. */
function readsOf(unit: UnitOfWork, projections: readonly Projection[]): Pick<UnitOfWork, 'lookup' | 'find'> {
  const kept = new Set(projections.map(({ model }) => model.collection));
  const requireKept = ({ collection }: ReadModel<never>): void => {
    if (kept.has(collection)) return;
    throw new TypeError(
      `it looks up ${collection}, but no projection of the module keeps them: ` +
        'add ...lookUps (or lapsProjection) to the default export',
    );
  };
  const checked = <D extends Document | null>(document: D): D =>
    document === null ? document : withOwnNames(document);
  return {
    lookup(model, id) {
      requireKept(model);
      const found = unit.lookup(model, id);
      if (model.collection !== laps.collection) return found;
      return found instanceof Promise ? found.then(checked) : checked(found);
    },
    async *find(model, where) {
      requireKept(model);
      for await (const batch of unit.find(model, where)) yield batch.map(checked);
    },
  };
}
