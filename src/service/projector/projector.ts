import { BUILT_IN_VERSION } from '../resources/built-in.ts';
import { UnknownEvent } from '../../kernel/event-types.ts';
import { Lease, type LeaseStatus } from '../../kernel/lease.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import { createCheckpointPoller, type CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import type { RunnerStatus } from '../../kernel/projection/projection-runner.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import type { ProjectionStores } from './generations.ts';
import { AlreadyRunning } from './exclusive-job.ts';
import type { GenerationEvents } from './generation-runner.ts';
import { isOutOfDate, type GenerationState } from './generation-state.ts';
import { areNewer, Leader, NewerReadModels } from './leader.ts';
import { describeLease, PROJECTOR_LEASE } from './leases.ts';
import { differencesOf } from './model-versions.ts';
import { createCatchUp } from './progress.ts';
import { buildNextGeneration } from './rebuild.ts';

const PROJECTS = 'This process keeps the read models up to date from now on';
const STANDS_BY = 'This process no longer keeps the read models up to date';

export interface ProjectorStatus {
  readonly lease: LeaseStatus;
  readonly runner: RunnerStatus;
}

/** Projector: keeps the built-in read models up to date while this process holds their lease. */
export type Projector = Readonly<ReturnType<typeof createProjector>>;

export interface ProjectorOptions {
  readonly stores: ProjectionStores;
  /** Term of the leases, in ms. */
  readonly leaseTermMs: number;
  readonly log: Logger;
  readonly metrics: Metrics | null;
}

export function createProjector(options: ProjectorOptions) {
  const { stores, leaseTermMs, log, metrics } = options;
  const { models, readStore, clock, processes } = stores;
  const holder = processes.newName();
  const leaseLog = createOutageLog(log, 'The lease of the projector');
  const lease = new Lease({
    registers: readStore,
    name: PROJECTOR_LEASE,
    holder,
    termMs: leaseTermMs,
    clock,
    hasEnded: (other) => processes.hasEnded(other),
    onChange: ({ state, fence }) => log.info({ fence }, state === 'holding' ? PROJECTS : STANDS_BY),
    onError: leaseLog.failed,
    onSuccess: leaseLog.recovered,
  });
  const notifier = createCheckpointPoller(models, clock, lease);
  const events = generationEvents(log, metrics);
  const leader = new Leader({
    ...stores,
    notifier,
    events,
    onPromoted: (namespace) => log.info({ namespace }, 'The rebuilt read models are the current ones now'),
    rebuild: (state, signal) => rebuildReadModels(options, state, signal),
  });
  const checkpoint: CheckpointReader = notifier;
  /** The process that projects while this one stands by because the read models are newer; null: none. */
  let projecting: string | null = null;

  /**
   * Stands by while the read models are of a newer release: a process of that release projects them. Returns once they are
   * replaced by read models of this release.
   */
  async function standBy(signal: AbortSignal): Promise<void> {
    // From now on, the checkpoint that the other process writes is polled.
    notifier.resume();
    while (!signal.aborted) {
      try {
        if (!areNewer(await stores.generations.refresh())) break;
        projecting = (await describeLease(stores, PROJECTOR_LEASE)).holder;
        leaseLog.recovered();
      } catch (error) {
        leaseLog.failed(error);
      }
      await pause(clock, CHECK_EVERY_MS, signal);
    }
    projecting = null;
  }
  return {
    /** Checkpoint of the current read models, whichever process projects. */
    checkpoint,
    status: (): ProjectorStatus => {
      if (projecting === null) return { lease: lease.status, runner: leader.status };
      const runner: RunnerStatus = { ...leader.status, state: 'idle', error: null };
      return { lease: { ...lease.status, holder: projecting }, runner };
    },
    /**
     * Projects whenever the lease is held, until `signal` aborts or an error stops it. While the read models are of a newer
     * release, it stands by.
     */
    run: async (signal: AbortSignal): Promise<void> => {
      void logCatchUp(options, () => leader.status, signal);
      do {
        await lease.whileHeld(async (held) => {
          await leader.run(held, lease.status.fence);
          // Another process continues.
          if (held.aborted) notifier.resume();
        }, signal);
        if (!(leader.status.error instanceof NewerReadModels)) break;
        await standBy(signal);
        if (!signal.aborted) leader.reset();
      } while (!signal.aborted);
      processes.retire(holder);
    },
  };
}

