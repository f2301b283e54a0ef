import type { RunnerStatus } from '../kernel/projection/projection-runner.ts';

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

/** What a check says of one component. */
export interface ComponentReport {
  readonly component: Component;
  /** False while no requests should be sent here yet, although nothing is wrong with the component. */
  readonly ready?: boolean;
  /**
   * True when what the component shows grows old. Health is DOWN then; readiness is not, as every node would leave at
   * once.
   */
  readonly stale?: boolean;
}

/** Looks at one component, or at several together; the reports are by name. Must not throw. */
export type HealthCheck = () => Promise<Readonly<Record<string, ComponentReport>>>;

/** How a process is, as `/actuator/health` tells. */
export interface Health {
  /** Every component. One that is stale counts as DOWN. */
  readonly health: () => Promise<HealthReport>;
  /** Whether requests should be sent here. DOWN, too, while a component is not ready. */
  readonly readiness: () => Promise<HealthReport>;
}

/** Makes the health of a process out of the checks that its parts register. */
export function createHealth(checks: readonly HealthCheck[]): Health {
  const runChecks = async (): Promise<[string, ComponentReport][]> =>
    (await Promise.all(checks.map((check) => check()))).flatMap((reports) => Object.entries(reports));
  return {
    async health() {
      const components = (await runChecks()).map(([name, { component, stale = false }]) => [
        name,
        stale ? { ...component, status: 'DOWN' as const } : component,
      ]);
      return reportOf(Object.fromEntries(components) as HealthReport['components'], true);
    },
    async readiness() {
      const reports = await runChecks();
      const components = Object.fromEntries(reports.map(([name, { component }]) => [name, component]));
      return reportOf(
        components,
        reports.every(([, { ready = true }]) => ready),
      );
    },
  };
}

function reportOf(components: HealthReport['components'], ready: boolean): HealthReport {
  const up = ready && Object.values(components).every(({ status }) => status === 'UP');
  return { status: up ? 'UP' : 'DOWN', components };
}

/** A projection runner as a component. */
export function runnerComponent({ state, lastEventAt, caughtUp, error }: RunnerStatus): Component {
  const failed = state === 'stopped' || state === 'retrying';
  const why = error === null ? {} : { error: error.message };
  return { status: failed ? 'DOWN' : 'UP', state, caughtUp, lastEventAt, ...why };
}

/** A component that could not be looked at. */
export function downComponent(error: Error): Component {
  return { status: 'DOWN', error: error.message };
}
