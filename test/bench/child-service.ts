import { startService } from '../../src/service/app/service.ts';
import { loadConfig } from '../../src/service/config/config.ts';
import { createLogger } from '../../src/service/observability/log.ts';
import { ADMIN_TOKEN } from './laps.ts';

/**
 * The service as `npm start` runs it, its log line per request included (written to the null device). `environment` is
 * added to the usual settings.
 */
export async function service(argument: { readonly dataDir: string; readonly environment?: Record<string, string> }) {
  const { dataDir, environment } = argument;
  const config = loadConfig({ ...environment, DATA_DIR: dataDir, PORT: '0', BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN });
  const log = createLogger({ level: config.logLevel });
  const app = await startService({ config, log, announce: () => undefined });
  return { url: app.url, operations: {}, close: () => app.close() };
}
