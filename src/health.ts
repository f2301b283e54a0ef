import type { Registry } from './auth/registry.ts';
import type { EventStore, Position } from './kernel/event-store.ts';
import type { RunnerStatus } from './kernel/projection-runner.ts';
import type { ReadModels } from './kernel/read-store.ts';
import type { ProjectionState } from './metrics.ts';

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
  readonly models: Pick<ReadModels, 'checkpoint'>;
  readonly registry: Registry;
  /** The built-in group's runner; null when another process projects. */
  readonly projector: (() => RunnerStatus) | null;
}

/** Looks at every component. A stopped projection is DOWN: what it shows grows old. */
export async function healthOf(sources: HealthSources): Promise<HealthReport> {
  const [head, checkpoint] = await Promise.all([attempt(sources.store.head()), attempt(sources.models.checkpoint())]);
  const components = {
    eventStore: head.ok ? { status: 'UP', head: head.value } as const : down(head.error),
    readStore: checkpoint.ok ? { status: 'UP', checkpoint: checkpoint.value } as const : down(checkpoint.error),
    projection: projectionOf(sources.projector, { head: head.value, checkpoint: checkpoint.value }),
    keys: runnerOf(sources.registry.runner.status()),
  };
  const up = Object.values(components).every(({ status }) => status === 'UP');
  return { status: up ? 'UP' : 'DOWN', components };
}

/**
 * Whether requests should be sent here: the same, and DOWN too until the projections have reached the head for the
 * first time since the start, as the read models may be of long ago until then.
 */
export async function readinessOf(sources: HealthSources): Promise<HealthReport> {
  const report = await healthOf(sources);
  const behind = Object.values(report.components).some(({ caughtUp }) => caughtUp === false);
  return behind ? { ...report, status: 'DOWN' } : report;
}

/** Where the built-in read models stand, for the metrics. */
export async function projectionState({ store, models, projector }: HealthSources): Promise<ProjectionState> {
  const [head, checkpoint] = await Promise.all([store.head(), models.checkpoint()]);
  return {
    checkpoint,
    lagEvents: lagOf({ head, checkpoint }),
    running: projector === null || projector().state !== 'stopped',
  };
}

interface Positions {
  readonly head: Position | null;
  readonly checkpoint: Position | null;
}

function lagOf({ head, checkpoint }: Positions): number {
  return Math.max(0, (head ?? 0) - (checkpoint ?? 0));
}

function projectionOf(projector: HealthSources['projector'], positions: Positions): Component {
  const lag = { lag: lagOf(positions), checkpoint: positions.checkpoint };
  return projector === null ? { status: 'UP', state: 'elsewhere', ...lag } : { ...runnerOf(projector()), ...lag };
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
