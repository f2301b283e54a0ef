import { expect } from 'chai';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { reserveNamespace } from '../../src/tools/replay/namespace.ts';
import { ReplayRefused } from '../../src/tools/replay/refused.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';
import { insert, thing } from '../support/read-store/fixtures.ts';
import { failureOf } from '../support/failure.ts';

const job = { fingerprint: 'f', from: 'here', until: null };

describe('a namespace that a replay writes to', () => {
  let readStore: ReadStore;
  beforeEach(() => {
    readStore = memoryReadStore();
  });

  const reserve = (store: ReadStore, fresh = true) =>
    reserveNamespace({ readStore: store, namespace: 'mine', projections: [], job, otherJob: 'refuse', fresh });

  async function things(): Promise<number> {
    return (await readStore.namespace('mine', [])).count('things', {});
  }

  it('is not emptied by another replay that begins at the same time', async () => {
    await (await reserve(readStore)).release();
    const late: ReadStore = {
      ...readStore,
      async readRegister(name) {
        const register = await readStore.readRegister(name);
        // The other replay starts and writes before this one goes on.
        await (await reserve(readStore)).models.apply([insert(thing('a'))], 1);
        return register;
      },
    };
    expect(await failureOf(reserve(late))).to.be.instanceOf(ReplayRefused);
    expect(await things()).to.equal(1);
  });

  it('is emptied by the next replay when one was killed while it emptied it', async () => {
    const first = await reserve(readStore);
    await first.models.apply([insert(thing('a'))], 1);
    await first.release();
    const killed: ReadStore = { ...readStore, drop: () => Promise.reject(new Error('killed')) };
    expect(await reserve(killed).catch((error: unknown) => String(error))).to.include('killed');
    expect(await things()).to.equal(1);
    const register = await readStore.readRegister('replay mine');
    await readStore.writeRegister('replay mine', { ...register?.value, holder: null }, register?.version ?? 0);
    await reserve(readStore, false);
    expect(await things()).to.equal(0);
  });
});
