import type { GenerationState } from './generation-state.ts';
import type { ProjectionStores } from './generations.ts';
import { holderOf, REBUILD_LEASE } from './leases.ts';
import { readProgress, type StoredProgress } from './rebuild-progress.ts';
import { RebuildRequests, type RequestedRebuild } from './rebuild-requests.ts';

/**
 * What a rebuild is at: `requested` until a process starts it; `projecting`; `switching` when it has reached the newest
 * event and is about to become current; `done`, `failed`; `none` where there was none yet.
 */
export type RebuildPhase = 'none' | 'requested' | 'projecting' | 'switching' | 'done' | 'failed';

/** The rebuild that is under way, be it asked for over the API, by command or after an upgrade; else the last request. */
export interface RebuildReport {
  readonly phase: RebuildPhase;
  /** Namespace of the read models that it makes. */
  readonly generation: string | null;
  /** Null for one that was not asked for over the API. */
  readonly request: RequestedRebuild | null;
  /** The process that is at it, described for people; null: none is, at present. */
  readonly process: string | null;
  readonly progress: StoredProgress | null;
}

/**
 * Tells what a rebuild of the built-in read models is at, whichever process does it.
 * @throws {StoreUnavailable}
 */
export async function reportRebuild(
  stores: Pick<ProjectionStores, 'store' | 'readStore' | 'generations' | 'processes' | 'clock' | 'ids'>,
): Promise<RebuildReport> {
  const [newest, state, stored, holder] = await Promise.all([
    new RebuildRequests(stores).newest(),
    stores.generations.refresh(),
    readProgress(stores),
    holderOf(stores, REBUILD_LEASE),
  ]);
  const shared = {
    process: holder === null ? null : stores.processes.describe(holder),
    progressOf: (generation: string | null) => (stored?.generation === generation ? stored : null),
  };
  // One by command or after an upgrade.
  const other = newest?.endedAt === null ? null : state.next;
  return other === null ? reportOf(newest, state, shared) : reportOfNext(other, shared);
}

interface Shared extends Pick<RebuildReport, 'process'> {
  readonly progressOf: (generation: string | null) => StoredProgress | null;
}

function reportOf(
  request: RequestedRebuild | null,
  state: GenerationState,
  { process, progressOf }: Shared,
): RebuildReport {
  const generation = request?.generation ?? null;
  return { phase: phaseOf(request, state), generation, request, process, progress: progressOf(generation) };
}

function reportOfNext(next: Next, { process, progressOf }: Shared): RebuildReport {
  const { namespace: generation } = next;
  return { phase: phaseOfNext(next), generation, request: null, process, progress: progressOf(generation) };
}

function phaseOf(request: RequestedRebuild | null, state: GenerationState): RebuildPhase {
  if (request === null) return 'none';
  if (request.endedAt !== null) return request.error === null ? 'done' : 'failed';
  if (request.generation === state.current.namespace) return 'switching';
  return state.next !== null && request.generation === state.next.namespace ? phaseOfNext(state.next) : 'requested';
}

type Next = NonNullable<GenerationState['next']>;

function phaseOfNext({ ready }: Next): RebuildPhase {
  return ready ? 'switching' : 'projecting';
}
