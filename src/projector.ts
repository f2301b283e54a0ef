import { builtInProjections, BUILT_IN } from '../projections/index.ts';
import type { Config } from './config.ts';
import { createCheckpointFollower } from './kernel/checkpoint-follower.ts';
import { createLease, type LeaseStatus } from './kernel/lease.ts';
import { createProjectionRunner, type RunnerStatus } from './kernel/projection-runner.ts';
import type { Progress } from './kernel/progress.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { hasEnded, newProcessName, retire } from './process-name.ts';
import type { Stores } from './stores.ts';
import { systemClock } from './system.ts';

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
  /** Projects whenever the lease is held, until `signal` aborts or a poison event comes. */
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
export function createProjector({ stores, config, log, metrics }: ProjectorOptions): Projector {
  const { store, models, readStore } = stores;
  const holder = newProcessName();
  const lease = createLease({
    registers: readStore,
    name: `projector ${BUILT_IN}`,
    holder,
    termMs: config.leaseTermMs,
    clock: systemClock,
    isGone: hasEnded,
    onChange: ({ state, fence }) => log.info({ fence }, state === 'holding' ? 'projecting' : 'no longer projecting'),
    onError: (error) => log.warn({ err: error }, 'projector lease'),
  });
  const leads = (): boolean => lease.status().state === 'holding';
  const milestones = createCheckpointFollower(models, systemClock, leads);
  const runner = createProjectionRunner({
    store,
    models,
    projections: builtInProjections,
    clock: systemClock,
    milestones,
    onBatch: (events, ms) => metrics?.observeProjection(events, ms / MS_PER_SECOND),
    onError: (error) => {
      log.error({ err: error }, 'projection failed');
    },
  });
  return {
    progress: milestones,
    status: () => ({ lease: lease.status(), runner: runner.status() }),
    async run(signal) {
      await lease.whileHeld(async (held) => {
        await runner.run(held);
        // Somebody else goes on.
        if (held.aborted) milestones.resume();
      }, signal);
      retire(holder);
    },
  };
}
