import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/service/kernel/ports/errors.ts';
import type { Delivery, EventStore, Position, RecordedEvent } from '../../../src/service/kernel/ports/event-store.ts';
import {
  collectionsOf,
  ProjectionRunner,
  parkingCollectionsOf,
} from '../../../src/service/kernel/projection/projection-runner.ts';
import type { Projection } from '../../../src/service/kernel/projection/projection.ts';
import type { Change, Document, ReadModels } from '../../../src/service/kernel/ports/read-store.ts';
import type { Clock } from '../../../src/service/kernel/ports/system.ts';
import { gathered } from '../event-store/events.ts';
import { memoryEventStore } from '../event-store/memory-event-store.ts';
import { memoryReadStore } from '../read-store/memory-read-store.ts';
import { chancesOf, happened, type RandomSource } from './random.ts';
import { createScheduler, LONGEST_PAUSE, type FaultRates, type Step } from './scheduler.ts';

/** Maximum of events per delivery; one delivery in this many is repeated. */
const LARGEST_BATCH = 10;
const REPEATED_DELIVERY = 4;

/** One write in this many fails while faults are on. */
const LOST_WRITE = 40;

/** The history to simulate, and the projections. */
export interface Simulated {
  readonly projections: readonly Projection[];
  readonly append: (store: EventStore, chances: RandomSource) => Promise<void>;
  /** Fault rates; each history picks one. */
  readonly luck: { readonly [K in keyof FaultRates]: readonly number[] };
}

/** One simulated projector: its steps, its faults, and the documents that it writes. */
export interface Projector {
  readonly step: Step;
  readonly chances: RandomSource;
  readonly models: ReadModels;
  readonly projections: readonly Projection[];
  /** One write in this many fails; 0: none. */
  readonly lostWrite: number;
  /** True if it parks events that cannot be projected; otherwise such an event fails the test. */
  readonly parks?: boolean;
}

/** The read models made from a history. */
export interface Projected {
  /** By `<collection>/<id>`. */
  readonly documents: ReadonlyMap<string, Document>;
  readonly checkpoint: Position | null;
  readonly models: ReadModels;
}

export interface ProjectedTwice {
  readonly events: readonly RecordedEvent[];
  readonly projected: Projected;
  readonly rebuilt: Projected;
}

/**
 * Projects a random history twice. First by several projectors on one read store, each of which may crash between any
 * two writes, pause for long, lose the store, and receive deliveries again; the last one has no faults. Then by one
 * projector in one go.
 */
export async function projectedTwice(seed: number, { projections, append, luck }: Simulated): Promise<ProjectedTwice> {
  const chances = chancesOf(seed);
  const store = memoryEventStore();
  await append(store, chances);
  const models = await emptyModels(projections);
  await projectAll(store, { chances, models, projections }, luck);
  const events = await gathered(store.readAll(null));
  const projected = await read(models, projections);
  return { events, projected, rebuilt: await rebuild(events, projections) };
}

/** What was projected with faults equals what one projector makes in one go, document by document. */
export function expectSameAsRebuilt({ projected, rebuilt }: Pick<ProjectedTwice, 'projected' | 'rebuilt'>): void {
  expect([...projected.documents.keys()]).to.have.members([...rebuilt.documents.keys()]);
  for (const [key, document] of rebuilt.documents) expect(projected.documents.get(key), key).to.deep.equal(document);
  expect(projected.checkpoint, 'the checkpoint').to.equal(rebuilt.checkpoint);
}

/** Projectors of one release. */
export interface ProjectorGroup extends Omit<Projector, 'step' | 'lostWrite'> {
  /** The previous release: one of its projectors pauses until the group is done, and then goes on. */
  readonly stale?: readonly Projection[];
  /** True if the next group starts from the state after their crashes. */
  readonly leaves?: boolean;
}

/** Maximum of steps of a stale projector before its pause. */
const STALE_STEPS = 60;

/** Projects the whole history by several projectors with faults, and then (unless `leaves`) by one without. */
export async function projectAll(store: EventStore, group: ProjectorGroup, luck: Simulated['luck']): Promise<void> {
  const { chances, stale, leaves = false, ...rest } = group;
  const projector = { ...rest, chances };
  const work = async (): Promise<void> => {
    await projectAtOnce(store, projector, luck);
    if (!leaves) await run(store, { ...projector, step: atOnce, lostWrite: 0 });
  };
  if (stale === undefined) return work();
  let left = 1 + chances.below(STALE_STEPS);
  const step: Step = (act) => {
    left -= 1;
    return (left === 0 ? work() : Promise.resolve()).then(act);
  };
  await run(store, { ...projector, projections: stale, step, lostWrite: 0 });
  if (left > 0) await work();
}

async function projectAtOnce(
  store: EventStore,
  projector: Omit<Projector, 'step' | 'lostWrite'>,
  luck: Simulated['luck'],
): Promise<void> {
  const { chances } = projector;
  const projectors = 1 + chances.below(3);
  const scheduler = createScheduler(chances, { crash: chances.pick(luck.crash), pause: chances.pick(luck.pause) });
  for (let n = 0; n < projectors; n++) {
    const lostWrite = chances.pick([0, LOST_WRITE]);
    scheduler.start((step) => run(store, { ...projector, step, lostWrite }), chances.below(LONGEST_PAUSE));
  }
  await scheduler.run();
}

