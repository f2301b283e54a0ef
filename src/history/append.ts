import { WrongExpectedRevision } from '../kernel/ports/errors.ts';
import {
  MAX_BATCH_BYTES,
  roughBytesOfEvent,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../kernel/ports/event-store.ts';
import { CopyRefused, type CommonHistory, type Histories } from './compare.ts';

/** Events to append in one call: those of one command that are neighbours in the order of the source. */
interface AppendGroup {
  readonly stream: string;
  readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
}

/** What has been copied so far. */
export interface CopiedEvents {
  readonly events: number;
  /** How many of these belong to streams that keep only their newest event. */
  readonly newestOnly: number;
  /** Position in the source up to which everything is in the target; null before the first event. */
  readonly upTo: Position | null;
}

/**
 * A wave, the appends that are in flight together, is complete with so many events, or so many bytes: little enough for a
 * slow line within the time limit of an append. The embedded store commits a wave in one transaction, so that a full disk
 * leaves no gap in the order.
 */
const WAVE_EVENTS = 512;

/** Appends that are in flight together; `upTo` is the position in the source that is reached with them. */
interface Wave {
  readonly appends: readonly AppendGroup[];
  readonly upTo: Position | null;
}

/**
 * Copies everything after what both have in common, in order, until the source has no more. Yields after each wave, when
 * no append is in flight: stopping there loses nothing.
 * @throws {CopyRefused} when another process has written to the target.
 */
export async function* copyAfter(histories: Histories, common: CommonHistory): AsyncGenerator<CopiedEvents, void> {
  let copied: CopiedEvents = { events: 0, newestOnly: 0, upTo: common.source };
  for (let more = true; more;) {
    more = false;
    const waves = wavesAfter(copied.upTo, histories, common.newestIds);
    for await (const wave of readAhead(waves)) {
      more = true;
      await appendAll(histories, wave.appends);
      copied = afterWave(copied, wave, histories);
      yield copied;
    }
  }
}

async function* wavesAfter(
  after: Position | null,
  histories: Histories,
  newestIds: CommonHistory['newestIds'],
): AsyncGenerator<Wave, undefined> {
  for await (const batch of mergedBatches(histories.source.readAll(after))) {
    const appends = groupedByCommand(await withoutReplaced(histories, batch, newestIds));
    const upTo = batch.at(-1)?.position ?? after;
    yield { appends, upTo };
  }
  return undefined;
}

/** Merges small batches into ones of WAVE_EVENTS or MAX_BATCH_BYTES. */
async function* mergedBatches(
  batches: AsyncIterable<readonly RecordedEvent[]>,
): AsyncGenerator<readonly RecordedEvent[], void> {
  let merged: RecordedEvent[] = [];
  let bytes = 0;
  for await (const batch of batches) {
    for (const event of batch) {
      merged.push(event);
      bytes += roughBytesOfEvent(event);
      if (merged.length < WAVE_EVENTS && bytes < MAX_BATCH_BYTES) continue;
      yield merged;
      [merged, bytes] = [[], 0];
    }
  }
  if (merged.length > 0) yield merged;
}

/** Produces the next item while the consumer works on this one. */
async function* readAhead<T>(items: AsyncGenerator<T, undefined>): AsyncGenerator<T, void> {
  let next = items.next();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next();
      // Its failure is thrown in its turn; until then it must not count as an unhandled rejection.
      next.catch(() => undefined);
      yield item.value;
    }
  } finally {
    await items.return(undefined);
  }
}

function afterWave(copied: CopiedEvents, { appends, upTo }: Wave, { newestOnly }: Histories): CopiedEvents {
  let { events, newestOnly: ofNewestOnly } = copied;
  for (const append of appends) {
    events += append.events.length;
    if (newestOnly(append.stream)) ofNewestOnly += append.events.length;
  }
  return { events, newestOnly: ofNewestOnly, upTo };
}

/** Leaves out, of streams that keep only their newest event, those that are not it or are in the target already. */
async function withoutReplaced(
  { source, newestOnly }: Histories,
  batch: readonly RecordedEvent[],
  newestIds: ReadonlyMap<string, string>,
): Promise<readonly RecordedEvent[]> {
  const needed: RecordedEvent[] = [];
  for (const event of batch) {
    if (!newestOnly(event.stream)) needed.push(event);
    else if (newestIds.get(event.stream) !== event.id) {
      // One that has been replaced is not needed: the newer one comes later in the order.
      if ((await source.readNewest(event.stream))?.id === event.id) needed.push(event);
    }
  }
  return needed;
}

function groupedByCommand(events: readonly RecordedEvent[]): readonly AppendGroup[] {
  const appends: AppendGroup[] = [];
  for (const event of events) {
    const last = appends.at(-1);
    const [first] = last?.events ?? [];
    if (last?.stream === event.stream && first?.metadata.commandId === event.metadata.commandId) {
      appends[appends.length - 1] = { ...last, events: [...last.events, event] };
    } else appends.push({ stream: event.stream, events: [event] });
  }
  return appends;
}

/** Appends all, and waits for all before the first failure is thrown, so that none is in flight then. */
async function appendAll({ target, newestOnly }: Histories, wave: readonly AppendGroup[]): Promise<void> {
  const results = await Promise.allSettled(
    wave.map(({ stream, events }) =>
      target.append(
        stream,
        events.map(toNewEvent),
        newestOnly(stream) ? 'newest_only' : expectedRevisionBefore(events[0]),
      ),
    ),
  );
  for (const result of results) {
    if (result.status === 'rejected') throw asCopyRefused(result.reason);
  }
}

function toNewEvent({ id, type, data, metadata }: RecordedEvent): NewEvent {
  return { id, type, data, metadata };
}

function expectedRevisionBefore({ revision }: RecordedEvent): number | 'no_stream' {
  return revision === 0 ? 'no_stream' : revision - 1;
}

function asCopyRefused(error: unknown): unknown {
  if (!(error instanceof WrongExpectedRevision)) return error;
  const state = error.expected === 'no_stream' ? 'absent' : `at revision ${error.expected}`;
  return new CopyRefused(`stream ${error.stream} of the target should be ${state}, and is not`, { cause: error });
}
