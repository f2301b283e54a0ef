import { streamOf } from '../../../src/service/kernel/aggregate/decider.ts';
import {
  createCommandHandler,
  type CommandOutcome,
  type CommandRequest,
} from '../../../src/service/kernel/aggregate/command-handler.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../../../src/service/kernel/ports/errors.ts';
import type { EventStore, NewEvent, Position, RecordedEvent } from '../../../src/service/kernel/ports/event-store.ts';
import { canonicalJson } from '../../../src/service/kernel/json.ts';
import { memoryEvents, memoryEventStore, type MemoryEvents } from '../event-store/memory-event-store.ts';
import { chancesOf, happened, type RandomSource } from './random.ts';
import { createScheduler, LONGEST_PAUSE, type Scheduler, type Step } from './scheduler.ts';
import { oldThing, thing, type Thing, type ThingCommand, type ThingDecider } from './things.ts';

const IDS = ['t0', 't1', 't2', 't3'];
const KEYS = ['k0', 'k1'];

/** Events per batch of a read, few so that a stream may grow while it is read. */
const BATCH = 2;

/** One append in this many fails in each of three ways. */
const LOST_APPEND = 30;

/** Attempts of a client at a request whose outcome it does not know. */
const MOST_TRIES = 3;

/** Maximum of port calls of an undisturbed attempt. */
const HEALING_CALLS = 100;

type ThingRequest = Pick<CommandRequest<Thing | null, ThingCommand>, 'id' | 'expected' | 'fresh' | 'fingerprint'> & {
  readonly command: ThingCommand;
};

/** One attempt of a client. Its answer is null after a crash or with an unknown outcome. */
export interface Attempt {
  /** Correlation id of the attempt, in the metadata of its events. */
  readonly name: string;
  readonly stream: string;
  readonly request: ThingRequest;
  /** Position of the newest event at the request; `answer.at` is that at the answer. */
  readonly askedAt: Position;
  readonly answer: { readonly outcome: CommandOutcome<Thing | null>; readonly at: Position } | null;
}

/** Everything that happened in one run. */
export interface ClaimsHistory {
  readonly events: readonly RecordedEvent[];
  readonly asked: readonly Attempt[];
  /** What each attempt itself decided, as canonical JSON by event id. */
  readonly decided: ReadonlyMap<string, string>;
}

interface World {
  readonly chances: RandomSource;
  readonly scheduler: Scheduler;
  readonly events: MemoryEvents;
  readonly asked: Attempt[];
  readonly decided: Map<string, string>;
  readonly id: () => string;
}

/**
 * Several processes of two releases carry out random commands on a few things and keys through the real command
 * handler. Every call to the store is a step, which may be the last of its process or come much later. Appends may
 * fail, lose their answer after the commit, or be committed long after they failed. When all have stopped, one attempt
 * per key must settle who holds it.
 */
export async function claimsHistory(seed: number): Promise<ClaimsHistory> {
  const chances = chancesOf(seed);
  const unlucky = !chances.oneIn(4);
  const scheduler = createScheduler(chances, unlucky ? { crash: 80, pause: 12 } : { crash: 0, pause: 0 });
  let made = 0;
  const world: World = {
    chances,
    scheduler,
    events: memoryEvents(),
    asked: [],
    decided: new Map(),
    id: () => `id-${made++}`,
  };
  const releases = chances.pick([[thing], [oldThing, thing], [oldThing, thing, thing]]);
  const processes = 2 + chances.below(4);
  for (let n = 0; n < processes; n++) {
    scheduler.start((step) => client(world, { step, decider: chances.pick(releases), luck: unlucky }));
  }
  await scheduler.run();
  for (const key of KEYS) await heal(world, key);
  return { events: world.events.all, asked: world.asked, decided: world.decided };
}

interface Process {
  readonly step: Step;
  readonly decider: ThingDecider;
  /** True if its appends may fail. */
  readonly luck: boolean;
}

async function client(world: World, process: Process): Promise<void> {
  const { chances } = world;
  const commands = 1 + chances.below(5);
  for (let n = 0; n < commands; n++) {
    const request = n === 0 || chances.oneIn(4) ? randomMake(world) : randomChange(world);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      if ((await ask(world, process, request)) !== null || chances.oneIn(3)) break;
    }
  }
}

/** A create with one of a few ids: a race, a reused id with another body, or a repeated request. */
function randomMake({ chances, id, asked }: World): ThingRequest {
  const before = asked.filter(({ request }) => request.command.type === 'MakeThing');
  if (before.length > 0 && chances.oneIn(4)) return chances.pick(before).request;
  const data = { key: chances.pick([...KEYS, ...KEYS, null]), note: id() };
  const command = { type: 'MakeThing', data } as const;
  return { id: chances.pick(IDS), command, fresh: chances.oneIn(2), fingerprint: canonicalJson(data) };
}

