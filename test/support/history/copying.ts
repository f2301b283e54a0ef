import { expect } from 'chai';
import { CopyRefused } from '../../../src/tools/history/compare.ts';
import { copyHistory, type CopyOptions, type CopyResult } from '../../../src/tools/history/copy.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { gathered, newEvents } from '../event-store/events.ts';
import { failureOf } from '../failure.ts';

/** The category of streams that keep only their newest event in these tests. */
export const newestOnly = (stream: string): boolean => stream.startsWith('usage-');

/** Number of streams that `fill` writes. */
const STREAMS = 7;

type CopyTestOptions = Partial<Omit<CopyOptions, 'source' | 'target'>>;

/** Copies one store into another. */
export function copy(source: EventStore, target: EventStore, wish: CopyTestOptions = {}): Promise<CopyResult> {
  const signal = new AbortController().signal;
  const usual = { signal, onProgress: () => undefined };
  return copyHistory({ source, target, newestOnly, ...usual, ...wish });
}

/** Appends events to several streams in turn, one or more per append, some with kilobytes of data. */
export async function fill(store: EventStore, appends: number): Promise<void> {
  const revisions = new Map<string, number>();
  for (let n = 0; n < appends; n++) {
    const stream = `thing-${(n * n) % STREAMS}`;
    const commandId = `command-${n}`;
    const events = newEvents(1 + (n % 3), 'ThingHappened').map((event, index): NewEvent => ({
      ...event,
      data: { n, index, text: 'ü'.repeat((n % 5) * 400) },
      metadata: { ...event.metadata, commandId },
    }));
    const { revision } = await store.append(stream, events, revisions.get(stream) ?? 'no_stream');
    revisions.set(stream, revision);
  }
}

/** An event without its position, which differs between stores. */
function withoutPosition({ position: _, ...event }: RecordedEvent): Omit<RecordedEvent, 'position'> {
  return event;
}

/** Everything that a store holds, in order. */
export async function historyOf(store: EventStore): Promise<readonly Omit<RecordedEvent, 'position'>[]> {
  return (await gathered(store.readAll(null))).map(withoutPosition);
}

/** Expects the same events in the same order, with the same revisions. */
export async function expectCopy(source: EventStore, target: EventStore): Promise<void> {
  expect(await historyOf(target)).to.deep.equal(await historyOf(source));
}

/** Expects a refusal whose message includes these texts. */
export async function expectRefused(run: Promise<unknown>, ...texts: readonly string[]): Promise<void> {
  const error = await failureOf(run);
  expect(error).to.be.instanceOf(CopyRefused);
  for (const text of texts) expect(String(error)).to.include(text);
}

/** A store that fails for good after a number of appends. */
export function failingAfter(store: EventStore, appends: number): EventStore {
  let left = appends;
  return {
    ...store,
    append: async (...call) => {
      if (left-- <= 0) throw new StoreUnavailable('the store is gone');
      return store.append(...call);
    },
  };
}
