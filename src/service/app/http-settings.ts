import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from '../config/config.ts';
import type { HttpServer, HttpServerOptions } from '../http/server.ts';

export async function httpSettings(config: Config) {
  const { publicUrl, corsOrigins } = config;
  return { limits: config, publicUrl, corsOrigins: corsOrigins ?? [], tls: await readTls(config) };
}

/** URL of a server that listens on the configured host. */
export function urlOf({ tls, host }: Pick<Config, 'tls' | 'host'>, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** @throws {ConfigError} naming the setting of a file that cannot be read, or both where they do not fit each other */
async function readTls({ tls }: Config): Promise<HttpServerOptions['tls']> {
  if (tls === null) return null;
  // One after the other, so that of two missing files the error always names the first.
  const cert = await readNamed(tls.certFile, 'TLS_CERT_FILE');
  const key = await readNamed(tls.keyFile, 'TLS_KEY_FILE');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigError(`TLS_CERT_FILE, TLS_KEY_FILE: ${messageOf(error)}`, { cause: error });
  }
  return { cert, key };
}

async function readNamed(path: string, variable: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ConfigError(`${messageOf(error)}; set ${variable} to a file that this process may read`, {
      cause: error,
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Lets a server listen; resolves to its port.
 * @throws {ConfigError} naming the setting that is wrong: `portVariable`, or HOST
 */
export async function listenOn(
  http: Pick<HttpServer, 'listen'>,
  { host, port, portVariable }: { readonly host: string; readonly port: number; readonly portVariable: string },
): Promise<number> {
  try {
    return (await http.listen(port, host)).port;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code !== 'string') throw error;
    throw new ConfigError(`${messageOf(error)}; ${adviceFor(code, portVariable)}`, { cause: error });
  }
}

function adviceFor(code: string, portVariable: string): string {
  if (code === 'EADDRINUSE') return `stop what listens there, or set ${portVariable} to another one`;
  if (code === 'EACCES' || code === 'EPERM') return `set ${portVariable} to one that this process may listen on`;
  return 'set HOST to an address of this machine';
}
