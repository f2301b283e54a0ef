import { expect } from 'chai';
import { claimStream, KEY_CLAIMED } from '../../../src/kernel/aggregate/claims.ts';
import { UnknownEvent } from '../../../src/kernel/event-types.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import { gathered, newEvent } from '../../support/event-store/events.ts';
import { memoryEventStore } from '../../support/event-store/memory-event-store.ts';
import { failureOf } from '../../support/failure.ts';
import { oldThing } from '../../support/simulation/things.ts';
import {
  beforeAppend,
  changing,
  expectDone,
  handlerOf,
  making,
  NOW,
  stopBefore,
  describeEvents,
  withThing,
} from './handling.ts';

const A = claimStream('thingKey', 'a');

/** A follower of a cluster: the first reads of `thing-1` (default: all) show no more than some of its events. */
function followerOf(store: EventStore, { shows, reads = Infinity }: { shows: number; reads?: number }): EventStore {
  let done = 0;
  return {
    ...store,
    async *readStream(stream, ...args) {
      const isBehind = stream === 'thing-1' && (done += 1) <= reads;
      for await (const batch of store.readStream(stream, ...args)) yield isBehind ? batch.slice(0, shows) : batch;
    },
  };
}

describe('claim streams', () => {
  it('are named by the bytes of the key, whatever it is', () => {
    expect(claimStream('thingKey', 'a')).to.equal('thingKey-YQ');
    expect(claimStream('thingKey', '')).to.equal('thingKey-');
    expect(claimStream('thingKey', '🏁>?ü/')).to.match(/^thingKey-[A-Za-z0-9_-]+$/);
    const keys = ['a', 'A', 'a ', 'ä', 'a\u0308', '["x","y"]', '["x,y"]'];
    expect(new Set(keys.map((key) => claimStream('thingKey', key)))).to.have.lengthOf(keys.length);
    expect(claimStream('thingKey', '🏁'.repeat(255))).to.have.lengthOf('thingKey-'.length + 1_360);
  });
});

