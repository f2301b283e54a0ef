import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFilesystemAssets } from '../infra/assets/filesystem.ts';
import { createLicenseSigner, signingKeyIn } from '../infra/signing/jose.ts';
import { apiKeys } from '../projections/api-keys.ts';
import { licenses } from '../projections/licenses.ts';
import type { Api } from './api/context.ts';
import { operationRows } from './api/operations.ts';
import type { Overlay } from './api/reading.ts';
import { createReferenceCheck } from './api/references.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { bootstrap, ROOT_KEY_ID } from './auth/bootstrap.ts';
import { createKeys } from './auth/keys.ts';
import { loadRegistry } from './auth/registry.ts';
import { hashOf } from './auth/tokens.ts';
import { createUsage } from './auth/usage.ts';
import type { Config } from './config.ts';
import { endpointsOf } from './endpoints.ts';
import { healthOf, projectionState, readinessOf, type HealthSources } from './health.ts';
import { createHttp } from './http/server.ts';
import { swept } from './http/spool.ts';
import { createCheckpointFollower } from './kernel/checkpoint-follower.ts';
import type { WritableStore } from './kernel/claims.ts';
import { createCommandHandler } from './kernel/command-handler.ts';
import type { EventStore } from './kernel/event-store.ts';
import type { ReadModels } from './kernel/read-store.ts';
import type { Logger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { builtInRunner, openStores } from './stores.ts';
import { systemClock, systemIds } from './system.ts';

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

/** Starts the service; resolves when it is ready for requests. */
export async function startApp({ config, log, announce }: AppOptions): Promise<App> {
  const stores = await openStores(config);
  const metrics = createMetrics();
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  const runner = config.projector === 'inline' ? builtInRunner(stores, { log, metrics }) : null;
  if (runner !== null) running.push(runner.run(stop.signal));
  const onError = (error: unknown): void => {
    log.error({ err: error }, 'keys');
  };
  const registry = await loadRegistry({ ...stores, clock: systemClock, onError });
  running.push(registry.runner.run(stop.signal));
  const api = await createApi({
    config,
    stores: { ...stores, store: timed(stores.store, metrics) },
    registry,
    onError,
    progress: runner,
  });
  await enthrone(api, { config, log, announce });
  const sources: HealthSources = { ...stores, registry, projector: runner === null ? null : runner.status };
  const http = await createServer(api, { config, log, metrics, sources });
  const { port } = await http.listen(config.port, config.host);
  return {
    url: urlOf(config, port),
    document: http.document,
    async close() {
      await http.close(config.shutdownGraceMs);
      stop.abort();
      await Promise.all(running);
      await stores.close();
    },
  };
}

interface ServerParts {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly sources: HealthSources;
}

async function createServer(api: Api, { config, log, metrics, sources }: ServerParts) {
  const { registry, signer, usage } = api;
  metrics.setProjection(() => projectionState(sources));
  const operations = operationRows({
    health: () => healthOf(sources),
    readiness: () => readinessOf(sources),
    metrics,
    signer,
  });
  return createHttp({
    endpoints: [...endpointsOf(api), ...operations],
    authenticator: createAuthenticator({ registry, clock: systemClock, onUse: usage.used }),
    limits: {
      jsonBytes: config.bodyLimitBytes,
      jsonLevels: config.bodyDepthLimit,
      uploadBytes: config.uploadLimitBytes,
      deadlineMs: config.requestDeadlineMs,
    },
    uploadDirectory: await swept(join(config.dataDir, 'uploads')),
    corsOrigins: config.corsOrigins ?? [],
    tls: await readTls(config),
    log,
    observeRequest: metrics.observeRequest,
  });
}

interface ApiParts {
  readonly config: Config;
  readonly stores: { readonly store: WritableStore; readonly models: ReadModels };
  readonly registry: Api['registry'];
  readonly onError: (error: unknown) => void;
  /** Null when another process projects: its checkpoint is followed then. */
  readonly progress: Api['progress'] | null;
}

async function createApi({ config, stores: { store, models }, registry, onError, progress }: ApiParts): Promise<Api> {
  const clock = systemClock;
  const ids = systemIds(clock);
  const handler = createCommandHandler({ store, clock, ids });
  const usage = createUsage({ store, registry, clock, ids, onError });
  return {
    models,
    handler,
    references: createReferenceCheck(store),
    progress: progress ?? createCheckpointFollower(models, clock),
    registry,
    usage,
    keys: createKeys({ handler, registry, usage, ids }),
    overlays: new Map<string, Overlay>([
      [apiKeys.collection, ({ id }) => ({ lastUsedAt: usage.ofKey(id) })],
      [licenses.collection, ({ id }) => ({ lastLoginAt: usage.ofLicense(id) })],
    ]),
    signer: await createLicenseSigner(config.licenseSigningKey ?? (await signingKeyIn(config.dataDir))),
    assets: await openFilesystemAssets(join(config.dataDir, 'assets')),
    clock,
    ids,
    rigKeyRole: config.rigKeyRole,
    projectionWaitMs: config.projectionWaitMs,
  };
}

/** Sees to the root licence and key, and waits until this node knows every key: one that was revoked must not pass. */
async function enthrone({ handler, keys, registry }: Api, { config, log, announce }: AppOptions): Promise<void> {
  const token = config.bootstrapAdminToken;
  await bootstrap({ handler, keys, token, announce, deadline: Date.now() + config.requestDeadlineMs });
  await registry.upToDate();
  if (token !== null && registry.key(ROOT_KEY_ID)?._tokenHash !== hashOf(token)) {
    log.warn('BOOTSTRAP_ADMIN_TOKEN is not the token of the root key, which the first start made; it is ignored');
  }
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

function urlOf({ tls, host }: Config, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function readTls({ tls }: Config) {
  if (tls === null) return null;
  // One after the other, so that of two missing files it is always the first that is told.
  return { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) };
}
