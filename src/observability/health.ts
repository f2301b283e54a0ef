import type { Registry } from '../auth/registry.ts';
import { deadLetters } from '../kernel/projection/dead-letters.ts';
import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import type { LeaseStatus } from '../kernel/lease.ts';
import type { RunnerStatus } from '../kernel/projection/projection-runner.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import type { Clock } from '../kernel/ports/clock.ts';
import type { ProjectionState } from './metrics.ts';
import type { ProjectorStatus } from '../projector/projector.ts';

/** How one part of the service is. */
export interface Component {
  readonly status: 'UP' | 'DOWN';
  readonly [detail: string]: string | number | boolean | null;
}

/** How the service is: UP when every component is. */
export interface HealthReport {
  readonly status: 'UP' | 'DOWN';
  readonly components: { readonly [name: string]: Component };
}

/** What is looked at. */
export interface HealthSources {
  readonly store: Pick<EventStore, 'head'>;
  readonly models: Pick<ReadModels, 'checkpoint' | 'count'>;
  /** Null in a process that serves no requests. */
  readonly registry: Registry | null;
  /** Whether the root key has been seen to, which waits for stores that are away: before, its holder gets a 401. */
  readonly rootKey: (() => boolean) | null;
  /** The built-in group's projector; null when this process is none. */
  readonly projector: (() => ProjectorStatus) | null;
  readonly clock: Clock;
}

/** How long, in ms, read models may be behind without moving before the service is DOWN, whoever projects them. */
const STALLED_MS = 30_000;

/** Looks at the service; remembers between looks since when the checkpoint has stood still. */
export interface HealthWatch {
  /** Every component. A projection that has stopped or stalled is DOWN: what it shows grows old. */
  readonly health: () => Promise<HealthReport>;
  /**
   * Whether requests should be sent here. DOWN too until this process's projections have reached the head for the first
   * time, as the read models may be of long ago until then, and until the root key is seen to. UP although another
   * process's projector stalls: writes are as safe as ever, and every node would leave at once. Dead letters are told,
   * and nobody is turned away for them: every other stream is served, and no other node is without them.
   */
  readonly readiness: () => Promise<HealthReport>;
  /** Where the built-in read models stand, for the metrics. */
  readonly projection: () => Promise<ProjectionState>;
}

/** Makes the watch over a process's parts. */
export function createHealthWatch(sources: HealthSources): HealthWatch {
  const { registry, rootKey, projector } = sources;
  const look = createLook(sources);
  async function componentsAnd(): Promise<{ readonly components: HealthReport['components']; readonly found: Found }> {
    const found = await look();
    const { head, checkpoint, letters, lag, stalledMs } = found;
    const place = {
      lag,
      checkpoint: checkpoint.value,
      deadLetters: letters.value,
      stalledSeconds: Math.floor((stalledMs ?? 0) / MS_PER_SECOND),
    };
    return {
      found,
      components: {
        eventStore: head.ok ? ({ status: 'UP', head: head.value } as const) : down(head.error),
        readStore: checkpoint.ok ? ({ status: 'UP', checkpoint: checkpoint.value } as const) : down(checkpoint.error),
        projection: projectionOf(projector, place),
        ...(registry === null ? {} : { keys: { ...runnerOf(registry.runner.status()), rootKey: rootKey?.() ?? true } }),
      },
    };
  }
  return {
    async health() {
      const { components, found } = await componentsAnd();
      const { projection } = components;
      if (projection === undefined || (found.stalledMs ?? 0) <= STALLED_MS) return reportOf(components);
      return reportOf({ ...components, projection: { ...projection, status: 'DOWN' } });
    },
    async readiness() {
      const { components } = await componentsAnd();
      const report = reportOf(components);
      const early = Object.values(report.components).some(
        ({ caughtUp, rootKey: secured }) => caughtUp === false || secured === false,
      );
      return early ? { ...report, status: 'DOWN' } : report;
    },
    async projection() {
      const { head, checkpoint, letters, lag, stalledMs } = await look();
      const status = projector?.() ?? null;
      return {
        checkpoint: checkpoint.value,
        deadLetters: letters.value,
        lag: head.ok && checkpoint.ok ? lag : null,
        running: status === null || isStandby(status) || status.runner.state !== 'stopped',
        stalledSeconds: stalledMs === null ? null : stalledMs / MS_PER_SECOND,
        lease: status?.lease ?? null,
      };
    },
  };
}

/** What the stores say. */
interface Found {
  readonly head: Attempt<Position | null>;
  readonly checkpoint: Attempt<Position | null>;
  /** How many dead letters wait. */
  readonly letters: Attempt<number>;
  readonly lag: number;
  /** How long the checkpoint has stood still with something to do; null while a store does not answer. */
  readonly stalledMs: number | null;
}

function createLook({ store, models, clock }: HealthSources): () => Promise<Found> {
  let still = { at: null as Position | null, since: clock.now() };
  return async () => {
    const [head, checkpoint, letters] = await Promise.all([
      attempt(store.head()),
      attempt(models.checkpoint()),
      attempt(models.count(deadLetters.collection, { waiting: true })),
    ]);
    const known = head.ok && checkpoint.ok;
    const lag = Math.max(0, (head.value ?? 0) - (checkpoint.value ?? 0));
    if (!known || lag === 0 || checkpoint.value !== still.at) still = { at: checkpoint.value, since: clock.now() };
    return { head, checkpoint, letters, lag, stalledMs: known ? clock.now() - still.since : null };
  };
}

const MS_PER_SECOND = 1000;

function reportOf(components: HealthReport['components']): HealthReport {
  const up = Object.values(components).every(({ status }) => status === 'UP');
  return { status: up ? 'UP' : 'DOWN', components };
}

type Place = { readonly [detail: string]: number | null };

function projectionOf(projector: HealthSources['projector'], place: Place): Component {
  if (projector === null) return { status: 'UP', state: 'elsewhere', ...place };
  const status = projector();
  const lease = leaseOf(status.lease);
  return isStandby(status)
    ? { status: 'UP', state: 'standby', ...lease, ...place }
    : { ...runnerOf(status.runner), ...lease, ...place };
}

/** A runner that has stopped at an event holds the lease no more, but does not stand by either. */
function isStandby({ lease, runner }: ProjectorStatus): boolean {
  return lease.state === 'standby' && !(runner.state === 'stopped' && runner.error !== null);
}

function leaseOf({ holder, fence }: LeaseStatus) {
  return { holder, fence };
}

function runnerOf({ state, lastEventAt, caughtUp, error }: RunnerStatus): Component {
  const failed = state === 'stopped' || state === 'retrying';
  const why = error === null ? {} : { error: error.message };
  return { status: failed ? 'DOWN' : 'UP', state, caughtUp, lastEventAt, ...why };
}

function down(error: Error): Component {
  return { status: 'DOWN', error: error.message };
}

type Attempt<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly value: null; readonly error: Error };

async function attempt<T>(asked: Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await asked };
  } catch (error) {
    return { ok: false, value: null, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
