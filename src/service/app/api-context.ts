import { apiKeys } from '../../../projections/api-keys.ts';
import { licenses } from '../../../projections/licenses.ts';
import { oldTokenValidUntil } from '../../../queries/api-keys.ts';
import { createAdminKeyGuard } from '../access/admin-keys.ts';
import { createKeyIssuer } from '../access/keys.ts';
import { Authorizer } from '../access/authorizer.ts';
import { createKeyUsage, type KeyUsage } from '../access/authenticator.ts';
import type { Config } from '../config/config.ts';
import { FairTurns } from '../http/fair-turns.ts';
import { Aggregates } from '../kernel/aggregate/decider.ts';
import { createCommandHandler } from '../kernel/aggregate/command-handler.ts';
import { ReadOnlyStore } from '../kernel/ports/errors.ts';
import { pause } from '../kernel/ports/system.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import type { ApiContext } from '../api/context.ts';
import { withPageCounts } from '../api/lists.ts';
import { removeLeftBytes } from '../api/files.ts';
import { createUploadRoom } from '../api/upload-room.ts';
import type { Overlay } from '../api/views.ts';
import { PARTS, RESOURCES } from '../resources/index.ts';
import { freeBytesOn } from '../stores/assets.ts';

interface ApiContextOptions extends Pick<ApiContext, 'registry' | 'checkpointWaiter' | 'assets' | 'live' | 'signer'> {
  readonly config: Config;
  readonly log: Logger;
  readonly stores: ProjectionStores;
  readonly metrics: Metrics;
}

export function createApiContext(options: ApiContextOptions): ApiContext {
  const { config, log, stores, metrics, ...services } = options;
  const { store, models, clock, ids } = stores;
  const { registry } = services;
  const aggregates = new Aggregates(store);
  const handler = createCommandHandler({ store, clock, ids, aggregates });
  const usage = recordOfUse({ log, stores, registry });
  return {
    models: withPageCounts(models, clock),
    handler,
    aggregates,
    existing: new Map(),
    ...services,
    ...{ usage, onLapBatch: metrics.observeLapBatch },
    guardAdminKeys: createAdminKeyGuard(registry),
    keyIssuer: createKeyIssuer({ handler, registry, usage, clock, ids }),
    overlays: new Map<string, Overlay>([
      [
        apiKeys.collection,
        ({ id }) => ({
          lastUsedAt: usage.lastUsedAt(id),
          oldTokenValidUntil: oldTokenValidUntil(registry.key(id), clock.now()),
        }),
      ],
      [licenses.collection, ({ id }) => ({ lastLoginAt: usage.lastLoginAt(id) })],
    ]),
    uploadRoom: createUploadRoom({
      ...{ models, clock, limits: config.uploadRoom },
      freeBytes: () => freeBytesOn(config.dataDir),
    }),
    cdnBaseUrl: config.cdnBaseUrl,
    clock,
    ids,
    authorizer: new Authorizer({
      aggregates,
      resources: [...RESOURCES, ...PARTS],
      isAdminKey: (id) => registry.key(id)?.role === 'ADMIN',
      tenantIsolation: config.licenseWalls,
    }),
    rigKeyRole: config.rigKeyRole,
    rigsOnly: config.rigKeyScope === 'rig',
    publicParticipants: config.publicParticipants,
    licenseFileMaxAgeMs: config.licenseFileMaxAgeMs,
    bodyLevels: config.bodyDepthLimit,
    projectionWaitMs: config.projectionWaitMs,
    queryBudget: config.queryBudget,
    ...{ longReads: new FairTurns(), largeBodies: new FairTurns() },
  };
}

function recordOfUse({ log, stores, registry }: Pick<ApiContextOptions, 'log' | 'stores' | 'registry'>): KeyUsage {
  const outage = createOutageLog(log, 'The record of key use');
  const onError = (error: unknown): void => {
    if (!(error instanceof ReadOnlyStore)) outage.failed(error);
  };
  return createKeyUsage({ ...stores, registry, onError });
}

/** How often, in ms, bytes of uploads that came to nothing are looked for, and after how many where a store failed. */
const CLEAN_FILES_MS = 86_400_000;
const CLEAN_AGAIN_MS = 60_000;

/** Removes what killed uploads left in the store of files: at the start, and then once a day. */
export async function cleanFiles(
  api: ApiContext,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const outage = createOutageLog(log, 'The search for bytes of no file');
  while (!signal.aborted) {
    try {
      await removeLeftBytes(api, signal);
      outage.recovered();
      await pause(api.clock, CLEAN_FILES_MS, signal);
    } catch (error) {
      outage.failed(error);
      await pause(api.clock, CLEAN_AGAIN_MS, signal);
    }
  }
}
