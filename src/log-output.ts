import { writeSync } from 'node:fs';

/** Lines wait in memory until there are this many characters … */
const BUFFER_CHARS = 16_384;
/** … or for this long: what a kill -9 may lose, and what a reader may have to wait. */
const FLUSH_MS = 100;
/** Pause before a full, non-blocking pipe is tried again. */
const FULL_PIPE_MS = 5;

/**
 * Collects log lines and writes many at once, in order. A write per line doubles what a line costs (3.0 µs of CPU
 * instead of 1.6); sonic-boom's buffering saves nothing (3.6 µs), and its flush at exit never ends once the pipe's
 * reader has gone. A reader that is slow slows the process down, as with any blocking pipe: no line is dropped and
 * memory stays bounded.
 */
export class LogOutput {
  readonly #fd: number;
  #lines = '';
  #timer: NodeJS.Timeout | null = null;

  /** Writes to an open file descriptor, and once more when the process exits, be it by an uncaught error. */
  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => {
      this.flushSync();
    });
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= BUFFER_CHARS) {
      this.flushSync();
    } else {
      this.#timer ??= setTimeout(() => {
        this.flushSync();
      }, FLUSH_MS).unref();
    }
  }

  /** Writes what is waiting. pino calls it (by this name) after each `fatal` line. */
  flushSync(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const lines = Buffer.from(this.#lines);
    this.#lines = '';
    try {
      for (let written = 0; written < lines.length;) written += writeSome(this.#fd, lines.subarray(written));
    } catch (error) {
      // The service goes on without its log; nobody reads it any more when the pipe is closed.
      if (codeOf(error) !== 'EPIPE') process.stderr.write(`log lines lost: ${String(error)}\n`);
    }
  }
}

/** Writes as many bytes as the descriptor takes now; 0 after a short pause when it is full. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    return 0;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
