import { spawn, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Json } from '../../src/service/kernel/json.ts';
import { anonymousMb, threadMicros } from '../support/processes/memory.ts';
import { READY, Reply } from './child-protocol.ts';

const SCRIPT = fileURLToPath(new URL(`./child${extname(import.meta.url)}`, import.meta.url));

/** Options that `npm start` passes to node, sizes in MB; all measured processes get them. */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

/** How measured processes are run. */
export interface Setting {
  /** The core they are pinned to, or null. */
  readonly core: number | null;
  /** Directory for CPU profiles, and the work they are named after; null: no profiles. */
  readonly profile: { readonly directory: string; readonly work: string } | null;
  /** Further options of node. */
  readonly flags?: readonly string[];
}

interface Waiter {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The bench's handle on a measured process. */
export class Child {
  readonly #process: ChildProcess;
  readonly #role: string;
  readonly #waiting = new Map<number, Waiter>();
  readonly #gone: Promise<void>;
  #next = READY;
  /** The value of its ready message. */
  readonly ready: Promise<unknown>;

  constructor(role: string, argument: Json, { core, profile, flags = [] }: Setting) {
    const profiling = profile === null ? [] : profileOptions(role, profile);
    const options = [...process.execArgv, ...YOUNG_GENERATION, ...flags, ...profiling];
    const node = [process.execPath, ...options, SCRIPT, role, JSON.stringify(argument)];
    const [command = '', ...args] = core === null ? node : ['taskset', '-c', String(core), ...node];
    const started = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#role = role;
    this.#process = started;
    started.on('message', (message) => {
      this.#settle(Reply.parse(message));
    });
    this.#gone = new Promise((resolve) => {
      const end = (): void => {
        this.#fail();
        resolve();
      };
      started.on('exit', end).on('error', end);
    });
    this.ready = this.#reply();
  }

  /** Runs an operation of its role. */
  async ask<T>(operation: string, answer: z.ZodType<T>, argument: Json = null): Promise<T> {
    const reply = this.#reply();
    this.#process.send({ id: this.#next - 1, operation, argument });
    return answer.parse(await reply);
  }

  /** CPU used by all threads of the process, in µs. */
  cpuMicros(): Promise<number> {
    return this.ask('cpu', z.number());
  }

  anonymousMb(): number | null {
    return anonymousMb(this.#process.pid);
  }

  /** The same as `cpuMicros`, but read from the system: what is measured does nothing for it. */
  threadMicros(): number {
    return threadMicros(this.#process.pid);
  }

  /** Ends it in good order. */
  async close(): Promise<void> {
    await Promise.race([this.ask('close', z.unknown()), this.#gone]);
    await this.#gone;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #reply(): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #settle({ id, value, error }: Reply): void {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(`${this.#role}: ${error}`));
  }

  #fail(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(`the process ${this.#role} has ended`));
    this.#waiting.clear();
  }
}

let profiles = 0;

/** Profiles are named after work, number and role: `npm run performance` shows the service of each work. */
function profileOptions(role: string, { directory, work }: NonNullable<Setting['profile']>): string[] {
  profiles += 1;
  const name = `${work}-${profiles}-${role}.cpuprofile`;
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${name}`];
}
