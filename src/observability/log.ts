import { pino, type DestinationStream, type Logger } from 'pino';
import { LogOutput } from './log-output.ts';

/** Log levels: pino's, and `silent` for none. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type { Logger } from 'pino';

/** Options of the logger. */
export interface LogOptions {
  readonly level: LogLevel;
  /** Destination of the lines, each one JSON object and a newline; by default standard output, buffered. */
  readonly destination?: DestinationStream;
}

/** A token: `srt_` and the 8 characters that identify it may be logged (DESIGN §6), the rest is secret. */
const TOKEN = /(srt_[\w-]{8})[\w-]+/g;
const SECRET_HEADER = /("(?:x-api-key|authorization)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
/** Matches every line that one of the two could match: one scan (0.1 µs) is enough for nearly all lines. */
const SUSPECT = /srt_|x-api-key|authorization/i;

let standardOutput: LogOutput | null = null;

/**
 * Creates the service's logger. Secrets are removed from every line: tokens anywhere, and the values of the headers
 * `X-API-Key` and `Authorization` under any parent.
 */
export function createLogger({ level, destination }: LogOptions): Logger {
  // `process.stdout`, and not its number, since it makes a pipe non-blocking.
  standardOutput ??= new LogOutput(process.stdout.fd);
  const options = { level, base: { pid: process.pid }, hooks: { streamWrite: withoutSecrets } };
  return pino(options, destination ?? standardOutput);
}

/**
 * Removes secrets from a finished line, so that those in nested objects, error messages and stack traces are found too:
 * pino's redaction covers only given paths.
 */
function withoutSecrets(line: string): string {
  if (!SUSPECT.test(line)) return line;
  return line.replace(TOKEN, '$1_[secret]').replace(SECRET_HEADER, '$1"[secret]"');
}
