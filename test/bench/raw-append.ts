import { open } from 'lmdb';
import type { NewEvent } from '../../src/kernel/ports/event-store.ts';

const STREAM_HEAD_BYTES = 16;

/**
 * Baseline of the event store: lmdb with its default options does the writes of an append (the event as JSON text under
 * the next position, the stream's newest revision and position) and nothing else: no checks, no group commit but lmdb's
 * own, no subscriptions. It is as durable as the store: a put resolves after fdatasync.
 */
export function openRawStore(path: string) {
  const root = open<Buffer, string>({ path, noSubdir: false, encoding: 'binary' });
  const events = root.openDB<Buffer, number>('events', { encoding: 'binary' });
  const streams = root.openDB<Buffer, string>('streams', { encoding: 'binary' });
  let position = 0;
  return {
    /** Appends one event to a stream of its own; resolves once it is on disk. */
    append: (stream: string, { id, type, data, metadata }: NewEvent): Promise<boolean> => {
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
