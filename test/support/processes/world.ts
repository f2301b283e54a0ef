import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '../api/client.ts';
import { expectNoCanary } from '../canaries.ts';
import { PATIENT } from './waits.ts';

/** Sources run through tsx, compiled files as they are: children run the way this process does. */
const extension = extname(import.meta.url);
const MAIN = fileURLToPath(new URL(`../../../src/main${extension}`, import.meta.url));

/** Token of the root ADMIN key, unless a test wants one to be made up. */
export const ADMIN_TOKEN = 'root-token-of-the-fault-tests-0123456789';

/** How long replaced read models are kept, in ms: not long, as tests of rebuilds wait for it. */
export const RETIRE_AFTER_MS = 1_000;

export type Environment = Readonly<Record<string, string>>;

/** A child to start. */
export interface Start {
  readonly dataDir: string;
  readonly command?: 'serve' | 'projector' | 'demo' | 'rebuild' | 'verify';
  readonly args?: readonly string[];
  readonly env?: Environment;
  /** A file beside this one, without its extension, that the child loads first. */
  readonly preload?: string;
  /** What the child is run by: a command and its first arguments. */
  readonly runner?: readonly string[];
  /** Largest file that the child may make, in blocks of 512 bytes or of a KiB: as the shell has it. */
  readonly fileBlocks?: number;
  /** Leave standard output alone: nobody reads it until the test does. */
  readonly unread?: boolean;
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A child and what it has said. */
export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  /** Standard output and standard error so far. */
  out = '';
  err = '';
  #listeners = new Set<() => void>();
  #over = false;

  constructor(child: ChildProcess, { unread = false }: Pick<Start, 'unread'>) {
    this.child = child;
    running.add(child);
    if (!unread) child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear(() => (this.out += text)));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#hear(() => (this.err += text)));
    // What nobody reads would never close.
    child.once('exit', () => child.stdout?.listenerCount('data') === 0 && child.stdout.destroy());
    this.ended = new Promise((resolve) => {
      // 'close', not 'exit': all that it said has arrived then.
      child.once('close', (code: number | null, signal: NodeJS.Signals | null) => {
        running.delete(child);
        this.#hear(() => (this.#over = true));
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  /** Waits until it says something that matches, on either output; fails when it ends without. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.err) ?? pattern.exec(this.out);
        if (found === null && !this.#over) return;
        this.#listeners.delete(look);
        if (found === null) reject(new Error(`it ended without saying ${pattern.source}:\n${this.err}${this.out}`));
        else resolve(found);
      };
      this.#listeners.add(look);
      look();
    });
  }

  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending> {
    this.child.kill(signal);
    return this.ended;
  }

  #hear(take: () => void): void {
    take();
    for (const listener of this.#listeners) listener();
  }
}

/** A service that is ready. */
export interface ServiceProcess {
  readonly process: Running;
  readonly url: string;
  readonly port: number;
  /** Calls with the root ADMIN key. */
  readonly admin: Client;
}

/** Directories and processes of one test file; `clean` ends and removes them all. */
export class World {
  readonly #directories: string[] = [];
  readonly #processes: Running[] = [];

  /** A new data directory. */
  directory(): string {
    const directory = mkdtempSync(join(tmpdir(), 'timing-faults-'));
    this.#directories.push(directory);
    return directory;
  }

  start(options: Start): Running {
    const { dataDir, env = {} } = options;
    const [file, ...args] = commandOf(options);
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'warn',
        RETIRE_AFTER_MS: String(RETIRE_AFTER_MS),
        BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN,
        ...PATIENT,
        ...env,
        DATA_DIR: dataDir,
      },
    });
    const started = new Running(child, options);
    this.#processes.push(started);
    return started;
  }

  /** Starts a service and waits until it is ready. */
  async service(options: Start): Promise<ServiceProcess> {
    const started = this.start(options);
    const [, url = '', port] = await started.said(/Listening on (http:\/\/[\d.]+:(\d+))/);
    return { process: started, url, port: Number(port), admin: clientOf(url) };
  }

  async clean(): Promise<void> {
    const processes = this.#processes.splice(0);
    await Promise.all(processes.map((started) => started.end('SIGKILL')));
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true, force: true });
    for (const { out, err } of processes) expectNoCanary(out + err, 'a process');
  }
}

/** Calls with the root ADMIN key; answers are not held against the document, which is what the API tests do. */
export function clientOf(url: string, token: string | null = ADMIN_TOKEN): Client {
  return new Client(url, () => undefined, token);
}

/** The environment of a child that loads a file first: one beside this one, named without its extension. */
export function preloading(file: string, env: Environment = {}): Environment {
  return { ...env, NODE_OPTIONS: importOf(file) };
}

function importOf(file: string): string {
  return `--import=${new URL(`${file}${extension}`, import.meta.url).href}`;
}

function commandOf({ command = 'serve', args = [], preload, fileBlocks, runner = [] }: Start): [string, ...string[]] {
  const preloads = preload === undefined ? [] : [importOf(preload)];
  const whole = [...process.execArgv, ...preloads, MAIN, command, ...args];
  const [file, ...before] = [...runner, process.execPath];
  if (fileBlocks === undefined) return [file, ...before, ...whole];
  return ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, process.execPath, ...whole];
}
