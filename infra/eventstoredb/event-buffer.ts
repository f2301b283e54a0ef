import { MAX_BATCH_BYTES, roughBytesOfEvent } from '../../src/kernel/ports/event-store.ts';
import type { Delivery, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { PAGE_EVENTS } from './event-reader.ts';
import type { LogEntry } from './events.ts';

/** Size at which the buffer is full: events and bytes of some deliveries. */
const MAX_EVENTS = 4 * PAGE_EVENTS;
const MAX_BYTES = 2 * MAX_BATCH_BYTES;

export type EventBuffer = ReturnType<typeof createEventBuffer>;

/** Creates a buffer of the matching events that wait for the consumer, each once and in order. */
export function createEventBuffer(after: Position | null) {
  /** The events, and about how many bytes each takes. */
  const waiting: { readonly event: RecordedEvent; readonly bytes: number }[] = [];
  let allBytes = 0;
  let position = after ?? -1;
  /** Position of the last delivery. */
  let deliveredUpTo = position;
  /** Whether the head was reached and that has not been delivered yet. */
  let headReached = false;
  let reportedHead = -1;
  const takeBatch = (): readonly RecordedEvent[] => {
    let count = 0;
    let bytes = 0;
    for (const one of waiting) {
      if (count >= PAGE_EVENTS || bytes >= MAX_BATCH_BYTES) break;
      count += 1;
      bytes += one.bytes;
    }
    allBytes -= bytes;
    return waiting.splice(0, count).map(({ event }) => event);
  };
  return {
    /** Position up to which all matching events have been added; -1 for the start. */
    position: () => position,
    size: () => waiting.length,
    /** Whether there are enough events for the largest delivery. */
    hasBatch: () => waiting.length >= PAGE_EVENTS || allBytes >= MAX_BATCH_BYTES,
    isFull: () => waiting.length >= MAX_EVENTS || allBytes >= MAX_BYTES,
    /** Adds an entry; false when it had been added before. */
    push(entry: LogEntry): boolean {
      if (entry.position <= position) return false;
      ({ position } = entry);
      if (entry.event !== null) {
        const bytes = roughBytesOfEvent(entry.event);
        waiting.push({ event: entry.event, bytes });
        allBytes += bytes;
      }
      return true;
    },
    /** The current position is the head of the log. */
    reachedHead(): void {
      headReached = position !== reportedHead;
    },
    /** The next delivery; null when there is none. `head` is the newest position known. */
    next(head: Position): Delivery | null {
      if (position < 0 || (position === deliveredUpTo && !headReached)) return null;
      const events = takeBatch();
      deliveredUpTo = waiting.length === 0 ? position : (events.at(-1)?.position ?? position);
      const caughtUp = deliveredUpTo === position && (headReached || deliveredUpTo >= head);
      if (caughtUp) {
        headReached = false;
        reportedHead = deliveredUpTo;
      }
      return { events, upTo: deliveredUpTo, caughtUp };
    },
  };
}