function randomChange({ chances, id }: World): ThingRequest {
  const data = {
    ...(chances.oneIn(4) ? {} : { key: chances.pick([...KEYS, ...KEYS, null]) }),
    ...(chances.oneIn(2) ? {} : { note: id() }),
  };
  const expected = chances.oneIn(4) ? chances.below(4) : null;
  return { id: chances.pick(IDS), command: { type: 'ChangeThing', data }, expected };
}

/** One attempt; resolves to null if its outcome is unknown. */
async function ask(world: World, process: Process, request: ThingRequest): Promise<Attempt['answer']> {
  const { asked, events, chances, scheduler } = world;
  const head = (): Position => events.all.at(-1)?.position ?? 0;
  const name = `request-${asked.length}`;
  const mine = { name, stream: streamOf(process.decider.category, request.id), request, askedAt: head() };
  const at = asked.push({ ...mine, answer: null }) - 1;
  const handler = createCommandHandler({
    store: portOf(world, process, name),
    clock: { now: scheduler.steps, monotonic: scheduler.steps, after: () => () => undefined },
    ids: { next: world.id, random: world.id, derived: world.id },
  });
  const origin = { correlationId: name, deadline: scheduler.steps() + (chances.oneIn(10) ? 10 : 1_000) };
  try {
    const { command, ...rest } = request;
    const outcome = await handler.handle({ ...rest, commands: [command], decider: process.decider, origin });
    const answer = { outcome, at: head() };
    asked[at] = { ...mine, answer };
    return answer;
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}

/** The store as seen by a process. */
function portOf(world: World, { step, luck }: Process, name: string): EventStore {
  const store = memoryEventStore(world.events, BATCH);
  return {
    ...store,
    readNewest: (stream) => step(() => store.readNewest(stream)),
    async *readStream(...args) {
      const batches = store.readStream(...args)[Symbol.asyncIterator]();
      for (;;) {
        const batch = await step(() => batches.next());
        if (batch.done === true) return;
        yield batch.value;
      }
    },
    append: (stream, events, expected) =>
      step(async () => {
        for (const event of announcedBy(events)) {
          const { id, metadata } = event;
          if (metadata.correlationId === name && !world.decided.has(id)) world.decided.set(id, textOf(event));
        }
        const fate = luck ? world.chances.below(LOST_APPEND) : LOST_APPEND;
        const append = () => store.append(stream, events, expected);
        if (fate === 0) world.scheduler.start(() => regardless(append), world.chances.below(LONGEST_PAUSE));
        if (fate === 1) await regardless(append);
        if (fate <= 2) {
          happened.lostCalls += 1;
          throw new StoreUnavailable('no answer');
        }
        return append();
      }),
  };
}

async function regardless(append: () => Promise<unknown>): Promise<void> {
  try {
    await append();
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
  }
}

/** The thing's events in an append: the appended ones, or those that a claim announces. */
function announcedBy(events: readonly NewEvent[]): readonly NewEvent[] {
  // The simulation's claims hold events, as every claim does.
  return events.flatMap((event) =>
    isClaim(event) ? (event.data['events'] as unknown as readonly NewEvent[]) : [event],
  );
}

function isClaim({ type }: NewEvent): boolean {
  return type === 'KeyClaimed';
}

/** An event as it was appended, for comparison. */
export function textOf({ id, type, data, metadata }: NewEvent): string {
  return canonicalJson({ id, type, data, metadata: { ...metadata } });
}

/** When nothing else runs, one attempt settles who holds a key, and the next finds a holder. */
async function heal(world: World, key: string): Promise<void> {
  let calls = 0;
  const step: Step = async (act) => {
    calls += 1;
    if (calls > HEALING_CALLS) throw new Error(`${key} is not settled after ${HEALING_CALLS} calls`);
    return act();
  };
  for (const wanted of [['done', 'taken'], ['taken']]) {
    const data = { key, note: world.id() };
    const request = { id: world.id(), command: { type: 'MakeThing', data }, fresh: true } as const;
    const answer = await ask(world, { step, decider: thing, luck: false }, request);
    const outcome = answer !== null && 'outcome' in answer.outcome ? answer.outcome.outcome : 'none';
    if (!wanted.includes(outcome)) throw new Error(`${key} did not heal: ${outcome}`);
  }
}
