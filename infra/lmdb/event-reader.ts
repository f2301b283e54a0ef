import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { decodeEvent, type EventRecords, type TypeFilter } from './event-records.ts';

/** Most events and bytes read in one step, which blocks the event loop; a consumer holds one batch in memory. */
const MAX_BATCH_EVENTS = 256;
const MAX_BATCH_BYTES = 1024 * 1024;

/** Most positions visited in one step: a filter may skip all of them. */
const MAX_BATCH_POSITIONS = 1_024;

/** A part of the global order: the matching events after a position, up to and including `upTo`. */
export interface Slice {
  readonly events: readonly RecordedEvent[];
  readonly upTo: Position;
}

/**
 * Reads events in bounded steps. Each step is synchronous and sees one snapshot; none stays open while the consumer
 * works, so a slow consumer does not keep LMDB from reusing pages.
 */
export class EventReader {
  readonly #records: EventRecords;
  #closed = false;

  constructor(records: EventRecords) {
    this.#records = records;
  }

  /** After this every read throws {StoreUnavailable}. */
  close(): void {
    this.#closed = true;
  }

  /** Position of the newest event that any process has committed, 0 when there is none. */
  head(): Position {
    return this.#step(() => this.#records.head());
  }

  /** The events after `after`, up to and including `to` or as far as one step goes. */
  slice(after: Position, to: Position, filter: TypeFilter | null): Slice {
    return this.#step(() => {
      const batch = new Batch();
      const last = Math.min(to, after + MAX_BATCH_POSITIONS);
      let upTo = after;
      while (upTo < last && !batch.full) {
        const bytes = this.#records.bytes(++upTo);
        if (bytes !== undefined && (filter === null || filter.mayMatch(bytes))) {
          const { event } = decodeEvent(bytes, upTo);
          if (filter === null || filter.matches(event)) batch.add(event, bytes.length);
        }
      }
      return { events: batch.events, upTo };
    });
  }

  newest(stream: string): RecordedEvent | null {
    return this.#step(() => this.#newestWithPrevious(stream)?.event ?? null);
  }

  async *all(after: Position, filter: TypeFilter | null): AsyncGenerator<readonly RecordedEvent[], void> {
    const head = this.head();
    for (let position = after; position < head;) {
      const { events, upTo } = this.slice(position, head, filter);
      position = upTo;
      if (events.length > 0) yield events;
      await nextTurn();
    }
  }

  async *stream(stream: string): AsyncGenerator<readonly RecordedEvent[], void> {
    const newest = this.#step(() => this.#newestWithPrevious(stream));
    if (newest === null) return;
    const older = await this.#positionsBackFrom(newest.previous);
    while (older.length > 0) {
      yield this.#eventsAt(older);
      await nextTurn();
    }
    yield [newest.event];
  }

  #newestWithPrevious(stream: string): ReturnType<typeof decodeEvent> | null {
    const head = this.#records.streamHead(stream);
    if (head === null) return null;
    const bytes = this.#records.bytes(head.position);
    return bytes === undefined ? null : decodeEvent(bytes, head.position);
  }

  /** The positions of a stream's events from the given one back to the oldest: 8 bytes each. */
  async #positionsBackFrom(newest: Position): Promise<Position[]> {
    const positions: Position[] = [];
    let position = newest;
    while (position > 0) {
      this.#step(() => {
        for (let steps = 0; position > 0 && steps < MAX_BATCH_POSITIONS; steps++) {
          positions.push(position);
          position = this.#records.previous(position);
        }
      });
      if (position > 0) await nextTurn();
    }
    return positions;
  }

  /** Removes a batch of positions from the end and reads their events; those deleted meanwhile are left out. */
  #eventsAt(positions: Position[]): readonly RecordedEvent[] {
    return this.#step(() => {
      const batch = new Batch();
      while (!batch.full) {
        const position = positions.pop();
        if (position === undefined) break;
        const bytes = this.#records.bytes(position);
        if (bytes !== undefined) batch.add(decodeEvent(bytes, position).event, bytes.length);
      }
      return batch.events;
    });
  }

  #step<T>(read: () => T): T {
    if (this.#closed) throw new StoreUnavailable('the event store is closed');
    try {
      this.#records.refresh();
      return read();
    } catch (cause) {
      throw new StoreUnavailable('the event store could not be read', { cause });
    }
  }
}

class Batch {
  readonly events: RecordedEvent[] = [];
  #bytes = 0;

  get full(): boolean {
    return this.events.length >= MAX_BATCH_EVENTS || this.#bytes >= MAX_BATCH_BYTES;
  }

  add(event: RecordedEvent, bytes: number): void {
    this.events.push(event);
    this.#bytes += bytes;
  }
}
