import { hasEnded, newProcessName, retire } from '../../infra/system/process-name.ts';
import { systemClock } from '../../infra/system/system.ts';
import { BUILT_IN_VERSION } from '../../projections/index.ts';
import type { Config } from '../config/config.ts';
import { UnknownEvent } from '../kernel/event-types.ts';
import { createLease, type LeaseStatus } from '../kernel/lease.ts';
import { pause } from '../kernel/ports/clock.ts';
import { createCheckpointFollower, type CheckpointWaiter } from '../kernel/projection/checkpoint-waiter.ts';
import type { RunnerStatus } from '../kernel/projection/projection-runner.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Stores } from '../stores/stores.ts';
import { AlreadyRunning } from './exclusive-job.ts';
import type { GenerationEvents } from './generation-runner.ts';
import type { GenerationState } from './generation-state.ts';
import { Leader } from './leader.ts';
import { PROJECTOR_LEASE } from './leases.ts';
import { buildNext, type RebuildProgress } from './rebuild.ts';

const MS_PER_SECOND = 1000;

/** What a process that may project the built-in read models is doing. */
export interface ProjectorStatus {
  readonly lease: LeaseStatus;
  readonly runner: RunnerStatus;
}

/** Keeps the built-in read models up to date while this process holds their lease. */
export interface Projector {
  /** How far the read models have come, whoever projects. */
  readonly checkpoint: CheckpointWaiter;
  /** Projects whenever the lease is held, until `signal` aborts or it cannot go on. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly status: () => ProjectorStatus;
}

/** What a projector needs. */
export interface ProjectorOptions {
  readonly stores: Stores;
  readonly config: Pick<Config, 'leaseTermMs'>;
  readonly log: Logger;
  readonly metrics: Metrics | null;
}

/** Makes this process's projector. */
export function createProjector(options: ProjectorOptions): Projector {
  const { stores, config, log, metrics } = options;
  const { store, models, readStore, generations } = stores;
  const holder = newProcessName();
  const lease = createLease({
    registers: readStore,
    name: PROJECTOR_LEASE,
    holder,
    termMs: config.leaseTermMs,
    clock: systemClock,
    isGone: hasEnded,
    onChange: ({ state, fence }) => log.info({ fence }, state === 'holding' ? 'projecting' : 'no longer projecting'),
    onError: (error) => log.warn({ err: error }, 'projector lease'),
  });
  const leads = (): boolean => lease.status().state === 'holding';
  const notifier = createCheckpointFollower(models, systemClock, leads);
  const events = generationEvents(log, metrics);
  const leader = new Leader({
    store,
    readStore,
    generations,
    notifier,
    events,
    onPromoted: (namespace) => log.info({ namespace }, 'the rebuilt read models are current'),
    rebuild: (state, signal) => rebuildOld(options, state, signal),
  });
  return {
    checkpoint: notifier,
    status: () => ({ lease: lease.status(), runner: leader.status }),
    async run(signal) {
      await lease.whileHeld(async (held) => {
        await leader.run({ held, fence: lease.status().fence });
        // Somebody else goes on.
        if (held.aborted) notifier.resume();
      }, signal);
      retire(holder);
    },
  };
}

function generationEvents(log: Logger, metrics: Metrics | null): GenerationEvents {
  const told = new Set<string>();
  return {
    onBatch: (events, ms) => metrics?.observeProjection(events, ms / MS_PER_SECOND),
    onError: (error) => {
      log.error({ err: error }, 'projection failed');
    },
    onParked({ event: { type, stream, position }, error, behind }) {
      if (error.cause instanceof UnknownEvent) metrics?.observeUnknownEvent();
      if (behind) log.warn({ type, stream, position }, 'an event is parked behind another');
      else log.error({ type, stream, position, err: error }, 'an event is parked');
    },
    onUnknown({ type, stream, position, metadata: { version } }) {
      metrics?.observeUnknownEvent();
      if (told.has(type)) return;
      told.add(type);
      log.warn({ type, version, stream, position }, 'events of this type are passed over: another release wrote them');
    },
  };
}

/** After an upgrade. */
async function rebuildOld(
  { stores, config, log, metrics }: ProjectorOptions,
  { current: { version } }: GenerationState,
  signal: AbortSignal,
): Promise<void> {
  log.warn({ from: version, to: BUILT_IN_VERSION }, 'the read models are of an older version: they are being rebuilt');
  const events = generationEvents(log, metrics);
  const options = { stores, config, signal, keepOld: false, events, onProgress: toldNowAndThen(log) };
  const built = await buildNext(options).catch(async (error: unknown) => {
    if (!(error instanceof AlreadyRunning)) throw error;
    log.info(`not rebuilding them here: ${error.message}`);
    await pause(systemClock, ASK_EVERY_MS, signal);
    return null;
  });
  if (built !== null) log.info(built, 'the read models are rebuilt, and about to become current');
}

/** How often, in ms, to look whether a rebuild elsewhere is over. */
const ASK_EVERY_MS = 5_000;

/** How often, in ms, the log tells of a rebuild. */
const TELL_EVERY_MS = 10_000;

function toldNowAndThen(log: Logger): (progress: RebuildProgress) => void {
  let toldAt = systemClock.now();
  return (progress) => {
    if (systemClock.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = systemClock.now();
    log.info(progress, 'rebuilding the read models');
  };
}
