import { WrongExpectedRevision } from '../kernel/ports/errors.ts';
import type { NewEvent, Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import { CopyRefused, type CommonHistory, type Histories } from './compare.ts';

/** Events that go into the target together: neighbours in the source's order that one command appended. */
interface AppendGroup {
  readonly stream: string;
  readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
}

/** What has been copied by now. */
export interface CopiedEvents {
  readonly events: number;
  /** Of these, the ones of streams that keep only their newest event. */
  readonly newestOnly: number;
  /** Position in the source up to which everything is in the target; null before the first event. */
  readonly upTo: Position | null;
}

/** How appends go to the target. */
export interface TargetOrder {
  /**
   * True where the target commits appends in the order in which they were called for: then a wave of them is in flight
   * at once. Else each append waits for the one before it, or the global order would be lost.
   */
  readonly keepsCallOrder: boolean;
}

/**
 * Events of a wave, at least, where the source has so many. The embedded store commits a wave of this size in one
 * transaction (unless its events are huge), so that a disk that is full leaves no hole in the order.
 */
const WAVE_EVENTS = 512;

/** Appends that are in flight together, and how far in the source they and what needed no copy reach. */
interface Wave {
  readonly appends: readonly AppendGroup[];
  readonly upTo: Position | null;
}

/**
 * Copies everything after what is common, in order, until the source has nothing more. Yields after each wave of
 * appends, when none is in flight: to stop there loses nothing.
 * @throws {CopyRefused} when someone else has written to the target.
 */
export async function* copyAfter(histories: Histories, common: CommonHistory, order: TargetOrder): AsyncGenerator<CopiedEvents, void> {
  let copied: CopiedEvents = { events: 0, newestOnly: 0, upTo: common.source };
  for (let more = true; more;) {
    more = false;
    const waves = wavesAfter(copied.upTo, { histories, newestIds: common.newestIds, order: order });
    for await (const wave of readAhead(waves)) {
      more = true;
      await appendAll(histories, wave.appends);
      copied = afterWave(copied, wave, histories);
      yield copied;
    }
  }
}

interface WaveOptions {
  readonly histories: Histories;
  readonly newestIds: CommonHistory['newestIds'];
  readonly order: TargetOrder;
}

async function* wavesAfter(
  after: Position | null,
  { histories, newestIds: there, order: pace }: WaveOptions,
): AsyncGenerator<Wave, undefined> {
  for await (const batch of mergedBatches(histories.source.readAll(after))) {
    const appends = groupedByCommand(await withoutReplaced(histories, batch, there));
    const upTo = batch.at(-1)?.position ?? after;
    if (pace.keepsCallOrder) yield { appends, upTo };
    else {
      for (const append of appends) yield { appends: [append], upTo: append.events.at(-1)?.position ?? upTo };
      yield { appends: [], upTo };
    }
  }
  return undefined;
}

/** Puts small batches together. */
async function* mergedBatches(
  batches: AsyncIterable<readonly RecordedEvent[]>,
): AsyncGenerator<readonly RecordedEvent[], void> {
  let together: readonly RecordedEvent[] = [];
  for await (const batch of batches) {
    together = [...together, ...batch];
    if (together.length < WAVE_EVENTS) continue;
    yield together;
    together = [];
  }
  if (together.length > 0) yield together;
}

/** Makes the next item while the consumer works on this one. */
async function* readAhead<T>(items: AsyncGenerator<T, undefined>): AsyncGenerator<T, void> {
  let next = items.next();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next();
      // A failure is heard when its turn comes, and must not end the process before.
      next.catch(() => undefined);
      yield item.value;
    }
  } finally {
    await items.return(undefined);
  }
}

function afterWave(copied: CopiedEvents, { appends, upTo }: Wave, { newestOnly }: Histories): CopiedEvents {
  let { events, newestOnly: kept } = copied;
  for (const append of appends) {
    events += append.events.length;
    if (newestOnly(append.stream)) kept += append.events.length;
  }
  return { events, newestOnly: kept, upTo };
}

/** Drops events of streams that keep only their newest: those that are not the newest, or in the target already. */
async function withoutReplaced(
  { source, newestOnly }: Histories,
  batch: readonly RecordedEvent[],
  there: ReadonlyMap<string, string>,
): Promise<readonly RecordedEvent[]> {
  const worth: RecordedEvent[] = [];
  for (const event of batch) {
    if (!newestOnly(event.stream)) worth.push(event);
    else if (there.get(event.stream) !== event.id) {
      // One that has been followed by another is of no use: the other comes later in the order.
      if ((await source.readNewest(event.stream))?.id === event.id) worth.push(event);
    }
  }
  return worth;
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

/** Waits for all, so that nothing is in flight when the first failure is thrown. */
async function appendAll({ target, newestOnly }: Histories, wave: readonly AppendGroup[]): Promise<void> {
  const ends = await Promise.allSettled(
    wave.map(({ stream, events }) =>
      target.append(stream, events.map(toNewEvent), newestOnly(stream) ? 'newest_only' : expectedRevisionBefore(events[0])),
    ),
  );
  for (const end of ends) {
    if (end.status === 'rejected') throw asCopyRefused(end.reason);
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
  const place = error.expected === 'no_stream' ? 'absent' : `at revision ${error.expected}`;
  return new CopyRefused(`stream ${error.stream} of the target should be ${place}, and is not`, { cause: error });
}
