import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BUILT_IN_VERSION } from '../resources/built-in.ts';
import type { Config } from '../config/config.ts';
import { component } from '../../domain/component.ts';
import { described, inUnit } from '../../domain/fields.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Health } from '../observability/health.ts';
import type { GenerationState } from '../projector/generation-state.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import { describeLease, PROJECTOR_LEASE } from '../projector/leases.ts';
import { reportRebuild } from '../projector/progress.ts';
import type { ProjectionHealth } from '../projector/projection-health.ts';
import type { KeyRegistry } from '../access/registry.ts';
import { FOR_OPERATORS, HealthView } from './operations.ts';
import { RebuildView, rebuildView } from './rebuilds.ts';

const count = z.int().min(0);
const countOrNull = count.nullable();
const nameOrNull = z.string().nullable();

const ProjectionView = z
  .object({
    state: described(
      nameOrNull,
      'State of the projector of this node: `running`, `retrying` while a store is away, `stopped`, `standby` while ' +
        'another process projects, `elsewhere` where this node has no projector; null: not known.',
      'running',
    ),
    checkpoint: described(countOrNull, 'Position up to which every event is projected; null: none is yet.', 48_211),
    head: described(countOrNull, 'Position of the newest event; null: there is none, or it is not known.', 48_213),
    lag: described(countOrNull, 'Positions between the two; null while a store does not answer.', 2),
    lagMs: described(
      inUnit(countOrNull, 'ms'),
      'Age of the oldest event that is not projected yet; 0: all are; null while a store does not answer.',
      41,
    ),
    stalledMs: described(
      inUnit(countOrNull, 'ms'),
      'How long the checkpoint has not moved although events wait; null while a store does not answer.',
      0,
    ),
  })
  .meta({ id: 'ProjectionStatus', description: 'How far the read models are behind the events.' });

const LeaseView = z
  .object({
    holder: described(
      nameOrNull,
      'The process that projects; null: none does at present.',
      'process 4711 on timing-1 (since 2026-05-01T17:55:00.000Z)',
    ),
    isHere: described(z.boolean(), 'Whether that process is the node that answers this request.', true),
    fence: described(count, 'How often the lease was granted.', 3),
    termMs: described(
      inUnit(count, 'ms'),
      'How long the lease is valid without being renewed. A holder that was killed is replaced after this time at the latest.',
      10_000,
    ),
  })
  .meta(component('LeaseStatus', 'The process that projects.'));

const GenerationView = z
  .object({
    current: described(z.string(), 'Name of the read models that are served.', 'built-in'),
    version: described(count, 'Version of these read models; 0: not known.', 15),
    next: described(nameOrNull, 'Name of the read models that a rebuild makes; null: there is no rebuild.', null),
    retiring: described(nameOrNull, 'Name of the previous read models, until no node reads them; null: none.', null),
  })
  .meta(component('GenerationStatus', 'The existing generations of read models.'));

const StatusView = z
  .object({
    version: described(z.string(), 'Version of the service.', '0.1.0'),
    readModelVersion: described(count, 'Version of the read models that this release makes.', 15),
    health: HealthView.meta({ description: 'Health of this node, as `/actuator/health` shows it.' }),
    projection: ProjectionView,
    lease: LeaseView.nullable().meta({ description: 'Null while the read store does not answer.' }),
    generation: GenerationView.nullable().meta({ description: 'Null while the read store does not answer.' }),
    deadLetters: described(countOrNull, 'Events that are parked; null: not known.', 0),
    rebuild: RebuildView.nullable().meta({ description: 'Null while a store does not answer.' }),
  })
  .meta({ id: 'OperationsStatus', description: 'An overview for operators.' });

type StatusView = z.output<typeof StatusView>;

export interface StatusSources {
  readonly registry: Pick<KeyRegistry, 'key'>;
  readonly stores: ProjectionStores;
  readonly health: Health;
  readonly projection: ProjectionHealth;
  readonly config: Pick<Config, 'leaseTermMs'>;
}

/** GET of the status; while a store is away, the parts that depend on it are null. */
export async function statusEndpoint(sources: StatusSources): Promise<Endpoint> {
  const version = await ownVersion();
  return endpoint({
    ...FOR_OPERATORS,
    method: 'GET',
    path: '/api/v1/operations/status',
    operationId: 'getStatus',
    summary: 'Get the status of the service',
    description:
      'Shows the health of this node, and what all nodes share: lag, lease, read models, dead letters and rebuild.',
    responses: { 200: StatusView },
    handle: async () => ({ kind: 'json', status: 200, body: { version, ...(await statusOf(sources)) } }),
  });
}

async function ownVersion(): Promise<string> {
  const file = fileURLToPath(import.meta.resolve('sim-racing-timing/package.json'));
  // npm's own file: it has a version.
  return (JSON.parse(await readFile(file, 'utf8')) as { readonly version: string }).version;
}

async function statusOf(sources: StatusSources): Promise<Omit<StatusView, 'version'>> {
  const { registry, stores, health, projection, config } = sources;
  const [healthReport, state, lease, generation, rebuild] = await Promise.all([
    health.health(),
    projection.state(),
    ifAvailable(describeLease(stores, PROJECTOR_LEASE)),
    ifAvailable(stores.generations.refresh()),
    ifAvailable(reportRebuild(stores)),
  ]);
  const { checkpoint, head, lag, stalledSeconds, deadLetters } = state;
  const own = healthReport.components['projection']?.['state'];
  return {
    readModelVersion: BUILT_IN_VERSION,
    health: healthReport,
    projection: {
      state: typeof own === 'string' ? own : null,
      checkpoint,
      head,
      lag,
      lagMs: lag === null || lag === 0 ? lag : await ifAvailable(ageOfNext(stores, checkpoint)),
      stalledMs: stalledSeconds === null ? null : Math.round(stalledSeconds * 1000),
    },
    lease: lease === null ? null : { ...lease, isHere: state.lease?.state === 'holding', termMs: config.leaseTermMs },
    generation: generation === null ? null : generationView(generation),
    deadLetters,
    rebuild: rebuild === null ? null : rebuildView(registry, rebuild),
  };
}

function generationView({ current, next, retiring }: GenerationState): StatusView['generation'] {
  return {
    current: current.namespace,
    version: current.version,
    next: next?.namespace ?? null,
    retiring: retiring?.namespace ?? null,
  };
}

/** Age, in ms, of the first event after a position; 0 when there is none. @throws {StoreUnavailable} */
async function ageOfNext({ store, clock }: ProjectionStores, checkpoint: Position | null): Promise<number> {
  for await (const [first] of store.readAll(checkpoint)) {
    if (first !== undefined) return Math.max(0, clock.now() - Date.parse(first.metadata.occurredAt));
  }
  return 0;
}

/** The result of a call of a store; null while the store is unavailable. */
async function ifAvailable<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}
