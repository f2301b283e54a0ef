import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Position } from '../kernel/ports/event-store.ts';
import { SharedReplayState, type CurrentWork } from './shared-state.ts';
import type { ReplayFailure, ReplaySummary, ReplayTask, WorkerMessage, WorkerData } from './messages.ts';

/** How often progress and the time limit are checked, in ms. */
const CHECK_INTERVAL_MS = 100;

/** Size of the young generation of the worker's heap: a replay allocates many short-lived objects. */
const YOUNG_GENERATION_MB = 64;

/** Progress of a replay. */
export interface ReplayProgress {
  /** Events handled by this run. */
  readonly events: number;
  /** From 0 to 1: an estimate from positions. */
  readonly share: number;
}

/** Options of running a task. */
export interface RunOptions {
  /** How long, in ms, the module may take for one event. */
  readonly eventTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReplayProgress) => void;
  readonly onNote: (text: string) => void;
  /** Called with what the module prints to standard output or standard error. */
  readonly onOutput: (text: string) => void;
}

/** Outcome of a task. */
export type TaskOutcome =
  | { readonly kind: 'done'; readonly summary: ReplaySummary }
  | { readonly kind: 'failed'; readonly failure: ReplayFailure };

/**
 * Runs a replay in a worker thread. It fails when the module throws, exits, or exceeds the time limit for one event.
 * @throws {Error} for a fault of this program, as opposed to one of the module.
 */
export function runTask(task: ReplayTask, options: RunOptions): Promise<TaskOutcome> {
  const state = new SharedReplayState();
  const workerData: WorkerData = { task, buffer: state.buffer };
  const worker = new Worker(workerUrl(), {
    workerData,
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      options.onOutput(text);
    });
  }
  return new WorkerSupervisor({ worker, state, options, file: fileURLToPath(task.source.entry) }).outcome();
}

/** TypeScript sources are run by tsx, which has to be registered in each thread anew. */
function workerUrl(): URL {
  const worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  if (!worker.pathname.endsWith('.ts')) return worker;
  const tsx = import.meta.resolve('tsx/esm/api');
  const script = `import { register } from '${tsx}'; register(); import('${worker.href}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
}

interface SupervisorOptions {
  readonly worker: Worker;
  readonly state: SharedReplayState;
  readonly options: RunOptions;
  readonly file: string;
}

interface OutcomePromise {
  readonly resolve: (outcome: TaskOutcome) => void;
  readonly reject: (error: Error) => void;
}

class WorkerSupervisor {
  readonly #options: SupervisorOptions;
  #share = { from: 0, head: 0 };
  #current: { readonly with: string; readonly since: number } | null = null;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  async outcome(): Promise<TaskOutcome> {
    const {
      worker,
      state,
      options: { signal },
    } = this.#options;
    const stop = (): void => {
      state.stop();
      worker.postMessage('stop');
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<TaskOutcome>((resolve, reject) => {
        const fail = (message: string): void => {
          resolve(this.#failure(message));
        };
        timer = setInterval(() => {
          this.#checkProgress(fail);
        }, CHECK_INTERVAL_MS);
        worker.on('message', (message: WorkerMessage) => {
          this.#onMessage(message, { resolve, reject });
        });
        worker.on('error', (error: Error) => {
          fail(`crashed: ${error.name}: ${error.message}`);
        });
        worker.on('exit', () => {
          fail('ended the replay, as process.exit() does');
        });
      });
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', stop);
      // Timers and sockets of the module must not keep the process alive.
      await worker.terminate();
    }
  }

  #onMessage(message: WorkerMessage, { resolve, reject }: OutcomePromise): void {
    const { options } = this.#options;
    switch (message.kind) {
      case 'started':
        this.#share = { from: message.from ?? 0, head: message.head ?? 0 };
        return;
      case 'note':
        options.onNote(message.text);
        return;
      case 'fault':
        reject(Object.assign(new Error('the replay failed'), { stack: message.stack }));
        return;
      case 'done':
      case 'failed':
        resolve(message);
    }
  }

  /** Reports progress, and fails when the module has exceeded the time limit. */
  #checkProgress(fail: (message: string) => void): void {
    const { state, options } = this.#options;
    const { events, reached } = state.progress();
    options.onProgress({ events, share: this.#shareAt(reached) });
    const current = state.current();
    const at = current === null ? null : `${events} ${describe(current)}`;
    const now = performance.now();
    if (at === null) this.#current = null;
    else if (this.#current?.with !== at) this.#current = { with: at, since: now };
    else if (now - this.#current.since > options.eventTimeoutMs) {
      fail(`has not finished within ${options.eventTimeoutMs / 1_000} s (it loops for ever, or waits for something)`);
    }
  }

  #shareAt(reached: Position): number {
    const { from, head } = this.#share;
    return head <= from ? 1 : Math.min(1, Math.max(0, (reached - from) / (head - from)));
  }

  #failure(what: string): TaskOutcome {
    const { state, file } = this.#options;
    const current = state.current();
    const at = current === null ? '' : ` at ${describe(current)}`;
    const event =
      current?.kind === 'event' ? { type: current.type, stream: current.stream, position: current.position } : null;
    return { kind: 'failed', failure: { message: `${file}${at} ${what}`, event } };
  }
}

function describe(current: CurrentWork): string {
  return current.kind === 'loading'
    ? 'its start, before the first event,'
    : `${current.type} at position ${current.position} of ${current.stream}`;
}
