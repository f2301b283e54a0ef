import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Position } from '../kernel/ports/event-store.ts';
import { Place, type Busy } from './shared-state.ts';
import type { Failure, Summary, Task, Told, WorkerData } from './messages.ts';

/** How often the worker is looked at, in ms. */
const LOOK_EVERY_MS = 100;

/** Young generation of the worker's heap: a replay makes and drops objects at a great rate. */
const YOUNG_GENERATION_MB = 64;

/** How far a replay has come. */
export interface ReplayProgress {
  readonly events: number;
  /** From 0 to 1: an estimate from positions. */
  readonly share: number;
}

/** How to run a task. */
export interface RunOptions {
  /** How long, in ms, the module may take for one event. */
  readonly eventTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReplayProgress) => void;
  readonly onNote: (text: string) => void;
  /** What the module writes to its standard outputs. */
  readonly onOutput: (text: string) => void;
}

/** How a task ended. */
export type Outcome =
  { readonly kind: 'done'; readonly summary: Summary } | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Runs a replay in a thread of its own, which is ended when the module takes too long for one event, ends itself or
 * breaks.
 * @throws {Error} for a fault of our own.
 */
export function runTask(task: Task, options: RunOptions): Promise<Outcome> {
  const place = new Place();
  const workerData: WorkerData = { task, buffer: place.buffer };
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
  return new Watch({ worker, place, options, file: fileURLToPath(task.source.entry) }).outcome();
}

/** Sources are run by tsx, which leaves threads alone unless they ask for it. */
function workerUrl(): URL {
  const worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  if (!worker.pathname.endsWith('.ts')) return worker;
  const tsx = import.meta.resolve('tsx/esm/api');
  const script = `import { register } from '${tsx}'; register(); import('${worker.href}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
}

interface Watched {
  readonly worker: Worker;
  readonly place: Place;
  readonly options: RunOptions;
  readonly file: string;
}

interface Settle {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

class Watch {
  readonly #watched: Watched;
  #share = { from: 0, head: 0 };
  #busy: { readonly with: string; readonly since: number } | null = null;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  async outcome(): Promise<Outcome> {
    const {
      worker,
      place,
      options: { signal },
    } = this.#watched;
    const stop = (): void => {
      place.stop();
      worker.postMessage('stop');
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const fail = (message: string): void => {
          resolve(this.#failed(message));
        };
        timer = setInterval(() => {
          this.#look(fail);
        }, LOOK_EVERY_MS);
        worker.on('message', (told: Told) => {
          this.#hear(told, { resolve, reject });
        });
        worker.on('error', (error: Error) => {
          fail(`broke down: ${error.name}: ${error.message}`);
        });
        worker.on('exit', () => {
          fail('ended the replay, as process.exit() does');
        });
      });
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', stop);
      // Timers and sockets of the module must not keep anything going.
      await worker.terminate();
    }
  }

  #hear(told: Told, { resolve, reject }: Settle): void {
    const { options } = this.#watched;
    switch (told.kind) {
      case 'begun':
        this.#share = { from: told.from ?? 0, head: told.head ?? 0 };
        return;
      case 'note':
        options.onNote(told.text);
        return;
      case 'broken':
        reject(Object.assign(new Error('the replay broke'), { stack: told.stack }));
        return;
      case 'done':
      case 'failed':
        resolve(told);
    }
  }

  /** Shows how far it is, and whether it is stuck. */
  #look(fail: (message: string) => void): void {
    const { place, options } = this.#watched;
    const { events, reached } = place.progress();
    options.onProgress({ events, share: this.#shareAt(reached) });
    const busy = place.busy();
    const at = busy === null ? null : `${events} ${textOf(busy)}`;
    const now = performance.now();
    if (at === null) this.#busy = null;
    else if (this.#busy?.with !== at) this.#busy = { with: at, since: now };
    else if (now - this.#busy.since > options.eventTimeoutMs) {
      fail(`has not finished within ${options.eventTimeoutMs / 1_000} s (it loops for ever, or waits for something)`);
    }
  }

  #shareAt(reached: Position): number {
    const { from, head } = this.#share;
    return head <= from ? 1 : Math.min(1, Math.max(0, (reached - from) / (head - from)));
  }

  #failed(what: string): Outcome {
    const { place, file } = this.#watched;
    const busy = place.busy();
    const at = busy === null ? '' : ` at ${textOf(busy)}`;
    const event = busy?.kind === 'event' ? { type: busy.type, stream: busy.stream, position: busy.position } : null;
    return { kind: 'failed', failure: { message: `${file}${at} ${what}`, event } };
  }
}

function textOf(busy: Busy): string {
  return busy.kind === 'loading'
    ? 'its start, before the first event,'
    : `${busy.type} at position ${busy.position} of ${busy.stream}`;
}
