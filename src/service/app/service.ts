import { once } from 'node:events';
import { createAuthenticator } from '../access/authenticator.ts';
import { KeyRegistry } from '../access/registry.ts';
import { admission } from '../access/authorizer.ts';
import type { Config } from '../config/config.ts';
import { FairTurns } from '../http/fair-turns.ts';
import { createHttpServer } from '../http/server.ts';
import { swept } from '../http/temporary-files.ts';
import { pause } from '../../kernel/ports/system.ts';
import { createCheckpointPoller, type CheckpointWaiter } from '../../kernel/projection/checkpoint-waiter.ts';
import { Live } from '../live/live.ts';
import { createHealth, runnerComponent, type HealthCheck } from '../observability/health.ts';
import type { Logger } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import { withGenerations, type ProjectionStores } from '../projector/generations.ts';
import { createProjectionHealth } from '../projector/projection-health.ts';
import { createProjector } from '../projector/projector.ts';
import { createApiServices, type ApiServices } from '../api/services.ts';
import { deadLetterEndpoints } from '../api/dead-letters.ts';
import { signingKeysEndpoint, operationsEndpoints } from '../api/operations.ts';
import { longestSilence, rigMetricsEndpoint } from '../api/rig-metrics.ts';
import { builtPrograms } from '../api/downloads.ts';
import { createPages } from '../api/pages.ts';
import { endpointsOf } from '../api/endpoints.ts';
import { exportEndpoint } from '../api/exports.ts';
import { completeCheckIns } from '../api/check-ins.ts';
import { cleanFiles } from '../api/clean-files.ts';
import { rebuildEndpoints } from '../api/rebuilds.ts';
import { starterCatalogueEndpoints } from '../api/starter-catalogue.ts';
import { statusEndpoint } from '../api/status.ts';
import { instrumentAppends } from '../stores/appends.ts';
import { freeBytesOn, instrumentAssets, openAssets, openLicenseSigner } from '../stores/assets.ts';
import { partOf } from '../stores/owner-only.ts';
import { onCopyOfBackup } from '../stores/restore.ts';
import { recordPersonalCopy } from '../resources/personal-copies.ts';
import { openStores, readOnlyStore } from '../stores/stores.ts';
import { httpSettings, listenOn, urlOf } from './http-settings.ts';
import { ensureRootKey } from './root-key.ts';

export type Service = Readonly<Awaited<ReturnType<typeof startService>>>;

/**
 * Options of a service. `readOnly`: it appends no event, and starts on damaged ones too. `announce` shows the root key's
 * token, once, at the very first start.
 */
export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly announce: (token: string) => void;
  readonly readOnly?: boolean;
}

/** Longest wait, in ms, for the root key before the service has started all the same: a store may be down. */
const ROOT_KEY_TIMEOUT_MS = 1_000;

/** Longest wait, in ms, for check-ins that a crash has cut short, before the service starts all the same. */
const CHECK_INS_TIMEOUT_MS = 1_000;

/** Warning for a service that shares its event store with others. */
const OWN_SIGNING_KEY =
  'LICENSE_SIGNING_KEY is not set: only processes with this data directory take the licence files that are signed here';

const ONLY_READS = 'The service was started with --read-only: what would change something is a 503';

/**
 * Starts the service. Resolves when it listens; with embedded stores it is ready then, with store servers once they
 * answer.
 */
export async function startService({ config: given, readOnly = false, ...options }: ServiceOptions) {
  const { log } = options;
  if (readOnly) log.warn(ONLY_READS);
  const config = await onCopyOfBackup(given, (text) => log.warn(text));
  const metrics = createMetrics();
  const background = backgroundTasks();
  const opened = await openStores({ ...config, readOnly }, metrics);
  const { store, appendFailure } = instrumentAppends(opened.store, {
    clock: opened.clock,
    log,
    signal: background.signal,
    onAppend: metrics.observeAppend,
    onFailure: () => metrics.observeStoreFailure('event_store', 'failure'),
  });
  const stores = await withGenerations({ ...opened, store: readOnly ? readOnlyStore(store) : store }, config);
  const stop = async (): Promise<void> => {
    await background.stop();
    await stores.close();
  };
  let server: { close(graceMs: number): Promise<void> } | null = null;
  try {
    const { http, makeRootKey, finishCheckIns } = await startComponents({
      ...options,
      config,
      readOnly,
      metrics,
      stores,
      appendFailure: readOnly ? () => null : appendFailure,
      background,
    });
    server = http;
    const port = await listenOn(http, { host: config.host, port: config.port, portVariable: 'PORT' });
    // Once the port is ours: where the start fails at that, its token would be lost.
    await makeRootKey();
    await finishCheckIns();
    return {
      /** Its URL: `http://127.0.0.1:8080`. */
      url: urlOf(config, port),
      get document() {
        return http.document;
      },
      /** Shuts down: no new requests, those in flight finish, the projector saves its checkpoint, stores close. */
      async close() {
        await http.close(config.shutdownGraceMs);
        await stop();
      },
    };
  } catch (error) {
    // A server that listens and tasks that go on running would keep the process from ending.
    await server?.close(0);
    await stop();
    throw error;
  }
}

/** Tasks that run beside the requests, until `signal` aborts. */
function backgroundTasks() {
  const abort = new AbortController();
  const running: Promise<void>[] = [];
  return {
    signal: abort.signal,
    add: (...tasks: readonly Promise<void>[]) => void running.push(...tasks),
    async stop(): Promise<void> {
      abort.abort();
      await Promise.all(running);
    },
  };
}

interface ServiceComponents extends ServiceOptions {
  readonly metrics: Metrics;
  readonly stores: ProjectionStores;
  readonly appendFailure: ReturnType<typeof instrumentAppends>['appendFailure'];
  readonly background: ReturnType<typeof backgroundTasks>;
}

