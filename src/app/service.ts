import { join } from 'node:path';
import { createLicenseSigner, signingKeyIn } from '../../infra/jose/license-signer.ts';
import { apiKeys } from '../../projections/api-keys.ts';
import { licenses } from '../../projections/licenses.ts';
import type { Api } from '../routes/context.ts';
import { signingKeysRow, watchRows } from '../routes/operations.ts';
import type { Overlay } from '../routes/reading.ts';
import { createReferenceCheck } from '../routes/references.ts';
import { openAssets } from '../stores/assets.ts';
import { createAuthenticator } from '../auth/authenticator.ts';
import { createKeys } from '../auth/keys.ts';
import { createRegistry } from '../auth/registry.ts';
import { createUsage } from '../auth/usage.ts';
import { createBackground, type Background } from './background.ts';
import type { Config } from '../config/config.ts';
import { endpointsOf } from '../routes/table.ts';
import { httpSettings, urlOf } from './http-settings.ts';
import { createHealthWatch, type HealthWatch } from '../observability/health.ts';
import { createHttp, type Http } from '../http/server.ts';
import { swept } from '../http/temporary-file.ts';
import { createCheckpointFollower } from '../kernel/projection/checkpoint-follower.ts';
import type { WritableStore } from '../kernel/aggregate/claims.ts';
import { createCommandHandler } from '../kernel/aggregate/command-handler.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import { pause } from '../kernel/ports/clock.ts';
import type { Logger } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createProjector } from '../projector/projector.ts';
import { secureRootKey } from './root-key.ts';
import { openStores, type Stores } from '../stores/stores.ts';
import { systemClock, systemIds } from '../../infra/system/system.ts';

/** A running service. */
export interface App {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly document: object;
  /** Drains: no new requests, those in flight finish, the projector saves its checkpoint, stores close. */
  close(): Promise<void>;
}

/** What starting needs besides the settings. `announce` shows the root key's token, once, at the very first start. */
export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly announce: (token: string) => void;
}

const MS_PER_SECOND = 1000;

/** How long, in ms, the start waits for the root key before it listens all the same: a store may be down. */
const START_PATIENCE_MS = 1_000;

/** What is fine for one machine, and not for several. */
const OWN_SIGNING_KEY =
  'LICENSE_SIGNING_KEY is not set: only processes with this data directory take the licence files that are signed here';

/**
 * Starts the service. Resolves when it listens: ready for requests with embedded stores; with servers that do not
 * answer yet, ready later.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const metrics = createMetrics();
  const stores = await openStores(options.config, metrics);
  const background = createBackground();
  const end = async (): Promise<void> => {
    await background.end();
    await stores.close();
  };
  try {
    const http = await startParts({ ...options, metrics, stores, background });
    const { port } = await http.listen(options.config.port, options.config.host);
    return {
      url: urlOf(options.config, port),
      document: http.document,
      async close() {
        await http.close(options.config.shutdownGraceMs);
        await end();
      },
    };
  } catch (error) {
    // What runs on would keep the process from ending.
    await end();
    throw error;
  }
}

interface Parts extends AppOptions {
  readonly metrics: Metrics;
  readonly stores: Stores;
  readonly background: Background;
}

/** Starts all but the listening. */
async function startParts({ config, log, announce, metrics, stores, background }: Parts): Promise<Http> {
  const { signal } = background;
  const projector = config.projector === 'inline' ? createProjector({ stores, config, log, metrics }) : null;
  if (projector !== null) background.add(projector.run(signal));
  const onError = (error: unknown): void => {
    log.error({ err: error }, 'keys');
  };
  const registry = createRegistry({ ...stores, clock: systemClock, onError });
  background.add(registry.runner.run(signal));
  const progress = projector?.progress ?? createCheckpointFollower(stores.models, systemClock);
  const store = timed(stores.store, metrics);
  if (config.eventStoreUrl !== null && config.licenseSigningKey === null) log.warn(OWN_SIGNING_KEY);
  const api = await createApi({ config, stores: { ...stores, store }, registry, onError, progress });
  let secured = false;
  const rootKey = secureRootKey(api, { config, log, announce, signal }).then(() => {
    secured = true;
  });
  background.add(rootKey.catch(onError));
  await Promise.race([rootKey, pause(systemClock, START_PATIENCE_MS, signal)]);
  const watch = createHealthWatch({
    ...stores,
    registry,
    rootKey: () => secured,
    projector: projector?.status ?? null,
    clock: systemClock,
  });
  return createServer(api, { config, log, metrics, watch });
}

interface ServerParts {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly watch: HealthWatch;
}

async function createServer(api: Api, { config, log, metrics, watch }: ServerParts): Promise<Http> {
  const { registry, signer, usage } = api;
  metrics.setProjection(watch.projection);
  return createHttp({
    ...(await httpSettings(config)),
    endpoints: [...endpointsOf(api), ...watchRows({ ...watch, metrics }), signingKeysRow(signer)],
    authenticator: createAuthenticator({ registry, clock: systemClock, onUse: usage.used }),
    uploadDirectory: await swept(join(config.dataDir, 'uploads')),
    log,
    observeRequest: metrics.observeRequest,
  });
}

interface ApiParts {
  readonly config: Config;
  readonly stores: { readonly store: WritableStore; readonly models: ReadModels };
  readonly registry: Api['registry'];
  readonly onError: (error: unknown) => void;
  readonly progress: Api['progress'];
}

async function createApi({ config, stores: { store, models }, registry, onError, progress }: ApiParts): Promise<Api> {
  const clock = systemClock;
  const ids = systemIds;
  const handler = createCommandHandler({ store, clock, ids });
  const usage = createUsage({ store, registry, clock, ids, onError });
  return {
    models,
    handler,
    references: createReferenceCheck(store),
    progress,
    registry,
    usage,
    keys: createKeys({ handler, registry, usage, ids }),
    overlays: new Map<string, Overlay>([
      [apiKeys.collection, ({ id }) => ({ lastUsedAt: usage.ofKey(id) })],
      [licenses.collection, ({ id }) => ({ lastLoginAt: usage.ofLicense(id) })],
    ]),
    signer: await createLicenseSigner(config.licenseSigningKey ?? (await signingKeyIn(config.dataDir))),
    assets: await openAssets(config),
    cdnBaseUrl: config.cdnBaseUrl,
    clock,
    ids,
    rigKeyRole: config.rigKeyRole,
    projectionWaitMs: config.projectionWaitMs,
  };
}

/** The store as writes use it, with its appends timed. */
function timed(store: EventStore, metrics: Metrics): WritableStore {
  return {
    readStream: (stream) => store.readStream(stream),
    readNewest: (stream) => store.readNewest(stream),
    async append(...args) {
      const started = performance.now();
      const appended = await store.append(...args);
      metrics.observeAppend((performance.now() - started) / MS_PER_SECOND);
      return appended;
    },
  };
}
