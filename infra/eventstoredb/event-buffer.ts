import type { Delivery, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { type LogEntry, PAGE_EVENTS } from './event-reader.ts';

/** Most that is held for a consumer: events, and bytes of the log that they span (positions are places in it). */
const MAX_EVENTS = 1_024;
const MAX_SPAN_BYTES = 16 * 1024 * 1024;

/** The matching events that wait for a consumer, each once and in order. */
export class EventBuffer {
  readonly #after: Position | null;
  #events: RecordedEvent[] = [];
  #position: Position;
  /** Place of the last delivery. */
  #deliveredUpTo: Position;
  /** Found to be the head, and not yet said so. */
  #headReached = false;
  #reportedHead: Position = -1;
  #notify: () => void = () => undefined;

  constructor(after: Position | null) {
    this.#after = after;
    this.#position = after ?? -1;
    this.#deliveredUpTo = this.#position;
  }

  /** All that matches up to here has been taken. */
  get position(): Position {
    return this.#position;
  }

  /** Where reading goes on: the place, null for the start of all. */
  get resumeAfter(): Position | null {
    return this.#position < 0 ? this.#after : this.#position;
  }

  get full(): boolean {
    const [oldest] = this.#events;
    return (
      oldest !== undefined && (this.#events.length >= MAX_EVENTS || this.#position - oldest.position >= MAX_SPAN_BYTES)
    );
  }

  /** Takes what lies past the place; false for what was there already. */
  push({ position, event }: LogEntry): boolean {
    if (position <= this.#position) return false;
    this.#position = position;
    if (event !== null) this.#events.push(event);
    this.notify();
    return true;
  }

  /** The place has been found to be the head. */
  reachedHead(): void {
    this.#headReached = this.#position !== this.#reportedHead;
    this.notify();
  }

  /** What there is to deliver, null for nothing; `head` is the newest position known. */
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

  notify(): void {
    this.#notify();
  }

  /** Resolves when something has changed. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}
