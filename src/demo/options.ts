import { parseArgs } from 'node:util';
import { DemoError } from './http-client.ts';

/** What the demo is told. */
export interface Settings {
  /** Base address of the service, without a slash at its end. */
  readonly url: string;
  readonly adminToken: string;
  readonly laps: number;
}

/** The environment, as `process.env` gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = 'http://127.0.0.1:8080';
const DEFAULT_LAPS = 5_000;
const MOST_LAPS = 1_000_000;

function flags(args: readonly string[]): { url?: string; token?: string; laps?: string } {
  try {
    const options = { url: { type: 'string' }, token: { type: 'string' }, laps: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new DemoError(`${error.message}; the demo takes --url, --token and --laps.`);
    throw error;
  }
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new DemoError(`"${text}" is no address of a service: it must look like ${DEFAULT_URL}.`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Reads arguments, then the environment, then defaults. Throws `DemoError` for a wrong or missing one. */
export function readSettings(args: readonly string[], env: Environment): Settings {
  const { url, token, laps = String(DEFAULT_LAPS) } = flags(args);
  const adminToken = token || env['BOOTSTRAP_ADMIN_TOKEN'] || '';
  if (adminToken === '') {
    throw new DemoError('The demo needs the ADMIN token: pass --token or set BOOTSTRAP_ADMIN_TOKEN; the first start of '
      + 'the service printed it once on its terminal.');
  }
  if (!/^[\x21-\x7e]+$/.test(adminToken)) throw new DemoError('The ADMIN token has characters that no token has.');
  if (!/^\d{1,7}$/.test(laps) || Number(laps) > MOST_LAPS) {
    throw new DemoError(`--laps takes a whole number from 0 to ${String(MOST_LAPS)}.`);
  }
  return { url: baseUrl(url || env['DEMO_URL'] || DEFAULT_URL), adminToken, laps: Number(laps) };
}
