import { BACKWARDS, END, FORWARDS, START, StreamDeletedError, StreamNotFoundError } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, EventStoreDBClient, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { Position, RecordedEvent, Revision } from '../../src/kernel/ports/event-store.ts';
import type { Connection, Handle } from './connection.ts';
import { positionOf, recordedEventOf } from './events.ts';

/** Most events of one read; a consumer holds one batch in memory. */
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
    const [newest] = await this.#read((client) =>
      client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 1 }),
    );
    return newest === undefined ? null : positionOf(newest);
  }

  /** The next entries after a position (null: from the start), the server's own included; none at the head. */
  async pageOfAll(after: Position | null): Promise<readonly LogEntry[]> {
    // The client includes the entry at the position.
    const fromPosition = after === null ? START : { commit: BigInt(after), prepare: BigInt(after) };
    const maxCount = after === null ? PAGE_EVENTS : PAGE_EVENTS + 1;
    const read = await this.#read((client) => client.readAll({ fromPosition, direction: FORWARDS, maxCount }));
    const entries = read.map((resolved) => ({ position: positionOf(resolved), event: recordedEventOf(resolved) }));
    return after === null ? entries : entries.filter(({ position }) => position > after);
  }

  /** Up to `count` events of a stream from a revision on; none when the stream does not exist. */
  async streamPage(
    stream: string,
    { from, count, ms }: { from: Revision; count: number; ms?: number },
  ): Promise<readonly RecordedEvent[]> {
    const read = await this.#readStream(
      (client) => client.readStream(stream, { fromRevision: BigInt(from), direction: FORWARDS, maxCount: count }),
      ms,
    );
    return read.map(ownEventOf);
  }

  /** Up to `count` of a stream's newest events, the newest first. */
  async streamTail(stream: string, { count, ms }: { count: number; ms?: number }): Promise<readonly RecordedEvent[]> {
    const read = await this.#readStream(
      (client) => client.readStream(stream, { fromRevision: END, direction: BACKWARDS, maxCount: count }),
      ms,
    );
    return read.map(ownEventOf);
  }

  async *stream(stream: string, after: Revision | null): AsyncGenerator<readonly RecordedEvent[], void> {
    for (let from = (after ?? -1) + 1; ;) {
      const events = await this.streamPage(stream, { from, count: PAGE_EVENTS });
      if (events.length > 0) yield events;
      if (events.length < PAGE_EVENTS) return;
      from = (events.at(-1)?.revision ?? from) + 1;
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

  async #readStream<E extends ResolvedEvent>(
    start: (client: EventStoreDBClient) => StreamingRead<E>,
    ms?: number,
  ): Promise<readonly E[]> {
    try {
      return await this.#read(start, ms);
    } catch (error) {
      if (error instanceof StoreUnavailable && error.cause instanceof StreamNotFoundError) return [];
      throw error;
    }
  }

  async #read<E extends ResolvedEvent | AllStreamResolvedEvent>(
    start: (client: EventStoreDBClient) => StreamingRead<E>,
    ms = this.#timeoutMs,
  ): Promise<readonly E[]> {
    const { handle } = this.#connection;
    const sentAt = performance.now();
    try {
      return await collect(start(handle.client), handle, ms);
    } catch (cause) {
      if (cause instanceof Overdue) this.#connection.discardIfSilent(handle, sentAt);
      else if (!(cause instanceof StreamNotFoundError || cause instanceof StreamDeletedError))
        this.#connection.discard(handle);
      throw new StoreUnavailable('the event store could not be read', { cause });
    }
  }
}

/** Thrown when a read takes longer than its time limit. */
class Overdue extends Error {}

/** Collects the results of a read; cancels it when it takes longer than `ms`. */
function collect<E>(read: StreamingRead<E>, handle: Handle, ms: number): Promise<readonly E[]> {
  const { onLost } = handle;
  return new Promise((resolve, reject) => {
    const events: E[] = [];
    const fail = (error: Error): void => {
      clearTimeout(timer);
      onLost.delete(fail);
      reject(error);
      // Cancelling fails if the read itself has failed.
      void read.cancel().catch(() => undefined);
    };
    const timer = setTimeout(() => fail(new Overdue(`no answer within ${ms} ms`)), ms);
    // The listener stays: an error event without one would end the process.
    read.on('error', fail);
    read.on('data', (event: E) => {
      handle.lastHeardAt = performance.now();
      events.push(event);
    });
    onLost.add(fail);
    read.on('end', () => {
      clearTimeout(timer);
      onLost.delete(fail);
      resolve(events);
    });
  });
}

/** An event of a stream of this service; one that is not understood must not be skipped: commands decide by it. */
function ownEventOf(resolved: ResolvedEvent): RecordedEvent {
  const event = recordedEventOf(resolved);
  if (event === null) throw new StoreUnavailable('a stream holds an event that this service cannot have written');
  return event;
}
