import type { Delivery, EventStore, Position } from '../kernel/event-store.ts';
import { digest, handlersByType } from '../kernel/projecting.ts';
import type { Project, Projection } from '../kernel/projection.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { ReadModels } from '../kernel/read-store.ts';
import { isAfter, type Bound } from './bounds.ts';
import type { Place } from './place.ts';
import { ReplayRefused } from './refused.ts';
import { ReplayUnit } from './unit.ts';

/** What a kill costs at most, in ms of work, unless there are many changes. */
const COMMIT_EVERY_MS = 5_000;

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
  readonly events: number;
  readonly checkpoint: Position | null;
  /** When the newest of the events happened, ISO 8601; null when there was none. */
  readonly lastEventAt: string | null;
}

/**
 * Runs projections over the history, from the checkpoint of the models on, and only reads the event store.
 * @throws {PoisonEvent} for the first event that they cannot digest.
 * @throws {ReplayRefused} when the documents were made of another history.
 * @throws {StoreUnavailable}
 */
export async function replay(options: ReplayOptions): Promise<Replayed> {
  const run = new Run(options);
  await run.toEnd();
  return run.result();
}

class Run {
  readonly #options: ReplayOptions;
  readonly #unit: ReplayUnit;
  readonly #handlers: ReturnType<typeof handlersByType>;
  #events = 0;
  #checkpoint: Position | null = null;
  #reached: Position | null = null;
  #lastEventAt: string | null = null;
  #committedAt = performance.now();
  #over = false;

  constructor(options: ReplayOptions) {
    const { projections, place, models } = options;
    this.#options = options;
    this.#handlers = handlersByType(projections.map((projection) => watched(projection, place)));
    this.#unit = new ReplayUnit(models, projections.map(({ model }) => model.collection));
  }

  result(): Replayed {
    return {
      complete: this.#over, events: this.#events, checkpoint: this.#checkpoint, lastEventAt: this.#lastEventAt,
    };
  }

  async toEnd(): Promise<void> {
    const { store, models, signal, follow, onStart, onHead } = this.#options;
    const [head, checkpoint] = [await store.head(), await models.checkpoint()];
    if (checkpoint !== null && checkpoint > (head ?? 0)) {
      throw new ReplayRefused(`the documents are at position ${checkpoint}, past the newest event (${head ?? 'none'})`);
    }
    [this.#checkpoint, this.#reached] = [checkpoint, checkpoint];
    onStart(checkpoint, head);
    const target = head ?? 0;
    if (!follow && (checkpoint ?? 0) >= target) {
      this.#over = true;
    } else {
      for await (const delivery of store.subscribe(checkpoint, [...this.#handlers.keys()], signal)) {
        await this.#take(delivery);
        this.#over ||= !follow && delivery.upTo >= target;
        if (this.#over) break;
        if (follow && delivery.caughtUp) await this.#atHead(onHead);
      }
      // Who follows goes on until told to stop.
      this.#over ||= follow;
    }
    await this.#commit();
    if (this.#over) await onHead();
  }

  async #atHead(onHead: () => Promise<void>): Promise<void> {
    if (this.#reached === this.#checkpoint) return;
    await this.#commit();
    await onHead();
  }

  async #take({ events, upTo }: Delivery): Promise<void> {
    const { until, place } = this.#options;
    const end = until === null ? -1 : events.findIndex((event) => isAfter(event, until));
    const wanted = end < 0 ? events : events.slice(0, end);
    const poison = await digest(wanted, { handlers: this.#handlers, unit: this.#unit });
    place.leave();
    if (poison !== null) throw poison;
    const last = wanted.at(-1);
    this.#lastEventAt = last?.metadata.occurredAt ?? this.#lastEventAt;
    this.#events += wanted.length;
    // Of what comes after the bound nothing is known to be done, be it of no interest now.
    this.#reached = end < 0 ? bounded(upTo, until) : last?.position ?? this.#reached;
    this.#over = end >= 0 || (until?.kind === 'position' && upTo >= until.position);
    place.advance(wanted.length, this.#reached ?? 0);
    if (this.#unit.full || performance.now() - this.#committedAt > COMMIT_EVERY_MS) await this.#commit();
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

/** The same projection, which tells the place what it is at. */
function watched(projection: Projection, place: Place): Projection {
  const watch = (run: Project<JsonObject>): Project<JsonObject> => (event, look) => {
    place.enter(event.recorded);
    return run(event, look);
  };
  return { ...projection, on: new Map([...projection.on].map(([type, run]) => [type, watch(run)])) };
}
