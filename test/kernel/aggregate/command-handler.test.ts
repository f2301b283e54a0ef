import { expect } from 'chai';
import { systemIds } from '../../../infra/system/system.ts';
import { createCommandHandler } from '../../../src/kernel/aggregate/command-handler.ts';
import { claimStream, type WritableStore } from '../../../src/kernel/aggregate/claims.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { gathered } from '../../support/event-store/events.ts';
import { memoryEventStore } from '../../support/event-store/memory-event-store.ts';
import { failureOf } from '../../support/failure.ts';
import { manualClock, passing } from '../../support/kernel/manual-clock.ts';
import {
  beforeAppend,
  changing,
  describeEvents,
  expectDone,
  handlerOf,
  making,
  NOW,
  NOW_ISO,
  withThing,
} from './handling.ts';

describe('command handler', () => {
  it('appends the events of a create together, and returns the state after them', async () => {
    const store = memoryEventStore();
    const done = expectDone(await handlerOf(store).handle(making('1', null, { fresh: true })));
    const state = { key: null, notes: ['made'] };
    const times = { createdAt: NOW_ISO, updatedAt: NOW_ISO };
    expect(done).to.deep.equal({
      outcome: 'done',
      state,
      revision: 1,
      position: 2,
      recorded: true,
      events: ['ThingMade', 'ThingNoted'],
      ...times,
    });
    expect(await describeEvents(store, 'thing-1')).to.deep.equal(['ThingMade:null', 'ThingNoted:"made"']);
  });

  it('records who, when, why and the version of the type with every event', async () => {
    const store = await withThing();
    await handlerOf(store).handle(changing('1', { key: 'a', note: 'x' }));
    const [made, noted, rekeyed] = await gathered(store.readStream('thing-1'));
    const { commandId } = made?.metadata ?? {};
    const origin = { correlationId: 'request-1', apiKeyId: 'key-1', role: 'CRUD' };
    expect(made?.metadata).to.deep.equal({ version: 1, occurredAt: NOW_ISO, commandId, ...origin });
    expect(noted?.metadata).to.deep.equal(made?.metadata);
    expect(rekeyed?.metadata).to.include({ version: 2 });
    expect(rekeyed?.metadata.commandId).not.to.equal(commandId);
  });

  it('appends the events of a change, and nothing if the change is already in effect', async () => {
    const store = await withThing();
    const changed = expectDone(await handlerOf(store).handle(changing('1', { note: 'x' })));
    expect(changed).to.include({ revision: 2, recorded: true });
    const position = await store.head();
    const done = expectDone(await handlerOf(store, () => NOW + 5).handle(changing('1', { key: null })));
    expect(done).to.include({ revision: 2, position, recorded: false, createdAt: NOW_ISO, updatedAt: NOW_ISO });
    expect(await store.head()).to.equal(position);
  });

  it('returns when the aggregate was created and when it last changed', async () => {
    const store = await withThing();
    const done = expectDone(await handlerOf(store, () => NOW + 500).handle(changing('1', { note: 'x' })));
    expect(done).to.include({ createdAt: NOW_ISO, updatedAt: '2026-01-01T12:00:00.500Z' });
  });

  it('decides again on the new state after a lost race', async () => {
    const store = await withThing();
    const other = () => handlerOf(store).handle(changing('1', { note: 'other' }));
    const racing = handlerOf(beforeAppend(store, 'thing-', other));
    const done = expectDone(await racing.handle(changing('1', { note: 'mine' })));
    expect(done.state?.notes).to.deep.equal(['made', 'other', 'mine']);
    expect(done).to.include({ recorded: true, revision: 3 });
  });

  it('recognises its own command when another process has already appended it', async () => {
    const store = await withThing();
    const lost = {
      ...store,
      append: async (...args: Parameters<typeof store.append>) => {
        await store.append(...args);
        return store.append(...args);
      },
    };
    const done = expectDone(await handlerOf(lost).handle(changing('1', { note: 'once' })));
    expect(done).to.include({ recorded: true, revision: 2 });
    expect(await describeEvents(store, 'thing-1')).to.deep.equal([
      'ThingMade:null',
      'ThingNoted:"made"',
      'ThingNoted:"once"',
    ]);
  });

  it('requires the revision that If-Match names, also after a lost race', async () => {
    const store = await withThing();
    const handler = handlerOf(store);
    const at = (revision: number, moments: readonly number[] | null = null) => ({ revision, moments });
    expectDone(await handler.handle(changing('1', { note: 'x' }, { expected: at(1) })));
    for (const expected of [at(1), at(3), 'none'] as const) {
      const outcome = await handler.handle(changing('1', { note: 'y' }, { expected }));
      expect(outcome).to.include({ code: 'REVISION_MISMATCH' });
    }
    const racing = handlerOf(beforeAppend(store, 'thing-', () => handler.handle(changing('1', { note: 'other' }))));
    const outcome = await racing.handle(changing('1', { note: 'y' }, { expected: at(2) }));
    expect(outcome).to.include({ code: 'REVISION_MISMATCH' });
    expect(await handler.handle(changing('2', { note: 'y' }, { expected: at(0) }))).to.include({ code: 'NOT_FOUND' });
    expect(await describeEvents(store, 'thing-1')).not.to.include('ThingNoted:"y"');
  });

  it('decides each of many simultaneous commands for one stream only once', async () => {
    const store = await withThing();
    let appends = 0;
    const counting: WritableStore = {
      ...store,
      append: (...args: Parameters<typeof store.append>) => {
        appends += 1;
        return store.append(...args);
      },
    };
    const handler = handlerOf(counting);
    const all = Array.from({ length: 50 }, (_, n) => handler.handle(changing('1', { note: `n${n}` })));
    for (const outcome of await Promise.all(all)) expectDone(outcome);
    expect(appends).to.equal(50);
  });

  it('does not wait for an earlier command on the stream that the store leaves unanswered', async () => {
    const store = await withThing();
    const clock = manualClock();
    let isFirst = true;
    const silent: WritableStore = {
      ...store,
      append(...args: Parameters<typeof store.append>) {
        if (!isFirst) return store.append(...args);
        isFirst = false;
        return new Promise(() => undefined);
      },
    };
    const handler = createCommandHandler({ store: silent, clock, ids: systemIds });
    const origin = { correlationId: 'request', deadline: Infinity };
    void handler.handle(changing('1', { note: 'lost' }, { origin }));
    const second = handler.handle(changing('1', { note: 'second' }, { origin }));
    await passing(clock, 1_500);
    expectDone(await second);
  });

  it('gives up at the deadline: the outcome is unknown', async () => {
    const store = await withThing();
    let now = NOW;
    const contended = {
      ...store,
      append: async (...args: Parameters<typeof store.append>) => {
        now += 600;
        await handlerOf(store).handle(changing('1', { note: `other ${now}` }));
        return store.append(...args);
      },
    };
    const error = await failureOf(handlerOf(contended, () => now).handle(changing('1', { note: 'x' })));
    expect(error).to.be.instanceOf(StoreUnavailable).with.property('message').that.includes('thing-1');
    expect(await describeEvents(store, 'thing-1')).to.have.lengthOf(4);
  });
});

