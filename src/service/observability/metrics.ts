import { collectDefaultMetrics, Counter, Histogram, Registry, Gauge } from 'prom-client';
import { lapMetrics, LAPS_ROUTE } from './lap-metrics.ts';
import type { LeaseStatus } from '../../kernel/lease.ts';
import type { Position } from '../../kernel/ports/event-store.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Upper bounds in seconds. An embedded append takes a millisecond or two, a request's deadline is ten seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Most routes with their own series: past that, requests count as unmatched, so that they cannot fill the memory. */
const MAX_ROUTES = 1_000;

/** The route of requests that match no endpoint, as the HTTP server names it. */
const UNMATCHED = '* unmatched';

let processRegistry: Registry | null = null;

/** Creates the metrics of one service; those of the process are shared by all services in it. */
export function createMetrics() {
  const registry = Registry.merge([processMetrics()]);
  const registers = [registry];
  const batches = histogram(registry, 'projection_batch_duration_seconds', 'Time to apply a batch of events.');
  const appends = histogram(registry, 'event_append_duration_seconds', 'Time to append to the event store, durably.');
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  const events = counter('projection_events_total', 'Events applied to the read models.');
  const unknownEvents = counter(
    'projection_unknown_events_total',
    'Events met whose type or version this release does not know.',
  );
  const storeFailures = new Counter({
    name: 'store_failures_total',
    help: 'Calls of a store that were repeated or, of assets and appends, have failed, and reconnections.',
    labelNames: ['store', 'kind'],
    registers,
  });
  const observeAppend: (seconds: number) => void = appends.observe.bind(appends);
  let source: ProjectionSource | null = null;
  let projection: ProjectionState | null = null;
  addGauges(registry, PROJECTION_GAUGES, () => (projection === null ? null : figuresOf(projection)));
  const lapCounts = new Map<string, number>();
  const seriesOf = seriesIn(registry, lapCounts);
  const laps = lapMetrics(registry, lapCounts);
  return {
    /** The series of a route, by method and path template, never by the requested path: each is kept for ever. */
    seriesOf,
    /** Counts an append to the event store that succeeded. */
    observeAppend,
    observeProjection: (count: number, seconds: number): void => {
      events.inc(count);
      batches.observe(seconds);
    },
    observeLapBatch: laps.observeBatch,
    renderRigs: laps.renderRigs,
    /** Sets the source of the longest silence of a rig, in seconds, called at each scrape; null: none was heard. */
    setRigs: (longestSilence: () => number | null) =>
      addGauges(registry, RIG_GAUGES, () => ({ longestSilence: longestSilence() })),
    observeUnknownEvent: () => unknownEvents.inc(),
    /** Counts a call of a store server that was repeated or has failed, or a new connection after a lost one. */
    observeStoreFailure: (store: 'event_store' | 'read_store' | 'assets', kind: 'retry' | 'reconnect' | 'failure') =>
      storeFailures.inc({ store, kind }),
    /** Sets the source of the projection gauges, called at each scrape; while it fails, they are absent. */
    setProjection: (next: ProjectionSource) => void (source = next),
    /** Sets the source of the figures of the live boards, called at each scrape. */
    setLive: (live: () => LiveState) => addLiveMetrics(registry, live),
    async render() {
      projection = await stateOf(source);
      return registry.metrics();
    },
  };
}

/** Gauges: name, help, and the figure that each shows. */
type Gauges<F extends string> = readonly (readonly [name: string, help: string, figure: F])[];

/** The values of the gauges; a gauge without a value is absent. */
type Figures<F extends string> = Readonly<Record<F, number | boolean | null>>;

/** Adds gauges that show figures at each scrape; they are all absent while there are none. */
function addGauges<F extends string>(registry: Registry, gauges: Gauges<F>, figuresNow: () => Figures<F> | null): void {
  for (const [name, help, figure] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = figuresNow()?.[figure] ?? null;
        if (value === null) this.remove();
        else this.set(Number(value));
      },
    });
  }
}

export type LiveState = Readonly<Record<'readers' | 'dropped' | 'changes' | 'behindMs', number>>;

const LIVE_GAUGES: Gauges<'readers' | 'changes' | 'behindSeconds'> = [
  ['live_readers', 'Readers of live boards.', 'readers'],
  ['live_changes', 'Changes of racing events that are kept in memory for live boards.', 'changes'],
  ['live_behind_seconds', 'How far the feed of the live boards is behind the log.', 'behindSeconds'],
];

const RIG_GAUGES: Gauges<'longestSilence'> = [
  ['rig_longest_silence_seconds', 'Age of the last request of the rig that has been silent longest.', 'longestSilence'],
];

