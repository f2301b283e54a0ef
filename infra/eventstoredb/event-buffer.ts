import type { Delivery, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { type LogEntry, PAGE_EVENTS } from './event-reader.ts';

/** Size at which the buffer is full: events, and bytes of the log that they span (positions are byte offsets in it). */
const MAX_EVENTS = 1_024;
const MAX_SPAN_BYTES = 16 * 1024 * 1024;

/** The matching events that wait for the consumer, each once and in order. */
export class EventBuffer {
  readonly #after: Position | null;
  #events: RecordedEvent[] = [];
  #position: Position;
  /** Position of the last delivery. */
  #deliveredUpTo: Position;
  /** Whether the head was reached and that has not been delivered yet. */
  #headReached = false;
  #reportedHead: Position = -1;
  #notify: () => void = () => undefined;

  constructor(after: Position | null) {
    this.#after = after;
    this.#position = after ?? -1;
    this.#deliveredUpTo = this.#position;
  }

  /** Position up to which all matching events have been added. */
  get position(): Position {
    return this.#position;
  }

  /** Position after which to go on reading; null for the start. */
  get resumeAfter(): Position | null {
    return this.#position < 0 ? this.#after : this.#position;
  }

  get full(): boolean {
    const [oldest] = this.#events;
    return (
      oldest !== undefined && (this.#events.length >= MAX_EVENTS || this.#position - oldest.position >= MAX_SPAN_BYTES)
    );
  }

  /** Adds an entry; false when it had been added before. */
  push({ position, event }: LogEntry): boolean {
    if (position <= this.#position) return false;
    this.#position = position;
    if (event !== null) this.#events.push(event);
    this.notify();
    return true;
  }

  /** The current position is the head of the log. */
  reachedHead(): void {
    this.#headReached = this.#position !== this.#reportedHead;
    this.notify();
  }

  /** The next delivery; null when there is none. `head` is the newest position known. */
  next(head: Position): Delivery | null {
    if (this.#position < 0 || (this.#position === this.#deliveredUpTo && !this.#headReached)) return null;
    const events = this.#events.slice(0, PAGE_EVENTS);
    this.#events = this.#events.slice(PAGE_EVENTS);
    const upTo = this.#events.length === 0 ? this.#position : (events.at(-1)?.position ?? this.#position);
    this.#deliveredUpTo = upTo;
    const caughtUp = upTo === this.#position && (this.#headReached || upTo >= head);
    if (caughtUp) {
      this.#headReached = false;
      this.#reportedHead = upTo;
    }
    return { events, upTo, caughtUp };
  }

  /** Resolves `changed`. */
  notify(): void {
    this.#notify();
  }

  /** Resolves at the next change. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}
