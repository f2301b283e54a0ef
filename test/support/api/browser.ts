import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

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

/** A browser without a window, told what to do by the DevTools protocol over a pipe. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #to: Writable;
  #sent = 0;

  private constructor(child: ChildProcess, profile: string) {
    const [, , , to, from] = child.stdio;
    this.#process = child;
    this.#profile = profile;
    // Of type 'pipe', by the options of `start`.
    this.#to = to as Writable;
    // What it answers does not matter, but is to be read.
    (from as Readable).resume();
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

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#send('Browser.close', {});
    await exited;
    await rm(this.#profile, { recursive: true, maxRetries: 5 });
  }

  #send(method: string, params: object): void {
    this.#sent += 1;
    this.#to.write(`${JSON.stringify({ id: this.#sent, method, params })}\0`);
  }
}
