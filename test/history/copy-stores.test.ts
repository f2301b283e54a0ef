import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore, NewEvent } from '../../src/kernel/ports/event-store.ts';
import {
  copy,
  expectCopy,
  failingAfter,
  fill,
  historyOf,
  newestOnly,
  expectRefused,
} from '../support/history/copying.ts';
import { useDirectories } from '../support/directories.ts';
import { newEvent } from '../support/event-store/events.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { failureOf } from '../support/failure.ts';
import { PATIENCE_MS } from '../support/processes/waits.ts';

const directory = useDirectories();

describe('copy of a history with streams that keep only their newest event', () => {
  const doubles = useDoubles();
  const stores: EventStore[] = [];
  const open = async (): Promise<EventStore> => {
    const store = await openLmdbEventStore({ path: directory() });
    stores.push(store);
    return store;
  };

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });

  async function use(store: EventStore, stream: string): Promise<NewEvent> {
    const event = newEvent('Used', { at: Math.random() });
    await store.append(stream, [event], 'newest_only');
    return event;
  }

  it('copies the newest event of each, keeps the order of all others, and continues afterwards', async () => {
    const source = await open();
    const target = await open();
    for (let n = 0; n < 5; n++) {
      await use(source, 'usage-a');
      await use(source, `usage-${n}`);
      await fill(source, n === 0 ? 300 : 0);
    }
    const result = await copy(source, target);
    const content = async (store: EventStore) => (await historyOf(store)).map(({ revision: _, ...event }) => event);
    expect(await content(target)).to.deep.equal(await content(source));
    expect(result.checked?.streams).to.equal(
      6 +
        new Set((await historyOf(source)).filter(({ stream }) => !newestOnly(stream)).map(({ stream }) => stream)).size,
    );
    const later = await use(source, 'usage-a');
    await source.append('after', [newEvent()], 'no_stream');
    expect(await copy(source, target)).to.deep.include({ complete: true, copied: 2 });
    expect((await target.readNewest('usage-a'))?.id).to.equal(later.id);
    expect(await content(target)).to.deep.equal(await content(source));
    expect(await copy(source, target)).to.deep.include({ complete: true, copied: 0 });
  });

  it('leaves out events that are superseded but not yet deleted in the source', async () => {
    const source = memoryEventStore();
    const target = await open();
    const old = newEvent('Used');
    await source.append('usage-a', [old, newEvent('Used')], 'any');
    expect(await copy(source, target)).to.deep.include({ complete: true, copied: 1 });
    expect((await target.readNewest('usage-a'))?.id).to.equal((await source.readNewest('usage-a'))?.id);
  });

  it('refuses a target where someone else has used such a stream', async () => {
    const source = await open();
    const target = await open();
    await use(source, 'usage-a');
    await source.append('thing', [newEvent()], 'no_stream');
    await copy(source, target);
    const foreign = await use(target, 'usage-a');
    await expectRefused(copy(source, target), foreign.id, 'usage-a');
    const other = await open();
    await use(other, 'usage-b');
    await expectRefused(copy(source, other), 'usage-b');
  });

  it('copies from the embedded store into EventStoreDB, and back into another', async () => {
    const { url } = await doubles.start();
    const servers = doubles.open({ url, timeoutMs: PATIENCE_MS });
    const source = await open();
    const back = await open();
    await use(source, 'usage-a');
    await fill(source, 100);
    await use(source, 'usage-a');
    expect(await failureOf(copy(source, failingAfter(servers, 60)))).to.be.instanceOf(StoreUnavailable);
    const { complete, there, copied } = await copy(source, servers);
    expect({ complete, events: there + copied }).to.include({ complete: true, events: 200 });
    await use(source, 'usage-a');
    expect(await copy(source, servers)).to.include({ complete: true, copied: 1 });
    expect(await copy(servers, back)).to.include({ complete: true, there: 0, copied: 200 });
    const withoutRevisions = async (store: EventStore) =>
      (await historyOf(store)).map((event) => (newestOnly(event.stream) ? { ...event, revision: 0 } : event));
    expect(await withoutRevisions(back)).to.deep.equal(await withoutRevisions(source));
  });

  it('continues after EventStoreDB has lost its connections at any point', async () => {
    const double = await doubles.start();
    const target = doubles.open({ url: double.url, timeoutMs: PATIENCE_MS });
    const source = memoryEventStore();
    await fill(source, 400);
    let appends = 0;
    let failures = 0;
    const breaking: EventStore = {
      ...target,
      append: async (...call) => {
        appends += 1;
        if (failures < 4 && appends % 97 === 0) double.faults.answersToLose = 1;
        if (failures < 4 && appends % 131 === 0) double.faults.reset();
        return target.append(...call);
      },
    };
    const attempt = async (): Promise<boolean> => {
      try {
        return (await copy(source, breaking, { wavesInFlight: 4 })).complete;
      } catch (error) {
        expect(error).to.be.instanceOf(StoreUnavailable);
        failures += 1;
        return false;
      }
    };
    while (!(await attempt())) expect(failures).to.be.below(20);
    expect(failures).to.be.above(2);
    await expectCopy(source, target);
  });
});
