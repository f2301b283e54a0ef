import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/event-store/lmdb.ts';
import { CopyRefused } from '../../src/history/compare.ts';
import { copyHistory, type CopyOptions, type CopyProgress, type CopyResult } from '../../src/history/copy.ts';
import { StoreUnavailable } from '../../src/kernel/errors.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../src/kernel/event-store.ts';
import { gathered, idsOf, newEvent, newEvents, temporaryStorePath } from '../support/event-store-events.ts';
import { memoryEventStore } from '../support/memory-event-store.ts';

const newestOnly = (stream: string): boolean => stream.startsWith('usage-');

/** Streams of the history that `fill` makes, apart from those of one kind of event each. */
const STREAMS = 7;

type Wish = Partial<Omit<CopyOptions, 'source' | 'target'>>;

function copy(source: EventStore, target: EventStore, wish: Wish = {}): Promise<CopyResult> {
  const signal = new AbortController().signal;
  return copyHistory({ source, target, newestOnly, keepsCallOrder: true, signal, onProgress: () => undefined, ...wish });
}

/** Events of several streams in turn, of one command and of several, some of kilobytes. */
async function fill(store: EventStore, appends: number): Promise<void> {
  const revisions = new Map<string, number>();
  for (let n = 0; n < appends; n++) {
    const stream = `thing-${(n * n) % STREAMS}`;
    const commandId = `command-${n}`;
    const events = newEvents(1 + (n % 3), 'ThingHappened').map((event, index): NewEvent => ({
      ...event, data: { n, index, text: 'ü'.repeat((n % 5) * 400) }, metadata: { ...event.metadata, commandId },
    }));
    const { revision } = await store.append(stream, events, revisions.get(stream) ?? 'no_stream');
    revisions.set(stream, revision);
  }
}

/** An event without its position, which is the store's own. */
function withoutPosition({ position: _, ...event }: RecordedEvent): Omit<RecordedEvent, 'position'> {
  return event;
}

async function historyOf(store: EventStore): Promise<readonly Omit<RecordedEvent, 'position'>[]> {
  return (await gathered(store.readAll(null))).map(withoutPosition);
}

async function expectCopy(source: EventStore, target: EventStore): Promise<void> {
  expect(await historyOf(target)).to.deep.equal(await historyOf(source));
}

async function refusal(run: Promise<unknown>): Promise<string> {
  const error: unknown = await run.catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(CopyRefused);
  return error instanceof CopyRefused ? error.message : '';
}

/** A store that fails for good at the append after so many. */
function failingAfter(store: EventStore, appends: number): EventStore {
  let left = appends;
  return {
    ...store,
    append: async (...call) => {
      if (left-- <= 0) throw new StoreUnavailable('the store is gone');
      return store.append(...call);
    },
  };
}

