import { expect } from 'chai';
import { systemIds } from '../../infra/system/system.ts';
import { BUILT_IN } from '../../projections/index.ts';
import { StoreFull, StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import { initialState } from '../../src/service/projector/generation-state.ts';
import { RebuildRequests } from '../../src/service/projector/rebuild-requests.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';

const NEXT = `${BUILT_IN}-2`;
const before = initialState(1);
const after = { ...before, current: { namespace: NEXT, version: 1 } };

describe('rebuilds that are asked for', () => {
  async function requested() {
    const store = memoryEventStore();
    const requests = new RebuildRequests({ store, clock: manualClock(), ids: systemIds });
    await requests.request({ correlationId: 'desk-2', apiKeyId: 'key', licenseId: 'licence', deadline: Infinity });
    return { store, requests };
  }
  const failing = (error: Error) => () => Promise.reject(error);

  it('are wanted until what was made is current', async () => {
    const { requests } = await requested();
    expect(await requests.isWanted(before)).to.equal(true);
    expect(await requests.carryOut(NEXT, () => Promise.resolve(7))).to.equal(7);
    expect(await requests.isWanted(before)).to.equal(true);
    expect(await requests.isWanted(after)).to.equal(false);
    expect(await requests.newest()).to.include({ generation: NEXT, error: null, apiKeyId: 'key', requestId: 'desk-2' });
    expect(await requests.isWanted(before), 'it is over').to.equal(false);
  });

  it('are given up where there is no room, or they cannot be carried out', async () => {
    for (const error of [new StoreFull('7 MiB are missing'), new TypeError('a mistake')]) {
      const { requests } = await requested();
      const thrown: unknown = await requests.carryOut(NEXT, failing(error)).catch((caught: unknown) => caught);
      expect(thrown).to.equal(error);
      expect(await requests.newest()).to.include({ generation: NEXT, error: error.message });
      expect((await requests.newest())?.endedAt).to.be.a('string');
      expect(await requests.isWanted(before)).to.equal(false);
    }
  });

  it('go on after a store was away', async () => {
    const { requests } = await requested();
    const away = failing(new StoreUnavailable('away'));
    expect(await requests.carryOut(NEXT, away).catch(() => 'away')).to.equal('away');
    expect(await requests.newest()).to.include({ generation: NEXT, endedAt: null, error: null });
    expect(await requests.isWanted(before)).to.equal(true);
    expect(await requests.carryOut(NEXT, () => Promise.resolve('done'))).to.equal('done');
  });

  it('are no matter of a rebuild that nobody asked for here', async () => {
    const requests = new RebuildRequests({ store: memoryEventStore(), clock: manualClock(), ids: systemIds });
    expect(await requests.isWanted(before)).to.equal(false);
    expect(await requests.carryOut(NEXT, () => Promise.resolve(7))).to.equal(7);
    expect(await requests.newest()).to.equal(null);
  });
});
