import { WrongExpectedRevision } from '../../kernel/ports/errors.ts';
import { MAX_BATCH_BYTES, roughBytesOfEvent } from '../../kernel/ports/event-store.ts';
import type { Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { CopyRefused, type CommonHistory, type Histories } from './compare.ts';

export interface CopiedEvents {
  readonly events: number;
  /** How many of these belong to streams that keep only their newest event. */
  readonly newestOnly: number;
  /** Position in the source up to which everything is in the target; null before the first event. */
  readonly upTo: Position | null;
}

/** Most events in flight together: few enough for a slow line within the time limit of an append. */
const EVENTS_IN_FLIGHT = 512;

export interface CopyAfterOptions extends Histories {
  /** When it aborts, no more is appended. */
  readonly signal: AbortSignal;
  /**
   * Number of waves in which the events in flight are appended. The embedded store commits a wave in one transaction,
   * so with a single wave a full disk leaves no gap in the order. A server receives the next wave while it handles one;
   * when an append fails, the others in flight may or may not be stored, whatever the number of waves.
   */
  readonly wavesInFlight?: number;
  readonly onEvent?: (event: RecordedEvent) => void;
}

/** Events that are appended together; `upTo` is the position in the source that is reached with them. */
interface Wave {
  readonly events: readonly RecordedEvent[];
  readonly upTo: Position | null;
}

/**
 * Copies everything after the common beginning, in order, until the source has no more. Yields after each wave; no
 * append is in flight after the last one.
 * @throws {CopyRefused} when another process has written to the target.
 */
export async function* copyAfter(options: CopyAfterOptions, common: CommonHistory): AsyncGenerator<CopiedEvents, void> {
  let copied: CopiedEvents = { events: 0, newestOnly: 0, upTo: common.source };
  for (let more = true; more && !options.signal.aborted;) {
    more = false;
    for await (const { events, upTo } of appendedWaves(wavesAfter(copied.upTo, options, common.newestIds), options)) {
      more = true;
      const newestOnly = events.filter(({ stream }) => options.newestOnly(stream)).length;
      copied = { events: copied.events + events.length, newestOnly: copied.newestOnly + newestOnly, upTo };
      yield copied;
    }
  }
}

/** Appends waves, some at a time, until the signal aborts; yields each, in order, once it is appended. */
async function* appendedWaves(waves: AsyncIterable<Wave>, options: CopyAfterOptions): AsyncGenerator<Wave, void> {
  const { signal, wavesInFlight = 1 } = options;
  const inFlight: Promise<Wave>[] = [];
  try {
    // The next wave has been read while those before it are in flight.
    for await (const wave of waves) {
      const oldest = inFlight.length < wavesInFlight ? undefined : inFlight.shift();
      if (oldest !== undefined) yield await oldest;
      if (signal.aborted) break;
      const appended = appendAll(options, wave.events).then(() => wave);
      // Its failure is thrown in its turn; until then it must not count as an unhandled rejection.
      appended.catch(() => undefined);
      inFlight.push(appended);
    }
    for (let oldest = inFlight.shift(); oldest !== undefined; oldest = inFlight.shift()) yield await oldest;
  } finally {
    await Promise.allSettled(inFlight);
  }
}

async function* wavesAfter(after: Position | null, options: CopyAfterOptions, newestIds: CommonHistory['newestIds']) {
  for await (const batch of batchesOf(options.source.readAll(after), options)) {
    const events = await withoutReplaced(options, batch, newestIds);
    if (options.onEvent !== undefined) for (const event of events) options.onEvent(event);
    yield { events, upTo: batch.at(-1)?.position ?? after };
  }
}

/** Regroups the batches of a store into one batch for each wave. */
async function* batchesOf(batches: AsyncIterable<readonly RecordedEvent[]>, { wavesInFlight = 1 }: CopyAfterOptions) {
  const mostEvents = EVENTS_IN_FLIGHT / wavesInFlight;
  const mostBytes = MAX_BATCH_BYTES / wavesInFlight;
  let merged: RecordedEvent[] = [];
  let bytes = 0;
  for await (const batch of batches) {
    for (const event of batch) {
      merged.push(event);
      bytes += roughBytesOfEvent(event);
      if (merged.length < mostEvents && bytes < mostBytes) continue;
      yield merged;
      merged = [];
      bytes = 0;
    }
  }
  if (merged.length > 0) yield merged;
}

/** Of streams that keep only their newest event, leaves out older events, and newest ones that the target has. */
async function withoutReplaced(
  { source, newestOnly }: Histories,
  batch: readonly RecordedEvent[],
  newestIds: ReadonlyMap<string, string>,
): Promise<readonly RecordedEvent[]> {
  const needed: RecordedEvent[] = [];
  for (const event of batch) {
    if (!newestOnly(event.stream)) needed.push(event);
    else if (newestIds.get(event.stream) !== event.id) {
      // A replaced event is not needed: the newer one comes later in the order.
      if ((await source.readNewest(event.stream))?.id === event.id) needed.push(event);
    }
  }
  return needed;
}

/** Events to append in one call: those of one command that are neighbours in the order of the source. */
function groupedByCommand(events: readonly RecordedEvent[]) {
  const groups: [RecordedEvent, ...RecordedEvent[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const isSame = last?.[0].stream === event.stream && last[0].metadata.commandId === event.metadata.commandId;
    if (isSame) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** Makes all appends, and waits for all of them before it throws the first failure, so that none is in flight then. */
async function appendAll({ target, newestOnly }: Histories, events: readonly RecordedEvent[]): Promise<void> {
  const results = await Promise.allSettled(
    groupedByCommand(events).map((group) => {
      const [{ stream, revision }] = group;
      const expected = revision === 0 ? 'no_stream' : revision - 1;
      const copies = group.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
      return target.append(stream, copies, newestOnly(stream) ? 'newest_only' : expected);
    }),
  );
  for (const result of results) {
    if (result.status === 'rejected') throw asCopyRefused(result.reason);
  }
}

function asCopyRefused(error: unknown): unknown {
  if (!(error instanceof WrongExpectedRevision)) return error;
  const state = error.expected === 'no_stream' ? 'absent' : `at revision ${error.expected}`;
  return new CopyRefused(`stream ${error.stream} of the target should be ${state}, and is not`, { cause: error });
}
