import { BACKWARDS, END, FORWARDS, START, StreamNotFoundError } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, EventStoreDBClient, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import {
  MAX_BATCH_BYTES,
  roughBytesOfEvent,
  type Position,
  type RecordedEvent,
  type Revision,
} from '../../src/kernel/ports/event-store.ts';
import type { Connection, Handle } from './connection.ts';
import { positionOf, recordedEventOf } from './events.ts';
import { isAnswer, unavailable } from './refusals.ts';

/** Most events of one read, and of a delivery. */
export const PAGE_EVENTS = 256;

/** An entry of `$all`; `event` is null for an event that is not one of this service. */
export interface LogEntry {
  readonly position: Position;
  readonly event: RecordedEvent | null;
}

/** Reads events in bounded calls, each with a time limit; none stays open while the consumer works. */
export class EventReader {
  readonly #connection: Connection;
  readonly #timeoutMs: number;

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /** Position of the newest entry, the server's own included; null when there is none. */
  async head(): Promise<Position | null> {
    const { items } = await this.#read(
      (client) => client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 1 }),
      { convert: positionOf },
    );
    return items[0] ?? null;
  }

  /**
   * The next entries after a position (null: from the start), the server's own included, so many as a batch may hold; none
   * at the head.
   */
  async pageOfAll(after: Position | null): Promise<readonly LogEntry[]> {
    const fromPosition = after === null ? START : { commit: BigInt(after), prepare: BigInt(after) };
    // The client includes the entry at the position.
    const maxCount = after === null ? PAGE_EVENTS : PAGE_EVENTS + 1;
    const convert = (resolved: AllStreamResolvedEvent): LogEntry | null => {
      const position = positionOf(resolved);
      return position === after ? null : { position, event: recordedEventOf(resolved) };
    };
    const start = (client: EventStoreDBClient): StreamingRead<AllStreamResolvedEvent> =>
      client.readAll({ fromPosition, direction: FORWARDS, maxCount });
    const { items } = await this.#read(start, { convert, sizeOf: sizeOfEntry });
    return items;
  }

  /** Up to `count` events of a stream from a revision on; none when the stream does not exist. */
  async streamPage(
    stream: string,
    { from, count, ms }: { from: Revision; count: number; ms?: number },
  ): Promise<readonly RecordedEvent[]> {
    const { items } = await this.#readStream(forwards(stream, { from, count }), { ms });
    return items;
  }

  /** Up to `count` of a stream's newest events, the newest first, so many as a batch may hold. */
  async streamTail(stream: string, { count, ms }: { count: number; ms?: number }): Promise<readonly RecordedEvent[]> {
    const { items } = await this.#readStream(
      (client) => client.readStream(stream, { fromRevision: END, direction: BACKWARDS, maxCount: count }),
      { sizeOf: roughBytesOfEvent, ms },
    );
    return items;
  }

  async *stream(stream: string, after: Revision | null): AsyncGenerator<readonly RecordedEvent[], void> {
    for (let from = (after ?? -1) + 1; ;) {
      const start = forwards(stream, { from, count: PAGE_EVENTS });
      const { items, isCut } = await this.#readStream(start, { sizeOf: roughBytesOfEvent });
      if (items.length > 0) yield items;
      if (items.length < PAGE_EVENTS && !isCut) return;
      from = (items.at(-1)?.revision ?? from) + 1;
    }
  }

  async *all(after: Position | null): AsyncGenerator<readonly RecordedEvent[], void> {
    const head = await this.head();
    if (head === null) return;
    for (let position = after; (position ?? -1) < head;) {
      const entries = await this.pageOfAll(position);
      const last = entries.at(-1);
      if (last === undefined) return;
      position = last.position;
      const events = entries.flatMap(({ event, position }) => (event === null || position > head ? [] : [event]));
      if (events.length > 0) yield events;
    }
  }

  async #readStream(
    start: (client: EventStoreDBClient) => StreamingRead<ResolvedEvent>,
    options: Omit<CollectOptions<ResolvedEvent, RecordedEvent>, 'convert'>,
  ): Promise<Collected<RecordedEvent>> {
    try {
      return await this.#read(start, { ...options, convert: ownEventOf });
    } catch (error) {
      if (error instanceof StoreUnavailable && error.cause instanceof StreamNotFoundError) return NOTHING;
      throw error;
    }
  }

  async #read<E extends ResolvedEvent | AllStreamResolvedEvent, T>(
    start: (client: EventStoreDBClient) => StreamingRead<E>,
    options: CollectOptions<E, T>,
  ): Promise<Collected<T>> {
    const { handle } = this.#connection;
    const sentAt = performance.now();
    try {
      return await collect(start(handle.client), handle, { ...options, ms: options.ms ?? this.#timeoutMs });
    } catch (cause) {
      if (cause instanceof StoreUnavailable) throw cause;
      const reason = cause instanceof Error ? cause : new Error(String(cause));
      if (cause instanceof Overdue) this.#connection.discardIfSilent(handle, sentAt, reason);
      else if (!isAnswer(cause)) this.#connection.discard(handle, reason);
      throw unavailable('the event store could not be read', cause);
    }
  }
}

function forwards(
  stream: string,
  { from, count }: { readonly from: Revision; readonly count: number },
): (client: EventStoreDBClient) => StreamingRead<ResolvedEvent> {
  return (client) => client.readStream(stream, { fromRevision: BigInt(from), direction: FORWARDS, maxCount: count });
}

/** About how many bytes an entry takes in memory; the server's own events are not kept. */
function sizeOfEntry({ event }: LogEntry): number {
  return event === null ? 0 : roughBytesOfEvent(event);
}

/** Thrown when a read takes longer than its time limit. */
class Overdue extends Error {}

/** How the results of a read are collected. */
interface CollectOptions<E, T> {
  /** Null for one that is left out. */
  readonly convert: (result: E) => T | null;
  /** Size in bytes; where given, the read is cut once they are MAX_BATCH_BYTES. */
  readonly sizeOf?: (item: T) => number;
  /** Time limit in ms; unset: that of the store. */
  readonly ms?: number | undefined;
}

/** What a read has collected. */
interface Collected<T> {
  readonly items: readonly T[];
  /** Whether there may be more, as it was cut. */
  readonly isCut: boolean;
}

const NOTHING: Collected<never> = { items: [], isCut: false };

/** Collects the results of a read, and cancels it when it takes longer than `ms`, or when they are enough. */
function collect<E, T>(
  read: StreamingRead<E>,
  handle: Handle,
  { convert, sizeOf = () => 0, ms }: CollectOptions<E, T>,
): Promise<Collected<T>> {
  const { onLost } = handle;
  return new Promise((resolve, reject) => {
    const items: T[] = [];
    let bytes = 0;
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      onLost.delete(fail);
      outcome();
    };
    const cancel = (outcome: () => void): void => {
      settle(outcome);
      // Cancelling fails if the read itself has failed.
      void read.cancel().catch(() => undefined);
    };
    const fail = (error: Error): void => cancel(() => reject(error));
    const timer = setTimeout(() => fail(new Overdue(`no answer within ${ms} ms`)), ms);
    const take = (result: E): void => {
      handle.lastHeardAt = performance.now();
      const item = convert(result);
      if (item === null || bytes >= MAX_BATCH_BYTES) return;
      items.push(item);
      bytes += sizeOf(item);
      if (bytes >= MAX_BATCH_BYTES) cancel(() => resolve({ items, isCut: true }));
    };
    // The listener stays: an error event without one would end the process.
    read.on('error', fail);
    read.on('data', (result: E) => {
      try {
        take(result);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
    onLost.add(fail);
    read.on('end', () => settle(() => resolve({ items, isCut: false })));
  });
}

/** An event of a stream of this service; one that is not understood must not be skipped: commands decide by it. */
function ownEventOf(resolved: ResolvedEvent): RecordedEvent {
  const event = recordedEventOf(resolved);
  if (event === null) throw new StoreUnavailable('a stream holds an event that this service cannot have written');
  return event;
}
