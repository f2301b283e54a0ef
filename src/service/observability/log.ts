import { pino, type DestinationStream, type Logger } from 'pino';
import { writeSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { withoutTokens } from '../../domain/secrets.ts';

export type { Logger } from 'pino';

export interface LogOptions {
  readonly level: Config['logLevel'];
  /** Destination of the lines, each one JSON object and a newline; by default standard output, buffered. */
  readonly destination?: DestinationStream;
}

const SECRET_HEADER = /("(?:x-api-key|authorization)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
/** Matches every line that may hold a secret: one scan (0.1 µs) suffices for nearly all lines. */
const SUSPECT = /srt_|x-api-key|authorization/i;

let standardOutput: LogOutput | null = null;

/** Creates the logger. Tokens, and the values of `X-API-Key` and `Authorization`, are removed from every line. */
export function createLogger({ level, destination }: LogOptions): Logger {
  // Not 1: accessing `process.stdout` makes a pipe non-blocking.
  standardOutput ??= new LogOutput(process.stdout.fd);
  const options = {
    level,
    base: { pid: process.pid },
    serializers: { err: describeError },
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination ?? standardOutput);
}

/** Describes an error for the log. Other fields are left out: they may hold an event, a body or a person's data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  return 'code' in error ? { type, message, stack, code: error.code } : { type, message, stack };
}

/** Removes secrets from a finished line: pino's redaction covers only given paths, not messages and stacks. */
function withoutSecrets(line: string): string {
  if (!SUSPECT.test(line)) return line;
  return withoutTokens(line).replace(SECRET_HEADER, '$1"[secret]"');
}

/** Lines are written once there are this many characters … */
const BUFFER_CHARS = 16_384;
/** … or after this long, in ms: a kill -9 may lose them, and a reader waits for them. */
const FLUSH_MS = 100;
/** Pause, in ms, before a full, non-blocking pipe is tried again. */
const FULL_PIPE_MS = 5;
/** Most characters that wait for a stalled reader; further lines are counted, not kept. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;
/** Time, in ms, for which the last lines wait for a stalled reader when the process ends. */
const PATIENCE_MS = 1_000;

const NOTHING = Buffer.alloc(0);

/**
 * Collects log lines and writes many at once, in order. A write per line doubles the cost of a line (3.0 µs of CPU
 * instead of 1.6); docs/decisions/0015-own-log-output.md says why pino's own buffering is not used. A stalled reader
 * eventually costs log lines, never requests: the descriptor must not block.
 */
export class LogOutput {
  readonly #fd: number;
  #lines = '';
  /** Text that a full pipe has not accepted yet; it precedes `#lines`. */
  #rest: Uint8Array = NOTHING;
  #lost = 0;
  #timer: NodeJS.Timeout | null = null;

  /** Writes to an open file descriptor, for the last time when the process exits, even by an uncaught error. */
  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#lines.length >= MAX_WAITING_CHARS) {
      this.#lost += 1;
      return;
    }
    this.#lines += line;
    if (this.#lines.length >= BUFFER_CHARS && this.#rest.length === 0) this.#flush();
    else this.#wait(FLUSH_MS);
  }

  /** Writes the waiting lines. pino calls it (by this name) after each `fatal` line. */
  flushSync(): void {
    let waited = 0;
    while (waited < PATIENCE_MS) {
      const before = this.#rest.length;
      this.#flush();
      if (this.#rest.length === 0) return;
      waited = this.#rest.length === before ? waited + FULL_PIPE_MS : 0;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }

  #wait(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, ms).unref();
  }

  /** Writes what the descriptor accepts now, and schedules the rest. */
  #flush(): void {
    try {
      while (this.#takeLines()) this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest));
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') {
        this.#wait(FULL_PIPE_MS);
        return;
      }
      this.#rest = NOTHING;
      // The service continues without its log. When the pipe is closed, nobody reads it any more.
      if (codeOf(error) !== 'EPIPE') process.stderr.write(`log lines lost: ${String(error)}\n`);
    }
  }

  /** Moves the waiting lines to `#rest` once that is empty; false when there is nothing to write. */
  #takeLines(): boolean {
    if (this.#rest.length > 0) return true;
    if (this.#lost > 0) this.#lines += noteOf(this.#lost);
    this.#rest = Buffer.from(this.#lines);
    this.#lines = '';
    this.#lost = 0;
    return this.#rest.length > 0;
  }
}

function noteOf(lost: number): string {
  const line = { level: 40, time: Date.now(), pid: process.pid, lost, msg: 'log lines lost: their reader stalled' };
  return `${JSON.stringify(line)}\n`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
