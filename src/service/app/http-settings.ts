import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import type { HttpServerOptions } from '../http/server.ts';

export async function httpSettings(config: Config) {
  const { publicUrl, corsOrigins } = config;
  return { limits: config, publicUrl, corsOrigins: corsOrigins ?? [], tls: await readTls(config) };
}

/** URL of a server that listens on the configured host. */
export function urlOf({ tls, host }: Pick<Config, 'tls' | 'host'>, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function readTls({ tls }: Config): Promise<HttpServerOptions['tls']> {
  if (tls === null) return null;
  // One after the other, so that of two missing files the error always names the first.
  return { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) };
}