describe('an aggregate with many events', () => {
  it('is read from the revision that was reached before', async () => {
    const store = await withThing();
    let events = 0;
    const counting: WritableStore = {
      ...store,
      async *readStream(...args) {
        for await (const batch of store.readStream(...args)) {
          events += batch.length;
          yield batch;
        }
      },
    };
    const handler = handlerOf(counting);
    const read: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      const before = events;
      expectDone(await handler.handle(changing('1', { note: `note ${n}` })));
      read.push(events - before);
    }
    expect(Math.max(...read)).to.be.below(60);
    expect(read.at(-1)).to.equal(1);
    // What others append meanwhile is seen.
    expectDone(await handlerOf(store).handle(changing('1', { note: 'other' })));
    const { state, revision } = expectDone(await handler.handle(changing('1', { note: 'last' })));
    expect(state?.notes.slice(-2)).to.deep.equal(['other', 'last']);
    expect(revision).to.equal((await store.readNewest('thing-1'))?.revision);
  });
});

describe('repeated creates under one id', () => {
  const first = { fresh: true, fingerprint: 'one' };

  it('are carried out once, and refused with another body', async () => {
    const handler = handlerOf(memoryEventStore());
    expect(expectDone(await handler.handle(making('1', 'a', first)))).to.include({ recorded: true });
    expect(expectDone(await handler.handle(making('1', 'a', first)))).to.include({ recorded: false, revision: 1 });
    for (const fresh of [true, false]) {
      const outcome = await handler.handle(making('1', 'a', { fresh, fingerprint: 'two' }));
      expect(outcome).to.include({ code: 'KEY_REUSED' });
    }
  });

  it('return the result of the first one even if another resource holds the key by now', async () => {
    const handler = handlerOf(memoryEventStore());
    await handler.handle(making('1', 'a', first));
    await handler.handle(changing('1', { key: 'b' }));
    await handler.handle(making('2', 'a'));
    expect(expectDone(await handler.handle(making('1', 'a', first))).state?.key).to.equal('b');
    const other = { fresh: true, fingerprint: 'two' };
    expect(await handler.handle(making('1', 'a', other))).to.include({ code: 'KEY_REUSED' });
    expect(await handler.handle(making('3', 'a', first))).to.include({ outcome: 'taken', owner: 'thing-2' });
  });

  it('are not confused with changes', async () => {
    const store = memoryEventStore();
    await handlerOf(store).handle(making('1', 'a', first));
    expectDone(await handlerOf(store).handle(changing('1', { note: 'x' })));
    expect((await store.readNewest(claimStream('thingKey', 'a')))?.revision).to.equal(0);
  });
});
