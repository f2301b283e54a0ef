import { MAX_BATCH_BYTES, roughBytesOfEvent } from '../../src/service/kernel/ports/event-store.ts';
import type { Delivery, Position, RecordedEvent } from '../../src/service/kernel/ports/event-store.ts';
import { PAGE_EVENTS } from './event-reader.ts';
import type { LogEntry } from './events.ts';

/** Size at which the buffer is full: events and bytes of some deliveries. */
const MAX_EVENTS = 4 * PAGE_EVENTS;
const MAX_BYTES = 2 * MAX_BATCH_BYTES;

/** The matching events that wait for the consumer, each once and in order. */
export class EventBuffer {
  /** With about how many bytes each takes. */
  #events: { readonly event: RecordedEvent; readonly bytes: number }[] = [];
  /** About how many bytes the events take. */
  #bytes = 0;
  #position: Position;
  /** Position of the last delivery. */
  #deliveredUpTo: Position;
  /** Whether the head was reached and that has not been delivered yet. */
  #headReached = false;
  #reportedHead: Position = -1;

  constructor(after: Position | null) {
    this.#position = after ?? -1;
    this.#deliveredUpTo = this.#position;
  }

  /** Position up to which all matching events have been added; -1 for the start. */
  get position(): Position {
    return this.#position;
  }

  get size(): number {
    return this.#events.length;
  }

  /** Whether there are enough events for the largest delivery. */
  get hasBatch(): boolean {
    return this.#events.length >= PAGE_EVENTS || this.#bytes >= MAX_BATCH_BYTES;
  }

  get full(): boolean {
    return this.#events.length >= MAX_EVENTS || this.#bytes >= MAX_BYTES;
  }

  /** Adds an entry; false when it had been added before. */
  push({ position, event }: LogEntry): boolean {
    if (position <= this.#position) return false;
    this.#position = position;
    if (event !== null) {
      const bytes = roughBytesOfEvent(event);
      this.#events.push({ event, bytes });
      this.#bytes += bytes;
    }
    return true;
  }

  /** The current position is the head of the log. */
  reachedHead(): void {
    this.#headReached = this.#position !== this.#reportedHead;
  }

  /** The next delivery; null when there is none. `head` is the newest position known. */
  next(head: Position): Delivery | null {
    if (this.#position < 0 || (this.#position === this.#deliveredUpTo && !this.#headReached)) return null;
    const events = this.#takeBatch();
    const upTo = this.#events.length === 0 ? this.#position : (events.at(-1)?.position ?? this.#position);
    this.#deliveredUpTo = upTo;
    const caughtUp = upTo === this.#position && (this.#headReached || upTo >= head);
    if (caughtUp) {
      this.#headReached = false;
      this.#reportedHead = upTo;
    }
    return { events, upTo, caughtUp };
  }

  #takeBatch(): readonly RecordedEvent[] {
    let [count, bytes] = [0, 0];
    for (const { bytes: more } of this.#events) {
      if (count >= PAGE_EVENTS || bytes >= MAX_BATCH_BYTES) break;
      count += 1;
      bytes += more;
    }
    this.#bytes -= bytes;
    return this.#events.splice(0, count).map(({ event }) => event);
  }
}
