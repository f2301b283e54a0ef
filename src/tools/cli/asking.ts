import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Output } from './output.ts';

/**
 * A function that asks a question and returns the line that is typed, without blanks around it; null when the input has
 * ended or the signal aborts. What was typed before it is asked for answers the next questions.
 */
export function asker(
  input: Readable,
  output: Output,
  signal: AbortSignal,
): (question: string) => Promise<string | null> {
  const lines = new TypedLines(input, signal);
  return async (question) => {
    output.write(question);
    const line = await lines.next();
    return line === null ? null : line.trim();
  };
}

/**
 * The lines of an input, which is read only while one is asked for: the process may end meanwhile. Ctrl-C stays with the
 * process, as a terminal is not read letter by letter.
 */
class TypedLines {
  readonly #input: Readable;
  readonly #signal: AbortSignal;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #hasEnded = false;

  constructor(input: Readable, signal: AbortSignal) {
    this.#input = input;
    this.#signal = signal;
  }

  /** The next line, or what is left of the input once it has ended; null: nothing is, or the signal has aborted. */
  async next(): Promise<string | null> {
    while (!this.#text.includes('\n') && !this.#hasEnded && !this.#signal.aborted) await this.#more();
    if (this.#signal.aborted || this.#text === '') return null;
    const end = this.#text.indexOf('\n');
    const line = end < 0 ? this.#text : this.#text.slice(0, end);
    this.#text = end < 0 ? '' : this.#text.slice(end + 1);
    return line;
  }

  /** Resolves when more was typed, the input has ended, or the signal aborts. */
  #more(): Promise<void> {
    const input = this.#input;
    const signal = this.#signal;
    return new Promise((resolve) => {
      const finish = (): void => {
        input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd).pause();
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const onData = (bytes: Buffer): void => {
        this.#text += this.#decoder.write(bytes);
        finish();
      };
      // A terminal that has gone is an input that has ended.
      const onEnd = (): void => {
        this.#hasEnded = true;
        finish();
      };
      if (input.readableEnded || input.destroyed) {
        onEnd();
        return;
      }
      signal.addEventListener('abort', finish);
      input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd).resume();
    });
  }
}
