import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { RunnerStatus } from '../../kernel/projection/projection-runner.ts';
import { cachedFor } from './cached-for.ts';
import { reasonOf } from './outage-log.ts';

export interface Component {
  readonly status: 'UP' | 'DOWN';
  readonly [detail: string]: string | number | boolean | null;
}

export interface HealthReport {
  readonly status: 'UP' | 'DOWN';
  readonly components: { readonly [name: string]: Component };
}

export interface ComponentReport {
  readonly component: Component;
  /** False while this process should not get requests yet, although nothing is wrong with the component. */
  readonly ready?: boolean;
  /** The data is out of date: health is DOWN, but not readiness, or all nodes would be taken out of service at once. */
  readonly stale?: boolean;
}

/** Check of one or several components; returns the reports by name. Must not throw. */
export type HealthCheck = () => Promise<Readonly<Record<string, ComponentReport>>>;

/** Time, in ms, for which the reports of the checks are kept: nobody needs a key to ask for them. */
const HEALTH_CACHE_MS = 500;

export type Health = ReturnType<typeof createHealth>;

/** Creates the health of a process from the checks that its components register; they run at most twice a second. */
export function createHealth(checks: readonly HealthCheck[]) {
  const runChecks = cachedFor(HEALTH_CACHE_MS, async () =>
    (await Promise.all(checks.map((check) => check()))).flatMap((reports) => Object.entries(reports)),
  );
  return {
    /** Every component. One that is stale counts as DOWN. */
    health: async (): Promise<HealthReport> =>
      reportOf(await runChecks(), ({ component, stale = false }) =>
        stale ? { ...component, status: 'DOWN' } : component,
      ),
    /** Whether requests should be sent to this process. Also DOWN while a component is not ready. */
    readiness: async (): Promise<HealthReport> => {
      const reports = await runChecks();
      const { status, components } = reportOf(reports, ({ component }) => component);
      return { status: reports.every(([, { ready = true }]) => ready) ? status : 'DOWN', components };
    },
  };
}

function reportOf(
  reports: readonly (readonly [name: string, ComponentReport])[],
  componentOf: (report: ComponentReport) => Component,
): HealthReport {
  const components = Object.fromEntries(reports.map(([name, report]) => [name, componentOf(report)]));
  const isUp = Object.values(components).every(({ status }) => status === 'UP');
  return { status: isUp ? 'UP' : 'DOWN', components };
}

export function runnerComponent({ state, lastEventAt, caughtUp, error }: RunnerStatus): Component {
  const failed = state === 'stopped' || state === 'retrying';
  const component = { status: failed ? 'DOWN' : 'UP', state, caughtUp, lastEventAt } as const;
  return error === null ? component : { ...component, error: error.message };
}

export function downComponent(error: unknown): Component {
  if (!(error instanceof StoreUnavailable))
    return { status: 'DOWN', error: error instanceof Error ? error.message : String(error) };
  const { refusal } = error;
  const reason = reasonOf(error);
  return refusal === null ? { status: 'DOWN', error: reason } : { status: 'DOWN', refusal, error: reason };
}
