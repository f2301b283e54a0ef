import type { Delivery, EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import { dispatch, handlersByType } from '../kernel/projection/dispatch.ts';
import type { Project, Projection } from '../kernel/projection/projection.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import { isAfter, type Bound } from '../history/bounds.ts';
import { checked } from './check-effects.ts';
import type { Place } from './shared-state.ts';
import { ReplayRefused } from './refused.ts';
import { ReplayUnit } from './unit-of-work.ts';

/** What a kill costs at most, in ms of work, unless there are many changes. */
const COMMIT_EVERY_MS = 5_000;

/** What handlers end with when the replay is told to stop: a module may be slow, and has up to 256 events at hand. */
const STOP = new Error('told to stop');

/** Before every position. */
const NOTHING = -1;

/** What a replay needs. */
export interface ReplayOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly models: Pick<ReadModels, 'get' | 'apply' | 'checkpoint'>;
  readonly projections: readonly Projection[];
  /** Null: up to the newest event. */
  readonly until: Bound | null;
  /** Whether to go on with events to come. */
  readonly follow: boolean;
  readonly place: Place;
  readonly signal: AbortSignal;
  /** Told of where the replay begins and of the newest event, both null where there is none. */
  readonly onStart: (from: Position | null, head: Position | null) => void;
  /** Called when all that there is has been committed; a replay that follows calls it again when there was more. */
  readonly onHead: () => Promise<void>;
}

/** How far a replay came. */
export interface Replayed {
  /** False when it was told to stop. */
  readonly complete: boolean;
  readonly checkpoint: Position | null;
}

/**
 * Runs projections over the history, from the checkpoint of the models on, and only reads the event store.
 * @throws {PoisonEvent} for the first event that they cannot digest.
 * @throws {ReplayRefused} when the documents were made of another history.
 * @throws {StoreUnavailable}
 */
export async function replay(options: ReplayOptions): Promise<Replayed> {
  return new Run(options).toEnd();
}

class Run {
  readonly #options: ReplayOptions;
  readonly #unit: ReplayUnit;
  readonly #handlers: ReturnType<typeof handlersByType>;
  #checkpoint: Position | null = null;
  #reached: Position | null = null;
  #committedAt = performance.now();
  #stopped = false;
  /** Position of the documents that `onHead` was called for. */
  #delivered: Position | null = null;

  constructor(options: ReplayOptions) {
    const { projections, place, models } = options;
    this.#options = options;
    this.#handlers = handlersByType(projections.map((projection) => watched(projection, place)));
    const get: ReadModels['get'] = (collection, id) => place.away(() => models.get(collection, id));
    const apply: ReadModels['apply'] = (changes, checkpoint) => models.apply(changes, checkpoint);
    this.#unit = new ReplayUnit(
      { get, apply },
      projections.map(({ model }) => model.collection),
    );
  }

  async toEnd(): Promise<Replayed> {
    const { store, models, follow, onStart, onHead } = this.#options;
    const head = await store.head();
    const checkpoint = await models.checkpoint();
    if (checkpoint !== null && checkpoint > (head ?? NOTHING)) {
      throw new ReplayRefused(`the documents are at position ${checkpoint}, past the newest event (${head ?? 'none'})`);
    }
    [this.#checkpoint, this.#reached] = [checkpoint, checkpoint];
    onStart(checkpoint, head);
    const target = follow ? Infinity : (head ?? NOTHING);
    const complete = (checkpoint ?? NOTHING) >= target || (await this.#readTo(target));
    await this.#commit();
    // Who has followed leaves files of the last event, too.
    if (complete || (this.#delivered !== null && this.#delivered !== this.#reached)) await onHead();
    return { complete, checkpoint: this.#checkpoint };
  }

  /** False: told to stop before the target, or the bound, was reached. */
  async #readTo(target: Position): Promise<boolean> {
    const { store, signal, follow } = this.#options;
    for await (const delivery of store.subscribe(this.#checkpoint, [...this.#handlers.keys()], signal)) {
      const isPastBound = await this.#take(delivery);
      if (this.#stopped) return false;
      if (isPastBound || delivery.upTo >= target) return true;
      if (this.#unit.full || performance.now() - this.#committedAt > COMMIT_EVERY_MS) await this.#commit();
      if (follow && delivery.caughtUp) await this.#atHead();
    }
    return false;
  }

  async #atHead(): Promise<void> {
    if (this.#delivered !== null && this.#delivered === this.#reached) return;
    await this.#commit();
    await this.#options.onHead();
    this.#delivered = this.#reached;
  }

  /** True when the bound has been reached. */
  async #take({ events, upTo }: Delivery): Promise<boolean> {
    const { until, place } = this.#options;
    const end = until === null ? -1 : events.findIndex((event) => isAfter(event, until));
    const wanted = end < 0 ? events : events.slice(0, end);
    const poison = await dispatch(wanted, { handlers: this.#handlers, unit: this.#unit });
    place.leave();
    if (poison !== null) {
      if (poison.cause !== STOP) throw poison;
      this.#stopBefore(wanted, poison.event);
      return false;
    }
    // Of what comes after the bound nothing is known to be done, be it of no interest now.
    this.#reached = end < 0 ? bounded(upTo, until) : (wanted.at(-1)?.position ?? this.#reached);
    place.advance(wanted.length, this.#reached ?? 0);
    return end >= 0 || (until?.kind === 'position' && upTo >= until.position);
  }

  #stopBefore(events: readonly RecordedEvent[], event: RecordedEvent): void {
    const done = events.slice(0, events.indexOf(event));
    this.#reached = done.at(-1)?.position ?? this.#reached;
    this.#options.place.advance(done.length, this.#reached ?? 0);
    this.#stopped = true;
  }

  async #commit(): Promise<void> {
    if (this.#reached === null || this.#reached === this.#checkpoint) return;
    await this.#unit.commit(this.#reached);
    this.#checkpoint = this.#reached;
    this.#committedAt = performance.now();
  }
}

function bounded(upTo: Position, until: Bound | null): Position {
  return until?.kind === 'position' ? Math.min(upTo, until.position) : upTo;
}

/** The same projection, which tells the place what it is at, and whose effects have been checked. */
function watched(projection: Projection, place: Place): Projection {
  const watch =
    (run: Project<JsonObject>): Project<JsonObject> =>
    (event, look) => {
      if (place.stopped) throw STOP;
      place.enter(event.recorded);
      const effects = run(event, look);
      return effects instanceof Promise ? effects.then(checked) : checked(effects);
    };
  return { ...projection, on: new Map([...projection.on].map(([type, run]) => [type, watch(run)])) };
}
