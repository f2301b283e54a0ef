import { join } from 'node:path';
import { createLicenseSigner, signingKeyIn } from '../../../infra/jose/license-signer.ts';
import { openFilesystemAssets } from '../../../infra/filesystem/assets.ts';
import type { Config } from '../config/config.ts';
import type { LicenseSigner } from '../domain/license-file.ts';
import type { Assets } from '../kernel/ports/assets.ts';

type AssetsConfig = Pick<Config, 'dataDir' | 's3Bucket' | 's3Endpoint' | 's3Region' | 'storeTimeoutMs'>;

/**
 * Opens the store of uploaded files that the configuration names: a bucket, whose server may be down, or a folder in the
 * data directory.
 */
export async function openAssets(config: AssetsConfig): Promise<Assets> {
  const { dataDir, s3Bucket: bucket, s3Region: region, s3Endpoint: endpoint, storeTimeoutMs: timeoutMs } = config;
  if (bucket === null) return openFilesystemAssets(join(dataDir, 'assets'));
  // Loaded only where it is used: its driver costs each start a third of a second.
  const { openS3Assets } = await import('../../../infra/s3/assets.ts');
  return openS3Assets({ bucket, region, timeoutMs, ...(endpoint === null ? {} : { endpoint }) });
}

/** Opens the signer of licence files: with the key of the configuration, or one that is kept in the data directory. */
export async function openLicenseSigner({
  licenseSigningKey,
  dataDir,
}: Pick<Config, 'licenseSigningKey' | 'dataDir'>): Promise<LicenseSigner> {
  return createLicenseSigner(licenseSigningKey ?? (await signingKeyIn(dataDir)));
}
