import { z } from 'zod';
import type { LicenseSigner } from '../../domain/license-file.ts';
import type { Health, HealthReport } from '../observability/health.ts';
import { component } from '../../domain/component.ts';
import { described, jsonObject } from '../../domain/fields.ts';
import type { Caller } from '../../domain/roles.ts';
import { OPERATIONS } from '../http/openapi.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { RETRY_AFTER_SECONDS } from '../http/problems.ts';
import { cachedFor } from '../observability/cached-for.ts';
import { METRICS_CONTENT_TYPE, type Metrics } from '../observability/metrics.ts';

const status = described(
  z.enum(['UP', 'DOWN']).meta(component('HealthStatus', 'Whether something works.')),
  'UP: it works.',
  'UP',
);
export const HealthView = z
  .object({
    status,
    components: described(z.record(z.string(), jsonObject), 'The parts by name, each with its `status`, and details.', {
      eventStore: { status: 'UP' },
      readStore: { status: 'UP' },
    }),
  })
  .meta(component('Health', 'Health of the service and of its parts.'));
const LivenessView = z.object({ status }).meta({ id: 'Liveness', description: 'Says that the process answers.' });
const JwksView = z
  .object({
    keys: described(z.array(z.record(z.string(), z.string())), 'The keys.', [
      { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: '2026-05' },
    ]),
  })
  .meta({ id: 'JwkSet', description: 'A set of public keys.' });

/** The fields of endpoints that show how the service is doing, and of those for its operators. */
const PUBLIC = { method: 'GET', tag: OPERATIONS, access: 'public', keyless: true } as const;
export const FOR_OPERATORS = { tag: OPERATIONS, access: 'ADMIN' } as const;

export interface OperationsOptions extends Health {
  readonly metrics: Metrics;
  /**
   * Whether a caller sees all details of health: about hosts, processes and errors. Everybody sees the status of each
   * component, and why a store refuses the service.
   */
  readonly seesDetails: (caller: Caller | null) => boolean;
}

/** Endpoints that show health and metrics of a process; none needs a key (docs/interface.md#operations). */
export function operationsEndpoints(options: OperationsOptions): readonly Endpoint[] {
  const { health, readiness, metrics, seesDetails } = options;
  const responses = { 200: HealthView, 503: HealthView };
  const healthHandler =
    (report: () => Promise<HealthReport>) =>
    async ({ caller }: ApiRequest) => {
      const whole = await report();
      const body = seesDetails(caller) ? whole : statusesOf(whole);
      if (whole.status === 'UP') return { kind: 'json', status: 200, body } as const;
      return { kind: 'json', status: 503, body, headers: { 'Retry-After': RETRY_AFTER_SECONDS } } as const;
    };
  return [
    endpoint({
      ...PUBLIC,
      path: '/actuator/health',
      operationId: 'getHealth',
      summary: 'Get the health of the service',
      description: 'Shows the status of each part. An ADMIN key also sees details about hosts, processes and errors.',
      responses,
      handle: healthHandler(health),
    }),
    endpoint({
      ...PUBLIC,
      path: '/actuator/health/liveness',
      operationId: 'getLiveness',
      summary: 'Ask whether the process answers',
      description: 'It checks nothing else.',
      responses: { 200: LivenessView },
      handle: () => ({ kind: 'json', status: 200, body: { status: 'UP' } }),
    }),
    endpoint({
      ...PUBLIC,
      path: '/actuator/health/readiness',
      operationId: 'getReadiness',
      summary: 'Ask whether requests should be sent here',
      description: 'Answers 503 while the process cannot serve requests as it should.',
      responses,
      handle: healthHandler(readiness),
    }),
    metricsEndpoint(metrics),
  ];
}

function statusesOf({ status, components }: HealthReport): HealthReport {
  const statuses = Object.entries(components).map(([name, { status: own, refusal }]) => {
    const shown = refusal === undefined ? { status: own } : { status: own, refusal };
    return [name, shown];
  });
  return { status, components: Object.fromEntries(statuses) as HealthReport['components'] };
}

/** Time, in ms, for which the metrics are kept: nobody needs a key to ask for them. */
const METRICS_CACHE_MS = 500;

function metricsEndpoint(metrics: Metrics): Endpoint {
  const headers = { 'Content-Type': METRICS_CONTENT_TYPE };
  const rendered = cachedFor(METRICS_CACHE_MS, async () => {
    const body = await metrics.render();
    return { kind: 'text', status: 200, body, headers, coded: new Map() } as const;
  });
  return endpoint({
    ...PUBLIC,
    path: '/actuator/prometheus',
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description: 'The metrics are in the text format of Prometheus.',
    responses: { 200: 'text/plain' },
    handle: rendered,
  });
}

export function signingKeysEndpoint(signer: LicenseSigner): Endpoint {
  return endpoint({
    ...PUBLIC,
    path: '/.well-known/jwks.json',
    operationId: 'getSigningKeys',
    summary: 'Get the public keys of licence files',
    description: 'The keys are a JWK set (RFC 7517).',
    responses: { 200: JwksView },
    handle: () => ({ kind: 'json', status: 200, body: signer.jwks() }),
  });
}
