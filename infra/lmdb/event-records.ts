import { crc32 } from 'node:zlib';
import type { Database } from 'lmdb';
import type { JsonObject } from '../../src/kernel/json.ts';
import { MAX_BYTES_PER_CHAR } from '../../src/kernel/stream-names.ts';
import type { EventFilter, EventMetadata, Position } from '../../src/kernel/ports/event-store.ts';
import type { RecordedEvent, Revision } from '../../src/kernel/ports/event-store.ts';
import { DamagedStore } from '../../src/kernel/ports/errors.ts';
import { noteDamage } from './damage.ts';
import { LockedEnvironment } from './environment.ts';
import type { LockOptions } from './process-lock.ts';

/**
 * Size of the header before the text of an event: its revision, the position of the previous event of its stream (0:
 * none), the hash of its type.
 */
const EVENT_HEADER_BYTES = 20;

/**
 * Address space for the file, 128 GiB: enough for some hundred million laps, less than any 64-bit system gives a
 * process, and free until used. By default lmdb 3.5.6 maps 128 KiB, and twice the needed size whenever the file has
 * outgrown its map. After another process has made it grow, the event loop, which reads, and the writer thread may
 * remap at once: each then records the same old map, one of them with the new size, and closing the environment unmaps
 * memory that is not its own. That has ended processes with a segmentation fault.
 */
const MAP_BYTES = 2 ** 37;

/**
 * An event ends with its checksum, as a sixth part of its JSON array: `…,"0a1b2c3d"]`. So earlier releases, which read
 * five parts, can read it too. An event without a checksum is recognised by its end, that of an object: `…}]`.
 */
const END = '"]';
const START = ',"';
const HEX_DIGITS = 8;
const checksumBytes = Buffer.alloc(HEX_DIGITS / 2);
/** Bytes that an event with a checksum has beyond those of one without. */
const CHECKSUM_BYTES = START.length + HEX_DIGITS + END.length - 1;
const QUOTE = 0x22;
const BRACE = 0x7d;

const PREVIOUS_OFFSET = 8;
const TYPE_HASH_OFFSET = 16;
const STREAM_HEAD_BYTES = 16;
const HEAD_KEY = 'head';

/** Revision and position of the newest event of a stream. */
export interface StreamHead {
  readonly revision: Revision;
  readonly position: Position;
}

/** The parts of an event whose JSON is stored. */
export type EventText = [type: string, stream: string, id: string, data: JsonObject, metadata: EventMetadata];

const DATABASES = ['events', 'streams', 'meta'] as const;

/**
 * overlappingSync shows a commit to readers before it is on disk: a projection could then move past an event that a
 * power failure removes, and skip the one that gets its position. Without it LMDB writes the pages, calls fdatasync,
 * writes the meta page through a descriptor opened with O_DSYNC, and only then shows the commit and resolves (seen with
 * strace; with every fdatasync slowed to 400 ms, no append was answered or read earlier).
 */
const LMDB_OPTIONS = {
  mapSize: MAP_BYTES,
  noSubdir: false,
  overlappingSync: false,
  eventTurnBatching: false,
  encoding: 'binary',
} as const;

/**
 * The store's three LMDB databases and their records. Each method is one synchronous step: inside a write transaction
 * it reads and writes in that transaction, elsewhere it reads the current snapshot.
 *
 * - `events`: position → header and JSON text, which ends with a checksum of both (`checksumOf`). The text is JSON
 *   because it returns every key unchanged, `__proto__` included (msgpackr renames it), needs no structures shared
 *   between processes, and is read faster (1.6 µs a lap against 4 µs, for the same 2.6 µs to write).
 * - `streams`: name → newest revision and position. Older events are found by following `previous`, so an append
 *   writes two entries.
 * - `meta`: the head, stored separately so that no position is used twice, whatever is deleted.
 */
export class EventRecords {
  readonly env: LockedEnvironment<(typeof DATABASES)[number]>;
  readonly #path: string;
  readonly #events: Database<Buffer, Position>;
  readonly #streams: Database<Buffer, string>;
  readonly #meta: Database<Buffer, string>;
  #scratch = Buffer.allocUnsafeSlow(64 * 1024);

  private constructor(env: EventRecords['env'], path: string) {
    this.env = env;
    this.#path = path;
    this.#events = env.database('events');
    this.#streams = env.database('streams');
    this.#meta = env.database('meta');
  }

