import { collectDefaultMetrics, Counter, Histogram, Registry, Gauge } from 'prom-client';
import { UNMATCHED } from '../http/exchange.ts';
import type { LeaseStatus } from '../kernel/lease.ts';
import type { EventStore, Position } from '../kernel/ports/event-store.ts';

/** What the service counts and times, for Prometheus. Durations are in seconds. */
export interface Metrics {
  /**
   * Counts an answered request. `route` is the endpoint's method and path template (`GET /api/v1/laps/{lapId}`), never
   * the path that was asked for: each route is a series that is kept for ever. `UNMATCHED` stands for all that match
   * none.
   */
  readonly observeRequest: (route: string, status: number, seconds: number) => void;
  /** Counts an append to the event store that succeeded. */
  readonly observeAppend: (seconds: number) => void;
  /** Counts a batch of events that was applied to the read models. */
  readonly observeProjection: (events: number, seconds: number) => void;
  /** Counts an event that was met whose type or version this release does not know. */
  readonly observeUnknownEvent: () => void;
  /** Counts a call of a store server that had to be repeated, or a connection that was made anew. */
  readonly observeSetback: (store: 'event_store' | 'read_store', kind: 'retry' | 'reconnect') => void;
  /** Names whom to ask for the projection gauges, at each scrape; while it fails, or there is none, they are absent. */
  readonly setProjection: (source: ProjectionSource) => void;
  /** Everything in the text format of Prometheus. */
  readonly render: () => Promise<string>;
}

/** Media type of what `render` gives. */
export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Upper bounds in seconds. An embedded append takes a millisecond or two, a request's deadline is ten seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Routes told apart; a caller that breaks the rule above fills `UNMATCHED` instead of the memory. */
const MAX_ROUTES = 1_000;

let processRegistry: Registry | null = null;

/** Makes the metrics of one app. Those of the process (CPU, memory, event-loop lag, collections) all apps share. */
export function createMetrics(): Metrics {
  const registry = Registry.merge([processMetrics()]);
  const batch = histogram(registry, 'projection_batch_duration_seconds', 'Time to apply a batch of events.');
  const projection = projectionMetrics(registry, batch);
  const append = histogram(registry, 'event_append_duration_seconds', 'Time to append to the event store, durably.');
  const setbacks = new Counter({
    name: 'store_setbacks_total',
    help: 'Calls of a store server that were repeated, and connections that were made anew.',
    labelNames: ['store', 'kind'],
    registers: [registry],
  });
  return {
    observeRequest: requestMetrics(registry),
    observeAppend: (seconds) => {
      append.observe(seconds);
    },
    observeProjection: projection.observe,
    observeUnknownEvent: projection.observeUnknown,
    observeSetback: (store, kind) => {
      setbacks.inc({ store, kind });
    },
    setProjection: projection.setSource,
    render: async () => {
      await projection.refresh();
      return registry.metrics();
    },
  };
}

/** Made once: each call of `collectDefaultMetrics` starts observers that cannot be stopped. */
function processMetrics(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

function histogram(registry: Registry, name: string, help: string): Histogram {
  return new Histogram({ name, help, buckets: DURATION_BUCKETS, registers: [registry] });
}

interface RouteCount {
  readonly labels: { readonly method: string; readonly route: string };
  readonly byStatus: Map<number, number>;
  readonly duration: Histogram.Internal<string>;
}

/**
 * prom-client puts a string together from all labels at each call: 0.55 µs for a counter of three, 0.8 µs for a
 * histogram of two. So the counter is kept in plain numbers and handed over when it is scraped.
 */
function requestMetrics(registry: Registry): Metrics['observeRequest'] {
  const routes = new Map<string, RouteCount>();
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, byStatus } of routes.values()) {
        for (const [status, count] of byStatus) this.inc({ ...labels, status }, count);
      }
    },
  });
  const add = (route: string): RouteCount => {
    const space = route.indexOf(' ');
    const labels = { method: route.slice(0, space), route: route.slice(space + 1) };
    const count = { labels, byStatus: new Map<number, number>(), duration: durations.labels(labels) };
    routes.set(route, count);
    return count;
  };
  const unmatched = add(UNMATCHED);
  return (route, status, seconds) => {
    const count = routes.get(route) ?? (routes.size < MAX_ROUTES ? add(route) : unmatched);
    count.byStatus.set(status, (count.byStatus.get(status) ?? 0) + 1);
    count.duration.observe(seconds);
  };
}

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

/** The event store, with each append that succeeds timed. */
export function withTimedAppends(store: EventStore, metrics: Metrics): EventStore {
  return {
    async append(...args) {
      const startedAt = performance.now();
      const appended = await store.append(...args);
      metrics.observeAppend((performance.now() - startedAt) / MS_PER_SECOND);
      return appended;
    },
    readStream: (stream) => store.readStream(stream),
    readNewest: (stream) => store.readNewest(stream),
    readAll: (after, types) => store.readAll(after, types),
    subscribe: (after, types, signal) => store.subscribe(after, types, signal),
    head: () => store.head(),
    close: () => store.close(),
  };
}

const MS_PER_SECOND = 1_000;
