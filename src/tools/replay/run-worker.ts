import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Position } from '../../service/kernel/ports/event-store.ts';
import { SharedReplayState, type CurrentWork } from './shared-state.ts';
import type { ReplayTask, WorkerMessage, WorkerData } from './messages.ts';

/** How often progress and the time limit are checked, in ms. */
const CHECK_INTERVAL_MS = 100;

/** Size of the young generation of the worker's heap: a replay allocates many short-lived objects. */
const YOUNG_GENERATION_MB = 64;

/** Options of running a task. */
export interface RunOptions {
  /** How long, in ms, the module may take for one event. */
  readonly eventTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Called with the number of events handled by this run, and an estimate from positions, from 0 to 1. */
  readonly onProgress: (progress: { readonly events: number; readonly share: number }) => void;
  readonly onNote: (text: string) => void;
  /** Called with what the module prints to standard output or standard error. */
  readonly onOutput: (text: string) => void;
}

/** Outcome of a task. */
export type TaskOutcome = Extract<WorkerMessage, { readonly kind: 'done' | 'failed' }>;

/**
 * Runs a replay in a worker thread. It fails when the module throws, exits, or exceeds the time limit for one event.
 * @throws {Error} for a fault of this program, as opposed to one of the module.
 */
export async function runTask(task: ReplayTask, options: RunOptions): Promise<TaskOutcome> {
  const state = new SharedReplayState();
  const worker = startWorker({ task, buffer: state.buffer }, options);
  const monitor = new Monitor(state, options);
  const stop = (): void => {
    state.stop();
    worker.postMessage('stop');
  };
  options.signal.addEventListener('abort', stop);
  if (options.signal.aborted) stop();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TaskOutcome>((resolve, reject) => {
      const fail = (what: string): void => resolve(failureOf(task, state.current(), what));
      timer = setInterval(() => monitor.check(fail), CHECK_INTERVAL_MS);
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'started') monitor.start(message.from ?? 0, message.head ?? 0);
        else if (message.kind === 'note') options.onNote(message.text);
        else if (message.kind === 'fault') reject(faultOf(message.stack));
        else resolve(message);
      });
      worker.on('error', (error: Error) => fail(`crashed: ${error.name}: ${error.message}`));
      worker.on('exit', () => fail('ended the replay, as process.exit() does'));
    });
  } finally {
    clearInterval(timer);
    options.signal.removeEventListener('abort', stop);
    // Timers and sockets of the module must not keep the process alive.
    await worker.terminate();
  }
}

function startWorker(workerData: WorkerData, { onOutput }: RunOptions): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
  const worker = new Worker(workerUrl(), { workerData, stdout: true, stderr: true, resourceLimits });
  for (const stream of [worker.stdout, worker.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  return worker;
}

/** TypeScript sources are run by tsx, which has to be registered in each thread anew. */
function workerUrl(): URL {
  const worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  if (!worker.pathname.endsWith('.ts')) return worker;
  const tsx = import.meta.resolve('tsx/esm/api');
  const script = `import { register } from '${tsx}'; register(); import('${worker.href}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
}

/** Reports the progress of a worker, and notices when the module has exceeded the time limit. */
class Monitor {
  readonly #state: SharedReplayState;
  readonly #options: RunOptions;
  #from: Position = 0;
  #head: Position = 0;
  #current: { readonly with: string; readonly since: number } | null = null;

  constructor(state: SharedReplayState, options: RunOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** The replay goes from one position to another. */
  start(from: Position, head: Position): void {
    this.#from = from;
    this.#head = head;
  }

  check(fail: (what: string) => void): void {
    const { eventTimeoutMs, onProgress } = this.#options;
    const { events, reached } = this.#state.progress();
    onProgress({ events, share: this.#shareAt(reached) });
    const current = this.#state.current();
    const at = current === null ? null : `${events} ${describe(current)}`;
    const now = performance.now();
    if (at === null) this.#current = null;
    else if (this.#current?.with !== at) this.#current = { with: at, since: now };
    else if (now - this.#current.since > eventTimeoutMs) {
      fail(`has not finished within ${eventTimeoutMs / 1_000} s (it loops for ever, or waits for something)`);
    }
  }

  #shareAt(reached: Position): number {
    const whole = this.#head - this.#from;
    return whole <= 0 ? 1 : Math.min(1, Math.max(0, (reached - this.#from) / whole));
  }
}

/** A fault of this program, with the stack that it has in the worker. */
function faultOf(stack: string): Error {
  return Object.assign(new Error('the replay failed'), { stack });
}

function failureOf({ source }: ReplayTask, current: CurrentWork | null, what: string): TaskOutcome {
  const at = current === null ? '' : ` at ${describe(current)}`;
  const event =
    current?.kind === 'event' ? { type: current.type, stream: current.stream, position: current.position } : null;
  return { kind: 'failed', failure: { message: `${fileURLToPath(source.entry)}${at} ${what}`, event } };
}

function describe(current: CurrentWork): string {
  return current.kind === 'loading'
    ? 'its start, before the first event,'
    : `${current.type} at position ${current.position} of ${current.stream}`;
}
