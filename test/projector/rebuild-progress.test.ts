import { expect } from 'chai';
import { ProgressWriter, readProgress } from '../../src/service/projector/rebuild-progress.ts';
import { newEvents } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';

describe('the progress of a rebuild', () => {
  /** One of ten events of which eight were projected. */
  async function begun() {
    const stores = { store: memoryEventStore(), readStore: memoryReadStore(), clock: manualClock() };
    await stores.store.append('thing-1', newEvents(10), 'no_stream');
    const failed = (error: Error): never => {
      throw error;
    };
    const writer = new ProgressWriter({ stores, generation: 'built-in-2', from: null, onError: failed });
    writer.update(8, 8);
    return { stores, writer };
  }

  it('is held against the newest event while it is under way, and when it was broken off', async () => {
    const { stores, writer } = await begun();
    await writer.end(false);
    expect(await readProgress(stores)).to.include({ events: 8, position: 8, head: 10 });
  });

  it('is whole once the head was reached, whatever was recorded after that', async () => {
    const { stores, writer } = await begun();
    await writer.end(true);
    expect(await readProgress(stores)).to.include({ events: 8, position: 8, head: 8, etaMs: 0 });
  });
});
