import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The command of a browser, as `BROWSER` or the path names one, or null. */
export function findBrowser(): string | null {
  const named = process.env['BROWSER'];
  return (named === undefined ? COMMANDS : [named]).find(isThere) ?? null;
}

function isThere(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const OPTIONS = [
  ...['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-popup-blocking'],
  // Nothing but this machine, whatever a page or the browser itself asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // Its sandbox does not work for root, nor in most containers.
  '--no-sandbox',
];

/** A page in the browser. */
export interface Page {
  /** The value of an expression, or of its promise, in the page. @throws {Error} when it throws there */
  evaluate(expression: string): Promise<unknown>;
}

const Answer = z.object({ result: z.record(z.string(), z.unknown()) });
type Result = z.output<typeof Answer>['result'];

/** A browser without a window, told what to do by the DevTools protocol over a pipe. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #to: Writable;
  readonly #answered = new EventEmitter();
  #sent = 0;
  #rest = '';

  private constructor(child: ChildProcess, profile: string) {
    const [, , , to, from] = child.stdio;
    this.#process = child;
    this.#profile = profile;
    // Of type 'pipe', by the options of `start`.
    this.#to = to as Writable;
    (from as Readable).setEncoding('utf8').on('data', (text: string) => {
      this.#read(text);
    });
  }

  static async start(command: string): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'timing-browser-'));
    const args = [...OPTIONS, `--user-data-dir=${profile}`];
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    return new Browser(child, profile);
  }

  /** Opens a page in a tab of its own. */
  open(url: string): void {
    this.#send('Target.createTarget', { url });
  }

  /** Opens a page that is to be looked into. */
  async page(url: string): Promise<Page> {
    const { targetId } = await this.#call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.#call('Target.attachToTarget', { targetId, flatten: true });
    // Resolves once the page is another one.
    await this.#call('Page.navigate', { url }, String(sessionId));
    return { evaluate: (expression) => this.#evaluate(expression, String(sessionId)) };
  }

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#send('Browser.close', {});
    await exited;
    await rm(this.#profile, { recursive: true, maxRetries: 5 });
  }

  #send(method: string, params: object, sessionId?: string): number {
    this.#sent += 1;
    this.#to.write(`${JSON.stringify({ id: this.#sent, method, params, sessionId })}\0`);
    return this.#sent;
  }

  async #call(method: string, params: object, sessionId?: string): Promise<Result> {
    const answers: readonly unknown[] = await once(this.#answered, String(this.#send(method, params, sessionId)));
    return Answer.parse(answers[0]).result;
  }

  async #evaluate(expression: string, sessionId: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#call(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      sessionId,
    );
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return z.object({ value: z.unknown().optional() }).parse(result).value;
  }

  /** Messages end with a NUL; those without an id are events, which nobody waits for. */
  #read(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() ?? '';
    for (const message of messages) {
      const answer: unknown = JSON.parse(message);
      const { id } = z.object({ id: z.number().optional() }).parse(answer);
      if (id !== undefined) this.#answered.emit(String(id), answer);
    }
  }
}
