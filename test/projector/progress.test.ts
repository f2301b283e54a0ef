import { expect } from 'chai';
import { BUILT_IN } from '../../src/service/resources/built-in.ts';
import { created } from '../../src/service/projector/generation-state.ts';
import { openGenerations } from '../../src/service/projector/generations.ts';
import { createCatchUp, createProgressWriter } from '../../src/service/projector/progress.ts';
import { newEvents } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';

describe('the progress of a projection to the head', () => {
  it('is reported in percent and seconds, from its start, as the head moves on', () => {
    const clock = manualClock();
    const catchUp = createCatchUp(clock);
    const after = (ms: number, checkpoint: number | null, head: number | null) => {
      clock.pass(ms);
      return catchUp(checkpoint, head);
    };
    expect(after(0, 1_000, 5_000)).to.deep.equal({ percent: 0, readyInSeconds: null });
    expect(after(2_000, 2_000, 5_000)).to.deep.equal({ percent: 25, readyInSeconds: 6 });
    expect(after(2_000, 3_000, 9_000)).to.deep.equal({ percent: 25, readyInSeconds: 12 });
    expect(after(6_000, 9_000, 9_000)).to.deep.equal({ percent: 100, readyInSeconds: 0 });
    expect(after(0, 9_000, null)).to.equal(null);
    expect(after(10_000, 9_000, 10_000)).to.deep.equal({ percent: 0, readyInSeconds: null });
  });

  it('is complete if there are no events', () => {
    expect(createCatchUp(manualClock())(null, 0)).to.deep.equal({ percent: 100, readyInSeconds: 0 });
  });
});

describe('the progress of a rebuild', () => {
  /** A rebuild of ten events of which eight were projected, in two seconds. */
  async function begun() {
    const store = memoryEventStore();
    const clock = manualClock();
    const generations = await openGenerations({ readStore: memoryReadStore(), clock }, { retireAfterMs: 10_000 });
    await generations.update(created({ version: 1 }, null));
    await store.append('thing-1', newEvents(10), 'no_stream');
    const onError = (error: Error): never => {
      throw error;
    };
    const stores = { store, clock, generations };
    const writer = createProgressWriter({ stores, generation: `${BUILT_IN}-2`, from: 0, onError });
    clock.pass(2_000);
    writer.update(8, 8);
    return { writer, written: async () => (await generations.refresh()).progress };
  }

  it('is compared with the newest event while it is under way, and when it was interrupted', async () => {
    const { writer, written } = await begun();
    await writer.write(false);
    expect(await written()).to.include({ events: 8, position: 8, head: 10, eventsPerSecond: 4, etaMs: 500 });
  });

  it('is complete once the head was reached, even if more events are recorded after that', async () => {
    const { writer, written } = await begun();
    await writer.write(true);
    expect(await written()).to.include({ events: 8, position: 8, head: 8, etaMs: 0 });
  });
});
