import { expect } from 'chai';
import { OtherHistory, StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { LineageCheck } from '../../../src/kernel/projection/lineage.ts';
import { ProjectionRunner } from '../../../src/kernel/projection/projection-runner.ts';
import { gathered, newEvent } from '../../support/event-store/events.ts';
import { memoryEventStore } from '../../support/event-store/memory-event-store.ts';
import { manualClock, settled, type ManualClock } from '../../support/kernel/manual-clock.ts';
import { memoryReadModels } from '../../support/read-store/memory-read-store.ts';
import { leagueProjections } from '../../support/simulation/league.ts';

const USAGE = 'usage-1';
const isUsage = (stream: string): boolean => stream === USAGE;

const found = (store: EventStore, team: string) =>
  store.append(`team-${team}`, [newEvent('TeamFounded', { name: team })], 'any');
const use = (store: EventStore) => store.append(USAGE, [newEvent('Used', {})], 'newest_only');

/** The first events of a store in another one: a backup, or a copy that was made before the others were appended. */
async function copyOf(store: EventStore, upTo = Infinity): Promise<EventStore> {
  const copy = memoryEventStore();
  for (const event of await gathered(store.readAll(null))) if (event.position <= upTo) await append(copy, event);
  return copy;
}

async function append(store: EventStore, { stream, id, type, data, metadata }: RecordedEvent): Promise<void> {
  await store.append(stream, [{ id, type, data, metadata }], isUsage(stream) ? 'newest_only' : 'any');
}

describe('the history that read models were built from', () => {
  let store: EventStore;
  let models: ReadModels;
  let clock: ManualClock;
  beforeEach(async () => {
    store = memoryEventStore();
    models = memoryReadModels();
    clock = manualClock();
    for (const team of ['a', 'b']) await found(store, team);
    await use(store);
    await project(store);
  });

  const checkOf = (events: EventStore) => new LineageCheck({ store: events, clock, replaceable: new Set(['Used']) });

  /** Projects what is in a store, as a process does that starts and ends; resolves with its error, if any. */
  async function project(events: EventStore): Promise<Error | null> {
    const stop = new AbortController();
    const lineage = checkOf(events);
    const projections = leagueProjections;
    const deadLetterStore = models;
    const runner = new ProjectionRunner({ store: events, models, projections, deadLetterStore, clock, lineage });
    const running = runner.run(stop.signal);
    for (let turns = 0; turns < 200 && !runner.status().caughtUp && runner.status().state !== 'stopped'; turns += 1) {
      clock.pass(50);
      await settled();
    }
    stop.abort();
    await running;
    return runner.status().error;
  }

  /** What a check says at once, and what it says after a follower would have caught up. */
  async function verdicts(events: EventStore): Promise<readonly unknown[]> {
    const check = checkOf(events);
    const ask = (): Promise<unknown> => check.expectSame(models).catch((error: unknown) => error);
    const first = await ask();
    clock.pass(2_500);
    return [first, await ask()];
  }

  async function isFine(events: EventStore): Promise<void> {
    expect(await verdicts(events)).to.deep.equal([undefined, undefined]);
    expect(await project(events)).to.equal(null);
  }

  async function isOther(events: EventStore, text: RegExp): Promise<void> {
    const [first, second] = await verdicts(events);
    expect([first, second], 'at once, or when it is certain').to.satisfy(
      ([one]: unknown[]) => one instanceof OtherHistory || one instanceof StoreUnavailable,
    );
    expect(second).to.be.instanceOf(OtherHistory).with.property('message').that.matches(text).and.includes('rebuild');
    const before = await models.checkpoint();
    expect(await project(events)).to.be.instanceOf(OtherHistory);
    expect(await models.checkpoint(), 'nothing is skipped, nothing counted twice').to.equal(before);
  }

  it('fits the store that it was recorded in, also after further events', async () => {
    await isFine(store);
    for (const team of ['c', 'd']) await found(store, team);
    for (let n = 0; n < 3; n += 1) await use(store);
    await isFine(store);
    await isFine(store);
    expect(await models.get('teams', 'd')).to.include({ name: 'd' });
  });

  it('fits a complete copy, and a store in which the last projected event of a stream is not its newest', async () => {
    await isFine(await copyOf(store));
    for (let n = 0; n < 2; n += 1) {
      await found(store, 'b');
      await isFine(store);
    }
  });

  it('does not fit an older state, which is first taken for the lag of a follower', async () => {
    const older = await copyOf(store, 1);
    expect((await verdicts(older))[0]).to.be.instanceOf(StoreUnavailable);
    await isOther(older, /at position 3, past the newest event \(1\)/);
  });

  it('fits a follower that lags at each check, but has caught up with the check before', async () => {
    let follower = store;
    const check = checkOf({
      ...store,
      head: () => follower.head(),
      readAll: (...args) => follower.readAll(...args),
      readStream: (...args) => follower.readStream(...args),
      readNewest: (stream) => follower.readNewest(stream),
    });
    for (const team of ['c', 'd', 'e', 'f']) {
      follower = await copyOf(store);
      await found(store, team);
      await project(store);
      const said = await check.expectSame(models).catch((error: unknown) => error);
      expect(said, team).to.be.instanceOf(StoreUnavailable);
      clock.pass(1_500);
    }
    clock.pass(1_500);
    const said = await check.expectSame(models).catch((error: unknown) => error);
    expect(said, 'when it goes on no more').to.be.instanceOf(OtherHistory);
  });

  it('does not fit an older state that has continued differently, even if it is longer', async () => {
    const older = await copyOf(store, 1);
    for (const team of ['x', 'y', 'z', 'b']) await found(older, team);
    await isOther(older, /include event .* \(team-b@0\), where another one is/);
    const others = await copyOf(store, 1);
    for (const team of ['x', 'y', 'z']) await found(others, team);
    await isOther(others, /include event .* \(team-b@0\), which is not there/);
  });

  it('does not fit another store, however long its history', async () => {
    const other = memoryEventStore();
    for (const team of ['a', 'b', 'c', 'd', 'e']) await found(other, team);
    await isOther(other, /made from the events of history/);
    await isOther(memoryEventStore(), /past the newest event \(there is none\)/);
  });

  it('does not fit a copy whose events have other positions', async () => {
    const other = memoryEventStore();
    const [first, ...rest] = await gathered(store.readAll(null));
    if (first === undefined) throw new Error('there is no event');
    await append(other, first);
    await use(other);
    for (const event of rest) await append(other, event);
    await isOther(other, /at position 2 .* at 3/);
  });
});
