import { startService } from '../../../src/service/app/service.ts';
import { loadConfig } from '../../../src/service/config/config.ts';
import { reasonOf } from '../../../src/service/config/start-failure.ts';
import { createLogger } from '../../../src/service/observability/log.ts';
import type { Client } from '../api/client.ts';
import { PATIENT } from './waits.ts';
import { ADMIN_TOKEN, clientOf, type Environment } from './world.ts';

/** A service in the process of the test. */
export interface ServiceHere {
  /** Calls with the root ADMIN key. */
  readonly admin: Client;
  readonly url: string;
  /** Tokens announced at its start. */
  readonly announced: readonly string[];
  /** Logged lines, of errors only where LOG_LEVEL says no other. */
  readonly log: readonly string[];
}

/**
 * Runs a service on a data directory, or with settings that name one, in the process of the test while `work` runs. Use
 * it where a test needs no process: starting one takes a second.
 */
export async function withServiceHere<T>(
  where: string | (Environment & { readonly DATA_DIR: string }),
  work: (service: ServiceHere) => Promise<T>,
): Promise<T> {
  const announced: string[] = [];
  const log: string[] = [];
  const usual = { PORT: '0', LOG_LEVEL: 'error', BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN, ...PATIENT };
  const settings = typeof where === 'string' ? { DATA_DIR: where } : where;
  const config = loadConfig({ ...usual, ...settings });
  const service = await startService({
    config,
    log: createLogger({ level: config.logLevel, destination: { write: (line) => log.push(line) } }),
    announce: (token) => announced.push(token),
  });
  try {
    return await work({ admin: clientOf(service.url), url: service.url, announced, log });
  } finally {
    await service.close();
  }
}

/** The error line of `serve` where a service cannot start; null if it can. */
export async function refusalOf(dataDir: string, env: Environment = {}): Promise<string | null> {
  const started = withServiceHere({ DATA_DIR: dataDir, ...env }, () => Promise.resolve(null));
  const error: unknown = await started.catch((reason: unknown) => reason);
  return error === null ? null : reasonOf(error);
}