/** Starts all components; the server does not listen yet. */
async function startComponents(components: ServiceComponents) {
  const { config, log, metrics, stores, appendFailure, background } = components;
  const { signal } = background;
  const projector = config.projector === 'inline' ? createProjector({ ...config, stores, log, metrics }) : null;
  if (projector !== null) background.add(projector.run(signal));
  const registryLog = createOutageLog(log, 'The key registry');
  const registry = new KeyRegistry({ ...stores, onError: registryLog.failed, outage: registryLog });
  background.add(registry.runner.run(signal), registry.keepCurrent(signal));
  const checkpointWaiter = projector?.checkpoint ?? createCheckpointPoller(stores.models, stores.clock);
  if (config.eventStoreUrl !== null && config.licenseSigningKey === null) log.warn(OWN_SIGNING_KEY);
  const live = startLive(components, checkpointWaiter);
  const { assets, check: assetsCheck } = await openInstrumentedAssets({ config, log, metrics });
  const services = createApiServices({
    config,
    log,
    stores,
    metrics,
    registry,
    checkpointWaiter,
    assets,
    live,
    signer: await openLicenseSigner(config),
    freeBytes: () => freeBytesOn(config.dataDir),
  });
  if (components.readOnly !== true) {
    const { aggregates, clock, ids } = services;
    background.add(cleanFiles({ assets, aggregates, clock, ids, log, signal }));
  }
  metrics.setRigs(() => longestSilence(services));
  const projection = createProjectionHealth({ ...stores, appendFailure, projector: projector?.status ?? null });
  metrics.setProjection(projection.state);
  const health = createHealth([projection.check, keysCheck(registry), assetsCheck]);
  const endpoints = [
    ...endpointsOf(services),
    ...operationsEndpoints({ ...health, metrics, seesDetails: (caller) => caller?.role === 'ADMIN' }),
    rigMetricsEndpoint(services, metrics),
    signingKeysEndpoint(services.signer),
    await statusEndpoint({ registry, stores, health, projection, config }),
    ...deadLetterEndpoints(services, stores),
    ...rebuildEndpoints(services, stores),
    ...starterCatalogueEndpoints(services),
    exportEndpoint(services.reads, services.longReads, (copy, origin) => recordPersonalCopy(services, copy, origin)),
  ];
  const { cdnBaseUrl, publicUrl } = config;
  const programs = builtPrograms();
  const pages = await createPages({ cdnBaseUrl, publicUrl, models: stores.models, programs }, endpoints);
  const http = createHttpServer({
    ...(await httpSettings(config)),
    endpoints,
    pages: pages.endpoints,
    notFoundPage: pages.notFound,
    authenticator: createAuthenticator({
      registry,
      clock: stores.clock,
      onUse: services.usage.recordUse,
      rigsOnly: services.settings.rigsOnly,
    }),
    admission,
    uploadDirectory: await swept(partOf(config.dataDir, 'uploads')),
    log,
    longReads: services.longReads,
    largeBodies: services.largeBodies,
    seriesOf: metrics.seriesOf,
  });
  metrics.setLive(() => ({ ...live.status(), dropped: http.eventStreams.dropped }));
  return {
    http,
    makeRootKey: () => makeRootKey(components, services),
    finishCheckIns: () => finishCheckIns(components, services),
  };
}

/** Completes check-ins that a crash has cut short; while a store is down, the background goes on with it. */
async function finishCheckIns(
  { config, log, stores, readOnly, background }: ServiceComponents,
  { handler, aggregates, queues, checkpointWaiter, clock }: ApiServices,
): Promise<void> {
  if (readOnly === true) return;
  const { signal } = background;
  const { first, running } = completeCheckIns({
    store: stores.store,
    models: stores.models,
    handler,
    aggregates,
    queues,
    checkpointWaiter,
    clock,
    log,
    requestDeadlineMs: config.requestDeadlineMs,
    signal,
  });
  background.add(running);
  await Promise.race([first, pause(clock, CHECK_INS_TIMEOUT_MS, signal)]);
}

/** Makes the root key where there is none yet; while a store is down, the background goes on with it. */
async function makeRootKey(
  { config, log, announce, background }: ServiceComponents,
  services: ApiServices,
): Promise<void> {
  const { signal } = background;
  const rootKey = ensureRootKey(services, { config, log, announce, signal });
  background.add(rootKey.catch(createOutageLog(log, 'The first start (root licence and ADMIN key)').failed));
  await Promise.race([rootKey, pause(services.clock, ROOT_KEY_TIMEOUT_MS, signal)]);
}

function startLive(
  { log, stores, background }: Pick<ServiceComponents, 'log' | 'stores' | 'background'>,
  checkpointWaiter: CheckpointWaiter,
): Live {
  const outage = createOutageLog(log, 'The feed of the live boards');
  const live = new Live({ ...stores, checkpointWaiter, turns: new FairTurns(), onError: outage.failed, outage });
  background.add(once(background.signal, 'abort').then(() => live.stop()));
  return live;
}

async function openInstrumentedAssets({ config, log, metrics }: Pick<ServiceComponents, 'config' | 'log' | 'metrics'>) {
  return instrumentAssets(await openAssets(config), {
    log: createOutageLog(log, 'The store of files'),
    onFailure: () => metrics.observeStoreFailure('assets', 'failure'),
  });
}

/** Health of the key registry. Not ready until it has read all keys and the root key exists, which gets a 401 before. */
function keysCheck(registry: KeyRegistry): HealthCheck {
  return async () => ({
    keys: {
      component: { ...runnerComponent(registry.status()), rootKey: registry.hasRootKey() },
      ready: registry.isCurrent(),
    },
  });
}
