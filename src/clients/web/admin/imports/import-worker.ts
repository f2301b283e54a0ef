import { base } from '../../shared/base.ts';
import type { NumberedRequest, WorkerAnswer, WorkerFailure, WorkerRequest, WorkerResult } from './messages.ts';

/** The name of the worker's script, which the build knows. */
declare const IMPORT_WORKER: string;

/** The trusted type that the policy of the administration names: it has one address. */
const TRUSTED_TYPE = 'import-worker';

/** Thrown when the worker could not do what it was asked. */
export class WorkerFailed extends Error {
  readonly failure: WorkerFailure;

  constructor(failure: WorkerFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

type Kind = WorkerRequest['kind'];
type ResultOf<K extends Kind> = Extract<WorkerResult, { readonly kind: K }>;
type Progress = (done: number, of: number) => void;

interface Pending {
  readonly onProgress: Progress;
  readonly onDone: (result: WorkerResult) => void;
  readonly onFailed: (error: Error) => void;
}

/** Whether this browser has what reading files takes. */
export function canReadFiles(): boolean {
  return typeof Worker === 'function' && typeof DecompressionStream === 'function' && 'any' in AbortSignal;
}

/** The worker that reads result files, and sends their laps with a key. */
export class ImportWorker {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #requests = 0;

  constructor(token: string) {
    this.#worker = startedWorker();
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => this.#receive(data));
    this.#worker.addEventListener('error', () => this.#fail('the worker has stopped'));
    void this.ask({ kind: 'sign-in', url: location.origin + base, token });
  }

  /** @throws {WorkerFailed} */
  async ask<K extends Kind>(
    request: Extract<WorkerRequest, { readonly kind: K }>,
    onProgress: Progress = () => {},
  ): Promise<ResultOf<K>> {
    this.#requests += 1;
    const numbered: NumberedRequest = { number: this.#requests, request };
    const result = await new Promise<WorkerResult>((resolve, reject) => {
      this.#pending.set(numbered.number, { onProgress, onDone: resolve, onFailed: reject });
      this.#worker.postMessage(numbered);
    });
    if (!isOf(result, request.kind)) throw new Error(`the worker has answered ${result.kind}`);
    return result;
  }

  /** Ends the worker; what it has not sent yet is not sent. */
  end(): void {
    this.#worker.terminate();
    this.#pending.clear();
  }

  #receive(answer: WorkerAnswer): void {
    const pending = this.#pending.get(answer.number);
    if (pending === undefined) return;
    if (answer.outcome === 'progress') {
      pending.onProgress(answer.done, answer.of);
      return;
    }
    this.#pending.delete(answer.number);
    if (answer.outcome === 'done') pending.onDone(answer.result);
    else pending.onFailed(new WorkerFailed(answer.failure));
  }

  #fail(message: string): void {
    const failure = new WorkerFailed({ status: null, message });
    for (const { onFailed } of this.#pending.values()) onFailed(failure);
    this.#pending.clear();
  }
}

function isOf<K extends Kind>(result: WorkerResult, kind: K): result is ResultOf<K> {
  return result.kind === kind;
}

/** Browsers that know trusted types start a worker only from an address that a type of the policy has made. */
interface TrustedTypes {
  readonly createPolicy: (name: string, rules: object) => { readonly createScriptURL: (address: string) => unknown };
}

declare global {
  // It is part of the window.
  var trustedTypes: TrustedTypes | undefined;
}

let policy: ReturnType<TrustedTypes['createPolicy']> | null = null;

function startedWorker(): Worker {
  const address = `${base}/assets/${IMPORT_WORKER}`;
  if (globalThis.trustedTypes === undefined) return new Worker(address);
  policy ??= globalThis.trustedTypes.createPolicy(TRUSTED_TYPE, { createScriptURL: () => address });
  const worker: unknown = Reflect.construct(Worker, [policy.createScriptURL('')]);
  if (!(worker instanceof Worker)) throw new Error('this browser starts no worker');
  return worker;
}
