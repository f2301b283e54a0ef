import { z } from 'zod';
import { laps } from '../../projections/laps.ts';
import { startService } from '../../src/service/app/service.ts';
import { loadConfig } from '../../src/service/config/config.ts';
import { createLogger } from '../../src/service/observability/log.ts';
import type { Role } from './child-protocol.ts';
import { ADMIN_TOKEN } from './laps.ts';

/** `environment` is added to the usual settings; without `filters`, laps have no indexes for filters. */
const Argument = z.object({
  dataDir: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  filters: z.boolean().default(true),
});

/** The indexes of laps before filters were added. */
const INDEXES_WITHOUT_FILTERS: (typeof laps)['indexes'] = [
  ['totalTime'],
  ['createdAt'],
  ['participantId'],
  ['rigId'],
  ['eventId', 'participantId', 'valid', 'totalTime'],
  ['trackId'],
];

/** The service as `npm start` runs it, its log line per request included (written to the null device). */
export async function service(argument: unknown): Promise<Role> {
  const { dataDir, environment, filters } = Argument.parse(argument);
  // Affects this process only.
  if (!filters) Object.assign(laps, { indexes: INDEXES_WITHOUT_FILTERS });
  const config = loadConfig({ ...environment, DATA_DIR: dataDir, PORT: '0', BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN });
  const log = createLogger({ level: config.logLevel });
  const app = await startService({ config, log, announce: () => undefined });
  return { ready: { url: app.url }, operations: {}, close: () => app.close() };
}
