import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { createCheckpointPoller, createCheckpointNotifier } from '../../../src/kernel/projection/checkpoint-waiter.ts';
import { manualClock, passing, settled, type ManualClock } from '../../support/kernel/manual-clock.ts';

describe('notifier', () => {
  it('answers at once for a position that was reached, and for a wait of zero', async () => {
    const clock = manualClock();
    const notifier = createCheckpointNotifier(clock, 5);
    expect(notifier.position()).to.equal(5);
    expect(await notifier.waitFor(5, 0)).to.equal(true);
    expect(await notifier.waitFor(6, 0)).to.equal(false);
    expect(await notifier.waitFor(6, -1)).to.equal(false);
    expect(clock.pending()).to.deep.equal([]);
  });

  it('ends exactly the waits whose position was reached', async () => {
    const clock = manualClock();
    const notifier = createCheckpointNotifier(clock, null);
    const near = notifier.waitFor(3, 100);
    const far = notifier.waitFor(9, 100);
    expect(notifier.hasWaiters()).to.equal(true);
    notifier.advance(4);
    expect(await near).to.equal(true);
    expect(clock.pending()).to.deep.equal([100]);
    clock.pass(100);
    expect(await far).to.equal(false);
    expect(notifier.hasWaiters()).to.equal(false);
  });

  it('reads once a position is reached, and for as long as the wait may last', async () => {
    const clock = manualClock();
    const notifier = createCheckpointNotifier(clock, 1);
    const never = () => new Promise<string>(() => undefined);
    const failure = new Error('broken');
    const read = notifier.readAt(2, 10, () => Promise.resolve('done'));
    const broken = notifier.readAt(2, 10, () => Promise.reject(failure)).catch((error: unknown) => error);
    const late = notifier.readAt(2, 10, never);
    notifier.advance(2);
    expect([await read, await broken]).to.deep.equal(['done', failure]);
    const known = notifier.readAt(2, 20, never);
    clock.pass(10);
    expect(await late).to.equal(false);
    expect(clock.pending()).to.deep.equal([10]);
    clock.pass(10);
    expect(await known).to.equal(false);
  });

  it('never moves back', () => {
    const notifier = createCheckpointNotifier(manualClock(), null);
    expect(notifier.position()).to.equal(null);
    notifier.advance(4);
    notifier.advance(2);
    expect(notifier.position()).to.equal(4);
  });

  it('ends all waits once stopped, until it resumes', async () => {
    const clock = manualClock();
    const notifier = createCheckpointNotifier(clock, 1);
    const waiting = notifier.waitFor(2, 100);
    notifier.stop();
    expect(await waiting).to.equal(false);
    expect(await notifier.waitFor(2, 100)).to.equal(false);
    expect(await notifier.waitFor(1, 100)).to.equal(true);
    notifier.advance(1);
    const again = notifier.waitFor(2, 100);
    notifier.advance(2);
    expect(await again).to.equal(true);
    expect(clock.pending()).to.deep.equal([]);
  });
});

describe('checkpoint follower', () => {
  /** A read store's checkpoint that counts how often it is read. */
  function watched() {
    const state = { checkpoint: null as number | null, reads: 0, away: false };
    const models = {
      checkpoint: async () => {
        state.reads += 1;
        if (state.away) throw new StoreUnavailable('away');
        return state.checkpoint;
      },
    };
    const clock = manualClock();
    return { state, clock, follower: createCheckpointPoller(models, clock) };
  }
  const pass = (clock: ManualClock, ms: number) => passing(clock, ms, 1);

  it('reads nothing while no caller waits', async () => {
    const { state, clock, follower } = watched();
    await pass(clock, 100);
    expect(state.reads).to.equal(0);
    expect(follower.position()).to.equal(null);
  });

  it('polls once for all waits, and stops when there are none', async () => {
    const { state, clock, follower } = watched();
    const waiting = Array.from({ length: 50 }, () => follower.waitFor(7, 1_000));
    await pass(clock, 100);
    expect(state.reads).to.be.within(5, 15);
    state.checkpoint = 7;
    await pass(clock, 20);
    expect(await Promise.all(waiting)).to.deep.equal(waiting.map(() => true));
    const reads = state.reads;
    await pass(clock, 100);
    expect(state.reads).to.equal(reads);
    expect(clock.pending()).to.deep.equal([]);
    expect(await follower.waitFor(7, 1_000)).to.equal(true);
    expect(state.reads).to.equal(reads);
  });

  it('polls again for the next wait', async () => {
    const { state, clock, follower } = watched();
    const first = follower.waitFor(1, 20);
    await pass(clock, 20);
    expect(await first).to.equal(false);
    await pass(clock, 50);
    const reads = state.reads;
    state.checkpoint = 1;
    const second = follower.waitFor(1, 20);
    await settled();
    expect(await second).to.equal(true);
    expect(state.reads).to.equal(reads + 1);
  });

  it('polls again after a failure of the store', async () => {
    const { state, clock, follower } = watched();
    state.away = true;
    const waiting = follower.waitFor(1, 1_000);
    await pass(clock, 30);
    state.away = false;
    state.checkpoint = 2;
    await pass(clock, 10);
    expect(await waiting).to.equal(true);
    expect(follower.position()).to.equal(2);
  });
});
