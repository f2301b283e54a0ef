import { setImmediate as nextTurn } from 'node:timers/promises';
import { DamagedStore } from '../../src/kernel/ports/errors.ts';
import type { Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { checksumIn, decodeEvent, previousIn, type EventRecords, type StreamHead } from './event-records.ts';

/** Events, or streams, that are checked in one step: a service may write to the store in between. */
const STEP = 128;

/**
 * Checks every event and every stream of a store; `onEvent` gets the events that are whole. Returns the number of events,
 * and of those without a checksum, which an earlier release recorded; and what is damaged, a line each, with position and
 * stream.
 */
export async function checkEvents(records: EventRecords, onEvent: (event: RecordedEvent) => void) {
  let events = 0;
  let withoutChecksum = 0;
  const damaged = new Map<Position, string>();
  let checkedUpTo = 0;
  while (true) {
    const batch = stepAfter(records, checkedUpTo);
    if (batch.length === 0) break;
    checkedUpTo = batch.at(-1)?.position ?? 0;
    for (const { position, bytes } of batch) {
      events += 1;
      if (checksumIn(bytes, position) === 'none') withoutChecksum += 1;
      const event = decodedOr(bytes, position, ({ message }) => damaged.set(position, message));
      if (event !== null) onEvent(event);
    }
    await nextTurn();
  }
  const damage = await checkStreams(records, damaged);
  records.env.refresh();
  const last = records.last();
  const known = records.head();
  if (last !== known) damage.unshift(`position ${known} is noted as the newest; the newest event is at ${last}`);
  return { events, withoutChecksum, damage };
}

function stepAfter(records: EventRecords, position: Position): ReturnType<EventRecords['eventsAfter']> {
  records.env.refresh();
  return records.eventsAfter(position, STEP);
}

function decodedOr(bytes: Buffer, position: Position, onDamage: (damage: Error) => unknown): RecordedEvent | null {
  try {
    return decodeEvent(bytes, position).event;
  } catch (error) {
    if (!(error instanceof DamagedStore)) throw error;
    onDamage(error);
    return null;
  }
}

/**
 * Checks that each stream leads to its newest event. Where there are damaged events, it also follows each stream back, as
 * the name of the stream in such an event may be what is damaged.
 */
async function checkStreams(records: EventRecords, damaged: ReadonlyMap<Position, string>): Promise<string[]> {
  const others: string[] = [];
  const streamOf = new Map<Position, string>();
  let after: string | null = null;
  while (true) {
    await nextTurn();
    records.env.refresh();
    const streams: readonly string[] = records.streamsAfter(after, STEP);
    for (const stream of streams) {
      const newest = records.streamHead(stream);
      if (newest === null) continue;
      if (!damaged.has(newest.position) && !isNewestOf(stream, newest, records)) {
        others.push(`position ${newest.position}, stream ${stream}: this is not the newest event of the stream`);
      }
      if (damaged.size > 0) follow(records, newest.position, (at) => damaged.has(at) && streamOf.set(at, stream));
    }
    after = streams.at(-1) ?? null;
    if (after === null) break;
  }
  const lines = [...damaged].map(([position, message]) => {
    const how = message.slice(message.lastIndexOf(': ') + 2);
    return `position ${position}, stream ${streamOf.get(position) ?? '(no stream leads there)'}: ${how}`;
  });
  return [...lines, ...others];
}

function isNewestOf(stream: string, { position, revision }: StreamHead, records: EventRecords): boolean {
  const bytes = records.bytes(position);
  const event = bytes && decodedOr(bytes, position, () => undefined);
  return event?.stream === stream && event.revision === revision;
}

/** Visits the events of a stream from its newest one back, as far as their bytes lead. */
function follow(records: EventRecords, newest: Position, visit: (position: Position) => unknown): void {
  let position = newest;
  let before = Infinity;
  while (position > 0 && position < before) {
    visit(position);
    before = position;
    const bytes = records.bytes(position);
    position = bytes === undefined ? 0 : previousIn(bytes);
  }
}