for (const keepsCallOrder of [true, false]) {
  describe(`copy of a history, appends ${keepsCallOrder ? 'in flight together' : 'one after another'}`, () => {
    const wish = { keepsCallOrder };

    it('keeps order, streams, revisions, ids, types, data and metadata', async () => {
      const [source, target] = [memoryEventStore(), memoryEventStore()];
      await fill(source, 200);
      const result = await copy(source, target, wish);
      await expectCopy(source, target);
      const events = (await historyOf(source)).length;
      const streams = new Set((await historyOf(source)).map(({ stream }) => stream)).size;
      const checked = { events, streams };
      expect(result).to.deep.equal({ complete: true, there: 0, copied: events, checked, behind: false });
    });

    it('copies nothing of an empty store, and nothing twice', async () => {
      const [source, target] = [memoryEventStore(), memoryEventStore()];
      const empty = { complete: true, there: 0, copied: 0, behind: false };
      expect(await copy(source, target, wish)).to.deep.include({ ...empty, checked: { events: 0, streams: 0 } });
      await fill(source, 20);
      const { copied } = await copy(source, target, wish);
      expect(await copy(source, target, wish)).to.deep.include({ ...empty, there: copied });
      await expectCopy(source, target);
    });

    it('goes on from every point at which it can be broken off', async () => {
      const source = memoryEventStore();
      await fill(source, 30);
      const events = (await historyOf(source)).length;
      for (let appends = 0; appends < 30; appends++) {
        const target = memoryEventStore();
        const broken: unknown = await copy(source, failingAfter(target, appends), wish).catch((error: unknown) => error);
        expect(broken).to.be.instanceOf(StoreUnavailable);
        const before = (await historyOf(target)).length;
        expect(await copy(source, target, wish)).to.deep.include({ there: before, copied: events - before });
        await expectCopy(source, target);
      }
    });

    it('stops when told to, with nothing in flight, and goes on later', async () => {
      const [source, target] = [memoryEventStore(), memoryEventStore()];
      await fill(source, 300);
      const runs: CopyResult[] = [];
      do {
        const stop = new AbortController();
        const onProgress = ({ phase }: CopyProgress): void => {
          if (phase === 'copy' && runs.length < 3) stop.abort();
        };
        runs.push(await copy(source, target, { ...wish, signal: stop.signal, onProgress }));
      } while (runs.at(-1)?.complete === false);
      expect(runs).to.have.lengthOf(4);
      for (const { complete, checked } of runs.slice(0, 3)) expect({ complete, checked }).to.include({ checked: null });
      await expectCopy(source, target);
    });

    it('copies what arrives in the source meanwhile', async () => {
      const [source, target] = [memoryEventStore(), memoryEventStore()];
      await fill(source, 100);
      let arriving = 50;
      const onProgress = ({ phase }: CopyProgress): void => {
        if (phase === 'copy' && arriving-- > 0) void source.append('late', [newEvent()], 'any');
      };
      expect(await copy(source, target, { ...wish, onProgress })).to.deep.include({ complete: true, behind: false });
      await expectCopy(source, target);
      expect((await historyOf(target)).filter(({ stream }) => stream === 'late')).not.to.be.empty;
    });
  });
}

describe('copy of a history: what it refuses and says', () => {
  let source: EventStore;
  let target: EventStore;

  beforeEach(async () => {
    [source, target] = [memoryEventStore(), memoryEventStore()];
    await fill(source, 20);
  });

  it('refuses a target with a stream that the source has not, before it writes', async () => {
    const [foreign] = [newEvent('Foreign')];
    await target.append('other', [foreign], 'no_stream');
    expect(await refusal(copy(source, target))).to.include(foreign.id).and.to.include('stream other');
    expect(idsOf(await gathered(target.readAll(null)))).to.deep.equal([foreign.id]);
  });

  it('refuses a target that has gone its own way after a copy', async () => {
    await copy(source, target);
    const foreign = newEvent('Foreign');
    await target.append('thing-0', [foreign], 'any');
    expect(await refusal(copy(source, target))).to.include(foreign.id).and.to.include('source has no event there');
    await source.append('thing-0', [newEvent()], 'any');
    expect(await refusal(copy(source, target))).to.include(foreign.id).and.to.include('where the source has');
  });

  it('refuses a target with the same ids and other contents', async () => {
    const [first, ...rest] = await gathered(source.readAll(null));
    if (first === undefined) throw new Error('no event');
    for (const changed of [{ type: 'Other' }, { data: {} }, { metadata: { ...first.metadata, correlationId: 'x' } }]) {
      const other = memoryEventStore();
      await other.append(first.stream, [{ ...first, ...changed }], 'no_stream');
      expect(await refusal(copy(source, other))).to.include('other contents');
    }
    expect(rest).not.to.be.empty;
  });

  it('refuses, naming the stream, when someone else writes to the target meanwhile', async () => {
    const racing: EventStore = {
      ...target,
      append: async (stream, events, expected) => {
        await target.append(stream, [newEvent('Foreign')], 'any');
        return target.append(stream, events, expected);
      },
    };
    expect(await refusal(copy(source, racing))).to.include('stream thing-0 of the target should be absent');
  });

  it('notices in the end what someone else wrote to a stream of their own', async () => {
    let written = false;
    const onProgress = ({ phase }: CopyProgress): void => {
      if (phase === 'copy' && !written) void target.append('other', [newEvent('Foreign')], 'no_stream');
      written = true;
    };
    expect(await refusal(copy(source, target, { onProgress }))).to.include('stream other');
  });

  it('says when the source was written to during the final check', async () => {
    const onProgress = ({ phase }: CopyProgress): void => {
      if (phase === 'check') void source.append('late', [newEvent()], 'any');
    };
    expect(await copy(source, target, { onProgress })).to.deep.include({ complete: true, behind: true });
    expect(await copy(source, target)).to.deep.include({ complete: true, behind: false });
  });

  it('tells how far each phase is, up to all of it', async () => {
    const steps: CopyProgress[] = [];
    await copy(source, target, { onProgress: (step) => steps.push(step) });
    await copy(source, target, { onProgress: (step) => steps.push(step) });
    const events = (await historyOf(source)).length;
    expect([...new Set(steps.map(({ phase }) => phase))]).to.deep.equal(['copy', 'check', 'compare']);
    for (const phase of ['copy', 'check', 'compare'] as const) {
      expect(steps.filter((step) => step.phase === phase).at(-1)).to.deep.equal({ phase, events, share: 1 });
    }
  });
});