  /** @throws {Error} when the files cannot be opened; the lock is closed again then (see `SharedInstances`). */
  static async open(path: string, lock?: LockOptions): Promise<EventRecords> {
    const lmdb = { ...LMDB_OPTIONS, path };
    const options = { ...lock, directory: path, lmdb, encoding: 'binary', databases: DATABASES } as const;
    return new EventRecords(await LockedEnvironment.open(options), path);
  }

  /** Notes damage, so that no service starts here before the store has been checked. */
  noteDamage(damage: DamagedStore): void {
    noteDamage(this.#path, damage);
  }

  close(): Promise<void> {
    return this.env.close();
  }

  /** Position of the newest event, 0 when there is none. */
  head(): Position {
    return this.#meta.getBinaryFast(HEAD_KEY)?.readDoubleLE(0) ?? 0;
  }

  /** @throws {DamagedStore} when there are events after the head: an append may not overwrite them. */
  requireNoneAfter(head: Position): void {
    const last = this.last();
    if (last <= head) return;
    const damage = new DamagedStore(`position ${head} is noted as the newest; the newest event is at ${last}`);
    this.noteDamage(damage);
    throw damage;
  }

  putHead(position: Position): void {
    this.#scratch.writeDoubleLE(position, 0);
    void this.#meta.put(HEAD_KEY, this.#scratch.subarray(0, Float64Array.BYTES_PER_ELEMENT));
  }

  streamHead(stream: string): StreamHead | null {
    const bytes = this.#streams.getBinaryFast(stream);
    if (bytes === undefined) return null;
    return { revision: bytes.readDoubleLE(0), position: bytes.readDoubleLE(PREVIOUS_OFFSET) };
  }

  putStreamHead(stream: string, head: StreamHead): void {
    this.#scratch.writeDoubleLE(head.revision, 0);
    this.#scratch.writeDoubleLE(head.position, PREVIOUS_OFFSET);
    void this.#streams.put(stream, this.#scratch.subarray(0, STREAM_HEAD_BYTES));
  }

  /** Stores an event after all others: LMDB then fills each page, with five laps instead of four. */
  putEvent(at: StreamHead, previous: Position, { text, type }: EncodedEvent): void {
    const needed = EVENT_HEADER_BYTES + text.length * MAX_BYTES_PER_CHAR + CHECKSUM_BYTES;
    if (needed > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(needed);
    this.#scratch.writeDoubleLE(at.revision, 0);
    this.#scratch.writeDoubleLE(previous, PREVIOUS_OFFSET);
    this.#scratch.writeUInt32LE(hashOfType(type), TYPE_HASH_OFFSET);
    // Without the last bracket.
    const end = EVENT_HEADER_BYTES + this.#scratch.write(text, EVENT_HEADER_BYTES, 'utf8') - 1;
    const checksum = checksumOf(this.#scratch.subarray(0, end), at.position);
    const bytes = this.#scratch.subarray(0, end + this.#scratch.write(checksum, end, 'latin1'));
    this.#events.putSync(at.position, bytes, { append: true });
  }

  removeEvent(position: Position): void {
    void this.#events.remove(position);
  }

  /** The stored bytes of an event, valid until the next read; undefined where it was deleted. */
  bytes(position: Position): Buffer | undefined {
    return this.#events.getBinaryFast(position);
  }

  /** Position of the previous event of the same stream; 0 when there is none. @throws {DamagedStore} */
  previous(position: Position): Position {
    const bytes = this.bytes(position);
    if (bytes === undefined) return 0;
    expectRight(bytes, position);
    return previousIn(bytes);
  }

  /** The streams after a name, in order. */
  streamsAfter(stream: string | null, limit: number): readonly string[] {
    const range = stream === null ? { limit } : { start: stream, exclusiveStart: true, limit };
    return [...this.#streams.getKeys(range)];
  }

  /** The stored events after a position, in order. */
  eventsAfter(after: Position, limit: number): readonly { readonly position: Position; readonly bytes: Buffer }[] {
    const range = this.#events.getRange({ start: after, exclusiveStart: true, limit });
    return [...range].map(({ key, value }) => ({ position: key, bytes: value }));
  }

  /** Position of the last stored event, read from the events and not from the head; 0 when there is none. */
  last(): Position {
    return [...this.#events.getKeys({ reverse: true, limit: 1 })][0] ?? 0;
  }
}

/**
 * What the bytes of an event say of themselves: `none` in those of earlier releases. Their `length` is a property that
 * lmdb sets on a larger buffer, so each end is given.
 */
export function checksumIn(bytes: Buffer, position: Position): 'right' | 'wrong' | 'none' {
  const { length } = bytes;
  const last = bytes[length - END.length];
  if (last === BRACE) return 'none';
  const end = length - CHECKSUM_BYTES - 1;
  if (last !== QUOTE || end <= 0) return 'wrong';
  return bytes.toString('latin1', end, length) === checksumOf(bytes.subarray(0, end), position) ? 'right' : 'wrong';
}

/**
 * The end of an event, with the checksum of all bytes before its last bracket. The position counts, so an event in the
 * place of another is damage.
 */
function checksumOf(bytes: Buffer, position: Position): string {
  checksumBytes.writeUInt32BE(crc32(bytes, position >>> 0));
  return START + checksumBytes.toString('hex') + END;
}

/** Position of the previous event of the same stream, as the bytes of an event have it. */
export function previousIn(bytes: Buffer): Position {
  return bytes.readDoubleLE(PREVIOUS_OFFSET);
}

/** @throws {DamagedStore} */
function expectRight(bytes: Buffer, position: Position): void {
  if (!Number.isSafeInteger(position)) throw damagedEvent(bytes, position, 'it has lost its position');
  if (checksumIn(bytes, position) === 'wrong') throw damagedEvent(bytes, position, 'its checksum is wrong');
}

/** The beginning of the text of an event, with its stream. */
const BEGINNING = /^\["[^"]*","([^"]*)"/;

function damagedEvent(bytes: Buffer, position: Position, how: string): DamagedStore {
  const stream = BEGINNING.exec(bytes.toString('utf8', EVENT_HEADER_BYTES, bytes.length))?.[1] ?? 'that cannot be read';
  return new DamagedStore(`the event at position ${position}, of stream ${stream}, is damaged: ${how}`);
}

/** An event encoded for storing, before its position is known: its type, and the JSON of its `EventText`. */
export interface EncodedEvent {
  readonly type: string;
  readonly text: string;
}

/**
 * The event in its bytes, and the position of the previous one in its stream; 0 when there is none, or it was deleted.
 * @throws {DamagedStore}
 */
export function decodeEvent(bytes: Buffer, position: Position) {
  expectRight(bytes, position);
  const [type, stream, id, data, metadata] = textIn(bytes, position);
  const revision = bytes.readDoubleLE(0);
  const event: RecordedEvent = { id, type, data, metadata, stream, revision, position };
  return { event, previous: previousIn(bytes) };
}

function textIn(bytes: Buffer, position: Position): EventText {
  try {
    // The text was written by an append, so it has this shape.
    return JSON.parse(bytes.toString('utf8', EVENT_HEADER_BYTES, bytes.length)) as EventText;
  } catch {
    // Only an event without a checksum gets so far. What it holds is for nobody's log.
    throw damagedEvent(bytes, position, 'it is no JSON');
  }
}

/** A filter of records. Most other types are excluded by the hash in the header, without reading the text. */
export function recordFilter(filter: EventFilter) {
  const categories = filter !== null && 'categories' in filter ? new Set(filter.categories) : null;
  const types = filter === null || 'categories' in filter ? null : new Set(filter);
  const hashes = types && new Set([...types].map(hashOfType));
  return {
    // The same as `matcherOf`, in one function, since every subscription calls it for each event of a commit.
    matches({ type, stream }: Pick<RecordedEvent, 'type' | 'stream'>): boolean {
      if (types !== null) return types.has(type);
      return categories === null || categories.has(stream.slice(0, stream.indexOf('-')));
    },
    mayMatch: (bytes: Buffer): boolean => hashes === null || hashes.has(bytes.readUInt32LE(TYPE_HASH_OFFSET)),
  };
}

export type RecordFilter = ReturnType<typeof recordFilter>;

/** FNV-1a over UTF-16 code units, 32 bits. Stored: it must never change. */
function hashOfType(type: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < type.length; at++) hash = Math.imul(hash ^ type.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The events that one transaction added: those after `after`, up to and including `upTo`. */
export interface Commit {
  readonly after: Position;
  readonly upTo: Position;
  readonly events: readonly RecordedEvent[];
  /** Length of the text of the events in characters, a measure of the memory they take. */
  readonly chars: number;
}
