import type { Delivery, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { type Entry, PAGE_EVENTS } from './reads.ts';

/** Most that is held for a consumer: events, and bytes of the log that they span (positions are places in it). */
const MAX_EVENTS = 1_024;
const MAX_SPAN_BYTES = 16 * 1024 * 1024;

/** The matching events that wait for a consumer, each once and in order. */
export class Inbox {
  readonly #after: Position | null;
  #events: RecordedEvent[] = [];
  #place: Position;
  /** Place of the last delivery. */
  #told: Position;
  /** Found to be the head, and not yet said so. */
  #atHead = false;
  #toldHead: Position = -1;
  #wake: () => void = () => undefined;

  constructor(after: Position | null) {
    this.#after = after;
    this.#place = after ?? -1;
    this.#told = this.#place;
  }

  /** All that matches up to here has been taken. */
  get place(): Position {
    return this.#place;
  }

  /** Where reading goes on: the place, null for the start of all. */
  get resumeAt(): Position | null {
    return this.#place < 0 ? this.#after : this.#place;
  }

  get full(): boolean {
    const [oldest] = this.#events;
    return (
      oldest !== undefined && (this.#events.length >= MAX_EVENTS || this.#place - oldest.position >= MAX_SPAN_BYTES)
    );
  }

  /** Takes what lies past the place; false for what was there already. */
  take({ position, event }: Entry): boolean {
    if (position <= this.#place) return false;
    this.#place = position;
    if (event !== null) this.#events.push(event);
    this.wake();
    return true;
  }

  /** The place has been found to be the head. */
  reachedHead(): void {
    this.#atHead = this.#place !== this.#toldHead;
    this.wake();
  }

  /** What there is to deliver, null for nothing; `head` is the newest position known. */
  next(head: Position): Delivery | null {
    if (this.#place < 0 || (this.#place === this.#told && !this.#atHead)) return null;
    const events = this.#events.slice(0, PAGE_EVENTS);
    this.#events = this.#events.slice(PAGE_EVENTS);
    const upTo = this.#events.length === 0 ? this.#place : (events.at(-1)?.position ?? this.#place);
    this.#told = upTo;
    const caughtUp = upTo === this.#place && (this.#atHead || upTo >= head);
    if (caughtUp) {
      this.#atHead = false;
      this.#toldHead = upTo;
    }
    return { events, upTo, caughtUp };
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves when something has changed. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
