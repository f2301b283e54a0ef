import { resolve } from 'node:path';
import { loadConfig, type Config } from '../config/config.ts';
import { reasonOf } from '../config/start-failure.ts';
import { withGenerations, type ProjectionStores } from '../projector/generations.ts';
import { openStores } from '../stores/stores.ts';
import { EXIT, type Invocation } from './arguments.ts';
import { isMissing } from './store-location.ts';

/** The stores that the service uses, and its configuration. */
export interface ServiceStores {
  readonly stores: ProjectionStores;
  readonly config: Config;
}

/**
 * Opens the stores of the service, runs `work` on them and closes them; the result is the exit code. Where there is no
 * embedded event store none is created: the directory was probably mistyped.
 */
export async function withServiceStores(
  { env, err }: Invocation,
  name: string,
  work: (opened: ServiceStores) => Promise<number>,
): Promise<number> {
  try {
    const config = loadConfig(env);
    if (config.eventStoreUrl === null && isMissing(config)) {
      err.write(`sim-racing-timing ${name}: there is no event store in ${resolve(config.dataDir)}; see DATA_DIR\n`);
      return EXIT.failed;
    }
    const stores = await withGenerations(await openStores(config));
    try {
      return await work({ stores, config });
    } finally {
      await stores.close();
    }
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    err.write(`sim-racing-timing ${name}: ${reason}\n`);
    return EXIT.failed;
  }
}
