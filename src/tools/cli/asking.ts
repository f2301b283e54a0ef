import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Output } from './output.ts';

/**
 * A function that asks a question and returns the line that is typed, without blanks around it; empty when the input
 * ends or the signal aborts.
 */
export function asker(input: Readable, output: Output, signal: AbortSignal): (question: string) => Promise<string> {
  return async (question) => {
    output.write(question);
    // Ctrl-C stays with the process, as the terminal is not read letter by letter.
    const lines = createInterface({ input, terminal: false });
    const stop = (): void => lines.close();
    signal.addEventListener('abort', stop);
    try {
      for await (const line of lines) return line.trim();
      return '';
    } finally {
      signal.removeEventListener('abort', stop);
      lines.close();
    }
  };
}
