import { expect } from 'chai';
import { Aggregates } from '../../../src/kernel/aggregate/aggregates.ts';
import { reject } from '../../../src/kernel/aggregate/rejection.ts';
import type { WritableStore } from '../../../src/kernel/aggregate/claims.ts';
import type { CommandOutcome } from '../../../src/kernel/aggregate/command-handler.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { gathered } from '../../support/event-store/events.ts';
import { memoryEventStore } from '../../support/event-store/memory-event-store.ts';
import { thing, type Thing } from '../../support/simulation/things.ts';
import { beforeAppend, changing, describeEvents, handlerOf, making, withThing } from './handling.ts';

/** Things that hold no key, as laps do. */
const keyless = { fresh: true, decider: { ...thing, claim: null } };

const IDS = Array.from({ length: 100 }, (_, n) => `${n}`);

/** What became of each: whether it is recorded, the code of its rejection, who holds its key, or the name of its error. */
function described(outcomes: readonly PromiseSettledResult<CommandOutcome<Thing | null>>[]): readonly unknown[] {
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') return outcome.reason instanceof Error ? outcome.reason.name : 'no error';
    if ('code' in outcome.value) return outcome.value.code;
    return outcome.value.outcome === 'taken' ? outcome.value.owner : outcome.value.recorded;
  });
}

/** A store whose appends all wait until so many are there; `streams` says in which order they came. */
function waitingFor(appends: number) {
  const store = memoryEventStore();
  const streams: string[] = [];
  let open = (): void => undefined;
  const allCame = new Promise<void>((resolve) => (open = resolve));
  const append: WritableStore['append'] = async (stream, ...rest) => {
    streams.push(stream);
    if (streams.length === appends) open();
    await allCame;
    return store.append(stream, ...rest);
  };
  return { streams, store: { ...store, append } };
}

describe('a group of commands', () => {
  it('appends in the order given, without waiting for one append before the next', async () => {
    const { streams, store } = waitingFor(IDS.length);
    const outcomes = await handlerOf(store).handleAll(IDS.map((id) => making(id, null, keyless)));
    expect(new Set(described(outcomes))).to.deep.equal(new Set([true]));
    expect(streams).to.deep.equal(IDS.map((id) => `thing-${id}`));
    const made = (await gathered(store.readAll(null))).filter(({ type }) => type === 'ThingMade');
    expect(made.map(({ stream }) => stream)).to.deep.equal(streams);
  });

  it('decides all before it appends any', async () => {
    let decided = 0;
    const seen: number[] = [];
    const store = memoryEventStore();
    const counting: WritableStore = {
      ...store,
      append: async (...args) => {
        seen.push(decided);
        return store.append(...args);
      },
    };
    const authorize = async () => {
      decided += 1;
      return null;
    };
    await handlerOf(counting).handleAll(IDS.map((id) => making(id, null, { ...keyless, authorize })));
    expect(new Set(seen)).to.deep.equal(new Set([IDS.length]));
  });

  it('gives each command the outcome that it would have alone', async () => {
    const store = memoryEventStore();
    await handlerOf(store).handle(making('old', null));
    const failing: WritableStore = {
      ...store,
      append: (stream, ...rest) =>
        stream === 'thing-2' ? Promise.reject(new StoreUnavailable('away')) : store.append(stream, ...rest),
    };
    const outcomes = await handlerOf(failing).handleAll([
      making('1', null, keyless),
      making('2', null, keyless),
      changing('unknown', { note: 'x' }),
      making('3', null, { ...keyless, authorize: () => Promise.reject(new TypeError('a mistake of ours')) }),
      making('4', null, { ...keyless, authorize: async () => reject('NOT_YOURS', 'not yours') }),
      changing('old', { note: 'x' }),
      changing('old', { key: null }),
    ]);
    const expected = [true, 'StoreUnavailable', 'NOT_FOUND', 'TypeError', 'NOT_YOURS', true, false];
    expect(described(outcomes)).to.deep.equal(expected);
    const streams = (await gathered(store.readAll(null))).map(({ stream }) => stream);
    expect(new Set(streams)).to.deep.equal(new Set(['thing-old', 'thing-1']));
    expect(await handlerOf(store).handleAll([])).to.deep.equal([]);
  });

  it('lets the earlier of two creates of one stream win, and the later one returns its result', async () => {
    const store = memoryEventStore();
    const one = { ...keyless, fingerprint: 'one' };
    const outcomes = await handlerOf(store).handleAll([
      making('1', null, one),
      making('1', null, one),
      making('1', null, { ...keyless, fingerprint: 'two' }),
      making('2', null, one),
    ]);
    expect(described(outcomes)).to.deep.equal([true, false, 'KEY_REUSED', true]);
    expect(await describeEvents(store, 'thing-1')).to.deep.equal(['ThingMade:null', 'ThingNoted:"made"']);
  });

  it('decides again after a lost race, within the group or with others', async () => {
    const store = await withThing();
    const handler = handlerOf(store);
    const racing = handlerOf(
      beforeAppend(store, 'thing-1', () => handler.handle(changing('1', { note: 'of another' }))),
    );
    const notes = ['first', 'second'];
    const outcomes = await racing.handleAll(notes.map((note) => changing('1', { note })));
    expect(described(outcomes)).to.deep.equal([true, true]);
    const { state } = await new Aggregates(store).load(thing, 'thing-1');
    expect(state?.notes).to.have.members(['made', 'of another', ...notes]);
  });

  it('also appends commands that claim a key, and gives the key to the first', async () => {
    const store = memoryEventStore();
    const outcomes = await handlerOf(store).handleAll([
      making('1', 'a', { fresh: true }),
      making('2', null, keyless),
      making('3', 'a', { fresh: true }),
    ]);
    expect(described(outcomes)).to.deep.equal([true, true, 'thing-1']);
  });
});
