import { parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import { PoisonEvent } from '../kernel/projection/dispatch.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { pause } from '../kernel/ports/system.ts';
import { reasonOf } from '../config/start-failure.ts';
import { openEventStore, system } from '../stores/stores.ts';
import { openDestination, type Opened } from './destination.ts';
import { replay, type Replayed, type ReplayOptions } from './replay.ts';
import { loadModule, type ReplayModule } from './module.ts';
import type { Written } from './output.ts';
import { Place } from './shared-state.ts';
import type { Failure, Summary, Task, Told, WorkerData } from './messages.ts';
import { ReplayRefused } from './refused.ts';

/*
 * The thread that runs an analyst's module over the history: whatever the module does, the command that started this
 * thread sees it, and can end it.
 */

/** How long, in ms, a replay that follows waits before it writes its output again, or asks a lost store again. */
const WRITE_EVERY_MS = 1_000;
const RETRY_MS = 2_000;

/** Lines of a stack that are shown. */
const STACK_LINES = 3;

function tell(told: Told): void {
  parentPort?.postMessage(told);
}

async function run({ task, buffer }: WorkerData, signal: AbortSignal): Promise<Summary> {
  const place = new Place(buffer);
  place.load();
  const module = await loaded(task);
  place.leave();
  const opened = await openDestination(task, module);
  let complete = false;
  try {
    const answer = await follow({ task, module, opened, place, signal });
    ({ complete } = answer.replayed);
    const {
      from,
      written,
      replayed: { checkpoint: position },
    } = answer;
    return { complete, events: place.progress().events, from, position, written };
  } finally {
    await opened.close({ complete });
  }
}

/** @throws {ReplayRefused} when the module cannot even be loaded. */
async function loaded({ source }: Task): Promise<ReplayModule> {
  try {
    return await loadModule(source);
  } catch (error) {
    if (error instanceof ReplayRefused) throw error;
    throw new ReplayRefused(`${fileURLToPath(source.entry)} cannot be loaded: ${thrownBy(error, source.outputs)}`);
  }
}

interface Following {
  readonly task: Task;
  readonly module: ReplayModule;
  readonly opened: Opened;
  readonly place: Place;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly replayed: Replayed;
  readonly from: Position | null;
  readonly written: readonly Written[];
}

async function follow({ task, module, opened, place, signal }: Following): Promise<Answer> {
  const store = await openEventStore(task.events, null);
  let begun: { readonly from: Position | null } | null = null;
  let written: readonly Written[] = [];
  let writtenAt = -WRITE_EVERY_MS;
  const options: ReplayOptions = {
    store,
    place,
    signal,
    models: opened.models,
    projections: module.projections,
    until: task.until,
    follow: task.follow,
    onStart: (from, head) => {
      if (begun === null) tell({ kind: 'begun', from, head });
      begun ??= { from };
    },
    onHead: async () => {
      await pause(system.clock, Math.max(0, writtenAt + WRITE_EVERY_MS - performance.now()), signal);
      written = await opened.deliver();
      writtenAt = performance.now();
    },
  };
  try {
    for (;;) {
      const replayed = await attempt(options, () => begun !== null);
      if (replayed !== null) return { replayed, from: begunAt(begun), written };
      await pause(system.clock, RETRY_MS, signal);
    }
  } finally {
    await store.close();
  }
}

function begunAt(begun: { readonly from: Position | null } | null): Position | null {
  return begun?.from ?? null;
}

/** Null: a store is away, and a replay that follows waits for it. */
async function attempt(options: ReplayOptions, hasBegun: () => boolean): Promise<Replayed | null> {
  try {
    return await replay(options);
  } catch (error) {
    if (!options.follow || !hasBegun() || options.signal.aborted || !(error instanceof StoreUnavailable)) throw error;
    tell({ kind: 'note', text: `${reasonOf(error) ?? error.message}; trying again` });
    return null;
  }
}

/** What somebody else's code threw, and where in their files. */
function thrownBy(error: unknown, files: ReadonlyMap<string, string>): string {
  if (!(error instanceof Error)) return `it threw ${typeof error === 'string' ? JSON.stringify(error) : String(error)}`;
  const paths = [...files.keys()].flatMap((url) => [url, fileURLToPath(url)]);
  const frames = (error.stack ?? '').split('\n').filter((line) => paths.some((path) => line.includes(path)));
  return [`${error.name}: ${error.message}`, ...frames.slice(0, STACK_LINES)].join('\n');
}

/** Null: a fault of our own. */
function failureOf(error: unknown, { source }: Task): Failure | null {
  if (error instanceof PoisonEvent) {
    const { type, stream, position } = error.event;
    const file = fileURLToPath(source.entry);
    const message =
      `${file} cannot digest ${type} at position ${position} of ${stream}: ` + thrownBy(error.cause, source.outputs);
    return { message, event: { type, stream, position } };
  }
  const message = error instanceof ReplayRefused ? error.message : reasonOf(error);
  return message === null ? null : { message, event: null };
}

async function main(data: WorkerData): Promise<void> {
  const stop = new AbortController();
  parentPort?.on('message', () => {
    stop.abort();
  });
  process.setSourceMapsEnabled(true);
  try {
    tell({ kind: 'done', summary: await run(data, stop.signal) });
  } catch (error) {
    const failure = failureOf(error, data.task);
    if (failure !== null) tell({ kind: 'failed', failure });
    else tell({ kind: 'broken', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

// The command that starts this thread gives it this.
await main(workerData as WorkerData);
