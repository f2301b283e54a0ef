import { parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { StoreUnavailable } from '../../service/kernel/ports/errors.ts';
import { PoisonEvent } from '../../service/kernel/projection/dispatch.ts';
import type { Position } from '../../service/kernel/ports/event-store.ts';
import { pause } from '../../service/kernel/ports/system.ts';
import { reasonOf } from '../../service/config/start-failure.ts';
import { openEventStore, system } from '../../service/stores/stores.ts';
import { openDestination, type OpenDestination } from './destination.ts';
import { replay, type ReplayResult, type ReplayOptions } from './replay.ts';
import { loadModule, type ReplayModule } from './module.ts';
import type { WrittenCollection } from './output.ts';
import { SharedReplayState } from './shared-state.ts';
import type { ReplayFailure, ReplaySummary, ReplayTask, WorkerMessage, WorkerData } from './messages.ts';
import { ReplayRefused } from './refused.ts';

/*
 * The worker thread that runs an analyst's module over the history: whatever the module does, the command's thread
 * can end it.
 */

/** Pauses of a replay with `follow`, in ms: between two outputs, and before a store that is unavailable is tried again. */
const WRITE_INTERVAL_MS = 1_000;
const RETRY_MS = 2_000;

/** Lines of a stack that are reported. */
const STACK_LINES = 3;

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

async function run({ task, buffer }: WorkerData, signal: AbortSignal): Promise<ReplaySummary> {
  const state = new SharedReplayState(buffer);
  state.startLoading();
  const module = await load(task);
  state.idle();
  for (const text of module.notes) post({ kind: 'note', text });
  const destination = await openDestination(task, module);
  let complete = false;
  try {
    const summary = await replayWithRetries({ task, module, destination, state, signal });
    ({ complete } = summary);
    return summary;
  } finally {
    await destination.close({ complete });
  }
}

/** Loads the module. @throws {ReplayRefused} when that fails. */
async function load({ source }: ReplayTask): Promise<ReplayModule> {
  try {
    return await loadModule(source);
  } catch (error) {
    if (error instanceof ReplayRefused) throw error;
    throw new ReplayRefused(
      `${fileURLToPath(source.entry)} cannot be loaded: ${describeThrown(error, source.outputs)}`,
    );
  }
}

interface ReplayContext {
  readonly task: ReplayTask;
  readonly module: ReplayModule;
  readonly destination: OpenDestination;
  readonly state: SharedReplayState;
  readonly signal: AbortSignal;
}

async function replayWithRetries({ task, module, destination, state, signal }: ReplayContext): Promise<ReplaySummary> {
  const store = await openEventStore(task.events, null);
  const start: { from?: Position | null } = {};
  let written: readonly WrittenCollection[] = [];
  let writtenAt = -WRITE_INTERVAL_MS;
  const options: ReplayOptions = {
    store,
    state,
    signal,
    models: destination.models,
    projections: module.projections,
    until: task.until,
    follow: task.follow,
    onStart: (from, head) => {
      if (start.from !== undefined) return;
      start.from = from;
      post({ kind: 'started', from, head });
    },
    onCaughtUp: async () => {
      await pause(system.clock, Math.max(0, writtenAt + WRITE_INTERVAL_MS - performance.now()), signal);
      written = await destination.writeResult();
      writtenAt = performance.now();
    },
  };
  try {
    for (;;) {
      const result = await attempt(options, () => start.from !== undefined);
      if (result !== null) {
        const { complete, checkpoint: position } = result;
        return { complete, events: state.progress().events, from: start.from ?? null, position, written };
      }
      await pause(system.clock, RETRY_MS, signal);
    }
  } finally {
    await store.close();
  }
}

/** Runs the replay; null when a store became unavailable and a replay with `follow` should try again. */
async function attempt(options: ReplayOptions, hasStarted: () => boolean): Promise<ReplayResult | null> {
  try {
    return await replay(options);
  } catch (error) {
    if (!options.follow || !hasStarted() || options.signal.aborted || !(error instanceof StoreUnavailable)) throw error;
    post({ kind: 'note', text: `${reasonOf(error) ?? error.message}; trying again` });
    return null;
  }
}

/** Describes an error that the module threw, with the lines of its stack in the module's own files. */
function describeThrown(error: unknown, files: ReadonlyMap<string, string>): string {
  if (!(error instanceof Error)) return `it threw ${typeof error === 'string' ? JSON.stringify(error) : String(error)}`;
  const paths = [...files.keys()].flatMap((url) => [url, fileURLToPath(url)]);
  const frames = (error.stack ?? '').split('\n').filter((line) => paths.some((path) => line.includes(path)));
  return [`${error.name}: ${error.message}`, ...frames.slice(0, STACK_LINES)].join('\n');
}

/** The failure to report; null for a fault of this program. */
function failureOf(error: unknown, { source }: ReplayTask): ReplayFailure | null {
  if (error instanceof PoisonEvent) {
    const { type, stream, position } = error.event;
    const file = fileURLToPath(source.entry);
    const message =
      `${file} cannot project ${type} at position ${position} of ${stream}: ` +
      describeThrown(error.cause, source.outputs);
    return { message, event: { type, stream, position } };
  }
  const message = error instanceof ReplayRefused ? error.message : reasonOf(error);
  return message === null ? null : { message, event: null };
}

async function main(data: WorkerData): Promise<void> {
  const stop = new AbortController();
  parentPort?.on('message', () => stop.abort());
  process.setSourceMapsEnabled(true);
  try {
    post({ kind: 'done', summary: await run(data, stop.signal) });
  } catch (error) {
    const failure = failureOf(error, data.task);
    if (failure !== null) post({ kind: 'failed', failure });
    else post({ kind: 'fault', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

// `runTask` starts this thread with such data.
await main(workerData as WorkerData);
