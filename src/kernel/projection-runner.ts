import { StoreUnavailable } from './errors.ts';
import type { Delivery, EventStore, Position } from './event-store.ts';
import { persist, type Attempted } from './persist.ts';
import { digest, handlersByType } from './projecting.ts';
import { createMilestones, type Milestones, type Progress } from './progress.ts';
import type { Projection } from './projection.ts';
import type { Collection, ReadModels } from './read-store.ts';
import type { Clock } from './time.ts';
import { createUnitOfWork } from './unit-of-work.ts';

const RUNNING = { state: 'running', error: null } as const;

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
  /**
   * Projects until `signal` aborts or a poison event comes; resolves in both cases, the status tells which. May be run
   * again.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly status: () => RunnerStatus;
}

/** What a runner needs. */
export interface RunnerOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly models: Pick<ReadModels, 'get' | 'apply' | 'checkpoint'>;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  /** Told of each step; unset: milestones of its own. */
  readonly milestones?: Milestones;
  /** Told of each batch (events, ms spent) and each setback; for metrics and the log. */
  readonly onBatch?: (events: number, ms: number) => void;
  readonly onError?: (error: Error) => void;
}

/** The collections that a group writes. */
export function collectionsOf(projections: readonly Projection[]): readonly Collection[] {
  return projections.map(({ model }) => ({ name: model.collection, indexes: model.indexes }));
}

/** Documents that know more than the events were made of other events, before a restore or in another store. */
async function expectOneHistory(store: Pick<EventStore, 'head'>, checkpoint: Position): Promise<void> {
  const head = await store.head();
  if (head !== null && head >= checkpoint) return;
  throw new Error(
    `the read models are at position ${checkpoint}, past the newest event (${head ?? 'there is none'}): ` +
      'they belong to another history; drop them, and they are built anew',
  );
}

/** Makes the runner of one projection group. */
export function createProjectionRunner(options: RunnerOptions): Runner {
  const { store, models, clock, onError } = options;
  const milestones = options.milestones ?? createMilestones(clock, null);
  const handlers = handlersByType(options.projections);
  const types = [...handlers.keys()];
  const unit = createUnitOfWork(models);
  let status: RunnerStatus = { state: 'idle', checkpoint: null, lastEventAt: null, caughtUp: false, error: null };

  async function deliver({ events, upTo, caughtUp }: Delivery): Promise<void> {
    const started = clock.now();
    const poison = await digest(events, { handlers, unit });
    // What came before a poison event is as good as ever.
    const reached = poison === null ? upTo : poison.event.position - 1;
    await unit.commit(reached);
    const last = events.findLast(({ position }) => position <= reached);
    const lastEventAt = last?.metadata.occurredAt ?? status.lastEventAt;
    const atHead = status.caughtUp || (caughtUp && poison === null);
    status = { ...RUNNING, checkpoint: reached, lastEventAt, caughtUp: atHead };
    milestones.advance(reached);
    if (poison !== null) throw poison;
    options.onBatch?.(events.length, clock.now() - started);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    unit.reset();
    const checkpoint = await models.checkpoint();
    if (checkpoint !== null) {
      await expectOneHistory(store, checkpoint);
      milestones.advance(checkpoint);
    }
    status = { ...status, state: 'running', checkpoint };
    for await (const delivery of store.subscribe(checkpoint, types, signal)) await deliver(delivery);
  }

  async function attempt(signal: AbortSignal): Promise<Attempted> {
    const before = milestones.position();
    try {
      await follow(signal);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      status = { ...status, state: error instanceof StoreUnavailable ? 'retrying' : 'stopped', error };
      onError?.(error);
      if (status.state === 'stopped') return 'over';
    }
    return milestones.position() === before ? 'nowhere' : 'further';
  }

  return {
    position: milestones.position,
    reached: milestones.reached,
    status: () => status,
    async run(signal) {
      await persist({ clock, signal }, () => attempt(signal));
      status = { ...status, state: 'stopped' };
      milestones.stop();
    },
  };
}
