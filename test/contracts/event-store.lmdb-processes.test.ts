import { once } from 'node:events';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import type { Delivery, EventStore, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import {
  deliveriesUntil,
  eventsOf,
  gathered,
  idsOf,
  newEvent,
  newEvents,
  newStream,
} from '../support/event-store/events.ts';
import type { Acknowledged } from '../support/event-store/writer.ts';
import { depth } from '../support/depth.ts';
import { useDirectories } from '../support/directories.ts';
import { forkScript } from '../support/processes/script.ts';

/** Appends of each of those that write side by side: of four kilobytes on average. */
const APPENDS = depth({ short: 1_000, deep: 4_000 });

/** How often a writer is killed, and after how many acknowledged appends. */
const KILLS = depth({ short: 3, deep: 10 });
const ACKNOWLEDGED_BEFORE_KILL = 200;

const NO_END = 1_000_000;

const directory = useDirectories();

describe('event store on LMDB, several processes', () => {
  let path: string;
  let store: EventStore;

  beforeEach(async () => {
    path = directory();
    store = await openLmdbEventStore({ path });
  });
  afterEach(() => store.close());

  it('keeps one order, every acknowledged event and no partial append while writers start, stop and are killed', async () => {
    const followed = deliveriesUntil(store.subscribe(null, ['Written', 'End'], new AbortController().signal), isEnd);
    const writings = [write(path, APPENDS), write(path, APPENDS)];
    const own = appendOften(store, APPENDS / 4);
    const visitors = [openOften(path, 100), openOften(path, 100)];
    for (let n = 0; n < KILLS; n++) {
      const victim = write(path, NO_END);
      await acknowledgedCount(victim, ACKNOWLEDGED_BEFORE_KILL);
      victim.child.kill('SIGKILL');
      writings.push(victim);
    }
    expect(await Promise.all(visitors)).to.deep.equal([
      [0, null],
      [0, null],
    ]);
    await Promise.all([own, ...writings.map(({ ended }) => ended)]);
    await store.append(newStream(), [newEvent('End')], 'no_stream');
    const all = await gathered(store.readAll(null));
    expectWhole(
      all.filter(({ type }) => type === 'Written'),
      writings.flatMap((writing) => writing.acknowledged),
    );
    expect(eventsOf(await followed)).to.deep.equal(all.filter(({ type }) => type !== 'Own'));
    expect(all.map(({ position }) => position)).to.deep.equal(all.map((_, at) => at + 1));
    expect(JSON.stringify(all).length).to.be.greaterThan(5_000 * APPENDS);
  });
});

/** A process that writes, and the ids of the events whose appends were acknowledged. */
function write(path: string, appends: number) {
  const child = forkScript('event-store/writer', [path, String(appends)]);
  const acknowledged: string[] = [];
  // The writer sends nothing else.
  child.on('message', (message) => acknowledged.push(...(message as Acknowledged).flat()));
  return { child, acknowledged, ended: once(child, 'exit') };
}

/** Resolves to exit code and signal. */
function openOften(path: string, times: number): Promise<unknown> {
  return once(forkScript('event-store/opener', [path, String(times)]), 'exit');
}

async function acknowledgedCount({ child, acknowledged }: ReturnType<typeof write>, count: number): Promise<void> {
  while (acknowledged.length < count) await once(child, 'message');
}

async function appendOften(store: EventStore, times: number): Promise<void> {
  const stream = newStream();
  for (let n = 0; n < times; n++) await store.append(stream, newEvents(1, 'Own'), n === 0 ? 'no_stream' : n - 1);
}

function isEnd({ events }: Delivery): boolean {
  return events.some(({ type }) => type === 'End');
}

/** Each acknowledged event is there once, each append whole, and each stream counts from 0 without a gap. */
function expectWhole(events: readonly RecordedEvent[], acknowledged: readonly string[]): void {
  const ids = new Set(idsOf(events));
  expect(ids.size).to.equal(events.length);
  expect(acknowledged.filter((id) => !ids.has(id))).to.deep.equal([]);
  const next = new Map<string, number>();
  const open = new Map<string, number>();
  for (const { stream, revision, data } of events) {
    expect(revision).to.equal(next.get(stream) ?? 0);
    next.set(stream, revision + 1);
    expect(data['index']).to.equal(open.get(stream) ?? 0);
    open.set(stream, (Number(data['index']) + 1) % Number(data['size']));
  }
  expect([...open.values()].filter((index) => index !== 0)).to.deep.equal([]);
}
