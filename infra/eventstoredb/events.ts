import { AppendTooLarge } from '../../src/kernel/ports/errors.ts';
import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventMetadata, NewEvent, Position, RecordedEvent, Revision } from '../../src/kernel/ports/event-store.ts';
import type { JsonObject } from '../../src/kernel/json.ts';

/** Most bytes of one append: the server's default limit, less what it adds to an event in its log. */
export const MAX_APPEND_BYTES = 1_048_576;
const OVERHEAD_BYTES_PER_EVENT = 64;
/** Longest stream name in bytes: the server's index takes more, but nothing sane needs it. */
const MAX_STREAM_NAME_BYTES = 1_900;

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Control characters and lone surrogates have no place in names: the latter have no UTF-8. */
const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;
const HEX = 16;

/** An event as it goes over the wire; data and metadata are JSON in UTF-8. */
export interface Proposal {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * Makes events ready to be sent.
 * @throws {AppendTooLarge} when they are more than the server takes at once.
 * @throws {TypeError} when the store cannot hold them.
 */
export function proposalsOf(events: readonly NewEvent[]): readonly Proposal[] {
  if (events.length === 0) throw new TypeError('an append needs at least one event');
  let bytes = 0;
  const proposals = events.map(({ id, type, data, metadata }) => {
    if (!UUID_TEXT.test(id)) throw new TypeError('the id of an event must be a UUID');
    if (type === '' || type.startsWith('$')) throw new TypeError('an event type must not be empty or begin with $');
    const proposal = { id, type, data: bytesOf(data), metadata: bytesOf(metadata) };
    bytes += proposal.data.length + proposal.metadata.length + Buffer.byteLength(type) + OVERHEAD_BYTES_PER_EVENT;
    return proposal;
  });
  if (bytes > MAX_APPEND_BYTES) {
    throw new AppendTooLarge(`an append of ${bytes} bytes; EventStoreDB takes ${MAX_APPEND_BYTES}`);
  }
  return proposals;
}

function bytesOf(value: JsonObject | EventMetadata): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** @throws {TypeError} when a stream cannot have this name; those that begin with `$` are the server's own. */
export function checkStreamName(stream: string): void {
  if (stream === '' || stream.startsWith('$') || UNSTORABLE.test(stream)) {
    throw new TypeError('a stream name must not be empty, begin with $ or hold control characters or lone surrogates');
  }
  if (Buffer.byteLength(stream) > MAX_STREAM_NAME_BYTES) {
    throw new TypeError(`a stream name must not be longer than ${MAX_STREAM_NAME_BYTES} bytes of UTF-8`);
  }
}

/** @throws {StoreUnavailable} when a position is beyond 2^53: no number could tell it from its neighbours. */
export function safePosition(position: bigint | string): Position {
  const number = Number(position);
  if (Number.isSafeInteger(number)) return number;
  throw new StoreUnavailable(`the event store gave the position ${position}, which is beyond the safe integers`);
}

export function revisionOf(revision: bigint | string): Revision {
  return safePosition(revision);
}

/** Commit position of an event that was read. */
export function positionOf({ event, link, commitPosition }: ResolvedEvent | AllStreamResolvedEvent): Position {
  const position = commitPosition ?? link?.position?.commit ?? event?.position?.commit;
  if (position === undefined) throw new StoreUnavailable('the event store gave an event without its position');
  return safePosition(position);
}

/** The event, or null when it is none of this port's: the server's own, a link, or another application's. */
export function recordedEventOf(resolved: ResolvedEvent | AllStreamResolvedEvent): RecordedEvent | null {
  const { event } = resolved;
  if (event === undefined || !event.isJson || event.type.startsWith('$') || event.streamId.startsWith('$')) return null;
  if (!isObject(event.data) || !isMetadata(event.metadata)) return null;
  const { id, type, data, metadata, streamId: stream } = event;
  return { id, type, data, metadata, stream, revision: revisionOf(event.revision), position: positionOf(resolved) };
}

/** The client has parsed it as JSON, so any object holds JSON only. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Told by the fields that each event has; the others are of use only to those who wrote them. */
function isMetadata(value: unknown): value is EventMetadata {
  return isObject(value) && typeof value['version'] === 'number' && typeof value['occurredAt'] === 'string';
}

/** The server sends ids as two signed halves or as it got them. */
export function uuidOf(uuid: UUID | undefined): string {
  const structured = uuid?.getStructured();
  if (structured === undefined) return uuid?.getString() ?? '';
  const halves = [structured.getMostSignificantBits(), structured.getLeastSignificantBits()];
  const hex = halves.map((half) => BigInt.asUintN(64, BigInt(half)).toString(HEX).padStart(HEX, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A filter for exactly these types (null: all but the server's own), for the server (.NET) as for JavaScript. */
export function typePattern(types: readonly string[] | null): string {
  if (types === null) return '^[^$]';
  // No type at all: nothing matches.
  if (types.length === 0) return '(?!)';
  return `^(?:${types.map((type) => type.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)).join('|')})$`;
}
