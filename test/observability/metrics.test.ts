import { expect } from 'chai';
import { UNMATCHED } from '../../src/service/http/request-counts.ts';
import { createMetrics, type ProjectionState } from '../../src/service/observability/metrics.ts';

/** The value of one series, as scraped; undefined when it is absent. */
async function scrape(metrics: ReturnType<typeof createMetrics>, series: string): Promise<number | undefined> {
  const line = (await metrics.render()).split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

/** Counts a response as the HTTP server does. */
function answer(
  metrics: ReturnType<typeof createMetrics>,
  ...[route, status, seconds]: [string, number, number]
): void {
  metrics.seriesOf(route).count(status, seconds, { isReplay: false, caller: null });
}

describe('metrics', () => {
  it('counts requests by method, route and status, and times them by method and route', async () => {
    const metrics = createMetrics();
    answer(metrics, 'GET /api/v1/laps/{lapId}', 200, 0.002);
    answer(metrics, 'GET /api/v1/laps/{lapId}', 200, 0.03);
    answer(metrics, 'GET /api/v1/laps/{lapId}', 404, 0.001);
    answer(metrics, UNMATCHED, 404, 0.001);
    const labels = 'method="GET",route="/api/v1/laps/{lapId}"';
    expect(await scrape(metrics, `http_requests_total{${labels},status="200"}`)).to.equal(2);
    expect(await scrape(metrics, `http_requests_total{${labels},status="404"}`)).to.equal(1);
    expect(await scrape(metrics, 'http_requests_total{method="*",route="unmatched",status="404"}')).to.equal(1);
    expect(await scrape(metrics, `http_request_duration_seconds_bucket{le="0.0025",${labels}}`)).to.equal(2);
    expect(await scrape(metrics, `http_request_duration_seconds_count{${labels}}`)).to.equal(3);
    expect(await scrape(metrics, `http_request_duration_seconds_sum{${labels}}`)).to.be.closeTo(0.033, 1e-9);
  });

  it('does not count twice when it is scraped twice', async () => {
    const metrics = createMetrics();
    answer(metrics, 'POST /x', 201, 0.1);
    await metrics.render();
    expect(await scrape(metrics, 'http_requests_total{method="POST",route="/x",status="201"}')).to.equal(1);
  });

  it('keeps the number of series bounded', async () => {
    const metrics = createMetrics();
    for (let n = 0; n < 5_000; n++) answer(metrics, `GET /${n}`, 200, 0);
    expect((await metrics.render()).match(/^http_requests_total\{/gm)).to.have.length(1_000);
    expect(await scrape(metrics, 'http_requests_total{method="*",route="unmatched",status="200"}')).to.equal(4_001);
  });

  it('times appends and batches of the projection', async () => {
    const metrics = createMetrics();
    metrics.observeAppend(0.004);
    metrics.observeProjection(50, 0.02);
    metrics.observeProjection(7, 0.01);
    expect(await scrape(metrics, 'event_append_duration_seconds_bucket{le="0.005"}')).to.equal(1);
    expect(await scrape(metrics, 'projection_batch_duration_seconds_count')).to.equal(2);
    expect(await scrape(metrics, 'projection_events_total')).to.equal(57);
  });

  it('asks for the state of the projection at each scrape', async () => {
    const metrics = createMetrics();
    const gauges = [
      'projection_checkpoint',
      'projection_lag_positions',
      'projection_running',
      'projection_stalled_seconds',
      'projector_lease_held',
      'projector_lease_fence',
      'event_store_up',
    ];
    const none = gauges.map(() => undefined);
    const values = () => Promise.all(gauges.map((gauge) => scrape(metrics, gauge)));
    expect(await values()).to.deep.equal(none);
    let state: ProjectionState = {
      checkpoint: null,
      head: null,
      lag: 9,
      running: true,
      stalledSeconds: 4,
      deadLetters: 3,
      eventStoreUp: true,
      lease: { state: 'standby', holder: 'x', fence: 7 },
    };
    metrics.setProjection(() => state);
    expect(await values()).to.deep.equal([undefined, 9, 1, 4, 0, 7, 1]);
    state = {
      checkpoint: 12,
      head: null,
      lag: 0,
      running: false,
      stalledSeconds: 0,
      deadLetters: 0,
      lease: null,
      eventStoreUp: false,
    };
    expect(await values()).to.deep.equal([12, 0, 0, 0, undefined, undefined, 0]);
    metrics.setProjection(() => Promise.reject(new Error('the store is down')));
    expect(await values()).to.deep.equal(none);
  });

  it('shows the process and its event-loop lag, in each app alike', async () => {
    for (const metrics of [createMetrics(), createMetrics()]) {
      expect(await scrape(metrics, 'nodejs_eventloop_lag_p99_seconds')).to.be.a('number');
      expect(await scrape(metrics, 'process_resident_memory_bytes')).to.be.above(0);
      expect(await scrape(metrics, 'process_cpu_user_seconds_total')).to.be.above(0);
    }
  });
});
