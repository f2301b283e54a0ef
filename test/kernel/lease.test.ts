import { expect } from 'chai';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { Lease, type LeaseStatus } from '../../src/kernel/lease.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';
import { manualClock, passing, settled, type ManualClock } from '../support/kernel/manual-clock.ts';

const TERM_MS = 3_000;

describe('lease', () => {
  let registers: ReadStore;
  let clock: ManualClock;
  let gone: Set<string>;
  beforeEach(() => {
    registers = memoryReadStore();
    clock = manualClock();
    gone = new Set();
  });
  const contenders: { readonly stop: () => void; readonly over: Promise<void> }[] = [];
  afterEach(async () => {
    for (const { stop } of contenders) stop();
    await Promise.all(contenders.splice(0).map(({ over }) => over));
  });

  /** A process that competes for the lease until the test is over; its work ends when the test ends it or the lease is lost. */
  function contender(holder: string, store: Pick<ReadStore, 'readRegister' | 'writeRegister'> = registers) {
    const stop = new AbortController();
    const changes: LeaseStatus[] = [];
    const errors: unknown[] = [];
    const state = { working: 0, finish: (): void => undefined };
    const lease = new Lease({
      registers: store,
      name: 'projector',
      holder,
      termMs: TERM_MS,
      clock,
      hasEnded: (name) => gone.has(name),
      onChange: (status) => changes.push(status),
      onError: (error) => errors.push(error),
    });
    const over = lease.whileHeld((held) => {
      state.working += 1;
      return new Promise<void>((resolve) => {
        state.finish = resolve;
        if (held.aborted) resolve();
        held.addEventListener('abort', () => resolve());
      }).then(() => {
        state.working -= 1;
      });
    }, stop.signal);
    const one = { lease, state, changes, errors, over, stop: () => stop.abort() };
    contenders.push(one);
    return one;
  }

  it('is held by one process for as long as it lives', async () => {
    const first = contender('a');
    const second = contender('b');
    await passing(clock, 10 * TERM_MS);
    expect([first.state.working, second.state.working]).to.deep.equal([1, 0]);
    expect(first.lease.status).to.deep.equal({ state: 'holding', holder: 'a', fence: 1 });
    expect(second.lease.status).to.deep.equal({ state: 'standby', holder: 'a', fence: 1 });
  });

  it('passes on at once when its holder stops', async () => {
    const first = contender('a');
    await settled();
    const second = contender('b');
    await passing(clock, 100);
    first.stop();
    await first.over;
    await passing(clock, TERM_MS / 2);
    expect(second.lease.status).to.deep.equal({ state: 'holding', holder: 'b', fence: 2 });
    second.stop();
    await second.over;
    expect((await registers.readRegister('projector'))?.value).to.deep.equal({ holder: null, fence: 2 });
  });

  it('is free again when the work is over, and no longer checked', async () => {
    const first = contender('a');
    await settled();
    await settled();
    first.state.finish();
    await passing(clock, 100);
    await first.over;
    expect(first.changes.map(({ state }) => state)).to.deep.equal(['holding', 'standby']);
    expect((await registers.readRegister('projector'))?.value).to.deep.equal({ holder: null, fence: 1 });
  });

  it('is taken over after a term from a silent holder, and at once from one that has ended', async () => {
    await registers.writeRegister('projector', { holder: 'dead', fence: 41 }, 0);
    const patient = contender('a');
    await passing(clock, TERM_MS - 500);
    expect(patient.lease.status).to.include({ state: 'standby', holder: 'dead' });
    await passing(clock, TERM_MS / 2);
    expect(patient.lease.status).to.deep.equal({ state: 'holding', holder: 'a', fence: 42 });
    gone.add('a');
    const next = contender('b');
    await settled();
    await settled();
    expect(next.lease.status).to.deep.equal({ state: 'holding', holder: 'b', fence: 43 });
    await passing(clock, TERM_MS);
    expect(patient.state.working, 'learns that it was replaced').to.equal(0);
  });

  it('is kept by a holder that was paused past its term, unless somebody has taken over', async () => {
    const holder = contender('a');
    await settled();
    clock.pass(2 * TERM_MS);
    await passing(clock, TERM_MS);
    expect(holder.lease.status).to.deep.equal({ state: 'holding', holder: 'a', fence: 1 });
    expect(holder.changes.map(({ state }) => state)).to.deep.equal(['holding']);
    const version = (await registers.readRegister('projector'))?.version ?? 0;
    await registers.writeRegister('projector', { holder: 'b', fence: 2 }, version);
    clock.pass(2 * TERM_MS);
    await settled();
    await settled();
    expect(holder.state.working).to.equal(0);
    expect(holder.lease.status).to.deep.equal({ state: 'standby', holder: 'b', fence: 2 });
  });

  it('is given up by a holder that cannot renew it, before anyone else may take it', async () => {
    let away = false;
    const shaky: Pick<ReadStore, 'readRegister' | 'writeRegister'> = {
      ...registers,
      writeRegister: async (...args) => {
        if (away) throw new StoreUnavailable('away');
        return registers.writeRegister(...args);
      },
    };
    const holder = contender('a', shaky);
    await settled();
    const standby = contender('b');
    await passing(clock, TERM_MS);
    away = true;
    let both = 0;
    for (let passed = 0; passed < 3 * TERM_MS; passed += 100) {
      await passing(clock, 100);
      if (holder.state.working + standby.state.working > 1) both += 1;
    }
    expect([holder.state.working, standby.state.working, both]).to.deep.equal([0, 1, 0]);
    expect(holder.errors).not.to.be.empty;
    expect(standby.lease.status).to.include({ state: 'holding', fence: 2 });
  });

  it('is kept when the answer to a renewal was lost: it may have been written', async () => {
    let losing = true;
    const lossy: Pick<ReadStore, 'readRegister' | 'writeRegister'> = {
      ...registers,
      writeRegister: async (...args) => {
        const written = await registers.writeRegister(...args);
        const isLost = losing && args[2] > 0;
        losing = !losing;
        if (isLost) throw new StoreUnavailable('the answer was lost');
        return written;
      },
    };
    const holder = contender('a', lossy);
    await passing(clock, 5 * TERM_MS);
    expect(holder.errors).to.have.length.above(3);
    expect(holder.lease.status).to.deep.equal({ state: 'holding', holder: 'a', fence: 1 });
    expect(holder.changes.map(({ state }) => state)).to.deep.equal(['holding']);
  });

  for (const [how, byMs] of [
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ] as const) {
    it(`does not depend on the system time, which is set ${how} an hour`, async () => {
      const holder = contender('a');
      await settled();
      const standby = contender('b');
      await passing(clock, TERM_MS / 2);
      clock.set(byMs);
      await passing(clock, 5 * TERM_MS);
      expect([holder.state.working, standby.state.working], 'none is taken from a live holder').to.deep.equal([1, 0]);
      const register = await registers.readRegister('projector');
      await registers.writeRegister('projector', { holder: 'dead', fence: 7 }, register?.version ?? 0);
      await passing(clock, TERM_MS / 2);
      clock.set(byMs);
      await passing(clock, TERM_MS);
      const states = [holder.lease.status, standby.lease.status].map(({ state }) => state);
      expect(states, 'one takes over within the term').to.have.members(['holding', 'standby']);
    });
  }

  it('has one winner among many who start at once', async () => {
    const all = Array.from({ length: 20 }, (_, n) => contender(`p${n}`));
    await passing(clock, TERM_MS);
    expect(all.filter(({ state }) => state.working === 1).length).to.equal(1);
  });
});
