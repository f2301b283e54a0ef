import { expect } from 'chai';
import { systemProcesses } from '../../infra/system/processes.ts';
import { systemClock, systemIds } from '../../infra/system/system.ts';
import { BUILT_IN } from '../../src/service/resources/built-in.ts';
import { StoreFull, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { requested } from '../../src/service/projector/generation-state.ts';
import { withGenerations, type ProjectionStores } from '../../src/service/projector/generations.ts';
import { reportRebuild } from '../../src/service/projector/progress.ts';
import { buildNextGeneration } from '../../src/service/projector/rebuild.ts';
import { newEvents } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';

describe('a requested rebuild', () => {
  /** Stores of which one call fails as long as there is an error. */
  async function asked() {
    const fault: { error: Error | null } = { error: null };
    const events = memoryEventStore();
    const readStore = memoryReadStore();
    await events.append('thing-1', newEvents(3), 'no_stream');
    const store: EventStore = {
      ...events,
      head: () => (fault.error === null ? events.head() : Promise.reject(fault.error)),
    };
    const system = { clock: systemClock, ids: systemIds, processes: systemProcesses };
    const close = () => Promise.resolve();
    const stores = await withGenerations({ store, readStore, ...system, close }, { retireAfterMs: 10_000 });
    const origin = { requestedAt: '2026-05-01T20:00:00.000Z', requestId: 'desk-2', apiKeyId: 'key', licenseId: null };
    await stores.generations.update(requested({ id: 'asked', ...origin }));
    return { stores, fault };
  }

  const build = (stores: ProjectionStores) =>
    buildNextGeneration({
      stores,
      leaseTermMs: 5_000,
      keepOld: false,
      signal: new AbortController().signal,
      events: {},
      onProgress: () => undefined,
    }).catch((error: unknown) => error);

  it('fails if the disk has no room, or if it cannot be carried out', async () => {
    for (const error of [new StoreFull('7 MiB are missing'), new TypeError('a mistake')]) {
      const { stores, fault } = await asked();
      fault.error = error;
      expect(await build(stores)).to.equal(error);
      const report = await reportRebuild(stores);
      expect(report).to.include({ phase: 'failed', process: null });
      expect(report.request).to.include({ id: 'asked', error: error.message });
      expect(report.request?.endedAt).to.be.a('string');
      await stores.close();
    }
  });

  it('continues after an outage of a store', async () => {
    const { stores, fault } = await asked();
    expect(await reportRebuild(stores)).to.include({ phase: 'requested', generation: null, progress: null });
    fault.error = new StoreUnavailable('away');
    expect(await build(stores)).to.equal(fault.error);
    const away = await reportRebuild(stores);
    expect(away).to.include({ phase: 'projecting', generation: `${BUILT_IN}-2` });
    expect(away.request).to.include({ endedAt: null, error: null });
    fault.error = null;
    expect(await build(stores)).to.deep.equal({ namespace: `${BUILT_IN}-2`, resumed: true, events: 0 });
    expect(await reportRebuild(stores)).to.include({ phase: 'switching', generation: `${BUILT_IN}-2` });
    await stores.close();
  });
});
