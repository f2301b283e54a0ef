import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_VERSION } from '../../../projections/index.ts';
import type { Config } from '../config/config.ts';
import { masked } from '../../tools/history/masking.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import type { Health } from '../observability/health.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import { describeLease, PROJECTOR_LEASE } from '../projector/leases.ts';
import type { ProjectionHealth } from '../projector/projection-health.ts';
import { reportRebuild } from '../projector/rebuild-report.ts';
import { RebuildRequests } from '../projector/rebuild-requests.ts';
import { requestRetries } from '../projector/retries.ts';
import type { ApiContext } from '../api/context.ts';
import { deadLetterRows } from '../api/dead-letters.ts';
import { rebuildRows } from '../api/rebuilds.ts';
import { statusRow, type StatusFacts } from '../api/status.ts';

/** Options of the endpoints for operators. */
export interface OperatorOptions {
  readonly api: ApiContext;
  readonly stores: ProjectionStores;
  readonly health: Health;
  readonly projection: ProjectionHealth;
  readonly config: Pick<Config, 'leaseTermMs'>;
}

/** The endpoints under `/api/v1/operations` (docs/interface.md#operations). */
export async function operatorRows({ api, stores, ...options }: OperatorOptions): Promise<readonly Endpoint[]> {
  const requests = new RebuildRequests(stores);
  const report = () => reportRebuild(stores);
  const version = await ownVersion();
  return [
    statusRow(api, () => statusOf({ stores, report, version, ...options })),
    ...deadLetterRows(api, {
      mask: (event) => masked(event, false),
      retry: (id, metadata) => requestRetries(stores, [id], metadata),
    }),
    ...rebuildRows(api, { report, request: (origin) => requests.request(origin) }),
  ];
}

/** The version in this package's own file. */
async function ownVersion(): Promise<string> {
  const file = fileURLToPath(import.meta.resolve('sim-racing-timing/package.json'));
  // npm's own file: it has a version.
  return (JSON.parse(await readFile(file, 'utf8')) as { readonly version: string }).version;
}

interface StatusOptions extends Omit<OperatorOptions, 'api'> {
  readonly report: () => ReturnType<typeof reportRebuild>;
  readonly version: string;
}

async function statusOf({ stores, health, projection, config, report, version }: StatusOptions): Promise<StatusFacts> {
  const [whole, state, lease, generation, rebuild] = await Promise.all([
    health.health(),
    projection.state(),
    ifAvailable(describeLease(stores, PROJECTOR_LEASE)),
    ifAvailable(stores.generations.refresh()),
    ifAvailable(report()),
  ]);
  const { checkpoint, head, lag, stalledSeconds, deadLetters } = state;
  const own = whole.components['projection']?.['state'];
  return {
    version,
    readModelVersion: BUILT_IN_VERSION,
    health: whole,
    projection: {
      state: typeof own === 'string' ? own : null,
      ...{ checkpoint, head, lag },
      lagMs: lag === null ? null : lag === 0 ? 0 : await ifAvailable(ageOfNext(stores, checkpoint)),
      stalledMs: stalledSeconds === null ? null : Math.round(stalledSeconds * 1000),
    },
    lease: lease === null ? null : { ...lease, isHere: state.lease?.state === 'holding', termMs: config.leaseTermMs },
    generation: generation === null ? null : generationFacts(generation),
    deadLetters,
    rebuild,
  };
}

function generationFacts({ current, next, retiring }: Awaited<ReturnType<ProjectionStores['generations']['refresh']>>) {
  return {
    ...{ current: current.namespace, version: current.version },
    next: next?.namespace ?? null,
    retiring: retiring?.namespace ?? null,
  };
}

/** Age, in ms, of the first event after a position; 0 when there is none. @throws {StoreUnavailable} */
async function ageOfNext(
  { store, clock }: { readonly store: Pick<EventStore, 'readAll'>; readonly clock: ProjectionStores['clock'] },
  checkpoint: Position | null,
): Promise<number> {
  for await (const [first] of store.readAll(checkpoint)) {
    if (first !== undefined) return Math.max(0, clock.now() - Date.parse(first.metadata.occurredAt));
  }
  return 0;
}

/** What a store gives; null while it is not available. */
async function ifAvailable<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}
