import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type {
  Delivery,
  EventFilter,
  EventStore,
  NewEvent,
  RecordedEvent,
} from '../../../src/kernel/ports/event-store.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';

/** Invalid data, which the port excludes by type: only a fault of ours could have stored it, and no handler accepts it. */
export const NO_DATA = JSON.parse('null') as JsonObject;

/** A stream name that no other law uses. */
export function newStream(category = 'thing'): string {
  return `${category}-${randomUUID()}`;
}

/** An event with a fresh id. */
export function newEvent(type = 'ThingHappened', data: JsonObject = {}): NewEvent {
  const occurredAt = '2026-01-02T03:04:05.678Z';
  const metadata = { version: 1, occurredAt, commandId: randomUUID(), correlationId: 'request-1' };
  return { id: randomUUID(), type, data, metadata };
}

export function newEvents(count: number, type?: string): readonly NewEvent[] {
  return Array.from({ length: count }, (_, n) => newEvent(type, { n }));
}

/** All events of a read, in one list. */
export async function gathered(batches: AsyncIterable<readonly RecordedEvent[]>): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

/** Deliveries up to the first that `isLast` accepts. */
export async function deliveriesUntil(
  deliveries: AsyncIterable<Delivery>,
  isLast: (delivery: Delivery) => boolean,
): Promise<readonly Delivery[]> {
  const seen: Delivery[] = [];
  for await (const delivery of deliveries) {
    seen.push(delivery);
    if (isLast(delivery)) break;
  }
  return seen;
}

/** A signal that is never aborted. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** The rest of what an iterator gives. */
export function restOf<T>(iterator: AsyncIterator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Follows the events up to the last, as a projection does: after a failure it subscribes again after what it has. */
export async function followThrough(
  store: EventStore,
  filter: EventFilter,
  isLast: (event: RecordedEvent) => boolean,
): Promise<readonly RecordedEvent[]> {
  const seen: Delivery[] = [];
  while (!eventsOf(seen).some(isLast)) {
    const deliveries = store.subscribe(seen.at(-1)?.upTo ?? null, filter, never());
    try {
      await deliveriesUntil(deliveries, (delivery) => {
        seen.push(delivery);
        return delivery.events.some(isLast);
      });
    } catch (error) {
      expect(error).to.be.instanceOf(StoreUnavailable);
    }
  }
  return eventsOf(seen);
}

/** Accepts the delivery with which so many events have come. */
export function countTo(total: number): (delivery: Delivery) => boolean {
  let count = 0;
  return ({ events }) => (count += events.length) >= total;
}

export function eventsOf(deliveries: readonly Delivery[]): readonly RecordedEvent[] {
  return deliveries.flatMap(({ events }) => events);
}

export function idsOf(events: readonly NewEvent[]): readonly string[] {
  return events.map(({ id }) => id);
}
