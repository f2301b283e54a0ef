import { statfs } from 'node:fs/promises';
import { createLicenseSigner, signingKeyIn } from '../../../infra/jose/license-signer.ts';
import { openFilesystemAssets } from '../../../infra/filesystem/assets.ts';
import type { Config } from '../config/config.ts';
import type { LicenseSigner } from '../../domain/license-file.ts';
import type { Assets } from '../../kernel/ports/assets.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { downComponent, type HealthCheck } from '../observability/health.ts';
import type { OutageLog } from '../observability/outage-log.ts';
import { partOf } from './owner-only.ts';

type AssetsConfig = Pick<Config, 'dataDir' | 's3Bucket' | 's3Endpoint' | 's3Region' | 'storeTimeoutMs'>;

/**
 * Opens the store of uploaded files that the configuration names: a bucket, whose server may be down, or a folder in
 * the data directory.
 */
export async function openAssets(config: AssetsConfig): Promise<Assets> {
  const { dataDir, s3Bucket: bucket, s3Region: region, s3Endpoint: endpoint, storeTimeoutMs: timeoutMs } = config;
  if (bucket === null) return openFilesystemAssets(partOf(dataDir, 'assets'));
  // Loaded only where it is used: its driver costs each start a third of a second.
  const { openS3Assets } = await import('../../../infra/s3/assets.ts');
  const bucketOptions = { bucket, region, timeoutMs };
  return openS3Assets(endpoint === null ? bucketOptions : { ...bucketOptions, endpoint });
}

export async function freeBytesOn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Opens the signer of licence files: with the key of the configuration, or one that is kept in the data directory. */
export async function openLicenseSigner({
  licenseSigningKey: key,
  dataDir,
}: Pick<Config, 'licenseSigningKey' | 'dataDir'>): Promise<LicenseSigner> {
  const path = partOf(dataDir, 'license-signing-key.json');
  if (key !== null) return createLicenseSigner(key);
  const kept = await signingKeyIn(dataDir);
  try {
    return await createLicenseSigner(kept);
  } catch (cause) {
    throw new StoreUnavailable(`the signing key in ${path} is damaged`, { cause });
  }
}

/** A key that no asset has: assets are in other folders. */
const PROBE_KEY = 'HEALTH/probe';

/**
 * Shows failures of a store of assets in the log (once per outage), in a metric and in health. Readiness does not
 * change: all nodes would be taken out of service for what a few requests need.
 */
export function instrumentAssets(
  assets: Assets,
  { log, onFailure }: { readonly log: OutageLog; readonly onFailure: () => void },
): { readonly assets: Assets; readonly check: HealthCheck } {
  let failure: StoreUnavailable | null = null;
  let probing: Promise<unknown> | null = null;
  const instrument = async <T>(work: Promise<T>): Promise<T> => {
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
  const get = (key: string) => instrument(assets.get(key));
  /** Checks the store. The next check of health shows the result, which may take as long as the store's timeout. */
  const probe = (): void => {
    probing ??= get(PROBE_KEY)
      .catch(() => undefined)
      .finally(() => (probing = null));
  };
  return {
    assets: {
      get,
      put: (asset) => instrument(assets.put(asset)),
      remove: (key) => instrument(assets.remove(key)),
      move: (key, to) => instrument(assets.move(key, to)),
      list: (prefix) => assets.list(prefix),
    },
    check: () => {
      probe();
      if (failure === null) return Promise.resolve({ assets: { component: { status: 'UP' } } });
      const { error } = downComponent(failure);
      return Promise.resolve({ assets: { component: { status: 'UP', error: error ?? null }, stale: true } });
    },
  };
}
