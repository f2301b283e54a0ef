import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { requireStreamName } from '../../src/kernel/stream-names.ts';
import { OVERHEAD_BYTES_PER_EVENT, requireAppendableBytes } from '../../src/kernel/ports/event-store.ts';
import type { EventMetadata, NewEvent, Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { JsonObject } from '../../src/kernel/json.ts';

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An event to append, as sent to the server; data and metadata are JSON in UTF-8. */
export type Proposal = ReturnType<typeof proposalsOf>[number];

/**
 * Converts events to the form in which they are sent.
 * @throws {AppendTooLarge} when they are larger than the server accepts at once.
 * @throws {TypeError} when the store cannot hold them.
 */
export function proposalsOf(events: readonly NewEvent[]) {
  if (events.length === 0) throw new TypeError('an append needs at least one event');
  const proposals = events.map(({ id, type, data, metadata }) => {
    if (!UUID_TEXT.test(id)) throw new TypeError('the id of an event must be a UUID');
    if (type === '' || type.startsWith('$')) throw new TypeError('an event type must not be empty or begin with $');
    return { id, type, data: bytesOf(data), metadata: bytesOf(metadata) };
  });
  const sizes = proposals.map(({ type, data, metadata }) => Buffer.byteLength(type) + data.length + metadata.length);
  requireAppendableBytes(sizes.reduce((sum, size) => sum + size + OVERHEAD_BYTES_PER_EVENT, 0));
  return proposals;
}

function bytesOf(value: JsonObject | EventMetadata): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** @throws {TypeError} when a stream cannot have this name; names that begin with `$` are the server's own. */
export function checkStreamName(stream: string): void {
  if (stream.startsWith('$')) throw new TypeError('a stream name must not begin with $');
  requireStreamName(stream);
}

/** A position or a revision as a number. @throws {StoreUnavailable} when it is beyond 2^53, where numbers are not exact. */
export function safePosition(position: bigint | string | number): Position {
  const number = Number(position);
  if (Number.isSafeInteger(number)) return number;
  throw new StoreUnavailable(`the event store gave the position ${position}, which is beyond the safe integers`);
}

/** An entry of `$all` or of a stream; `event` is null for an event that is not of this service. */
export type LogEntry = Readonly<ReturnType<typeof entryOf>>;

/** @throws {StoreUnavailable} when a position or a revision is beyond the safe integers, or missing. */
export function entryOf(resolved: ResolvedEvent | AllStreamResolvedEvent) {
  const { event, link, commitPosition } = resolved;
  const commit = commitPosition ?? link?.position?.commit ?? event?.position?.commit;
  if (commit === undefined) throw new StoreUnavailable('the event store gave an event without its position');
  const position = safePosition(commit);
  return { position, event: event === undefined ? null : ownEventOf(event, position) };
}

type ReadEvent = NonNullable<(ResolvedEvent | AllStreamResolvedEvent)['event']>;

/** The event; null when it is not of this service: a system event, a link, or another application's. */
function ownEventOf(event: ReadEvent, position: Position): RecordedEvent | null {
  const { id, type, data, metadata, streamId: stream } = event;
  if (!event.isJson || type.startsWith('$') || stream.startsWith('$')) return null;
  if (!isObject(data) || !isMetadata(metadata)) return null;
  return { id, type, data, metadata, stream, revision: safePosition(event.revision), position };
}

/** The client has parsed the value as JSON, so an object holds JSON only. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks the fields that all events of this service have; other fields vary by event. */
function isMetadata(value: unknown): value is EventMetadata {
  return isObject(value) && typeof value['version'] === 'number' && typeof value['occurredAt'] === 'string';
}

/** A regular expression for these types (null: all but the server's own), for the server (.NET) and for JavaScript. */
export function typePattern(types: readonly string[] | null): string {
  if (types === null) return '^[^$]';
  // No type at all: nothing matches.
  if (types.length === 0) return '(?!)';
  return `^(?:${types.map((type) => type.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)).join('|')})$`;
}
