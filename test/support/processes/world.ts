import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Client } from '../api/client.ts';
import { expectNoCanary } from '../canaries.ts';
import { MAIN } from './script.ts';
import { bounded, PATIENT } from './waits.ts';

/** Children run as this process does: sources through tsx, compiled files directly. */
const extension = extname(import.meta.url);

/** Token of the root ADMIN key, unless a test has one generated. */
export const ADMIN_TOKEN = 'root-token-of-the-fault-tests-0123456789';

/** Time for which replaced read models are kept, in ms: short, as tests of rebuilds wait for it. */
export const RETIRE_AFTER_MS = 1_000;

export type Environment = Readonly<Record<string, string>>;

/** Options of a child process. */
export interface Start {
  readonly dataDir: string;
  readonly command?: 'serve' | 'projector' | 'demo' | 'rebuild' | 'verify';
  readonly args?: readonly string[];
  readonly env?: Environment;
  /** A file beside this one, without its extension, that is preloaded. */
  readonly preload?: string;
  /** A command, with its first arguments, that runs the child. */
  readonly runner?: readonly string[];
  /** Limit of the child's files, in the shell's blocks: of 512 bytes or a KiB. */
  readonly fileBlocks?: number;
  /** True: only the test reads standard output. */
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

/** A child process and its output. */
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
    // An unread stream would never close.
    child.once('exit', () => child.stdout?.listenerCount('data') === 0 && child.stdout.destroy());
    this.ended = new Promise((resolve) => {
      // Unlike 'exit', 'close' comes after all output.
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

  /** Waits until either output matches; fails if the process ends before. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    const heard = new Promise<RegExpExecArray>((resolve, reject) => {
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
    return bounded(heard, () => `${pattern.source}:\n${this.err}${this.out}`);
  }

  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending> {
    this.child.kill(signal);
    return bounded(this.ended, () => `the end after ${signal}:\n${this.err}${this.out}`);
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

/** Directories and processes of a test; `clean` ends and removes them all. */
export class World {
  readonly #directories: string[] = [];
  readonly #processes: Running[] = [];
  #dataDir: string | null = null;

  /** The same directory until it is removed. */
  get dataDir(): string {
    return (this.#dataDir ??= this.directory());
  }

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
    this.#dataDir = null;
    const processes = this.#processes.splice(0);
    await Promise.all(processes.map((started) => started.end('SIGKILL')));
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true, force: true });
    for (const { out, err } of processes) expectNoCanary(out + err, 'a process');
  }
}

/** Directories and processes that end with each test. */
export function useWorld(): World {
  const world = new World();
  afterEach(() => world.clean());
  return world;
}

/** A client with the root ADMIN key. It does not validate answers against the API document; the API tests do. */
export function clientOf(url: string, token: string | null = ADMIN_TOKEN): Client {
  return new Client(url, () => undefined, token);
}

/** The environment of a child that preloads a file beside this one, named without its extension. */
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
