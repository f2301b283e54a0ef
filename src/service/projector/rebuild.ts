import { OtherHistory, StoreFull, StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { ProjectionStores } from './generations.ts';
import { runExclusively } from './exclusive-job.ts';
import { lineageCheck, inSmallBatches, projectToHead, type GenerationEvents } from './generation-runner.ts';
import { created, discarded, dropped, failed, ready, started } from './generation-state.ts';
import { REBUILD_LEASE } from './leases.ts';
import { OWN_VERSIONS } from './model-versions.ts';
import { createProgressWriter } from './progress.ts';

export interface RebuildProgress {
  readonly events: number;
  readonly position: Position;
  readonly head: Position;
}

export interface RebuildOptions {
  readonly stores: ProjectionStores;
  /** Term of the job's lease, in ms. */
  readonly leaseTermMs: number;
  readonly keepOld: boolean;
  readonly signal: AbortSignal;
  readonly events: GenerationEvents;
  readonly onProgress: (progress: RebuildProgress) => void;
}

export type RebuildResult = NonNullable<Awaited<ReturnType<typeof buildNextGeneration>>>;

/**
 * Builds the next generation up to the head of the event store, and counts the events of this run; null when `signal`
 * aborts. One that an earlier run of this version has created is resumed. Promoting it is left to the projector.
 * @throws {AlreadyRunning} naming the process that rebuilds already.
 * @throws {StoreFull} when there is no room for it; what was built is dropped.
 * @throws {StoreUnavailable}
 */
export function buildNextGeneration(options: RebuildOptions) {
  const { stores, leaseTermMs: termMs, signal } = options;
  return runExclusively({ stores, name: REBUILD_LEASE, termMs, signal }, (held) => build(options, held));
}

async function build(options: RebuildOptions, held: AbortSignal) {
  const { generations, clock } = options.stores;
  const now = (): string => new Date(clock.now()).toISOString();
  try {
    const { namespace, resumed } = await resumeOrCreate(options.stores, held);
    await generations.update(started(namespace, now()));
    const events = await fill(options, namespace, held);
    if (events === null) return null;
    await generations.update(ready(namespace, options.keepOld));
    return { namespace, resumed, events };
  } catch (error) {
    const mayPass = error instanceof StoreUnavailable && !(error instanceof StoreFull);
    if (!mayPass) await generations.update(failed(error instanceof Error ? error.message : String(error), now()));
    throw error;
  }
}

/** Projects all events into a namespace; returns the number of events of this run, null when `held` aborts before. */
async function fill({ stores, events, onProgress }: RebuildOptions, namespace: string, held: AbortSignal) {
  const head = (await stores.store.head()) ?? 0;
  const from = (await (await stores.generations.open(namespace)).checkpoint()) ?? 0;
  const writer = createProgressWriter({ stores, generation: namespace, from, onError: events.onError });
  const ended = new AbortController();
  const writing = writer.run(ended.signal);
  let count = 0;
  let isDone = false;
  const onBatch = (projected: number, position: Position): void => {
    count += projected;
    onProgress({ events: count, position, head });
    writer.update(count, position);
  };
  try {
    const options = { ...stores, map: inSmallBatches(stores), events };
    isDone = await projectToHead(options, namespace, held, onBatch);
    return isDone ? count : null;
  } catch (error) {
    if (error instanceof StoreFull) await discard(stores, namespace);
    throw error;
  } finally {
    ended.abort();
    await writing;
    await writer.write(isDone);
  }
}

/** Drops an incomplete generation to free its room. */
async function discard({ generations, readStore }: ProjectionStores, namespace: string): Promise<void> {
  await generations.update(discarded(namespace));
  await readStore.drop(namespace);
  await generations.update(dropped(namespace));
}

/**
 * Checks that another namespace like the current one would have room.
 * @throws {StoreFull} saying how much is missing.
 */
export async function requireRoom({ generations, readStore }: ProjectionStores): Promise<void> {
  const { current } = await generations.refresh();
  const space = await readStore.space(current.namespace);
  if (space === null || space.free > space.taken) return;
  const taken = inMebibytes(space.taken);
  const free = inMebibytes(space.free);
  throw new StoreFull(`the read models take ${taken}, as much again is needed, and ${free} are free`);
}

const MEBIBYTE = 2 ** 20;

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MEBIBYTE)} MiB`;
}

/** Returns the next generation: the one that an earlier run of this version has created, or a new, empty one. */
async function resumeOrCreate(stores: ProjectionStores, signal: AbortSignal) {
  const { generations } = stores;
  const { next: before } = await generations.refresh();
  const unusable =
    before === null || (await isOfThisHistory(stores, before.namespace, signal)) ? null : before.namespace;
  if (before === null || unusable !== null) await requireRoom(stores);
  const { next } = await generations.update(created(OWN_VERSIONS, unusable));
  if (next === null) throw new Error('the next generation was created and is missing');
  return { namespace: next.namespace, resumed: next.namespace === before?.namespace };
}

async function isOfThisHistory(
  { store, clock, generations }: ProjectionStores,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await lineageCheck({ store, clock }).expectSameAfterLag(await generations.open(namespace), signal);
    return true;
  } catch (error) {
    if (error instanceof OtherHistory) return false;
    throw error;
  }
}
