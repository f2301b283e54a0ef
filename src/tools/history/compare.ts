import { sameJson } from '../../kernel/json.ts';
import type { EventStore, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';

export interface Histories {
  readonly source: Pick<EventStore, 'readAll' | 'readNewest' | 'head'>;
  readonly target: Pick<EventStore, 'readAll' | 'head' | 'append'>;
  /** Whether a stream keeps only its newest event (usage streams): a source may still return older ones, with gaps. */
  readonly newestOnly: (stream: string) => boolean;
}

/** The common beginning of source and target. */
export interface CommonHistory {
  /** Number of events, without those of streams that keep only their newest. */
  readonly events: number;
  /** Number of streams, without those that keep only their newest event. */
  readonly streams: number;
  /** Position of the last common event in the source, and of the last event read in the target. */
  readonly source: Position | null;
  readonly target: Position | null;
  /** Id of the newest event in the target of each stream that keeps only its newest. */
  readonly newestIds: ReadonlyMap<string, string>;
}

/** The common beginning of two empty stores. */
export const NOTHING_IN_COMMON: CommonHistory = {
  events: 0,
  streams: 0,
  source: null,
  target: null,
  newestIds: new Map(),
};

/** The target cannot become a copy of the source; the message says why and names the stream. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/**
 * Compares the events of the target after `from` with those of the source: stream, revision, id, type, data and
 * metadata, in the same order. Yields the common beginning after each batch of the target; the last one covers the
 * whole target.
 * @throws {CopyRefused} at the first event of the target that is not the source's next.
 */
export async function* compareHistories(
  { source, target, newestOnly }: Histories,
  from: CommonHistory,
): AsyncGenerator<CommonHistory, void> {
  const expected = inOrder(source.readAll(from.source), newestOnly);
  const common = { ...from, newestIds: new Map(from.newestIds) };
  const add = async (found: RecordedEvent): Promise<void> => {
    common.target = found.position;
    if (newestOnly(found.stream)) {
      common.newestIds.set(found.stream, found.id);
      return;
    }
    const { value: same } = await expected.next();
    expectSame(found, same);
    common.events += 1;
    common.streams += Number(same.revision === 0);
    common.source = same.position;
  };
  try {
    for await (const batch of target.readAll(from.target)) {
      for (const found of batch) await add(found);
      yield { ...common };
    }
  } finally {
    await expected.return(undefined);
  }
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

function expectSame(found: RecordedEvent, expected: RecordedEvent | undefined): asserts expected is RecordedEvent {
  if (expected === undefined) {
    throw new CopyRefused(`the target holds ${describe(found)}, and the source has no event there`);
  }
  if (found.stream !== expected.stream || found.revision !== expected.revision || found.id !== expected.id) {
    throw new CopyRefused(`the target holds ${describe(found)} where the source has ${describe(expected)}`);
  }
  const isSame = sameJson(found.data, expected.data) && sameJson({ ...found.metadata }, { ...expected.metadata });
  if (found.type !== expected.type || !isSame) {
    throw new CopyRefused(`the target holds ${describe(found)} with other contents than the source`);
  }
}

function describe({ stream, revision, type, id }: RecordedEvent): string {
  return `${type} ${id} (stream ${stream}, revision ${revision})`;
}
