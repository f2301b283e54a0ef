import type { Delivery, EventStore, Position, RecordedEvent } from '../../service/kernel/ports/event-store.ts';
import { dispatch, handlersByType } from '../../service/kernel/projection/dispatch.ts';
import type { Project, Projection } from '../../service/kernel/projection/projection.ts';
import type { JsonObject } from '../../service/kernel/json.ts';
import type { ReadModels } from '../../service/kernel/ports/read-store.ts';
import { isAfter, type Bound } from '../history/bounds.ts';
import { checkEffects } from './check-effects.ts';
import type { SharedReplayState } from './shared-state.ts';
import { ReplayRefused } from './refused.ts';
import { ReplayUnitOfWork } from './unit-of-work.ts';

/** Longest time between two commits, in ms: the work that a kill costs at most. */
const COMMIT_EVERY_MS = 5_000;

/** Thrown in place of a handler's call once the replay has to stop: a slow module may still have 256 events to do. */
const STOPPED = new Error('the replay was stopped');

/** Smaller than every position. */
const BEFORE_ALL = -1;

/** Options of a replay. */
export interface ReplayOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly models: Pick<ReadModels, 'get' | 'find' | 'apply' | 'checkpoint'>;
  readonly projections: readonly Projection[];
  /** Null: up to the newest event. */
  readonly until: Bound | null;
  /** Whether to go on with new events after the newest. */
  readonly follow: boolean;
  /** Where the replay reports what it is doing. */
  readonly state: SharedReplayState;
  readonly signal: AbortSignal;
  /** Called at the start with the checkpoint and the position of the newest event; null where there is none. */
  readonly onStart: (from: Position | null, head: Position | null) => void;
  /** Called when all events so far have been committed; with `follow`, again after each further commit. */
  readonly onCaughtUp: () => Promise<void>;
}

/** Result of a replay. */
export interface ReplayResult {
  /** False when it was stopped before the end. */
  readonly complete: boolean;
  readonly checkpoint: Position | null;
}

/**
 * Runs projections over the history, starting after the checkpoint of the read models. The event store is only read.
 * @throws {PoisonEvent} for the first event that a projection fails on.
 * @throws {ReplayRefused} when the documents were made from another history.
 * @throws {StoreUnavailable}
 */
export async function replay(options: ReplayOptions): Promise<ReplayResult> {
  return new Replay(options).run();
}

class Replay {
  readonly #options: ReplayOptions;
  readonly #unit: ReplayUnitOfWork;
  readonly #handlers: ReturnType<typeof handlersByType>;
  #checkpoint: Position | null = null;
  #reached: Position | null = null;
  #committedAt = performance.now();
  #stopped = false;
  /** Position at which `onCaughtUp` was last called. */
  #deliveredUpTo: Position | null = null;

  constructor(options: ReplayOptions) {
    const { projections, state, models } = options;
    this.#options = options;
    this.#handlers = handlersByType(projections.map((projection) => monitored(projection, state)));
    const get: ReadModels['get'] = (collection, id) => state.withoutTimeout(() => models.get(collection, id));
    const find: ReadModels['find'] = (collection, query) => state.withoutTimeout(() => models.find(collection, query));
    const apply: ReadModels['apply'] = (changes, checkpoint) => models.apply(changes, checkpoint);
    this.#unit = new ReplayUnitOfWork(
      { get, find, apply },
      projections.map(({ model }) => model.collection),
    );
  }

  async run(): Promise<ReplayResult> {
    const { store, models, follow, onStart, onCaughtUp } = this.#options;
    const head = await store.head();
    const checkpoint = await models.checkpoint();
    if (checkpoint !== null && checkpoint > (head ?? BEFORE_ALL)) {
      throw new ReplayRefused(`the documents are at position ${checkpoint}, past the newest event (${head ?? 'none'})`);
    }
    [this.#checkpoint, this.#reached] = [checkpoint, checkpoint];
    onStart(checkpoint, head);
    const target = follow ? Infinity : (head ?? BEFORE_ALL);
    const complete = (checkpoint ?? BEFORE_ALL) >= target || (await this.#readTo(target));
    await this.#commit();
    // A replay that followed the history and was stopped writes its last state, too.
    if (complete || (this.#deliveredUpTo !== null && this.#deliveredUpTo !== this.#reached)) await onCaughtUp();
    return { complete, checkpoint: this.#checkpoint };
  }

  /** Reads up to the target or the bound; false when it was stopped before. */
  async #readTo(target: Position): Promise<boolean> {
    const { store, signal, follow } = this.#options;
    for await (const delivery of store.subscribe(this.#checkpoint, [...this.#handlers.keys()], signal)) {
      const isPastBound = await this.#dispatch(delivery);
      if (this.#stopped) return false;
      if (isPastBound || delivery.upTo >= target) return true;
      if (this.#unit.full || performance.now() - this.#committedAt > COMMIT_EVERY_MS) await this.#commit();
      if (follow && delivery.caughtUp) await this.#deliver();
    }
    return false;
  }

  async #deliver(): Promise<void> {
    if (this.#deliveredUpTo !== null && this.#deliveredUpTo === this.#reached) return;
    await this.#commit();
    await this.#options.onCaughtUp();
    this.#deliveredUpTo = this.#reached;
  }

  /** Hands a batch to the handlers; true when the bound has been reached. */
  async #dispatch({ events, upTo }: Delivery): Promise<boolean> {
    const { until, state } = this.#options;
    const end = until === null ? -1 : events.findIndex((event) => isAfter(event, until));
    const wanted = end < 0 ? events : events.slice(0, end);
    const poison = await dispatch(wanted, { handlers: this.#handlers, unit: this.#unit });
    state.idle();
    if (poison !== null) {
      if (poison.cause !== STOPPED) throw poison;
      this.#stopBefore(wanted, poison.event);
      return false;
    }
    // The checkpoint must not pass the bound: a later run may go on to a later one.
    this.#reached = end < 0 ? withinBound(upTo, until) : (wanted.at(-1)?.position ?? this.#reached);
    state.advance(wanted.length, this.#reached ?? 0);
    return end >= 0 || (until?.kind === 'position' && upTo >= until.position);
  }

  #stopBefore(events: readonly RecordedEvent[], event: RecordedEvent): void {
    const done = events.slice(0, events.indexOf(event));
    this.#reached = done.at(-1)?.position ?? this.#reached;
    this.#options.state.advance(done.length, this.#reached ?? 0);
    this.#stopped = true;
  }

  async #commit(): Promise<void> {
    if (this.#reached === null || this.#reached === this.#checkpoint) return;
    await this.#unit.commit(this.#reached);
    this.#checkpoint = this.#reached;
    this.#committedAt = performance.now();
  }
}

function withinBound(upTo: Position, until: Bound | null): Position {
  return until?.kind === 'position' ? Math.min(upTo, until.position) : upTo;
}

/** The same projection, which reports each event to `state` before it is handled, and whose effects are checked. */
function monitored(projection: Projection, state: SharedReplayState): Projection {
  const monitor =
    (run: Project<JsonObject>): Project<JsonObject> =>
    (event, ...reading) => {
      if (state.stopped) throw STOPPED;
      state.startEvent(event.recorded);
      const effects = run(event, ...reading);
      return effects instanceof Promise ? effects.then(checkEffects) : checkEffects(effects);
    };
  return { ...projection, on: new Map([...projection.on].map(([type, run]) => [type, monitor(run)])) };
}
