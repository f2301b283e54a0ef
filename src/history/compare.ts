import { isDeepStrictEqual } from 'node:util';
import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';

/** Two event stores, one of which is to become a copy of the other. */
export interface Histories {
  readonly source: Pick<EventStore, 'readAll' | 'readNewest' | 'head'>;
  readonly target: Pick<EventStore, 'readAll' | 'head' | 'append'>;
  /**
   * Names the streams of which only the newest event counts (usage streams). Of these a source shows what it has not
   * dropped yet, at revisions with gaps, so they are told apart by event id alone, and stand outside the order.
   */
  readonly newestOnly: (stream: string) => boolean;
}

/** What source and target have in common, counted from their beginnings. */
export interface CommonHistory {
  /** Events, without those of streams that keep only their newest. */
  readonly events: number;
  /** Streams, without those that keep only their newest. */
  readonly streams: number;
  /** Position of the last common event in each store; in the target, of whatever was looked at last. */
  readonly source: Position | null;
  readonly target: Position | null;
  /** Id of the newest event in the target of each stream that keeps only its newest. */
  readonly newestIds: ReadonlyMap<string, string>;
}

/** Two empty stores have this in common. */
export const NOTHING_IN_COMMON: CommonHistory = { events: 0, streams: 0, source: null, target: null, newestIds: new Map() };

/** The target cannot become a copy of the source; the message says why and names the stream. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/**
 * Walks through the target from what is known to be common on, and holds each event against the source's: stream,
 * revision, id, type, data and metadata, in the same order. Yields what is common after each batch of the target, so
 * the last value is how far the target has come.
 * @throws {CopyRefused} at the first event of the target that is not the source's next.
 */
export async function* compareHistories(histories: Histories, from: CommonHistory): AsyncGenerator<CommonHistory, void> {
  const { source, target, newestOnly } = histories;
  const wanted = inOrder(source.readAll(from.source), newestOnly);
  let common = from;
  try {
    for await (const batch of target.readAll(from.target)) {
      common = await withBatch(common, { batch, wanted, newestOnly });
      yield common;
    }
  } finally {
    await wanted.return(undefined);
  }
}

interface NextBatch {
  readonly batch: readonly RecordedEvent[];
  readonly wanted: AsyncGenerator<RecordedEvent, undefined>;
  readonly newestOnly: Histories['newestOnly'];
}

async function withBatch(before: CommonHistory, { batch, wanted, newestOnly }: NextBatch): Promise<CommonHistory> {
  let { events, streams, source, target } = before;
  const kept = new Map(before.newestIds);
  for (const found of batch) {
    target = found.position;
    if (newestOnly(found.stream)) kept.set(found.stream, found.id);
    else {
      const { value: same } = await wanted.next();
      expectSame(found, same);
      events += 1;
      streams += Number(same.revision === 0);
      source = same.position;
    }
  }
  return { events, streams, source, target, newestIds: kept };
}

async function* inOrder(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  newestOnly: (stream: string) => boolean,
): AsyncGenerator<RecordedEvent, undefined> {
  for await (const batch of batches) {
    for (const event of batch) if (!newestOnly(event.stream)) yield event;
  }
  return undefined;
}

function expectSame(found: RecordedEvent, wanted: RecordedEvent | undefined): asserts wanted is RecordedEvent {
  if (wanted === undefined) {
    throw new CopyRefused(`the target holds ${describe(found)}, and the source has no event there`);
  }
  if (found.stream !== wanted.stream || found.revision !== wanted.revision || found.id !== wanted.id) {
    throw new CopyRefused(`the target holds ${describe(found)} where the source has ${describe(wanted)}`);
  }
  if (found.type !== wanted.type || !isDeepStrictEqual(contentOf(found), contentOf(wanted))) {
    throw new CopyRefused(`the target holds ${describe(found)} with other contents than the source`);
  }
}

function contentOf({ data, metadata }: RecordedEvent): readonly unknown[] {
  return [data, metadata];
}

function describe({ stream, revision, type, id }: RecordedEvent): string {
  return `${type} ${id} (stream ${stream}, revision ${revision})`;
}
