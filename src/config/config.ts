import type { z } from 'zod';
import { VARIABLES, type Variable } from './variables.ts';

type Table = typeof VARIABLES;

type ValueOf<V extends Variable> = z.output<V['schema']> | (V extends { readonly unset: null } ? null : never);

type Values = { readonly [K in keyof Table]: ValueOf<Table[K]> };

/** PEM files of the certificate chain and its private key. */
export interface Tls {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The service's settings, frozen: one property per row of `VARIABLES`, and `tls` for the two rows that go together. */
export type Config = Omit<Values, 'tlsCertFile' | 'tlsKeyFile'> & {
  /** Null: plain HTTP. */
  readonly tls: Tls | null;
};

/** An environment that the service cannot start with; the message has one line per problem, and quotes no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Longest part of a wrong value that a message quotes, in characters. */
const QUOTED = 80;

/**
 * Reads the settings from environment variables. A variable that is set but empty counts as unset, as compose files
 * cannot leave one out.
 * @throws {ConfigError} naming every variable that is wrong.
 */
export function loadConfig(env: Environment): Config {
  const problems: string[] = [];
  const entries = Object.entries<Variable>(VARIABLES).map(([key, variable]) => [key, valueOf(variable, env, problems)]);
  // Each row's value has passed the schema of that row, or there is a problem and nobody sees it.
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, ...values } = Object.fromEntries(entries) as Values;
  if ((certFile === null) !== (keyFile === null)) {
    const [given, missing] = certFile === null ? ['TLS_KEY_FILE', 'TLS_CERT_FILE'] : ['TLS_CERT_FILE', 'TLS_KEY_FILE'];
    problems.push(`${missing}: not set, but ${given} is; expected both or none`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const tls = certFile === null || keyFile === null ? null : Object.freeze({ certFile, keyFile });
  return Object.freeze({ ...values, tls });
}

function valueOf(variable: Variable, env: Environment, problems: string[]): unknown {
  const given = env[variable.name] || variable.unset;
  if (given === null) return null;
  const parsed = variable.schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  const shown = variable.secret ? 'the value' : JSON.stringify(given.slice(0, QUOTED));
  problems.push(`${variable.name}: ${shown} is not allowed; expected ${variable.allowed}`);
  return null;
}
