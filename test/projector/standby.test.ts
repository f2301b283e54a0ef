import { expect } from 'chai';
import { systemIds } from '../../infra/system/system.ts';
import { READ_MODEL_VERSIONS, sumOfVersions } from '../../src/service/resources/built-in.ts';
import type { Processes } from '../../src/kernel/ports/system.ts';
import { createLogger } from '../../src/service/observability/log.ts';
import { withGenerations } from '../../src/service/projector/generations.ts';
import { PROJECTOR_LEASE } from '../../src/service/projector/leases.ts';
import { OWN_VERSIONS } from '../../src/service/projector/model-versions.ts';
import { createProjector } from '../../src/service/projector/projector.ts';
import { newEvent } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock, passing } from '../support/kernel/manual-clock.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';

const NEWER_MODELS = { ...READ_MODEL_VERSIONS, laps: (READ_MODEL_VERSIONS['laps'] ?? 0) + 1 };
const NEWER = { version: sumOfVersions(NEWER_MODELS), models: NEWER_MODELS };

/** All live for ever. */
const processes: Processes = {
  newName: () => 'this process',
  retire: () => undefined,
  hasEnded: () => false,
  isOnThisHost: () => true,
  describe: (name) => name,
};

describe('a projector that finds read models of a newer release', () => {
  it('stands by: it serves the read models of another process, and projects once it can', async () => {
    const clock = manualClock();
    const readStore = memoryReadStore();
    const store = memoryEventStore();
    await store.append('other-1', [newEvent('Whatever')], 'any');
    const close = () => Promise.resolve();
    const opened = { clock, readStore, store, processes, ids: systemIds, close };
    const stores = await withGenerations(opened, { retireAfterMs: 10_000 });
    const { generations } = stores;
    await generations.update((state) => ({ ...state, current: { ...state.current, ...NEWER } }));
    const projector = createProjector({
      stores,
      leaseTermMs: 3_000,
      log: createLogger({ level: 'silent' }),
      metrics: null,
    });
    const stop = new AbortController();
    const running = projector.run(stop.signal);
    await passing(clock, 4_000);
    expect(projector.status().runner.error?.message).to.match(/made by a newer release/);
    const released = await readStore.readRegister(PROJECTOR_LEASE);
    expect(released?.value).to.include({ holder: null });

    // A process of the newer release projects.
    await readStore.writeRegister(PROJECTOR_LEASE, { holder: 'newer', fence: 7 }, released?.version ?? 0);
    await generations.models.apply([], 1);
    await passing(clock, 3_000);
    expect(projector.status()).to.deep.include({ lease: { state: 'standby', holder: 'newer', fence: 1 } });
    expect(projector.status().runner).to.include({ state: 'idle', error: null });
    const isReadable = projector.checkpoint.waitFor(1, 1_000);
    await passing(clock, 500);
    expect(await isReadable, 'what the other has projected').to.equal(true);

    // It ends, and this release has replaced the read models.
    const held = await readStore.readRegister(PROJECTOR_LEASE);
    await readStore.writeRegister(PROJECTOR_LEASE, { holder: null, fence: 7 }, held?.version ?? 0);
    await generations.update((state) => ({
      ...state,
      current: { namespace: state.current.namespace, ...OWN_VERSIONS },
    }));
    await passing(clock, 6_000);
    expect(projector.status().lease).to.include({ state: 'holding', fence: 8 });
    expect(projector.status().runner).to.include({ state: 'running', error: null });
    stop.abort();
    await passing(clock, 1_000);
    await running;
    await stores.close();
  });
});
