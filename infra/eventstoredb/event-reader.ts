import { BACKWARDS, END, START, StreamNotFoundError } from '@eventstore/db-client';
import type {
  AllStreamResolvedEvent,
  EventStoreDBClient,
  ReadPosition,
  ResolvedEvent,
  StreamingRead,
} from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { MAX_BATCH_BYTES, roughBytesOfEvent } from '../../src/kernel/ports/event-store.ts';
import type { Position, RecordedEvent, Revision } from '../../src/kernel/ports/event-store.ts';
import type { Connection, Handle } from './connection.ts';
import { entryOf, type LogEntry } from './events.ts';
import { isAnswer, unavailable } from './refusals.ts';
import type { RunningTime } from './running-time.ts';

/** Most events of one read, and of a delivery. */
export const PAGE_EVENTS = 256;

/** Reads events in bounded calls, each with a time limit; none stays open while the consumer works. */
export class EventReader {
  readonly #connection: Connection;
  readonly #timeoutMs: number;

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /** Position of the newest entry, the server's own included; null when there is none. */
  async head(signal?: AbortSignal): Promise<Position | null> {
    const { items } = await this.#read(
      (client) => client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 1 }),
      { convert: ({ position }) => position, signal },
    );
    return items[0] ?? null;
  }

  /**
   * The next entries after a position (-1: from the start), the server's own included, up to the size of a batch; empty
   * at the head.
   */
  async pageOfAll(after: Position, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    const fromPosition = positionAt(after);
    // The server includes the entry at the position.
    const maxCount = after < 0 ? PAGE_EVENTS : PAGE_EVENTS + 1;
    const { items } = await this.#read((client) => client.readAll({ fromPosition, maxCount }), {
      convert: (entry) => (entry.position === after ? null : entry),
      // The server's own events are not kept.
      sizeOf: ({ event }) => (event === null ? 0 : roughBytesOfEvent(event)),
      signal,
    });
    return items;
  }

  /** Up to `count` events of a stream from a revision on; none when the stream does not exist. */
  async streamPage(
    stream: string,
    { from, count, ms }: { from: Revision; count: number; ms?: number },
  ): Promise<readonly RecordedEvent[]> {
    const { items } = await this.#read(forwards(stream, from, count), { convert: ownEventOf, ms });
    return items;
  }

  /** Up to `count` of a stream's newest events, the newest first, up to the size of a batch. */
  async streamTail(stream: string, { count, ms }: { count: number; ms?: number }): Promise<readonly RecordedEvent[]> {
    const { items } = await this.#read(
      (client) => client.readStream(stream, { fromRevision: END, direction: BACKWARDS, maxCount: count }),
      { convert: ownEventOf, sizeOf: roughBytesOfEvent, ms },
    );
    return items;
  }

  async *stream(stream: string, after: Revision | null): AsyncGenerator<readonly RecordedEvent[], void> {
    let from = (after ?? -1) + 1;
    while (true) {
      const start = forwards(stream, from, PAGE_EVENTS);
      const { items, isCut } = await this.#read(start, { convert: ownEventOf, sizeOf: roughBytesOfEvent });
      if (items.length > 0) yield items;
      if (items.length < PAGE_EVENTS && !isCut) return;
      from = (items.at(-1)?.revision ?? from) + 1;
    }
  }

  async *all(after: Position | null): AsyncGenerator<readonly RecordedEvent[], void> {
    const head = await this.head();
    if (head === null) return;
    let position = after ?? -1;
    while (position < head) {
      const entries = await this.pageOfAll(position);
      const last = entries.at(-1);
      if (last === undefined) return;
      position = last.position;
      const events = entries.flatMap(({ event, position }) => (event === null || position > head ? [] : [event]));
      if (events.length > 0) yield events;
    }
  }

  async #read<T>(start: (client: EventStoreDBClient) => Read, options: CollectOptions<T>) {
    const { handle } = this.#connection;
    const sentAt = performance.now();
    try {
      const ms = options.ms ?? this.#timeoutMs;
      return await collect(start(handle.client), handle, this.#connection.runningTime, { ...options, ms });
    } catch (cause) {
      if (cause instanceof StoreUnavailable) throw cause;
      if (cause instanceof StreamNotFoundError) {
        handle.lastHeardAt = performance.now();
        return { items: [], isCut: false };
      }
      if (isAnswer(cause)) handle.lastHeardAt = performance.now();
      const reason = cause instanceof Error ? cause : new Error(String(cause));
      this.#connection.judge(handle, reason, sentAt);
      throw unavailable('the event store could not be read', cause);
    }
  }
}

/** A read of the client, of a stream or of `$all`. */
type Read = StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>;

/** A read of a stream from a revision on. */
function forwards(stream: string, from: Revision, count: number): (client: EventStoreDBClient) => Read {
  return (client) => client.readStream(stream, { fromRevision: BigInt(from), maxCount: count });
}

/** A position as the client takes it; -1 for the start. */
export function positionAt(position: Position): ReadPosition {
  return position < 0 ? START : { commit: BigInt(position), prepare: BigInt(position) };
}

/** Options of collecting the entries of a read. */
interface CollectOptions<T> {
  /** Null for an entry that is left out. */
  readonly convert: (entry: LogEntry) => T | null;
  /** Size of an entry in bytes. With it, the read is cut after MAX_BATCH_BYTES. */
  readonly sizeOf?: (item: T) => number;
  /** Time limit in ms; by default the one of the store. */
  readonly ms?: number | undefined;
  /** Cuts it off. */
  readonly signal?: AbortSignal | undefined;
}

/** Collects the entries of a read, and ends it after `ms` or once it has enough: `isCut`, as there may be more. */
async function collect<T>(
  read: Read,
  handle: Handle,
  runningTime: RunningTime,
  { convert, sizeOf = () => 0, ms, signal }: CollectOptions<T> & { readonly ms: number },
) {
  const items: T[] = [];
  let bytes = 0;
  const fail = (error: Error): void => void read.destroy(error);
  const endWait = runningTime.after(ms, () => fail(new Error(`no answer within ${ms} ms`)));
  const cut = (): void => fail(new StoreUnavailable('the read was cut off'));
  signal?.addEventListener('abort', cut);
  handle.onLost.add(fail);
  // The listener stays: an error event without one would end the process.
  read.on('error', () => undefined);
  try {
    for await (const resolved of read) {
      handle.lastHeardAt = performance.now();
      const item = convert(entryOf(resolved));
      if (item === null) continue;
      items.push(item);
      bytes += sizeOf(item);
      if (bytes >= MAX_BATCH_BYTES) return { items, isCut: true };
    }
    return { items, isCut: false };
  } finally {
    endWait();
    signal?.removeEventListener('abort', cut);
    handle.onLost.delete(fail);
    // Cancelling fails if the read itself has failed.
    read.cancel().catch(() => undefined);
  }
}

/** An event of a stream of this service. Commands depend on it, so an unknown one is not skipped. */
function ownEventOf({ event }: LogEntry): RecordedEvent {
  if (event === null) throw new StoreUnavailable('a stream holds an event that this service cannot have written');
  return event;
}