const atOnce: Step = (act) => Promise.resolve().then(act);

/** Read models without a document. */
export function emptyModels(projections: readonly Projection[]): Promise<ReadModels> {
  return memoryReadStore().namespace('simulated', parkingCollectionsOf(projections));
}

/** Runs the real runner until it has reached the end of the history. */
async function run(store: EventStore, projector: Projector): Promise<void> {
  const { step } = projector;
  const ended = new AbortController();
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (_ms, resume) => {
      if (!ended.signal.aborted) void step(resume);
      return () => undefined;
    },
  };
  const runner = new ProjectionRunner({
    store: { subscribe: (after) => deliveries(store, { after, projector, ended }) },
    models: portOf(projector),
    projections: projector.projections,
    clock,
    ...(projector.parks === true ? { deadLetterStore: projector.models } : {}),
  });
  await runner.run(ended.signal);
  const { error } = runner.status();
  if (error !== null && !(error instanceof StoreUnavailable)) throw error;
}

interface DeliveryOptions {
  readonly after: Position | null;
  readonly projector: Projector;
  readonly ended: AbortController;
}

/** The events after a position in batches of any size, some of them repeated. */
async function* deliveries(
  store: EventStore,
  { after, projector, ended }: DeliveryOptions,
): AsyncGenerator<Delivery, void> {
  const { step, chances } = projector;
  const events = await step(() => gathered(store.readAll(null)));
  let next = events.filter(({ position }) => position <= (after ?? 0)).length;
  while (next < events.length) {
    if (next > 0 && chances.oneIn(REPEATED_DELIVERY)) {
      const from = chances.below(next);
      yield deliver(events, from, from + 1 + chances.below(next - from));
    }
    const to = Math.min(events.length, next + 1 + chances.below(LARGEST_BATCH));
    yield deliver(events, next, to);
    next = to;
  }
  ended.abort();
}

function deliver(events: readonly RecordedEvent[], from: number, to: number): Delivery {
  return { events: events.slice(from, to), upTo: events[to - 1]?.position ?? 0, caughtUp: to === events.length };
}

/**
 * The read store as seen by a projector. Every look-up and every write of a document is a step; the checkpoint comes
 * last.
 */
function portOf(projector: Projector): ReadModels {
  const { step, models } = projector;
  return {
    ...models,
    get: (collection, id) => step(() => models.get(collection, id)),
    checkpoint: () => step(() => models.checkpoint()),
    apply: async (changes, checkpoint) => {
      await writeInAnyOrder(changes, projector);
      await step(async () => {
        const before = (await models.checkpoint()) ?? 0;
        await models.apply([], checkpoint);
        expect(await models.checkpoint(), 'the checkpoint').to.be.at.least(before);
      });
    },
  };
}

/** Collections are written in any order, the changes within each in their own. */
async function writeInAnyOrder(changes: readonly Change[], projector: Projector): Promise<void> {
  const names = [...new Set(changes.map(({ collection }) => collection))];
  const queues = names.map((name) => changes.filter(({ collection }) => collection === name));
  for (let left = queues; left.length > 0; left = left.filter((queue) => queue.length > 0)) {
    const change = projector.chances.pick(left).shift();
    if (change !== undefined) await writeOne(change, projector);
  }
}

/** Writes one change; a fan-out in one go or document by document. */
async function writeOne(change: Change, { step, chances, models, lostWrite }: Projector): Promise<void> {
  const write = (part: Change): Promise<void> =>
    step(async () => {
      if (lostWrite > 0 && chances.oneIn(lostWrite)) {
        happened.lostCalls += 1;
        throw new StoreUnavailable('the write was lost');
      }
      await models.apply([part], (await models.checkpoint()) ?? 0);
    });
  if (change.kind !== 'setWhere' || chances.oneIn(2)) return write(change);
  const { collection, field, value, fields, position } = change;
  const sort = { field: 'id', direction: 'asc' } as const;
  const all = { where: { [field]: value }, sort, offset: 0, limit: Infinity };
  const found = await step(() => models.find(collection, all));
  for (const { id } of found) await write({ kind: 'set', collection, id, fields, position });
}

/** The same history by one projector in one delivery. */
export async function rebuild(
  events: readonly RecordedEvent[],
  projections: readonly Projection[],
): Promise<Projected> {
  const models = await emptyModels(projections);
  const ended = new AbortController();
  const runner = new ProjectionRunner({
    store: {
      async *subscribe() {
        yield deliver(events, 0, events.length);
        ended.abort();
      },
    },
    models,
    projections,
    clock: { now: () => 0, monotonic: () => 0, after: () => () => undefined },
  });
  await runner.run(ended.signal);
  return read(models, projections);
}

/** All documents but dead letters. */
export async function read(models: ReadModels, projections: readonly Projection[]): Promise<Projected> {
  const documents = new Map<string, Document>();
  for (const { name } of collectionsOf(projections)) {
    for await (const batch of models.stream(name, { where: {} })) {
      for (const document of batch) documents.set(`${name}/${document.id}`, document);
    }
  }
  return { documents, checkpoint: await models.checkpoint(), models };
}
