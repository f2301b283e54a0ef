import { apiKeys } from '../../../projections/api-keys.ts';
import { licenses } from '../../../projections/licenses.ts';
import { oldTokenValidUntil } from '../../../queries/api-keys.ts';
import type { LicenseSigner } from '../../domain/license-file.ts';
import { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { createCommandHandler } from '../../kernel/aggregate/command-handler.ts';
import type { Assets } from '../../kernel/ports/assets.ts';
import { ReadOnlyStore } from '../../kernel/ports/errors.ts';
import type { CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import { createAdminKeyGuard } from '../access/admin-keys.ts';
import { createKeyUsage, type KeyUsage } from '../access/authenticator.ts';
import { Authorizer } from '../access/authorizer.ts';
import { createKeyIssuer } from '../access/keys.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { Config } from '../config/config.ts';
import { FairTurns } from '../http/fair-turns.ts';
import type { Live } from '../live/live.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import { PARTS, RESOURCES } from '../resources/index.ts';
import { Files } from './files.ts';
import { KnownLicenses } from './licenses.ts';
import { withPageCounts } from './lists.ts';
import { EventQueues } from './queues.ts';
import { ReferencedResources } from './references.ts';
import { RequestCommands } from './request-commands.ts';
import { KeyChanges, RequestedKeys } from './tokens.ts';
import { createUploadRoom, type UploadRoomOptions } from './upload-room.ts';
import type { Overlay, ReadApi } from './views.ts';
import { WideChanges } from './wide-changes.ts';
import { WriteAnswers } from './write-answers.ts';

interface ApiServicesOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly stores: ProjectionStores;
  readonly metrics: Pick<Metrics, 'observeLapBatch'>;
  readonly freeBytes: UploadRoomOptions['freeBytes'];
  readonly registry: KeyRegistry;
  /** Checkpoint of the built-in read models. */
  readonly checkpointWaiter: CheckpointReader;
  readonly assets: Assets;
  readonly live: Live;
  readonly signer: LicenseSigner;
}

/** The services that endpoints are made with. Each endpoint declares those that it takes. */
export type ApiServices = Readonly<ReturnType<typeof createApiServices>>;

/** Creates the services of the endpoints: the composition root of the API. */
export function createApiServices(options: ApiServicesOptions) {
  const { config, log, stores, registry, checkpointWaiter, assets, live, signer } = options;
  const { store, clock, ids } = stores;
  const { projectionWaitMs } = config;
  const models = withPageCounts(stores.models, clock);
  const aggregates = new Aggregates(store);
  const handler = createCommandHandler({ store, clock, ids, aggregates });
  const usage = recordOfUse(log, stores, registry);
  const authorizer = new Authorizer({
    aggregates,
    resources: [...RESOURCES, ...PARTS],
    isAdminKey: (id) => registry.key(id)?.role === 'ADMIN',
    tenantIsolation: config.licenseWalls,
  });
  const reads: ReadApi = {
    models,
    overlays: overlaysOf(registry, usage, stores),
    authorizer,
    clock,
    queryBudget: config.queryBudget,
    publicParticipants: config.publicParticipants,
  };
  const references = new ReferencedResources(aggregates);
  const wideChanges = new WideChanges({ models: stores.models, checkpointWaiter, clock });
  const commands = new RequestCommands({ handler, aggregates, authorizer, references, wideChanges, clock, ids });
  const answers = new WriteAnswers({ reads, checkpointWaiter, clock, projectionWaitMs });
  const queues = new EventQueues({ handler, commands, aggregates, store, models, checkpointWaiter, clock });
  const keyIssuer = createKeyIssuer({ handler, aggregates, registry, usage, clock, ids });
  const keyChanges = new KeyChanges({ registry, checkpointWaiter, clock, projectionWaitMs });
  const uploadRoom = createUploadRoom({
    models: stores.models,
    clock,
    limits: config.uploadRoom,
    freeBytes: options.freeBytes,
  });
  return {
    clock,
    ids,
    log,
    live,
    signer,
    registry,
    checkpointWaiter,
    store,
    aggregates,
    handler,
    authorizer,
    usage,
    keyIssuer,
    reads,
    references,
    commands,
    answers,
    queues,
    keyChanges,
    requestedKeys: new RequestedKeys(keyIssuer, keyChanges, aggregates),
    licenses: new KnownLicenses(registry, references),
    guardAdminKeys: createAdminKeyGuard(registry),
    files: new Files({ models, assets, aggregates, authorizer, handler, answers, uploadRoom, clock, ids }),
    /** Called with the verdicts on each batch of laps. */
    onLapBatch: options.metrics.observeLapBatch,
    /** Runs what may visit many documents, in turns. */
    longReads: new FairTurns(),
    /** Runs what large bodies ask for, in turns. */
    largeBodies: new FairTurns(),
    /** Settings, which `VARIABLES` describes. */
    settings: {
      cdnBaseUrl: config.cdnBaseUrl,
      rigKeyRole: config.rigKeyRole,
      rigsOnly: config.rigKeyScope === 'rig',
      licenseFileMaxAgeMs: config.licenseFileMaxAgeMs,
      bodyDepthLimit: config.bodyDepthLimit,
    },
  };
}

function recordOfUse(log: Logger, stores: ProjectionStores, registry: KeyRegistry): KeyUsage {
  const outage = createOutageLog(log, 'The record of key use');
  const onError = (error: unknown): void => {
    if (!(error instanceof ReadOnlyStore)) outage.failed(error);
  };
  return createKeyUsage({ ...stores, registry, onError });
}

/** The fields of keys and licences for which this process has newer values than the read models. */
function overlaysOf(
  registry: KeyRegistry,
  usage: KeyUsage,
  { clock }: Pick<ProjectionStores, 'clock'>,
): ReadonlyMap<string, Overlay> {
  const ofKey: Overlay = ({ id }) => ({
    lastUsedAt: usage.lastUsedAt(id),
    oldTokenValidUntil: oldTokenValidUntil(registry.key(id), clock.now()),
  });
  const ofLicense: Overlay = ({ id }) => ({ lastLoginAt: usage.lastLoginAt(id) });
  return new Map([
    [apiKeys.collection, ofKey],
    [licenses.collection, ofLicense],
  ]);
}
