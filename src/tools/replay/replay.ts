import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../service/config/config.ts';
import { reasonOf } from '../../service/config/start-failure.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { pause } from '../../kernel/ports/system.ts';
import type { Projection } from '../../kernel/projection/projection.ts';
import { system, withStoreAt } from '../../service/stores/stores.ts';
import { resolvePoint, type Bound, type Point } from '../history/bounds.ts';
import { describeLocation, locationIn, type StoreLocation } from '../history/location.ts';
import { checkProjections, neglectedEvents, resultsOf } from './check-projections.ts';
import { openDestination, type Destination } from './destination.ts';
import { replayLineage } from './namespace.ts';
import type { WrittenCollection } from './output.ts';
import { project, type ProjectOptions } from './project.ts';

/** Pauses with `follow`, in ms: between two outputs, and before a store that is unavailable is tried again. */
const WRITE_INTERVAL_MS = 1_000;
const RETRY_MS = 2_000;

/** Period, in ms, of a timer that only keeps the process alive, since waiting for events does not. */
const ALIVE_MS = 60_000;

export interface ReplayOptions {
  readonly destination: Destination;
  /** What messages call the projections. */
  readonly name?: string;
  /** The settings of the stores, as the service has them; default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The event store to read; default: that of the settings. */
  readonly from?: StoreLocation;
  /** The last point of the history to replay; default: the newest event. */
  readonly until?: Point | null;
  /** Whether to continue with new events until the signal aborts. */
  readonly follow?: boolean;
  /** Whether to drop what an earlier run has left. */
  readonly fresh?: boolean;
  /** Identifies the projections: a run resumes only one of the same version. Default: nothing is resumed. */
  readonly version?: string;
  readonly signal?: AbortSignal;
  /** Called before an event is handed to the projections. */
  readonly onEvent?: (event: RecordedEvent) => void | Promise<void>;
  /** Called with the number of events handled so far, and an estimate from positions, from 0 to 1. */
  readonly onProgress?: (progress: { readonly done: number; readonly share: number }) => void;
  /** Called with warnings: corrections that the projections ignore, a store that is tried again. */
  readonly onNote?: (text: string) => void;
}

export interface ReplaySummary {
  /** False when it was interrupted; another run can resume it. */
  readonly complete: boolean;
  /** Events handled by this run. */
  readonly events: number;
  /** Checkpoints at which this run began and ended. */
  readonly from: Position | null;
  readonly position: Position | null;
  readonly written: readonly WrittenCollection[];
}

/**
 * Runs projections over the whole history, and puts the documents that they make into a file or a namespace. The event
 * store is only read, and no read model of the service is touched. The same events always give the same documents, as
 * long as the projections use nothing else.
 * @throws {ReplayRefused} when the projections, or what the destination holds, cannot be used.
 * @throws {UnknownPoint} when `until` names an event that the history does not have.
 * @throws {PoisonEvent} for the first event that a projection fails on; its `cause` is what was thrown.
 * @throws {StoreUnavailable}
 */
export async function replay(
  projections: Projection | readonly Projection[],
  options: ReplayOptions,
): Promise<ReplaySummary> {
  const { name = 'the module' } = options;
  const list = checkProjections(projections, name);
  for (const text of neglectedEvents(list)) options.onNote?.(`${name}: ${text}`);
  const { destination, env = process.env, until = null, fresh = false, version = randomUUID() } = options;
  const { signal = new AbortController().signal } = options;
  const settings = loadConfig(env);
  const location = options.from ?? locationIn(settings);
  const alive = setInterval(() => undefined, ALIVE_MS);
  if (options.follow !== true) alive.unref();
  try {
    return await withStoreAt(location, settings.storeTimeoutMs, async (store) => {
      const lineage = replayLineage(store);
      const bound = await resolvePoint(until, store, signal);
      const opened = await openDestination({
        destination,
        settings,
        projections: list,
        results: resultsOf(list),
        job: { fingerprint: version, from: describeLocation(location), until: bound },
        fresh,
        lineage,
        signal,
      });
      let complete = false;
      try {
        const from = await opened.models.checkpoint();
        const target = { store, models: opened.models, writeResult: opened.writeResult, projections: list, lineage };
        const result = await projectWithRetries(target, { ...options, until: bound, signal });
        complete = result.complete;
        return { ...result, from };
      } finally {
        await opened.close({ complete });
      }
    });
  } finally {
    clearInterval(alive);
  }
}

type Target = Pick<ProjectOptions, 'store' | 'models' | 'projections' | 'lineage'> & {
  readonly writeResult: () => Promise<readonly WrittenCollection[]>;
};

async function projectWithRetries(
  { writeResult, ...target }: Target,
  {
    until,
    follow = false,
    signal,
    onEvent,
    onProgress,
    onNote,
  }: ReplayOptions & { readonly until: Bound | null; readonly signal: AbortSignal },
): Promise<Omit<ReplaySummary, 'from'>> {
  const run = { started: false, events: 0, written: [] as readonly WrittenCollection[], writtenAt: -Infinity };
  const options: ProjectOptions = {
    ...target,
    until,
    follow,
    signal,
    onEvent,
    onProjected(batch, share) {
      run.started = true;
      run.events += batch.length;
      onProgress?.({ done: run.events, share });
    },
    async onCaughtUp() {
      await pause(system.clock, Math.max(0, run.writtenAt + WRITE_INTERVAL_MS - performance.now()), signal);
      run.written = await writeResult();
      run.writtenAt = performance.now();
    },
  };
  const mayRetry = (): boolean => follow && run.started && !signal.aborted;
  for (;;) {
    try {
      const { complete, checkpoint } = await project(options);
      return { complete, events: run.events, position: checkpoint, written: run.written };
    } catch (error) {
      if (!(error instanceof StoreUnavailable && mayRetry())) throw error;
      onNote?.(`${reasonOf(error) ?? error.message}; trying again`);
      await pause(system.clock, RETRY_MS, signal);
    }
  }
}
