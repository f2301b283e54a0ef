import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { createMetrics } from '../../src/service/observability/metrics.ts';

const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z
        .array(
          z.strictObject({
            alert: z.string().regex(/^Timing[A-Za-z]+$/),
            expr: z.string(),
            for: z.string().regex(/^\d+[smh]$/),
            labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
            annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
          }),
        )
        .min(1),
    }),
  ),
});
const Dashboard = z.object({
  title: z.string(),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.object({ name: z.literal('datasource') })) }),
  panels: z
    .array(
      z.object({ id: z.int(), title: z.string(), targets: z.array(z.object({ refId: z.string(), expr: z.string() })) }),
    )
    .min(1),
});

/** Words of PromQL in the expressions. */
const PROMQL = new Set(['by', 'histogram_quantile', 'increase', 'max', 'min', 'rate', 'sum']);

const load = (file: string): unknown => JSON.parse(readFileSync(`docs/monitoring/${file}`, 'utf8'));

/** The metrics that an expression reads: labels, durations and numbers are left out. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ');
  return (bare.match(/[a-z][a-z0-9_]*/g) ?? []).filter((word) => !PROMQL.has(word));
}

/** Every series of the service. */
async function known(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics();
  metrics.setRigs(() => null);
  metrics.setLive(() => ({ readers: 0, dropped: 0, changes: 0, behindMs: 0 }));
  const types = [...(await metrics.render()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(types.flatMap(([, name = '', type]) => (type === 'histogram' ? [`${name}_bucket`] : [name])));
}

describe('alert rules and dashboard', () => {
  it('are of the form that Prometheus and Grafana load, and read only metrics that there are', async () => {
    const alerts = Alerts.parse(load('alerts.json')).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
    const { panels } = Dashboard.parse(load('dashboard.json'));
    expect(new Set(panels.map(({ id }) => id))).to.have.property('size', panels.length);
    const there = await known();
    for (const expr of [...alerts, ...panels.flatMap(({ targets }) => targets.map((target) => target.expr))]) {
      const read = metricsIn(expr);
      expect(read, expr).not.to.be.empty;
      for (const metric of read) expect(there.has(metric), `${metric} in ${expr}`).to.equal(true);
    }
  });
});
