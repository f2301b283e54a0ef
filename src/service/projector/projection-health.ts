import { deadLetters } from '../../kernel/projection/dead-letters.ts';
import type { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { EventStore, Position } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import { downComponent, runnerComponent } from '../observability/health.ts';
import type { Component, ComponentReport, HealthCheck } from '../observability/health.ts';
import type { ProjectionState } from '../observability/metrics.ts';
import { createCatchUp } from './progress.ts';
import type { ProjectorStatus } from './projector.ts';

/**
 * Time, in ms, for which the checkpoint may stand still behind the head before the read models count as stale, whichever
 * process projects.
 */
const STALLED_MS = 30_000;

const MS_PER_SECOND = 1000;

export interface ProjectionHealthOptions {
  readonly store: Pick<EventStore, 'head'>;
  readonly models: Pick<ReadModels, 'checkpoint' | 'count'>;
  /** Why appends to the event store fail; left out where this process appends nothing. */
  readonly appendFailure?: () => StoreUnavailable | null;
  /** Status of this process's projector; null when it has none. */
  readonly projector: (() => ProjectorStatus) | null;
  readonly clock: Clock;
}

export type ProjectionHealth = Readonly<ReturnType<typeof createProjectionHealth>>;

export function createProjectionHealth(options: ProjectionHealthOptions) {
  const { store, models, projector, clock, appendFailure = () => null } = options;
  const catchUp = createCatchUp(clock);
  let unchanged = { at: null as Position | null, since: clock.monotonic() };
  async function inspect() {
    const results = await Promise.allSettled([
      store.head(),
      models.checkpoint(),
      models.count(deadLetters.collection, { waiting: true }),
    ]);
    const head = valueOf(results[0]);
    const checkpoint = valueOf(results[1]);
    const letters = valueOf(results[2]);
    const known = results[0].status === 'fulfilled' && results[1].status === 'fulfilled';
    const lag = Math.max(0, (head ?? 0) - (checkpoint ?? 0));
    if (!known || lag === 0 || checkpoint !== unchanged.at) unchanged = { at: checkpoint, since: clock.monotonic() };
    const stalledMs = known ? clock.monotonic() - unchanged.since : null;
    const failure: unknown = results[0].status === 'rejected' ? results[0].reason : appendFailure();
    return { results, failure, head, checkpoint, letters, lag, stalledMs };
  }
  return {
    /**
     * Checks the components `eventStore`, `readStore` and `projection`. The projection is not ready until this process's
     * projector has reached the head for the first time: until then, the read models may be far behind. Dead letters are
     * reported, but do not make the process unready: all other streams are up to date, and every other node has the same
     * dead letters.
     */
    check: async (): ReturnType<HealthCheck> => {
      const { results, failure, head, checkpoint, letters, lag, stalledMs } = await inspect();
      const status = projector?.() ?? null;
      const isBehind = status !== null && !isStandby(status) && !status.runner.caughtUp;
      const details = {
        lag,
        checkpoint,
        deadLetters: letters,
        stalledSeconds: Math.floor((stalledMs ?? 0) / MS_PER_SECOND),
        // Of this process, while it projects and has not reached the head.
        ...catchUp(checkpoint, isBehind ? head : null),
      };
      return {
        eventStore: { component: failure === null ? { status: 'UP', head } : downComponent(failure) },
        readStore: { component: storeComponent(results[1], { checkpoint }) },
        projection: { ...projectionReport(status, details), stale: (stalledMs ?? 0) > STALLED_MS },
      };
    },
    state: async (): Promise<ProjectionState> => {
      const { failure, head, checkpoint, letters, lag, stalledMs } = await inspect();
      const status = projector?.() ?? null;
      return {
        checkpoint,
        head,
        deadLetters: letters,
        eventStoreUp: failure === null,
        lag: stalledMs === null ? null : lag,
        running: status === null || isStandby(status) || status.runner.state !== 'stopped',
        stalledSeconds: stalledMs === null ? null : stalledMs / MS_PER_SECOND,
        lease: status?.lease ?? null,
      };
    },
  };
}

type Details = { readonly [detail: string]: number | null };

function projectionReport(status: ProjectorStatus | null, details: Details): ComponentReport {
  if (status === null) return { component: { status: 'UP', state: 'elsewhere', ...details } };
  const { holder, fence } = status.lease;
  if (isStandby(status)) return { component: { status: 'UP', state: 'standby', holder, fence, ...details } };
  const component: Component = { ...runnerComponent(status.runner), holder, fence, ...details };
  return { component, ready: status.runner.caughtUp };
}

/** A runner that an event has stopped no longer holds the lease, but does not stand by either. */
function isStandby({ lease, runner }: ProjectorStatus): boolean {
  return lease.state === 'standby' && !(runner.state === 'stopped' && runner.error !== null);
}

function valueOf<T>(result: PromiseSettledResult<T>): T | null {
  return result.status === 'fulfilled' ? result.value : null;
}

function storeComponent(result: PromiseSettledResult<unknown>, details: Details): Component {
  return result.status === 'fulfilled' ? { status: 'UP', ...details } : downComponent(result.reason);
}
