import { BUILT_IN, BUILT_IN_VERSION } from '../../projections/index.ts';
import type { Config } from '../config.ts';
import type { FeedingEvents } from './feeding.ts';
import type { GenerationState } from './generations.ts';
import { createCheckpointFollower } from '../kernel/checkpoint-follower.ts';
import { UnknownEvent } from '../kernel/event-types.ts';
import { createLease, type LeaseStatus } from '../kernel/lease.ts';
import type { RunnerStatus } from '../kernel/projection-runner.ts';
import type { Progress } from '../kernel/progress.ts';
import { Leader } from './leading.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { hasEnded, newProcessName, retire } from '../process-name.ts';
import { buildNext } from './rebuild.ts';
import type { Stores } from '../stores.ts';
import { systemClock } from '../system.ts';

const MS_PER_SECOND = 1000;

/** What a process that may project the built-in read models is doing. */
export interface ProjectorStatus {
  readonly lease: LeaseStatus;
  readonly runner: RunnerStatus;
}

/** Keeps the built-in read models up to date while this process holds their lease. */
export interface Projector {
  /** How far the read models have come, whoever projects. */
  readonly progress: Progress;
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
  const milestones = createCheckpointFollower(models, systemClock, leads);
  const events = feedingEvents(log, metrics);
  const leader = new Leader({
    store, readStore, generations, milestones, events,
    onSwitch: (namespace) => log.info({ namespace }, 'the rebuilt read models are current'),
    rebuild: (state, signal) => rebuildOld(options, state, signal),
  });
  return {
    progress: milestones,
    status: () => ({ lease: lease.status(), runner: leader.status }),
    async run(signal) {
      await lease.whileHeld(async (held) => {
        await leader.run(held);
        // Somebody else goes on.
        if (held.aborted) milestones.resume();
      }, signal);
      retire(holder);
    },
  };
}

/** The name of the lease whose holder projects. */
export const PROJECTOR_LEASE = `projector ${BUILT_IN}`;

function feedingEvents(log: Logger, metrics: Metrics | null): FeedingEvents {
  return {
    onBatch: (events, ms) => metrics?.observeProjection(events, ms / MS_PER_SECOND),
    onError: (error) => {
      log.error({ err: error }, 'projection failed');
    },
    onParked({ event: { type, stream, position }, error }) {
      if (error?.cause instanceof UnknownEvent) metrics?.observeUnknownEvent();
      log.error({ type, stream, position, err: error }, 'an event is parked');
    },
  };
}

/** After an upgrade. */
async function rebuildOld(
  { stores, config, log, metrics }: ProjectorOptions, { current: { version } }: GenerationState, signal: AbortSignal,
): Promise<void> {
  log.warn({ from: version, to: BUILT_IN_VERSION }, 'the read models are of another version: they are being rebuilt');
  const built = await buildNext({
    stores, config, signal, keepOld: false, events: feedingEvents(log, metrics), onProgress: () => undefined,
  });
  if (built !== null) log.info(built, 'the read models are rebuilt');
}
