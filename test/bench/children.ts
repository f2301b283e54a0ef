import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anonymousMb, isRunning, threadMicros } from '../support/processes/memory.ts';
import type { Roles } from './child.ts';
import type { Reply } from './role.ts';

const SCRIPT = fileURLToPath(new URL(`./child${extname(import.meta.url)}`, import.meta.url));

/** Options that `npm start` passes to node, sizes in MB; all measured processes get them. */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

export type RoleName = keyof Roles;
export type ArgumentOf<R extends RoleName> = Parameters<Roles[R]>[0];
type Operations<R extends RoleName> = Awaited<ReturnType<Roles[R]>>['operations'];
type Call<F> = F extends (argument: infer A) => Promise<infer V> ? { argument: A; value: V } : never;

/** How measured processes are run. */
export interface Setting {
  /** The core they are pinned to, or null. */
  readonly core: number | null;
  /** Directory for CPU profiles, and the work they are named after; null: no profiles. */
  readonly profile: { readonly directory: string; readonly work: string } | null;
}

/** The bench's handle on a measured process, which is asked one thing at a time. */
export class Child<R extends RoleName = RoleName> {
  readonly #process: ChildProcess;
  /** Rejects once it has ended. */
  readonly #gone: Promise<never>;
  readonly #role: R;
  /** Its address, once it has started; empty where it serves no HTTP. */
  readonly url: Promise<string>;

  constructor(role: R, argument: ArgumentOf<R>, { core, profile }: Setting) {
    const options = [...process.execArgv, ...YOUNG_GENERATION, ...profileOptions(role, profile)];
    const node = [process.execPath, ...options, SCRIPT];
    const [command = '', ...args] = core === null ? node : ['taskset', '-c', String(core), ...node];
    this.#role = role;
    this.#process = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#gone = once(this.#process, 'exit').then(() => Promise.reject(new Error(`the process ${role} has ended`)));
    this.#gone.catch(() => undefined);
    this.url = this.#ask(role, argument).then(String);
  }

  /** Runs an operation of its role. */
  async ask<O extends keyof Operations<R> & string>(operation: O, argument: Call<Operations<R>[O]>['argument']) {
    // By the table of roles, its answer has this type.
    return (await this.#ask(operation, argument)) as Call<Operations<R>[O]>['value'];
  }

  /** CPU used by all threads of the process, in µs. */
  async cpuMicros(): Promise<number> {
    return Number(await this.#ask('cpu'));
  }

  anonymousMb(): number | null {
    return anonymousMb(this.#process.pid);
  }

  /** The same as `cpuMicros`, but read from the system: what is measured does nothing for it. */
  threadMicros(): number {
    return threadMicros(this.#process.pid);
  }

  isRunning(): boolean {
    return isRunning(this.#process.pid);
  }

  /** Ends it in good order. */
  async close(): Promise<void> {
    await this.#ask('close');
    this.#process.disconnect();
    await this.#gone.catch(() => undefined);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  async #ask(operation: string, argument: unknown = null): Promise<unknown> {
    this.#process.send([operation, argument]);
    // child.ts sends nothing else.
    const [{ value, error }] = (await Promise.race([once(this.#process, 'message'), this.#gone])) as [Reply];
    if (error !== undefined) throw new Error(`${this.#role}: ${error}`);
    return value;
  }
}

let profiles = 0;

/** Profiles are named after work, number and role: `npm run performance` shows the service of each work. */
function profileOptions(role: string, profile: Setting['profile']): readonly string[] {
  if (profile === null) return [];
  profiles += 1;
  const name = `${profile.work}-${profiles}-${role}.cpuprofile`;
  return ['--cpu-prof', `--cpu-prof-dir=${profile.directory}`, `--cpu-prof-name=${name}`];
}