function generationEvents(log: Logger, metrics: Metrics | null): GenerationEvents {
  const reportedTypes = new Set<string>();
  const outage = createOutageLog(log, 'The projection of the read models');
  const onUnknown = ({ type, stream, position, metadata: { version } }: RecordedEvent): void => {
    metrics?.observeUnknownEvent();
    if (reportedTypes.has(type)) return;
    reportedTypes.add(type);
    log.warn(
      { type, version, stream, position },
      'Events of this type are not projected: another release wrote them and this one does not know the type',
    );
  };
  return {
    onBatch: metrics?.observeProjection,
    outage,
    onError: outage.failed,
    onParked({ event: { type, stream, position }, error, blocked }) {
      if (error.cause instanceof UnknownEvent) metrics?.observeUnknownEvent();
      if (blocked)
        log.warn({ type, stream, position }, 'An event is parked: an earlier one of its stream is a dead letter');
      else
        log.error(
          { type, stream, position, err: error },
          'An event could not be projected and is parked as a dead letter',
        );
    },
    onUnknown,
    // Where what it needs is parked, health and the log name that already.
    onOmitted({ event, cause }) {
      if (cause instanceof UnknownEvent) onUnknown(event);
    },
  };
}

/** Interval, in ms, at which the progress of a rebuild or of a first catch-up is logged. */
const PROGRESS_EVERY_MS = 10_000;

const CHECK_EVERY_MS = 2_000;

/** Logs the progress of the read models while they catch up for the first time. */
async function logCatchUp(
  { stores: { store, clock }, log }: ProjectorOptions,
  status: () => RunnerStatus,
  signal: AbortSignal,
): Promise<void> {
  const catchUp = createCatchUp(clock);
  const logProgress = createProgressLog(log, clock, -Infinity);
  while (!signal.aborted) {
    const { state, caughtUp, checkpoint } = status();
    // If the head cannot be read, the projection reports it.
    const head = state === 'running' && !caughtUp ? await store.head().catch(() => null) : null;
    const progress = catchUp(checkpoint, head);
    // The first check only finds the starting point.
    if (typeof progress?.readyInSeconds === 'number') logProgress(progress, 'The read models are catching up');
    await pause(clock, CHECK_EVERY_MS, signal);
  }
}

/** Creates a function that logs progress, but not more often than every ten seconds. */
function createProgressLog(log: Logger, clock: Clock, since: number) {
  let loggedAt = since;
  return (progress: object, text: string): void => {
    if (clock.monotonic() - loggedAt < PROGRESS_EVERY_MS) return;
    loggedAt = clock.monotonic();
    log.info(progress, text);
  };
}

/** Interval, in ms, of checks whether a rebuild by another process has ended. */
const RECHECK_EVERY_MS = 5_000;

/** Rebuilds the read models: after an upgrade, or on request. */
async function rebuildReadModels(
  { stores, leaseTermMs, log, metrics }: ProjectorOptions,
  state: GenerationState,
  signal: AbortSignal,
): Promise<void> {
  const { current, request } = state;
  if (isOutOfDate(state))
    log.warn(
      { differing: differencesOf(current) ?? undefined, from: current.version, to: BUILT_IN_VERSION },
      'The read models are of an older version and are being rebuilt; the current ones stay in use until that is done',
    );
  else
    log.info(
      { requestId: request?.requestId, apiKeyId: request?.apiKeyId },
      'The read models are being rebuilt on request; the current ones stay in use until that is done',
    );
  const { clock } = stores;
  const logProgress = createProgressLog(log, clock, clock.monotonic());
  try {
    const built = await buildNextGeneration({
      stores,
      leaseTermMs,
      signal,
      keepOld: false,
      events: generationEvents(log, metrics),
      onProgress: (progress) => logProgress(progress, 'The read models are being rebuilt'),
    });
    if (built !== null) log.info(built, 'The read models are rebuilt and about to become the current ones');
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    log.info(`Another process is rebuilding the read models: ${error.message}`);
    await pause(clock, RECHECK_EVERY_MS, signal);
  }
}