describe('claims', () => {
  it('record the owner, its revision and the exact events before the owner appends them', async () => {
    const store = await withThing('a');
    const [claim, ...events] = await gathered(store.readAll(null));
    expect(claim).to.include({ stream: A, type: KEY_CLAIMED });
    const announced = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    expect(claim?.data).to.deep.equal({ owner: 'thing-1', revision: 'no_stream', events: announced });
  });

  it('refuse a key that another owner holds, and name that owner', async () => {
    const store = await withThing('a');
    const { position } = expectDone(await handlerOf(store).handle(changing('1', { note: 'x' })));
    const taken = { outcome: 'taken', owner: 'thing-1', position };
    expect(await handlerOf(store).handle(making('2', 'a'))).to.deep.include(taken);
    await handlerOf(store).handle(making('3', 'b'));
    expect(await handlerOf(store).handle(changing('3', { key: 'a', note: 'y' }))).to.deep.include(taken);
    expect(await describeEvents(store, 'thing-2')).to.deep.equal([]);
    expect(await describeEvents(store, 'thing-3')).to.deep.equal(['ThingMade:"b"', 'ThingNoted:"made"']);
  });

  it('are not needed to keep a key or to give it up', async () => {
    const store = await withThing('a');
    await handlerOf(store).handle(changing('1', { key: 'a', note: 'x' }));
    await handlerOf(store).handle(changing('1', { key: null }));
    expect((await store.readNewest(A))?.revision).to.equal(0);
    expectDone(await handlerOf(store).handle(making('2', 'a')));
  });

  it('are not considered dead by a lagging follower, which sees an older state of the owner', async () => {
    const store = await withThing();
    await handlerOf(store).handle(changing('1', { note: 'x' }));
    await stopBefore(store, 'thing-1', (handler) => handler.handle(changing('1', { key: 'a' })));
    let now = NOW;
    const pauses: number[] = [];
    const follower = followerOf(store, { shows: 1 });
    const never = handlerOf(
      follower,
      () => (now += 100),
      (ms) => pauses.push(ms),
    );
    const failure = await failureOf(never.handle(making('2', 'a')));
    expect(failure, 'one that never catches up').to.be.instanceOf(StoreUnavailable);
    expect(pauses.slice(0, 7), 'pauses between looks').to.deep.equal([10, 20, 40, 80, 160, 250, 250]);
    const soon = handlerOf(followerOf(store, { shows: 1, reads: 2 }));
    expect(await soon.handle(making('3', 'a'))).to.include({ outcome: 'taken', owner: 'thing-1' });
    for (const id of ['2', '3']) expect(await describeEvents(store, `thing-${id}`)).to.deep.equal([]);
  });

  it('are not considered dead by a follower that shows only some of the events that they announced', async () => {
    const store = await withThing();
    const commands = [{ note: 'x' }, { key: 'a' }].map((data) => ({ type: 'ChangeThing', data }) as const);
    expectDone(await handlerOf(store).handle(changing('1', {}, { commands })));
    const noted = ['ThingMade:null', 'ThingNoted:"made"', 'ThingNoted:"x"'];
    expect((await describeEvents(store, 'thing-1')).slice(0, -1)).to.deep.equal(noted);
    const behind = handlerOf(followerOf(store, { shows: noted.length, reads: 1 }));
    expect(await behind.handle(making('2', 'a'))).to.include({ outcome: 'taken', owner: 'thing-1' });
    expect(await describeEvents(store, 'thing-2')).to.deep.equal([]);
  });

  it('are rolled forward verbatim, in the version in which they were claimed', async () => {
    const store = await withThing();
    const older = changing('1', { key: 'a' }, { decider: oldThing });
    await stopBefore(store, 'thing-1', (handler) => handler.handle(older));
    expect(await handlerOf(store).handle(making('2', 'a'))).to.include({ outcome: 'taken', owner: 'thing-1' });
    const { id, type, data, metadata } = (await store.readNewest('thing-1')) ?? expect.fail('not rolled forward');
    expect((await store.readNewest(A))?.data['events']).to.deep.equal([{ id, type, data, metadata }]);
    expect([data, metadata.version]).to.deep.equal([{ key: 'a' }, 1]);
  });

  it('count as recorded for the process that made them when others have rolled them forward', async () => {
    const store = memoryEventStore();
    const other = () => handlerOf(store).handle(making('2', 'a'));
    const done = expectDone(await handlerOf(beforeAppend(store, 'thing-1', other)).handle(making('1', 'a')));
    expect(done).to.include({ recorded: true, revision: 1 });
    expect(await describeEvents(store, 'thing-1')).to.deep.equal(['ThingMade:"a"', 'ThingNoted:"made"']);
  });

  it('are dead, and replaced, if their owner moves on while another command rolls them forward', async () => {
    const store = await withThing();
    await stopBefore(store, 'thing-1', (handler) => handler.handle(changing('1', { key: 'a' })));
    const movesOn = () => handlerOf(store).handle(changing('1', { note: 'moved on' }));
    expectDone(await handlerOf(beforeAppend(store, 'thing-1', movesOn)).handle(making('2', 'a')));
    expect((await store.readNewest(A))?.data).to.include({ owner: 'thing-2' });
    expect(await describeEvents(store, 'thing-1')).to.deep.equal([
      'ThingMade:null',
      'ThingNoted:"made"',
      'ThingNoted:"moved on"',
    ]);
  });

  it('let a key move away and come back', async () => {
    const store = await withThing('a');
    const handler = handlerOf(store);
    expectDone(await handler.handle(changing('1', { key: 'b' })));
    expectDone(await handler.handle(changing('1', { key: 'a' })));
    expect((await store.readNewest(A))?.data).to.include({ owner: 'thing-1', revision: 2 });
    expect(await handler.handle(making('2', 'a'))).to.include({ outcome: 'taken', owner: 'thing-1' });
    expectDone(await handler.handle(making('2', 'b')));
    expectDone(await handler.handle(changing('1', { key: null })));
    expectDone(await handler.handle(changing('2', { key: 'a' })));
    expectDone(await handler.handle(changing('1', { key: 'b' })));
  });
});

describe('claims that meet each other', () => {
  it('are resolved in order on one stream: the older one is rolled forward, the newer one decided on the result', async () => {
    const store = await withThing();
    await stopBefore(store, 'thing-1', (handler) => handler.handle(changing('1', { key: 'a', note: 'older' })));
    const done = expectDone(await handlerOf(store).handle(changing('1', { key: 'a', note: 'newer' })));
    expect(done.state).to.deep.equal({ key: 'a', notes: ['made', 'older', 'newer'] });
    expect((await store.readNewest(A))?.revision).to.equal(0);
  });

  it('are decided again when they lose to another one', async () => {
    const store = memoryEventStore();
    const other = () => handlerOf(store).handle(making('2', 'a'));
    const outcome = await handlerOf(beforeAppend(store, A, other)).handle(making('1', 'a'));
    expect(outcome).to.include({ outcome: 'taken', owner: 'thing-2' });
    expect(await describeEvents(store, 'thing-1')).to.deep.equal([]);
  });

  it("are left alone if a later release wrote the owner's stream or the claim", async () => {
    const store = await withThing();
    await handlerOf(store).handle(changing('1', { key: 'a' }));
    const asked = making('2', 'a', { decider: oldThing });
    expect(await failureOf(handlerOf(store).handle(asked))).to.be.instanceOf(UnknownEvent);
    const claim = newEvent(KEY_CLAIMED, { owner: ['thing-1'] });
    const newer = { ...claim, metadata: { ...claim.metadata, version: 2 } };
    await store.append(claimStream('thingKey', 'b'), [newer], 'no_stream');
    expect(await failureOf(handlerOf(store).handle(making('2', 'b')))).to.be.instanceOf(UnknownEvent);
    expect(await describeEvents(store, 'thing-2')).to.deep.equal([]);
  });
});
