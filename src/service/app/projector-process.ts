import { join } from 'node:path';
import { operationsEndpoints } from '../api/operations.ts';
import type { Config } from '../config/config.ts';
import { createHealth } from '../observability/health.ts';
import { httpSettings, listenOn, urlOf } from './http-settings.ts';
import { FairTurns } from '../http/fair-turns.ts';
import { createHttpServer } from '../http/server.ts';
import type { Logger } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { withGenerations, type ProjectionStores } from '../projector/generations.ts';
import { createProjectionHealth } from '../projector/projection-health.ts';
import { onCopyOfBackup } from '../stores/restore.ts';
import { openStores } from '../stores/stores.ts';
import { createProjector, type Projector } from '../projector/projector.ts';

/** Starts a process that only projects. Of several such processes one works and the others stand by. */
export async function startProjectorProcess({ config: given, log }: ProcessOptions) {
  const config = await onCopyOfBackup(given, (text) => log.warn(text));
  const metrics = createMetrics();
  const stores = await withGenerations(await openStores(config, metrics), config);
  const projector = createProjector({ stores, leaseTermMs: config.leaseTermMs, log, metrics });
  const listening = config.projectorPort === null ? null : listen({ config, log, metrics }, stores, projector);
  const http = await listening?.catch(async (error: unknown) => {
    // Stores that stay open would keep the process from ending.
    await stores.close();
    throw error;
  });
  const stop = new AbortController();
  const ended = projector.run(stop.signal);
  return {
    /** URL of its health and metrics; null: none. */
    url: http?.url ?? null,
    /** Resolves when the projector has stopped: after `close`, or at an event that it cannot process. */
    ended,
    error: () => projector.status().runner.error,
    /** Releases the lease, saves the checkpoint, closes the stores. */
    async close() {
      await http?.close();
      stop.abort();
      await ended;
      await stores.close();
    },
  };
}

interface ProcessOptions {
  readonly config: Config;
  readonly log: Logger;
}

async function listen(
  { config, log, metrics }: ProcessOptions & { readonly metrics: Metrics },
  stores: ProjectionStores,
  projector: Projector,
) {
  const projection = createProjectionHealth({ ...stores, projector: projector.status });
  metrics.setProjection(projection.state);
  const http = createHttpServer({
    ...(await httpSettings(config)),
    endpoints: operationsEndpoints({ ...createHealth([projection.check]), metrics, seesDetails: () => true }),
    admission: () => () => undefined,
    authenticator: { authenticate: () => null, onInvalid: () => undefined },
    uploadDirectory: join(config.dataDir, 'uploads'),
    log,
    longReads: new FairTurns(),
    largeBodies: new FairTurns(),
    seriesOf: metrics.seriesOf,
  });
  try {
    const { host } = config;
    const port = await listenOn(http, { host, port: config.projectorPort ?? 0, portVariable: 'PROJECTOR_PORT' });
    return { url: urlOf(config, port), close: () => http.close(config.shutdownGraceMs) };
  } catch (error) {
    await http.close(0);
    throw error;
  }
}
