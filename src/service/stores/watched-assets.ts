import type { Assets } from '../kernel/ports/assets.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import { downComponent, type HealthCheck } from '../observability/health.ts';
import type { OutageLog } from '../observability/outage-log.ts';

/** A store of assets, and the check of its health. */
export interface WatchedAssets {
  readonly assets: Assets;
  readonly check: HealthCheck;
}

/** Who hears of failures. */
export interface AssetsWatchers {
  readonly log: OutageLog;
  readonly onFailure: () => void;
}

/** A key that no asset has: its folder is none of theirs. */
const PROBE_KEY = 'HEALTH/probe';

/**
 * Makes failures of a store of assets seen: in the log, once an outage, in a metric and in health. Readiness does not
 * suffer: all nodes would be taken out of service for what a few requests need.
 */
export function watchAssets(assets: Assets, { log, onFailure }: AssetsWatchers): WatchedAssets {
  let failure: StoreUnavailable | null = null;
  let probing: Promise<unknown> | null = null;
  const observed = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      failure = null;
      log.recovered();
      return result;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      failure = error;
      log.failed(error);
      onFailure();
      throw error;
    }
  };
  const get = (key: string) => observed(assets.get(key));
  /** Asks the store; the answer is for the next check, as it may take a store's whole timeout. */
  const probe = (): void => {
    probing ??= get(PROBE_KEY)
      .catch(() => undefined)
      .finally(() => (probing = null));
  };
  return {
    assets: { get, put: (asset) => observed(assets.put(asset)) },
    check: () => {
      probe();
      if (failure === null) return Promise.resolve({ assets: { component: { status: 'UP' } } });
      const { error } = downComponent(failure);
      return Promise.resolve({ assets: { component: { status: 'UP', error: error ?? null }, stale: true } });
    },
  };
}
