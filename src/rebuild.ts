import { BUILT_IN, BUILT_IN_VERSION } from '../projections/index.ts';
import type { Config } from './config.ts';
import { feed, type FeedingEvents } from './feeding.ts';
import { nameOf, type GenerationState } from './generations.ts';
import type { Position } from './kernel/event-store.ts';
import { createLease } from './kernel/lease.ts';
import { pause } from './kernel/time.ts';
import { hasEnded, isHere, newProcessName, retire } from './process-name.ts';
import type { Stores } from './stores.ts';
import { systemClock } from './system.ts';

/** A rebuild is under way already. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

/** How far a rebuild has come. */
export interface RebuildProgress {
  readonly events: number;
  readonly position: Position;
  readonly head: Position;
}

/** What a rebuild takes. */
export interface RebuildOptions {
  readonly stores: Stores;
  readonly config: Pick<Config, 'leaseTermMs'>;
  readonly keepOld: boolean;
  readonly signal: AbortSignal;
  readonly events: FeedingEvents;
  readonly onProgress: (progress: RebuildProgress) => void;
}

/** What a rebuild has made. */
export interface Built {
  readonly namespace: string;
  /** Events that were projected by this run. */
  readonly events: number;
  /** Whether an earlier run had begun it. */
  readonly resumed: boolean;
}

/**
 * Makes the next generation, up to the head of the event store; null when it was told to stop. What an earlier run began
 * is gone on with. To go over to it is the projector's business.
 * @throws {RebuildUnderWay} naming who is at it.
 * @throws {StoreUnavailable}
 */
export async function buildNext(options: RebuildOptions): Promise<Built | null> {
  const { stores, config, signal } = options;
  const holder = newProcessName();
  const lease = createLease({
    registers: stores.readStore, name: `rebuild ${BUILT_IN}`, holder, termMs: config.leaseTermMs,
    clock: systemClock, isGone: hasEnded,
  });
  const [given, started] = [new AbortController(), new AbortController()];
  const giveUp = (): void => given.abort();
  signal.addEventListener('abort', giveUp);
  let built: Built | null = null;
  let failure: unknown = null;
  const working = lease.whileHeld(async (held) => {
    started.abort();
    built = await build(options, held).catch((error: unknown) => {
      failure = error;
      return null;
    });
  }, given.signal);
  await refuseOther(lease.status, { started: started.signal, termMs: config.leaseTermMs });
  const other = started.signal.aborted ? null : lease.status().holder;
  if (!started.signal.aborted) giveUp();
  await working;
  signal.removeEventListener('abort', giveUp);
  retire(holder);
  if (failure !== null) throw failure;
  if (other !== null && !signal.aborted) throw new RebuildUnderWay(`a rebuild is under way already: ${other}`);
  return built;
}

/** Waits until the lease is ours, or surely somebody else's: one here lives, one elsewhere renews it within its term. */
async function refuseOther(
  status: () => { readonly holder: string | null }, { started, termMs }: { started: AbortSignal; termMs: number },
): Promise<void> {
  const until = systemClock.now() + termMs * 1.5;
  while (!started.aborted && systemClock.now() < until) {
    const { holder } = status();
    if (holder !== null && isHere(holder) && !hasEnded(holder) && !started.aborted) return;
    await pause(systemClock, LOOK_MS, started);
  }
}

/** How often, in ms, to look whether the lease is ours. */
const LOOK_MS = 50;

async function build(options: RebuildOptions, signal: AbortSignal): Promise<Built | null> {
  const { stores: { store, generations, readStore }, keepOld, events, onProgress } = options;
  const { namespace, resumed, ready } = await begin(options);
  if (ready) return { namespace, resumed, events: 0 };
  const head = await store.head() ?? 0;
  let count = 0;
  const feeder = await feed({
    store, generations,
    events: {
      ...events,
      onBatch(some) {
        count += some;
        onProgress({ events: count, position: feeder.progress.position() ?? 0, head });
      },
    },
  }, namespace);
  const stop = (): void => void feeder.stop();
  signal.addEventListener('abort', stop);
  while (!signal.aborted && !feeder.status().caughtUp && feeder.status().state !== 'stopped') {
    await Promise.race([feeder.ended, pause(systemClock, LOOK_MS, signal)]);
  }
  signal.removeEventListener('abort', stop);
  const { caughtUp } = feeder.status();
  await feeder.stop();
  const { error } = feeder.status();
  if (error !== null && !caughtUp) throw error;
  if (!caughtUp) return null;
  await generations.update((state) => (
    state.next?.namespace === namespace ? { ...state, next: { ...state.next, keepOld, ready: true } } : null));
  const { kept } = generations.seen() ?? { kept: null };
  if (kept !== null && !keepOld) await dropKept(readStore, generations, kept);
  return { namespace, resumed, events: count };
}

/** Names the next generation: that which an earlier run of this version has begun, or a new, empty one. */
async function begin({ stores: { generations, readStore }, keepOld }: RebuildOptions) {
  const { next } = await generations.look();
  if (next?.version === BUILT_IN_VERSION) return { namespace: next.namespace, resumed: true, ready: next.ready };
  const { next: begun } = await generations.update((state) => {
    const made = state.made + 1;
    return { ...state, made, next: { namespace: nameOf(made), version: BUILT_IN_VERSION, ready: false, keepOld } };
  });
  if (next !== null) await readStore.drop(next.namespace);
  const namespace = begun?.namespace ?? '';
  return { namespace, resumed: false, ready: false };
}

async function dropKept(
  readStore: Stores['readStore'], generations: Stores['generations'], kept: string,
): Promise<void> {
  await readStore.drop(kept);
  await generations.update((state: GenerationState) => ({ ...state, kept: null }));
}