function addLiveMetrics(registry: Registry, live: () => LiveState): void {
  addGauges(registry, LIVE_GAUGES, () => {
    const { readers, changes, behindMs } = live();
    return { readers, changes, behindSeconds: behindMs / MS_PER_SECOND };
  });
  new Counter({
    name: 'live_readers_dropped_total',
    help: 'Readers of live boards that were disconnected because they were too slow.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(live().dropped);
    },
  });
}

/** Created once: the observers of `collectDefaultMetrics` cannot be stopped. */
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

interface Requester {
  readonly isReplay: boolean;
  readonly caller: { readonly rigId: string | null } | null;
}

/** How long the requests of a route took, and how many responses of each status there were. */
class RouteSeries {
  readonly byStatus = new Map<number, number>();
  readonly #duration: Histogram.Internal<string>;
  /** Where laps are counted; null: these are none. */
  readonly #laps: Map<string, number> | null;
  readonly labels: { readonly method: string; readonly route: string };

  constructor(route: string, durations: Histogram, laps: Map<string, number>) {
    const space = route.indexOf(' ');
    this.labels = { method: route.slice(0, space), route: route.slice(space + 1) };
    this.#duration = durations.labels(this.labels);
    this.#laps = route === LAPS_ROUTE ? laps : null;
  }

  count(status: number, seconds: number, from: Requester): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.#duration.observe(seconds);
    if (this.#laps === null) return;
    const lap = `alone ${from.isReplay ? 'replay' : status} ${from.caller?.rigId ?? ''}`;
    this.#laps.set(lap, (this.#laps.get(lap) ?? 0) + 1);
  }
}

/**
 * Creates the metrics of requests; the result finds the series of a route. prom-client builds a string from all labels at
 * each call: 0.55 µs for a counter with three. So the server counts in plain numbers, which are copied at each scrape; of
 * durations, each route keeps its part of the histogram.
 */
function seriesIn(registry: Registry, laps: Map<string, number>) {
  const routes = new Map<string, RouteSeries>();
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
      for (const { labels, byStatus } of routes.values())
        for (const [status, count] of byStatus) this.inc({ ...labels, status }, count);
    },
  });
  const add = (route: string): RouteSeries => {
    const series = new RouteSeries(route, durations, laps);
    routes.set(route, series);
    return series;
  };
  const unmatched = add(UNMATCHED);
  return (route: string): Pick<RouteSeries, 'count'> =>
    routes.get(route) ?? (routes.size < MAX_ROUTES ? add(route) : unmatched);
}

/** State of the projection group, as this process knows it: what the gauges say, and more. */
export interface ProjectionState {
  /** Position of the last event that the read models reflect; null before the first. */
  readonly checkpoint: Position | null;
  /** Position of the newest event; null before the first. */
  readonly head: Position | null;
  /** Positions between the checkpoint and the newest event; null, as below, while a store does not answer. */
  readonly lag: number | null;
  readonly running: boolean;
  /** How long the checkpoint has been behind the head without progress; 0 when it is not. */
  readonly stalledSeconds: number | null;
  /** The projector's lease as this process knows it; null when this process has no projector. */
  readonly lease: LeaseStatus | null;
  /** Number of dead letters that wait to be retried; null while it is not known. */
  readonly deadLetters: number | null;
  readonly eventStoreUp: boolean;
}

/** Source of the projection gauges. It must limit its own time, because a scrape waits for it. */
export type ProjectionSource = () => ProjectionState | Promise<ProjectionState>;

const PROJECTION_GAUGES: Gauges<keyof ReturnType<typeof figuresOf>> = [
  ['projection_checkpoint', 'Position of the last event that the read models reflect.', 'checkpoint'],
  ['projection_lag_positions', 'Positions to the newest event: events if embedded, bytes in EventStoreDB.', 'lag'],
  ['projection_running', '1, or 0 when the projection has stopped at an event.', 'running'],
  ['projection_stalled_seconds', 'How long the read models have been behind without progress.', 'stalledSeconds'],
  ['projection_dead_letters', 'Events that are parked with their stream until they are retried.', 'deadLetters'],
  ['event_store_up', '1, or 0 while it cannot be read or takes no appends.', 'eventStoreUp'],
  ['projector_lease_held', '1 when this process holds the lease of the read models, else 0.', 'isLeaseHeld'],
  ['projector_lease_fence', 'Times that the lease has been granted, to any process.', 'fence'],
];

function figuresOf({ lease, head: _, ...figures }: ProjectionState) {
  return { ...figures, isLeaseHeld: lease === null ? null : lease.state === 'holding', fence: lease?.fence ?? null };
}

async function stateOf(source: ProjectionSource | null): Promise<ProjectionState | null> {
  try {
    return (await source?.()) ?? null;
  } catch {
    return null; // A store that fails must not fail the other metrics: the gauges are absent then.
  }
}

const MS_PER_SECOND = 1_000;
