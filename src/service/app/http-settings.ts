import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import type { HttpServerOptions } from '../http/server.ts';

type HttpSettings = Pick<HttpServerOptions, 'limits' | 'clients' | 'eventStreams' | 'corsOrigins' | 'tls'>;

/** The options of an HTTP server that come from the configuration. Reads the certificate and key if there are any. */
export async function httpSettings(config: Config): Promise<HttpSettings> {
  return {
    limits: {
      jsonBytes: config.bodyLimitBytes,
      jsonLevels: config.bodyDepthLimit,
      uploadBytes: config.uploadLimitBytes,
      deadlineMs: config.requestDeadlineMs,
    },
    clients: {
      trustedProxies: config.trustedProxies,
      unlimited: config.unlimitedClients,
      addressRequests: config.clientRequestsPerMinute,
      keyRequests: config.keyRequestsPerMinute,
      refusedKeys: config.clientRefusedKeysPerMinute,
      connections: config.clientConnections,
      streams: config.clientStreams,
      eventStreams: config.clientLiveReaders,
      replays: config.clientReplays,
      allConnections: config.maxConnections,
    },
    eventStreams: { replays: config.maxReplays, bufferBytes: config.liveBufferBytes },
    corsOrigins: config.corsOrigins ?? [],
    tls: await readTls(config),
  };
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
