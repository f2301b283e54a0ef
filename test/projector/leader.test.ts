import { once } from 'node:events';
import { expect } from 'chai';
import { BUILT_IN } from '../../src/service/resources/built-in.ts';
import { OWN_VERSIONS } from '../../src/service/projector/model-versions.ts';
import { OtherHistory } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { createCheckpointNotifier } from '../../src/kernel/projection/checkpoint-waiter.ts';
import { created, ready } from '../../src/service/projector/generation-state.ts';
import { openGenerations, type Generations } from '../../src/service/projector/generations.ts';
import { Leader } from '../../src/service/projector/leader.ts';
import { newEvent } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock, settled, type ManualClock } from '../support/kernel/manual-clock.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';

/** Turns of the event loop in which whoever does not rest takes many steps. */
const TURNS = 200;

/** Time in ms in which the leader takes one step. */
const STEP_MS = 500;

async function turns(clock: ManualClock, stepMs: number): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    clock.pass(stepMs);
    await settled();
  }
}

async function makeNextReady(generations: Generations): Promise<void> {
  await generations.update(created(OWN_VERSIONS, null));
  const { next } = await generations.refresh();
  await generations.update(ready(next?.namespace ?? '', false));
}

describe('the leader of the projectors', () => {
  async function leading(store: EventStore) {
    const clock = manualClock();
    const readStore = memoryReadStore();
    const generations = await openGenerations({ readStore, clock }, { retireAfterMs: 10_000 });
    let steps = 0;
    const errors: Error[] = [];
    const lost = new AbortController();
    const leader = new Leader({
      store,
      readStore,
      generations: {
        ...generations,
        models: generations.models,
        open: (namespace) => generations.open(namespace),
        refresh: () => generations.refresh(),
        update(transition) {
          steps += 1;
          return generations.update(transition);
        },
        close: () => generations.close(),
      },
      events: { onError: (error) => errors.push(error) },
      clock,
      notifier: createCheckpointNotifier(clock, null),
      rebuild: () => Promise.reject(new Error('nothing is old')),
      onPromoted: () => undefined,
    });
    return {
      clock,
      generations,
      leader,
      errors,
      stepsSoFar: () => steps,
      run: () => leader.run(lost.signal, 1),
      stop: () => lost.abort(),
    };
  }

  it('pauses between its steps while the current generation has stopped and the next one is being built', async () => {
    const silent: EventStore = {
      ...memoryEventStore(),
      subscribe: (_after, _filter, signal) => ({
        [Symbol.asyncIterator]: () => ({
          next: () =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve({ done: true, value: undefined }));
            }),
        }),
      }),
    };
    const { clock, generations, leader, errors, stepsSoFar, run, stop } = await leading(silent);
    await generations.models.apply([], 7);
    await makeNextReady(generations);
    const running = run();
    await turns(clock, 50);
    expect(leader.status).to.include({ state: 'stopped' });
    expect(leader.status.error).to.be.instanceOf(OtherHistory);
    expect(
      errors.filter((error) => error instanceof OtherHistory),
      'it is about to be replaced',
    ).to.deep.equal([]);
    const before = stepsSoFar();
    await turns(clock, 0);
    expect(stepsSoFar() - before).to.be.at.most(1);
    stop();
    await running;
    generations.close();
  });

  it('stops when the events are replaced while it runs, and no longer changes the read models', async () => {
    let events = memoryEventStore();
    const stream = 'other-1';
    const add = () => events.append('other-1', [newEvent('Whatever')], 'any');
    const exchangeable: EventStore = {
      append: (...args) => events.append(...args),
      readStream: (name) => events.readStream(name),
      readNewest: (name) => events.readNewest(name),
      readAll: (...args) => events.readAll(...args),
      subscribe: (...args) => events.subscribe(...args),
      head: () => events.head(),
      close: () => events.close(),
    };
    const { clock, generations, leader, errors, run } = await leading(exchangeable);
    await add();
    const running = run();
    await turns(clock, 50);
    expect(leader.status).to.include({ state: 'running', checkpoint: 1 });
    events = memoryEventStore();
    for (let n = 0; n < 3; n += 1) await add();
    expect((await events.readNewest(stream))?.revision).to.equal(2);
    await turns(clock, 50);
    await running;
    expect(leader.status).to.include({ state: 'stopped', checkpoint: 1 });
    expect(errors.at(-1)).to.be.instanceOf(OtherHistory);
    expect(await generations.models.checkpoint()).to.equal(1);
    generations.close();
  });

  it('promotes the next generation only once it has passed all that a former leader wrote into the current one', async () => {
    const store = memoryEventStore();
    let visible = Promise.resolve();
    const slow: EventStore = {
      ...store,
      async *subscribe(after, filter, signal) {
        for await (const delivery of store.subscribe(after, filter, signal)) {
          await Promise.race([visible, once(signal, 'abort')]);
          yield delivery;
        }
      },
    };
    const { clock, generations, run, stop } = await leading(slow);
    const add = () => store.append('other-1', [newEvent('Whatever')], 'any');
    const currentOf = async () => (await generations.refresh()).current.namespace;
    await add();
    const running = run();
    await turns(clock, 50);
    await makeNextReady(generations);
    // One step, which starts it.
    clock.pass(STEP_MS);
    await turns(clock, 0);
    let show = (): void => undefined;
    visible = new Promise((resolve) => {
      show = resolve;
    });
    // The former leader has seen it already.
    await add();
    await generations.models.apply([], 2);
    await turns(clock, 50);
    expect(await currentOf()).to.equal(BUILT_IN);
    show();
    await turns(clock, 50);
    expect(await currentOf()).to.equal(`${BUILT_IN}-2`);
    stop();
    await running;
    generations.close();
  });
});
