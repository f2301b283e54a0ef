import { z } from 'zod';
import { startService } from '../../src/service/app/service.ts';
import { loadConfig } from '../../src/service/config/config.ts';
import { createLogger } from '../../src/service/observability/log.ts';
import type { Role } from './child-protocol.ts';
import { ADMIN_TOKEN } from './laps.ts';

/** `environment` is added to the usual settings. */
const Argument = z.object({ dataDir: z.string(), environment: z.record(z.string(), z.string()).default({}) });

/** The service as `npm start` runs it, its log line per request included (written to the null device). */
export async function service(argument: unknown): Promise<Role> {
  const { dataDir, environment } = Argument.parse(argument);
  const config = loadConfig({ ...environment, DATA_DIR: dataDir, PORT: '0', BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN });
  const log = createLogger({ level: config.logLevel });
  const app = await startService({ config, log, announce: () => undefined });
  return { ready: { url: app.url }, operations: {}, close: () => app.close() };
}
