import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { ProjectionRunner, parkingCollectionsOf } from '../../../src/kernel/projection/projection-runner.ts';
import type { Projection } from '../../../src/kernel/projection/projection.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { memoryEventStore } from '../event-store/memory-event-store.ts';
import { projectedAtOnce, readAll } from '../kernel/projecting.ts';
import { chancesOf, type RandomSource } from './random.ts';
import { Machine, NO_FAULTS, type SimulatedProcess } from './service/machine.ts';
import { sharedStores, storesOf, type SharedStores } from './service/stores.ts';

/** The history to simulate, and the projections. */
export interface Simulated {
  readonly projections: readonly Projection[];
  readonly append: (store: EventStore, chances: RandomSource) => Promise<void>;
  /** Rates of faults: once in so many calls; each history picks one of each. */
  readonly luck: { readonly [fault in 'crash' | 'pause']: readonly number[] };
}

/** The read models of a history that were made with faults, and those that a clean rebuild makes. */
export type ProjectedTwice = Awaited<ReturnType<typeof compared>>;

/** Projectors of one release. */
export interface ProjectorGroup {
  readonly projections: readonly Projection[];
  /** True if they park events that cannot be projected; otherwise such an event fails the test. */
  readonly parks?: boolean;
  /** The previous release: one of its projectors pauses until the group is done, and then goes on. */
  readonly stale?: readonly Projection[];
  /** True if the next group starts from the state after their crashes. */
  readonly leaves?: boolean;
}

/** One call in so many is lost, or only its answer. */
const LOST = [0, 40] as const;

/** Longest time after which a projector starts, in ms; and most calls of a stale one before its pause. */
const LATE_MS = 400;
const STALE_CALLS = 60;
/** A pause that outlasts a group, and a wait that outlasts that, in ms. */
const STALE_MS = 10_000_000;
const FOREVER_MS = 1_000_000_000;

/** More steps than any correct run needs. */
const MOST_STEPS = 1_000_000;

const NAMESPACE = 'simulated';

/** Stores without an event, whose read store writes document by document. */
export function emptyStores(chances: RandomSource): SharedStores {
  return sharedStores(new Machine(chances), [], { reading: 'leader', wholeBatches: false, sameHost: true });
}

/** The read models that projectors write. */
export function modelsIn({ readStore }: SharedStores, projections: readonly Projection[]): Promise<ReadModels> {
  return readStore.namespace(NAMESPACE, parkingCollectionsOf(projections));
}

/**
 * Projects a random history twice. First by several projectors on one read store, each of which may crash between any
 * two writes, pause for long, and lose the store; the last one has no faults. Then by one projector, event by event.
 */
export async function projectedTwice(seed: number, { projections, append, luck }: Simulated): Promise<ProjectedTwice> {
  const shared = emptyStores(chancesOf(seed));
  await append(memoryEventStore(shared.events), shared.machine.chances);
  await projectAll(shared, { projections }, luck);
  return compared(shared, projections);
}

/** What was projected of all events, and what is projected of them one by one, without faults. */
export async function compared(shared: SharedStores, projections: readonly Projection[]) {
  const events: readonly RecordedEvent[] = shared.events.all;
  const projected = await readAll(await modelsIn(shared, projections), projections);
  const rebuilt = await projectedAtOnce(events, projections, { isOneByOne: true });
  return { events, projected, rebuilt: await readAll(rebuilt, projections) };
}

/** Projects the whole history by several projectors with faults, and then (unless it `leaves`) by one without. */
export async function projectAll(shared: SharedStores, group: ProjectorGroup, luck: Simulated['luck']): Promise<void> {
  const { machine } = shared;
  const { chances } = machine;
  const failures: unknown[] = [];
  const start = (projections: readonly Projection[]): SimulatedProcess => {
    const process = machine.start(`projector${machine.processes.length}`);
    project(shared, process, { ...group, projections })
      .catch((error: unknown) => error instanceof StoreUnavailable || failures.push(error))
      .finally(() => process.end());
    return process;
  };
  const until = async (isDone: () => boolean): Promise<void> => {
    const isOver = await machine.until(() => failures.length > 0 || isDone(), { steps: MOST_STEPS, ms: Infinity });
    if (failures.length > 0) throw new AggregateError(failures, 'a projector failed');
    if (!isOver) throw new Error('the projectors never come to an end');
  };
  const end = (processes: readonly SimulatedProcess[]): Promise<void> =>
    until(() => processes.every(({ isAlive }) => !isAlive));

  const stale = group.stale === undefined ? [] : [start(group.stale)];
  for (const process of stale) {
    const calls = 1 + chances.below(STALE_CALLS);
    await until(() => process.calls >= calls || !process.isAlive);
    process.pausedUntil = machine.now + STALE_MS;
  }
  const faulty = Array.from({ length: 1 + chances.below(3) }, () => start(group.projections));
  for (const process of faulty) process.pausedUntil = machine.now + chances.below(LATE_MS);
  const lost = chances.pick(LOST);
  const unanswered = chances.pick(LOST);
  const rates = { crash: chances.pick(luck.crash), pause: chances.pick(luck.pause) };
  machine.faults = { ...NO_FAULTS, ...rates, lost, unanswered };
  await end(faulty);
  machine.faults = NO_FAULTS;
  if (group.leaves !== true) await end([start(group.projections)]);
  await end(stale);
}

/** Runs the real runner until it has reached the end of the history. */
async function project(
  shared: SharedStores,
  process: SimulatedProcess,
  { projections, parks = false }: ProjectorGroup,
): Promise<void> {
  const { store, readStore, clock } = storesOf(shared, process);
  const models = await readStore.namespace(NAMESPACE, parkingCollectionsOf(projections));
  const parking = parks ? { deadLetterStore: models } : {};
  const runner = new ProjectionRunner({ store, models, projections, clock, ...parking });
  const stop = new AbortController();
  const running = runner.run(stop.signal);
  await runner.waitFor(shared.events.all.at(-1)?.position ?? 0, FOREVER_MS);
  stop.abort();
  await running;
  const { error } = runner.status();
  if (error !== null) throw error;
}
