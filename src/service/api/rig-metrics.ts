import { rigs } from '../../../projections/rigs.ts';
import { streamAll } from '../../domain/documents.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { METRICS_CONTENT_TYPE, type Metrics } from '../observability/metrics.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { KeyUsage } from '../access/authenticator.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { ReadSources } from './views.ts';
import { FOR_OPERATORS } from './operations.ts';

interface SilenceSources {
  readonly registry: Pick<KeyRegistry, 'keysWhere'>;
  readonly usage: Pick<KeyUsage, 'lastUsedAt'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface RigMetricsSources extends SilenceSources {
  readonly reads: Pick<ReadSources, 'models'>;
}

/** GET of the figures of each rig, for ADMIN: they name rigs, which the public metrics do not. */
export function rigMetricsEndpoint(sources: RigMetricsSources, { renderRigs }: Pick<Metrics, 'renderRigs'>): Endpoint {
  return endpoint({
    ...FOR_OPERATORS,
    method: 'GET',
    path: '/api/v1/operations/rig-metrics',
    operationId: 'getRigMetrics',
    summary: 'Get metrics of each rig',
    description:
      'Shows how long each rig has been silent, and its laps by verdict since this process started (Prometheus text format).',
    responses: { 200: 'text/plain' },
    async handle() {
      const silences = silencesOf(sources);
      const states = [];
      for await (const batch of streamAll(sources.reads.models, rigs, { where: {} })) {
        for (const { id, name } of batch) states.push({ id, name: name ?? '', silence: silences.get(id) ?? null });
      }
      const headers = { 'Content-Type': METRICS_CONTENT_TYPE };
      return { kind: 'text', status: 200, body: await renderRigs(states), headers };
    },
  });
}

/** Seconds since the last request of the rig that has been silent longest; null: no rig was heard. */
export function longestSilence(sources: SilenceSources): number | null {
  const silences = silencesOf(sources);
  return silences.size === 0 ? null : Math.max(...silences.values());
}

const MS_PER_SECOND = 1_000;

/** Seconds since the last request of each rig with a key that was used. */
function silencesOf({ registry, usage, clock }: SilenceSources): ReadonlyMap<string, number> {
  const silences = new Map<string, number>();
  for (const { id, _rigId } of registry.keysWhere(({ enabled, _rigId: rigId }) => enabled && rigId !== null)) {
    const usedAt = usage.lastUsedAt(id);
    if (usedAt === null) continue;
    const silence = Math.max(0, clock.now() - Date.parse(usedAt)) / MS_PER_SECOND;
    silences.set(_rigId ?? '', Math.min(silence, silences.get(_rigId ?? '') ?? Infinity));
  }
  return silences;
}
