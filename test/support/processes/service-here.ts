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
  /** The tokens that its start has announced. */
  readonly announced: readonly string[];
  /** The errors that it has logged. */
  readonly errors: readonly string[];
}

/**
 * Runs a service on a data directory, in the process of the test, for as long as the work takes: for what comes before
 * or after that for which a test needs processes, as the start of one takes a second.
 */
export async function withServiceHere<T>(
  dataDir: string,
  work: (service: ServiceHere) => Promise<T>,
  env: Environment = {},
): Promise<T> {
  const [announced, errors]: [string[], string[]] = [[], []];
  const service = await startService({
    config: loadConfig({ PORT: '0', BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN, ...PATIENT, ...env, DATA_DIR: dataDir }),
    log: createLogger({ level: 'error', destination: { write: (line) => errors.push(line) } }),
    announce: (token) => announced.push(token),
  });
  try {
    return await work({ admin: clientOf(service.url), url: service.url, announced, errors });
  } finally {
    await service.close();
  }
}

/** The line with which `serve` would end, as a service cannot start there; null where it can. */
export async function refusalOf(dataDir: string, env: Environment = {}): Promise<string | null> {
  const started = withServiceHere(dataDir, () => Promise.resolve(null), env);
  const error: unknown = await started.catch((reason: unknown) => reason);
  return error === null ? null : reasonOf(error);
}
