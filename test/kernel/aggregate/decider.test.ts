import { expect } from 'chai';
import { UnknownEvent } from '../../../src/kernel/event-types.ts';
import { happened } from '../../support/kernel/given.ts';
import { recorded, type HistoryEvent } from '../../support/kernel/projecting.ts';
import { oldThing, thing } from '../../support/simulation/things.ts';

const rekeyed: HistoryEvent = { stream: 'thing-1', type: 'ThingRekeyed', data: { key: 'old' } };
const newer = { ...rekeyed, version: 2, data: { to: 'new', reason: '' } };

// What it decides, and how it evolves, is tested by the laws of resources (`test/commands/resources.test.ts`).
describe('decider', () => {
  it('replays stored events of any version', () => {
    expect(replayed(thing, rekeyed)).to.deep.equal({ key: 'old', notes: [] });
    expect(replayed(thing, newer)).to.include({ key: 'new' });
  });

  it('throws at an event of an unknown type', () => {
    for (const type of ['ThingPainted', 'constructor'])
      expect(() => replayed(thing, { ...rekeyed, type })).to.throw(UnknownEvent, type);
    expect(() => replayed(oldThing, newer)).to.throw(UnknownEvent, 'ThingRekeyed');
    expect(() => thing.evolve(null, happened('ThingPainted'))).to.throw('no handler for ThingPainted');
  });
});

function replayed(decider: typeof thing, event: HistoryEvent) {
  return recorded([event]).reduce((state, each) => decider.replay(state, each), decider.initial);
}
