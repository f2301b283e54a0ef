import { Counter, Gauge, type Histogram, type Registry } from 'prom-client';
import type { Position } from '../kernel/ports/event-store.ts';
import type { LeaseStatus } from '../kernel/lease.ts';

/** Where the projection group stands, as far as this process knows. */
export interface ProjectionState {
  /** Position of the last event that the read models reflect; null before the first. */
  readonly checkpoint: Position | null;
  /** Positions between the checkpoint and the newest event; null, as below, while a store does not answer. */
  readonly lag: number | null;
  /** False when the group has stopped at an event that it cannot process. */
  readonly running: boolean;
  /** Since when the read models have been behind without moving; 0 when they are not. */
  readonly stalledSeconds: number | null;
  /** The projector's lease as this process knows it; null when it does not project. */
  readonly lease: LeaseStatus | null;
  /** Events that wait to be digested, after a poison event of their stream; null while nobody knows. */
  readonly deadLetters: number | null;
}

/** Bounds its own time: a scrape waits for it. */
export type ProjectionSource = () => ProjectionState | Promise<ProjectionState>;

/** What is asked for at each scrape: name, help and value of each gauge; one without a value is absent. */
const PROJECTION_GAUGES: readonly (readonly [string, string, (state: ProjectionState) => number | null])[] = [
  ['projection_checkpoint', 'Position of the last event that the read models reflect.', ({ checkpoint }) => checkpoint],
  [
    'projection_lag_positions',
    'Positions to the newest event: events if embedded, bytes in EventStoreDB.',
    ({ lag }) => lag,
  ],
  ['projection_running', '1, or 0 when the projection has stopped at an event.', ({ running }) => Number(running)],
  [
    'projection_stalled_seconds',
    'How long the read models have been behind without moving.',
    ({ stalledSeconds }) => stalledSeconds,
  ],
  [
    'projection_dead_letters',
    'Events that are parked with their stream until they are retried.',
    ({ deadLetters }) => deadLetters,
  ],
  [
    'projector_lease_held',
    '1 when this process holds the lease of the read models, else 0.',
    ({ lease }) => (lease === null ? null : Number(lease.state === 'holding')),
  ],
  [
    'projector_lease_fence',
    'Times that the lease has been granted, to any process.',
    ({ lease }) => lease?.fence ?? null,
  ],
];

/** Makes the metrics of the projection; `batches` times its batches. */
export function projectionMetrics(registry: Registry, batches: Histogram) {
  const events = new Counter({
    name: 'projection_events_total',
    help: 'Events applied to the read models.',
    registers: [registry],
  });
  const unknown = new Counter({
    name: 'projection_unknown_events_total',
    help: 'Events met whose type or version this release does not know.',
    registers: [registry],
  });
  const gauges = PROJECTION_GAUGES.map(([name, help, valueOf]) => ({
    gauge: new Gauge({ name, help, registers: [registry] }),
    valueOf,
  }));
  let source: ProjectionSource | null = null;
  return {
    observe: (count: number, seconds: number): void => {
      events.inc(count);
      batches.observe(seconds);
    },
    observeUnknown: (): void => {
      unknown.inc();
    },
    setSource: (next: ProjectionSource): void => {
      source = next;
    },
    refresh: async (): Promise<void> => {
      const state = await stateOf(source);
      for (const { gauge, valueOf } of gauges) {
        const value = state === null ? null : valueOf(state);
        if (value === null) gauge.remove();
        else gauge.set(value);
      }
    },
  };
}

async function stateOf(source: ProjectionSource | null): Promise<ProjectionState | null> {
  try {
    return (await source?.()) ?? null;
  } catch {
    return null; // A store that is down must not take the other metrics along: here it shows as absent gauges.
  }
}
