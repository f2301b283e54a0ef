import { apiKeys } from '../../../projections/api-keys.ts';
import { licenses } from '../../../projections/licenses.ts';
import { oldTokenValidUntil } from '../../../queries/api-keys.ts';
import { createAdminKeyGuard } from '../access/admin-keys.ts';
import { createKeyUsage } from '../access/authenticator.ts';
import { Authorizer } from '../access/authorizer.ts';
import { createKeyIssuer } from '../access/keys.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { Config } from '../config/config.ts';
import type { Category } from '../../domain/categories.ts';
import type { LicenseSigner } from '../../domain/license-file.ts';
import { FairTurns } from '../http/fair-turns.ts';
import { createCommandHandler } from '../../kernel/aggregate/command-handler.ts';
import { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { Assets } from '../../kernel/ports/assets.ts';
import { ReadOnlyStore } from '../../kernel/ports/errors.ts';
import type { CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import type { Live } from '../live/live.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import { PARTS, RESOURCES } from '../resources/index.ts';
import { withPageCounts } from './lists.ts';
import { createUploadRoom, type UploadRoomOptions } from './upload-room.ts';
import type { Overlay } from './views.ts';
import { WideChanges } from './wide-changes.ts';

interface ApiContextOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly stores: ProjectionStores;
  readonly metrics: Metrics;
  readonly freeBytes: UploadRoomOptions['freeBytes'];
  readonly registry: KeyRegistry;
  /** Checkpoint of the built-in read models. */
  readonly checkpointWaiter: CheckpointReader;
  readonly assets: Assets;
  readonly live: Live;
  readonly signer: LicenseSigner;
}

/** What the handlers of the endpoint table have in common: stores, services and settings. */
export type ApiContext = Readonly<ReturnType<typeof createApiContext>>;

export function createApiContext({ config, log, stores, metrics, freeBytes, ...services }: ApiContextOptions) {
  const { cdnBaseUrl, rigKeyRole, publicParticipants, licenseFileMaxAgeMs } = config;
  const { bodyDepthLimit, projectionWaitMs, queryBudget } = config;
  const { store, models, clock, ids } = stores;
  const { registry } = services;
  const aggregates = new Aggregates(store);
  const handler = createCommandHandler({ store, clock, ids, aggregates });
  const usage = recordOfUse({ log, stores, registry });
  const keysNow: Overlay = ({ id }) => ({
    lastUsedAt: usage.lastUsedAt(id),
    oldTokenValidUntil: oldTokenValidUntil(registry.key(id), clock.now()),
  });
  return {
    models: withPageCounts(models, clock),
    handler,
    aggregates,
    /** Resources that were found, by id: nothing that others refer to is ever deleted. */
    existing: new Map<string, Category>(),
    ...services,
    usage,
    /** Called with the verdicts on each batch of laps. */
    onLapBatch: metrics.observeLapBatch,
    guardAdminKeys: createAdminKeyGuard(registry),
    keyIssuer: createKeyIssuer({ handler, aggregates, registry, usage, clock, ids }),
    overlays: new Map<string, Overlay>([
      [apiKeys.collection, keysNow],
      [licenses.collection, ({ id }) => ({ lastLoginAt: usage.lastLoginAt(id) })],
    ]),
    uploadRoom: createUploadRoom({ models, clock, limits: config.uploadRoom, freeBytes }),
    wideChanges: new WideChanges({ models, checkpointWaiter: services.checkpointWaiter, clock }),
    clock,
    ids,
    log,
    authorizer: new Authorizer({
      aggregates,
      resources: [...RESOURCES, ...PARTS],
      isAdminKey: (id) => registry.key(id)?.role === 'ADMIN',
      tenantIsolation: config.licenseWalls,
    }),
    // Settings, which `VARIABLES` describes.
    ...{ cdnBaseUrl, rigKeyRole, publicParticipants, licenseFileMaxAgeMs },
    ...{ bodyDepthLimit, projectionWaitMs, queryBudget },
    rigsOnly: config.rigKeyScope === 'rig',
    /** Runs what may visit many documents, in turns. */
    longReads: new FairTurns(),
    /** Runs what large bodies ask for, in turns. */
    largeBodies: new FairTurns(),
  };
}

function recordOfUse({ log, stores, registry }: Pick<ApiContextOptions, 'log' | 'stores' | 'registry'>) {
  const outage = createOutageLog(log, 'The record of key use');
  const onError = (error: unknown): void => {
    if (!(error instanceof ReadOnlyStore)) outage.failed(error);
  };
  return createKeyUsage({ ...stores, registry, onError });
}
