import { expect } from 'chai';
import { BUILT_IN } from '../../src/service/resources/built-in.ts';
import { OWN_VERSIONS } from '../../src/service/projector/model-versions.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { createCheckpointNotifier } from '../../src/kernel/projection/checkpoint-waiter.ts';
import { runGeneration, waitUntilCaughtUp } from '../../src/service/projector/generation-runner.ts';
import { created, ready, type GenerationState } from '../../src/service/projector/generation-state.ts';
import { openGenerations, type Generations } from '../../src/service/projector/generations.ts';
import { Leader } from '../../src/service/projector/leader.ts';
import { systemClock } from '../../infra/system/system.ts';
import { failureOf } from '../support/failure.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { memoryReadModels, memoryReadStore } from '../support/read-store/memory-read-store.ts';
import { compare } from '../support/processes/rebuild.ts';
import { until } from '../support/processes/waits.ts';
import { RETIRE_AFTER_MS } from '../support/processes/world.ts';
import { appendLaps } from '../support/simulation/laps.ts';
import { chancesOf } from '../support/simulation/random.ts';

const OPTIONS = { retireAfterMs: RETIRE_AFTER_MS };
const NEXT = `${BUILT_IN}-2`;

/** A leader that runs until `stop`. */
async function lead(store: EventStore, readStore: ReadStore, fence: number) {
  const generations = await openGenerations({ readStore, clock: systemClock }, OPTIONS);
  const leader = new Leader({
    store,
    readStore,
    generations,
    events: {},
    clock: systemClock,
    notifier: createCheckpointNotifier(systemClock, null),
    rebuild: () => Promise.reject(new Error('nothing is old')),
    onPromoted: () => undefined,
  });
  const lost = new AbortController();
  const over = leader.run(lost.signal, fence);
  return {
    leader,
    async stop() {
      lost.abort();
      generations.close();
      await over;
    },
  };
}

/** Builds the next generation up to the head. */
async function build(store: EventStore, generations: Generations): Promise<void> {
  await generations.update(created(OWN_VERSIONS, null));
  const generation = await runGeneration({ store, generations, clock: systemClock, events: {} }, NEXT);
  expect(await waitUntilCaughtUp(generation, new AbortController().signal)).to.equal(true);
  await generation.stop();
  await generations.update(ready(NEXT, false));
}

function isSettled({ current, retiring, dropping }: GenerationState): boolean {
  return current.namespace === NEXT && retiring === null && dropping.length === 0;
}

describe('generations', () => {
  it('survive a leader that dies at any write: readers still see all data, and the next leader continues', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => dies(n)));
  });

  /** A leader dies after (n even) or before (n odd) a write, and the next one goes on. */
  async function dies(n: number): Promise<void> {
    const store = memoryEventStore();
    const readStore = memoryReadStore();
    await appendLaps(store, chancesOf(n + 1), 120);
    const watcher = await openGenerations({ readStore, clock: systemClock }, OPTIONS);
    const over = new AbortController();
    await build(store, watcher);
    const reader = await openGenerations({ readStore, clock: systemClock }, OPTIONS);
    const counting = counts(reader, over.signal);
    const mortal = dyingAt(readStore, Math.floor(n / 2), n % 2 === 0);
    const first = await lead(store, mortal.readStore, 1);
    await Promise.race([mortal.died, until(() => watcher.refresh(), isSettled)]);
    await first.stop();
    const second = await lead(store, readStore, 2);
    await until(() => watcher.refresh(), isSettled);
    over.abort();
    await second.stop();
    const seen = await counting;
    expect(seen, `died at write ${n}`).to.deep.equal([...seen].sort((a, b) => a - b));
    expect(await (await watcher.open(BUILT_IN)).checkpoint()).to.equal(null);
    expect(await compare(store, await watcher.open(NEXT), memoryReadModels())).to.be.greaterThan(20);
    for (const generations of [watcher, reader]) generations.close();
  }

  it('are checked again before a process that was paused reads from them', async () => {
    const readStore = memoryReadStore();
    const raw = await openGenerations({ readStore, clock: systemClock }, OPTIONS);
    let awake = Promise.resolve();
    const sleepy = await openGenerations(
      {
        clock: systemClock,
        readStore: { ...readStore, readRegister: (name) => awake.then(() => readStore.readRegister(name)) },
      },
      OPTIONS,
    );
    const list = await listing(sleepy);
    let wake = (): void => undefined;
    awake = new Promise((resolve) => {
      wake = resolve;
    });
    await raw.update((state) => ({ ...state, current: { namespace: NEXT, ...OWN_VERSIONS } }));
    await (await raw.open(NEXT)).apply([insertion('new')], 2);
    await readStore.drop(BUILT_IN);
    const asleepSince = Date.now();
    await until(() => Date.now() > asleepSince + OPTIONS.retireAfterMs);
    const asked = sleepy.models.get('laps', 'new');
    wake();
    expect(await asked).to.include({ id: 'new' });
    expect(await failureOf(rest(list)), 'what was dropped on the way is not whole').to.be.instanceOf(StoreUnavailable);
    for (const generations of [raw, sleepy]) generations.close();
  });
});

function insertion(id: string) {
  return { kind: 'insert', collection: 'laps', document: { id, _created: 1, _position: 1, _revision: 0 } } as const;
}

/** A list whose first batch has been read. */
async function listing(generations: Generations): Promise<AsyncIterator<unknown>> {
  const many = Array.from({ length: 500 }, (_, n) => insertion(`lap ${n}`));
  await generations.models.apply(many, 1);
  const list = generations.models.stream('laps', { where: {} })[Symbol.asyncIterator]();
  await list.next();
  return list;
}

/** Reads a list to its end. */
async function rest(list: AsyncIterator<unknown>): Promise<void> {
  while ((await list.next()).done !== true);
}

async function counts({ models }: Generations, stop: AbortSignal): Promise<readonly number[]> {
  const seen: number[] = [];
  await until(
    async () => seen.push(await models.count('laps', {})),
    () => stop.aborted,
  );
  return seen;
}

/** The read store of a process that dies at its n-th write, after which all its calls fail. */
function dyingAt(readStore: ReadStore, n: number, written: boolean) {
  let writes = 0;
  let dead = false;
  let die = (): void => undefined;
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) throw new StoreUnavailable('dead');
    return work();
  };
  const write = <T>(work: () => Promise<T>): Promise<T> =>
    alive(async () => {
      dead = writes++ === n;
      if (!dead) return work();
      if (written) await work();
      die();
      throw new StoreUnavailable('died');
    });
  const mortal: ReadStore = {
    ...readStore,
    readRegister: (name) => alive(() => readStore.readRegister(name)),
    writeRegister: (...args) => write(() => readStore.writeRegister(...args)),
    drop: (namespace) => write(() => readStore.drop(namespace)),
    namespace: async (name, collections) => {
      const models = await alive(() => readStore.namespace(name, collections));
      return { ...models, apply: (...args) => write(() => models.apply(...args)) };
    },
  };
  return { readStore: mortal, died };
}
