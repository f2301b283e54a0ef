import type { Position } from '../../kernel/ports/event-store.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import { isRequested, progressed, type GenerationState } from './generation-state.ts';
import type { ProjectionStores } from './generations.ts';
import { describeLease, REBUILD_LEASE } from './leases.ts';

const MS_PER_SECOND = 1000;

/**
 * Creates an estimate of when work will be done, at a constant rate: the percentage done, and the remaining time in ms;
 * null while that is not known. Amounts may be of any unit, such as positions; `from` is the amount done at the start, and
 * `since` when that was, ms of the monotonic clock.
 */
export function createEstimate(from: number, since: number) {
  return (now: number, amount: number, end: number) => {
    const done = amount - from;
    const whole = end - from;
    if (whole <= done) return { percent: 100, etaMs: 0 };
    const percent = Math.floor((Math.max(0, done) / whole) * 100);
    return { percent, etaMs: done <= 0 ? null : ((now - since) / done) * (whole - done) };
  };
}

/**
 * Creates a function that reports the progress of a projection towards the head; the time is null while it is not known. A
 * head of null means that it has caught up or another process projects: the next call starts a new estimate.
 */
export function createCatchUp(clock: Clock) {
  let estimate: ReturnType<typeof createEstimate> | null = null;
  return (checkpoint: Position | null, head: Position | null) => {
    if (head === null) {
      estimate = null;
      return null;
    }
    const now = clock.monotonic();
    const at = checkpoint ?? 0;
    estimate ??= createEstimate(at, now);
    const { percent, etaMs } = estimate(now, at, head);
    return { percent, readyInSeconds: etaMs === null ? null : Math.ceil(etaMs / MS_PER_SECOND) };
  };
}

const WRITE_EVERY_MS = 500;

interface ProgressWriterOptions {
  readonly stores: Pick<ProjectionStores, 'generations' | 'store' | 'clock'>;
  readonly generation: string;
  /** Checkpoint that this run starts at. */
  readonly from: Position;
  /** Called when the progress could not be written; the rebuild continues. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Creates a writer of the progress of a rebuild to the state of the generations, where every process can read it. */
export function createProgressWriter({ stores, generation, from, onError }: ProgressWriterOptions) {
  const { store, generations, clock } = stores;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  const startedAt = isoNow();
  const since = clock.monotonic();
  const estimate = createEstimate(from, since);
  let latest = { events: 0, position: from };
  /** Writes the newest progress. `isDone`: the rebuild has reached the head; later events are left to the projector. */
  async function write(isDone: boolean): Promise<void> {
    const { events, position } = latest;
    try {
      const head = Math.max(position, isDone ? 0 : ((await store.head()) ?? 0));
      const now = clock.monotonic();
      const { etaMs } = estimate(now, position, head);
      const progress = {
        generation,
        startedAt,
        writtenAt: isoNow(),
        events,
        position,
        head,
        eventsPerSecond: Math.round((events * MS_PER_SECOND) / Math.max(1, now - since)),
        etaMs: etaMs === null ? null : Math.ceil(etaMs),
      };
      await generations.update(progressed(progress));
    } catch (error) {
      onError?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return {
    /** Sets the number of events that this run has projected so far, and the position of the last one. */
    update(events: number, position: Position): void {
      latest = { events, position };
    },
    write,
    /** Writes now and then until `signal` aborts. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await write(false);
        await pause(clock, WRITE_EVERY_MS, signal);
      }
    },
  };
}

export type RebuildReport = Awaited<ReturnType<typeof reportRebuild>>;

/**
 * Reports the rebuild of the built-in read models that is under way (requested over the API, by command or after an
 * upgrade), whichever process does it; otherwise the last request. `generation` is the namespace that it makes, `process`
 * the process that builds it, described for people; null: none at present.
 * @throws {StoreUnavailable}
 */
export async function reportRebuild(stores: Pick<ProjectionStores, 'readStore' | 'generations' | 'processes'>) {
  const [state, lease] = await Promise.all([stores.generations.refresh(), describeLease(stores, REBUILD_LEASE)]);
  const { holder: process } = lease;
  const { next, progress } = state;
  const request = isShown(state, process !== null) ? state.request : null;
  const generation = request === null ? (next?.namespace ?? null) : request.generation;
  return {
    phase: phaseOf(request, next),
    generation,
    request,
    process,
    progress: progress?.generation === generation ? progress : null,
  };
}

/** Whether the request is reported: not if it has ended and its generation is now being continued by command. */
function isShown(state: GenerationState, isBuilding: boolean): boolean {
  const { next, request } = state;
  return isRequested(state) || next === null || (!isBuilding && request?.generation === next.namespace);
}

/**
 * `requested` until a process starts it; `projecting`; `switching` when it has reached the newest event and is about to
 * become current; `done`, `failed`; `none` before the first one.
 */
function phaseOf(
  request: GenerationState['request'],
  next: GenerationState['next'],
): 'none' | 'requested' | 'projecting' | 'switching' | 'done' | 'failed' {
  if (request !== null && request.endedAt !== null) return request.error === null ? 'done' : 'failed';
  if (request !== null && request.generation !== next?.namespace) return 'requested';
  if (next === null) return 'none';
  return next.ready ? 'switching' : 'projecting';
}
