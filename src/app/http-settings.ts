import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import type { HttpServerOptions } from '../http/server.ts';

/** What every HTTP server of ours takes from the settings. Reads the certificate and key, where there are any. */
export async function httpSettings(config: Config): Promise<Pick<HttpServerOptions, 'limits' | 'corsOrigins' | 'tls'>> {
  return {
    limits: {
      jsonBytes: config.bodyLimitBytes,
      jsonLevels: config.bodyDepthLimit,
      uploadBytes: config.uploadLimitBytes,
      deadlineMs: config.requestDeadlineMs,
    },
    corsOrigins: config.corsOrigins ?? [],
    tls: await readTls(config),
  };
}

/** Where a server that listens on the configured host is to be found. */
export function urlOf({ tls, host }: Pick<Config, 'tls' | 'host'>, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function readTls({ tls }: Config): Promise<HttpServerOptions['tls']> {
  if (tls === null) return null;
  // One after the other, so that of two missing files it is always the first that is told.
  return { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) };
}
