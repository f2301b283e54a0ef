import { pino, type DestinationStream, type Logger } from 'pino';
import { LogOutput } from './log-output.ts';

/** pino's levels, and `silent` for none. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type { Logger } from 'pino';

export interface LogOptions {
  readonly level: LogLevel;
  /** Takes the lines, each one JSON object and a newline; left out: standard output, buffered. */
  readonly destination?: DestinationStream;
}

/** Of a token, `srt_` and the 8 characters that identify it may be seen (DESIGN §6); what follows is the secret. */
const TOKEN = /(srt_[\w-]{8})[\w-]+/g;
const SECRET_HEADER = /("(?:x-api-key|authorization)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
/** Any line that one of the two could match: a single scan (0.1 µs) clears nearly all lines. */
const SUSPECT = /srt_|x-api-key|authorization/i;

let standardOutput: LogOutput | null = null;

/**
 * The service's logger. Secrets are struck out of every line: tokens anywhere, and the values of the headers
 * `X-API-Key` and `Authorization` under any parent.
 */
export function createLogger({ level, destination }: LogOptions): Logger {
  // `process.stdout`, and not its number, since it makes a pipe non-blocking.
  standardOutput ??= new LogOutput(process.stdout.fd);
  const options = { level, base: { pid: process.pid }, hooks: { streamWrite: withoutSecrets } };
  return pino(options, destination ?? standardOutput);
}

/**
 * Works on the finished line, so that a token in a nested object, an error's message or a stack trace is caught as
 * well: pino's redaction knows only the paths it was told.
 */
function withoutSecrets(line: string): string {
  if (!SUSPECT.test(line)) return line;
  return line.replace(TOKEN, '$1_[secret]').replace(SECRET_HEADER, '$1"[secret]"');
}
