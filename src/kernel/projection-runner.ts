import { idOf, streamOf } from './aggregate.ts';
import { StoreUnavailable } from './errors.ts';
import type { Delivery, EventStore, Position, RecordedEvent } from './event-store.ts';
import { UnknownEvent, upcast } from './event-types.ts';
import type { JsonObject } from './json.ts';
import { createMilestones, type Progress } from './progress.ts';
import type { Effect, Project, Projection } from './projection.ts';
import type { Change, Collection, ReadModels } from './read-store.ts';
import { pause, type Clock } from './time.ts';
import { createUnitOfWork, type UnitOfWork } from './unit-of-work.ts';

/** First and longest pause, in ms, before a group that lost a store goes on from its checkpoint. */
const RETRY_MS = { first: 50, longest: 5_000 } as const;

/** An event that a handler could not digest: the group stops here rather than skip it. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;

  constructor(event: RecordedEvent, cause: unknown) {
    super(`${event.type} at position ${event.position} of ${event.stream} could not be projected`, { cause });
    this.event = event;
  }
}

/** What a group is doing, for health and metrics. */
export interface RunnerStatus {
  /** `stopped` after a poison event or the end of the run; `retrying` while a store is away. */
  readonly state: 'idle' | 'running' | 'retrying' | 'stopped';
  readonly checkpoint: Position | null;
  /** When the newest event that was projected happened, ISO 8601; null before the first. */
  readonly lastEventAt: string | null;
  /** Whether the head of the store has been reached since the run began: before, the documents may be of long ago. */
  readonly caughtUp: boolean;
  readonly error: Error | null;
}

/** Projects one group, and tells how far it has come. */
export interface Runner extends Progress {
  /** Projects until `signal` aborts or a poison event comes; resolves in both cases, the status tells which. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly status: () => RunnerStatus;
}

/** What a runner needs. */
export interface RunnerOptions {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly models: Pick<ReadModels, 'get' | 'apply' | 'checkpoint'>;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  /** Told of each batch (events, ms spent) and each setback; for metrics and the log. */
  readonly onBatch?: (events: number, ms: number) => void;
  readonly onError?: (error: Error) => void;
}

/** The collections that a group writes. */
export function collectionsOf(projections: readonly Projection[]): readonly Collection[] {
  return projections.map(({ model }) => ({ name: model.collection, indexes: model.indexes }));
}

/** Makes the runner of one projection group. */
export function createProjectionRunner(options: RunnerOptions): Runner {
  const { store, models, clock, onError } = options;
  const milestones = createMilestones(clock, null);
  const handlers = handlersByType(options.projections);
  const types = [...handlers.keys()];
  const unit = createUnitOfWork(models);
  let status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };

  async function commit(upTo: Position, progressed: Pick<RunnerStatus, 'lastEventAt' | 'caughtUp'>): Promise<void> {
    await unit.commit(upTo);
    status = { state: 'running', checkpoint: upTo, ...progressed, error: null };
    milestones.advance(upTo);
  }

  async function deliver({ events, upTo, caughtUp }: Delivery): Promise<void> {
    const started = clock.now();
    let { lastEventAt } = status;
    for (const event of events) {
      try {
        for (const change of await changesOf(event, { handlers, unit })) unit.add(change);
      } catch (error) {
        // What came before the poison is as good as ever.
        if (error instanceof PoisonEvent) await commit(event.position - 1, { lastEventAt, caughtUp: status.caughtUp });
        throw error;
      }
      lastEventAt = event.metadata.occurredAt;
    }
    await commit(upTo, { lastEventAt, caughtUp: status.caughtUp || caughtUp });
    options.onBatch?.(events.length, clock.now() - started);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    unit.reset();
    const checkpoint = await models.checkpoint();
    if (checkpoint !== null) milestones.advance(checkpoint);
    status = { ...status, state: 'running', checkpoint };
    for await (const delivery of store.subscribe(checkpoint, types, signal)) await deliver(delivery);
  }

  return {
    position: milestones.position,
    reached: milestones.reached,
    status: () => status,
    async run(signal) {
      for (let wait: number = RETRY_MS.first; !signal.aborted; wait = Math.min(wait * 2, RETRY_MS.longest)) {
        const before = milestones.position();
        try {
          await follow(signal);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          status = { ...status, state: error instanceof StoreUnavailable ? 'retrying' : 'stopped', error };
          onError?.(error);
          if (status.state === 'stopped') break;
        }
        if (milestones.position() !== before) wait = RETRY_MS.first;
        await pause(clock, wait, signal);
      }
      status = { ...status, state: 'stopped' };
      milestones.stop();
    },
  };
}

interface Handler {
  readonly projection: Projection;
  readonly run: Project<JsonObject>;
}

function handlersByType(projections: readonly Projection[]): ReadonlyMap<string, readonly Handler[]> {
  const byType = new Map<string, Handler[]>();
  for (const projection of projections) {
    for (const [type, run] of projection.on) {
      const handlers = byType.get(type);
      if (handlers === undefined) byType.set(type, [{ projection, run }]);
      else handlers.push({ projection, run });
    }
  }
  return byType;
}

interface Projecting {
  readonly handlers: ReadonlyMap<string, readonly Handler[]>;
  readonly unit: UnitOfWork;
}

/** What an event changes: every handler sees the documents as they were before it. */
async function changesOf(event: RecordedEvent, { handlers, unit }: Projecting): Promise<readonly Change[]> {
  const { stream, metadata } = event;
  const id = idOf(stream);
  const changes: Change[] = [];
  for (const { projection, run } of handlers.get(event.type) ?? []) {
    try {
      const data = upcast(projection.events, event);
      const result = run({ data, id, at: metadata.occurredAt, recorded: event }, unit.look);
      const effect = result instanceof Promise ? await result : result;
      const change = toChange(effect, projection, event);
      if (change !== null) changes.push(change);
    } catch (error) {
      if (error instanceof StoreUnavailable && !(error instanceof UnknownEvent)) throw error;
      throw new PoisonEvent(event, error);
    }
  }
  return changes;
}

/**
 * The change that an effect stands for. An event of the document's own stream moves its revision even when nothing else
 * changes.
 */
function toChange(
  result: Effect | null,
  { model: { collection, category } }: Projection,
  event: RecordedEvent,
): Change | null {
  const { stream, revision, position } = event;
  const effect =
    result ??
    (stream.startsWith(streamOf(category, '')) ? ({ kind: 'set', id: idOf(stream), fields: {} } as const) : null);
  if (effect === null) return null;
  if (effect.kind === 'setWhere') return { ...effect, collection, position };
  const own = stream === streamOf(category, effect.id) ? { revision } : {};
  if (effect.kind !== 'insert') return { ...effect, collection, position, ...own };
  return {
    kind: 'insert',
    collection,
    document: { id: effect.id, ...effect.fields, _position: position, _revision: own.revision ?? 0 },
  };
}
