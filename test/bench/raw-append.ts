import { open, type Database, type RootDatabase } from 'lmdb';
import { EVENT_HEADER_BYTES } from '../../infra/lmdb/event-records.ts';
import type { NewEvent } from '../../src/service/kernel/ports/event-store.ts';

/**
 * The baseline of the event store's bench: lmdb with its default options, doing the writes of an append (the event as
 * JSON text under the next position, the stream's newest revision and position) and nothing else: no check, no group
 * commit but lmdb's own, no subscriptions. Durable as the store is: a put resolves after fdatasync.
 */
export interface RawStore {
  /** Appends one event to a stream of its own; resolves once it is on disk. */
  append(stream: string, event: NewEvent): Promise<boolean>;
  close(): Promise<void>;
}

const STREAM_HEAD_BYTES = 16;

export function openRawStore(path: string): RawStore {
  const root: RootDatabase<Buffer, string> = open<Buffer, string>({ path, noSubdir: false, encoding: 'binary' });
  const events: Database<Buffer, number> = root.openDB<Buffer, number>('events', { encoding: 'binary' });
  const streams: Database<Buffer, string> = root.openDB<Buffer, string>('streams', { encoding: 'binary' });
  let position = 0;
  return {
    append: (stream, { id, type, data, metadata }) => {
      position += 1;
      const head = Buffer.allocUnsafe(STREAM_HEAD_BYTES);
      head.writeDoubleLE(0, 0);
      head.writeDoubleLE(position, Float64Array.BYTES_PER_ELEMENT);
      void events.put(position, Buffer.from(JSON.stringify([type, stream, id, data, metadata])));
      return streams.put(stream, head);
    },
    close: () => root.close(),
  };
}

/** The events of an embedded event store, as they lie there. */
export interface RawEvents {
  /** Reads and parses every one of them; returns how many there are. */
  readAll(): number;
  close(): Promise<void>;
}

/** Opens an event store's own files by lmdb, to read only. */
export function openRawEvents(path: string): RawEvents {
  const root = open<Buffer, string>({ path, noSubdir: false, readOnly: true, encoding: 'binary' });
  const events = root.openDB<Buffer, number>('events', { encoding: 'binary' });
  return {
    readAll() {
      let count = 0;
      for (const { value } of events.getRange()) {
        JSON.parse(value.toString('utf8', EVENT_HEADER_BYTES));
        count += 1;
      }
      return count;
    },
    close: () => root.close(),
  };
}

/**
 * Runs `append` so many times, with so many under way at once; returns the seconds it took and the CPU used, in µs an
 * append.
 */
export async function timeAppends(
  { appends, inFlight }: { readonly appends: number; readonly inFlight: number },
  append: (n: number) => Promise<unknown>,
): Promise<{ readonly seconds: number; readonly cpuMicros: number }> {
  let started = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    while (started < appends) await append(started++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const cpu = process.cpuUsage(cpuBefore);
  return { seconds: (performance.now() - startedAt) / 1_000, cpuMicros: (cpu.user + cpu.system) / appends };
}
