import { expect } from 'chai';
import {
  decideAll,
  mergeFields,
  evolveExisting,
  whenAbsent,
  whenPresent,
  Rejection,
} from '../../../src/service/kernel/aggregate/decider.ts';
import { UnknownEvent } from '../../../src/service/kernel/event-types.ts';
import { given, happened } from '../../support/kernel/given.ts';
import { recorded, type HistoryEvent } from '../../support/kernel/projecting.ts';
import { oldThing, thing } from '../../support/simulation/things.ts';

const made = happened('ThingMade', { key: 'a' });

describe('decider', () => {
  it('decides by the state that its events make', () => {
    const noted = happened('ThingNoted', { note: 'x' });
    given(thing)
      .when({ type: 'MakeThing', data: { key: 'a', note: 'x' } })
      .then(made, noted);
    given(thing, made)
      .when({ type: 'ChangeThing', data: { key: 'a' } })
      .thenNothing();
    given(thing, made)
      .when({ type: 'ChangeThing', data: { key: 'b' } })
      .then(happened('ThingRekeyed', { to: 'b', reason: 'asked' }));
  });

  it('refuses to change what does not exist, and creates nothing twice', () => {
    given(thing)
      .when({ type: 'ChangeThing', data: { key: 'a' } })
      .thenRejected('NOT_FOUND');
    given(thing, made)
      .when({ type: 'MakeThing', data: { key: 'b', note: 'y' } })
      .thenNothing();
  });

  it('decides commands one after the other, all of them or none', () => {
    const rekeyedTo = (key: string) => ({ type: 'ChangeThing', data: { key } }) as const;
    const rekeyed = (to: string) => happened('ThingRekeyed', { to, reason: 'asked' });
    const decided = decideAll(thing, { key: 'a', notes: [] }, [rekeyedTo('b'), rekeyedTo('b'), rekeyedTo('c')]);
    expect(decided).to.deep.equal({ events: [rekeyed('b'), rekeyed('c')], state: { key: 'c', notes: [] } });
    given(thing, made).when().thenNothing();
    given(thing).when().thenRejected('NOT_FOUND');
    given(thing)
      .when(rekeyedTo('b'), { type: 'MakeThing', data: { key: 'a', note: 'x' } })
      .thenRejected('NOT_FOUND');
  });

  it('replays stored events in whatever version', () => {
    const rekeyed: HistoryEvent = { stream: 'thing-1', type: 'ThingRekeyed', data: { key: 'old' } };
    expect(replayed(thing, rekeyed)).to.deep.equal({ key: 'old', notes: [] });
    expect(replayed(thing, { ...rekeyed, version: 2, data: { to: 'new', reason: '' } })).to.include({ key: 'new' });
  });

  it('does not replay an event that it does not know', () => {
    const unknown: HistoryEvent = { stream: 'thing-1', type: 'ThingPainted', data: {} };
    expect(() => replayed(thing, unknown)).to.throw(UnknownEvent, 'ThingPainted');
    const newer: HistoryEvent = {
      stream: 'thing-1',
      type: 'ThingRekeyed',
      version: 2,
      data: { to: 'new', reason: '' },
    };
    expect(() => replayed(oldThing, newer)).to.throw(UnknownEvent, 'ThingRekeyed');
    expect(() => replayed(thing, { ...unknown, type: 'constructor' })).to.throw(UnknownEvent, 'constructor');
  });

  it('has no handler for events that it never decides', () => {
    expect(() => thing.evolve(null, happened('ThingPainted'))).to.throw('no handler for ThingPainted');
  });
});

describe('guards of deciders', () => {
  it('whenPresent and whenAbsent distinguish what exists from what does not', () => {
    const change = whenPresent((state: { n: number }, by: number) => [state.n + by]);
    expect(change({ n: 1 }, 2)).to.deep.equal([3]);
    expect(change(null, 2)).to.be.instanceOf(Rejection).and.to.include({ code: 'NOT_FOUND' });
    const create = whenAbsent((n: number) => [n]);
    expect(create(null, 1)).to.deep.equal([1]);
    expect(create({ n: 1 }, 2)).to.deep.equal([]);
  });

  it('present and merged demand a first event that creates', () => {
    expect(evolveExisting((state: { n: number }, by: number) => ({ n: state.n + by }))({ n: 1 }, 2)).to.deep.equal({
      n: 3,
    });
    expect(mergeFields({ n: 1, m: 1 }, { m: 2 })).to.deep.equal({ n: 1, m: 2 });
    expect(() => evolveExisting((state: { n: number }) => state)(null, 1)).to.throw('before the one that creates');
    expect(() => mergeFields<{ n: number }>(null, { n: 1 })).to.throw('before the one that creates');
  });
});

function replayed(decider: typeof thing, event: HistoryEvent) {
  return recorded([event]).reduce((state, each) => decider.replay(state, each), decider.initial);
}