describe('copy of a history with streams that keep only their newest event', () => {
  const paths: string[] = [];
  const stores: EventStore[] = [];
  const open = (): EventStore => {
    const path = temporaryStorePath();
    const store = openLmdbEventStore({ path });
    paths.push(path);
    stores.push(store);
    return store;
  };

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const path of paths.splice(0)) rmSync(path, { recursive: true });
  });

  async function use(store: EventStore, stream: string): Promise<NewEvent> {
    const event = newEvent('Used', { at: Math.random() });
    await store.append(stream, [event], 'newest_only');
    return event;
  }

  for (const [name, openTarget] of [['embedded', open], ['memory', () => memoryEventStore()]] as const) {
    it(`copies the newest, keeps the order of the rest, and goes on afterwards (${name})`, async () => {
      const [source, target] = [open(), openTarget()];
      for (let n = 0; n < 5; n++) {
        await use(source, 'usage-a');
        await use(source, `usage-${n}`);
        await fill(source, n === 0 ? 300 : 0);
      }
      const result = await copy(source, target);
      const content = async (store: EventStore) => (await historyOf(store)).map(({ revision: _, ...event }) => event);
      expect(await content(target)).to.deep.equal(await content(source));
      expect(result.checked?.streams).to.equal(6 + new Set((await historyOf(source))
        .filter(({ stream }) => !newestOnly(stream)).map(({ stream }) => stream)).size);
      const [later] = [await use(source, 'usage-a')];
      await source.append('after', [newEvent()], 'no_stream');
      expect(await copy(source, target)).to.deep.include({ complete: true, copied: 2 });
      expect((await target.readNewest('usage-a'))?.id).to.equal(later.id);
      expect(await content(target)).to.deep.equal(await content(source));
      expect(await copy(source, target)).to.deep.include({ complete: true, copied: 0 });
    });
  }

  it('leaves out what a source has dropped in effect but still shows', async () => {
    const [source, target] = [memoryEventStore(), open()];
    const old = newEvent('Used');
    await source.append('usage-a', [old, newEvent('Used')], 'any');
    expect(await copy(source, target)).to.deep.include({ complete: true, copied: 1 });
    expect((await target.readNewest('usage-a'))?.id).to.equal((await source.readNewest('usage-a'))?.id);
  });

  it('refuses a target where someone else has used such a stream', async () => {
    const [source, target] = [open(), open()];
    await use(source, 'usage-a');
    await source.append('thing', [newEvent()], 'no_stream');
    await copy(source, target);
    const foreign = await use(target, 'usage-a');
    expect(await refusal(copy(source, target))).to.include(foreign.id).and.to.include('usage-a');
    const other = open();
    await use(other, 'usage-b');
    expect(await refusal(copy(source, other))).to.include('usage-b');
  });

  it('copies from one embedded store into another, and back', async () => {
    const [source, target, back] = [open(), open(), open()];
    await fill(source, 500);
    await copy(source, target);
    await copy(target, back);
    await expectCopy(source, target);
    await expectCopy(source, back);
  });
});
