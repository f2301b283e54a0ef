import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import type { EventMetadata, Position, RecordedEvent } from '../../src/service/kernel/ports/event-store.ts';
import { isObject, type Json, type JsonObject } from '../../src/service/kernel/json.ts';
import { revisionOf, safePosition, uuidOf } from './events.ts';
import { MessageFields } from './protobuf.ts';
import { CONTENT_TYPE, EVENT_TYPE, JSON_CONTENT, PROPERTY, STREAM_NAME, UUID } from './shared-messages.ts';

/** An entry of `$all` or of a stream; `event` is null for an event that is not one of this service. */
export interface LogEntry {
  readonly position: Position;
  readonly event: RecordedEvent | null;
}

/**
 * A response of a read or a subscription: an entry; how far a filtered subscription has looked (null: the end of the log,
 * which says nothing about what was searched); or what its name says.
 */
export type ReadResponse =
  | { readonly kind: 'entry'; readonly entry: LogEntry }
  | { readonly kind: 'checkpoint'; readonly position: Position | null }
  | { readonly kind: 'confirmation' | 'no stream' | 'other' };

/** Position that a server gives for the end of the log in some checkpoints: 2^64 - 1, as near as a number comes. */
const END_OF_LOG = 2 ** 64;

/** Numbers of the fields that are read, by message. */
const RESPONSE = { event: 1, confirmation: 2, checkpoint: 3, noStream: 4 } as const;
const READ_EVENT = { event: 1, link: 2, commitPosition: 3 } as const;
const RECORDED = { id: 1, stream: 2, revision: 3, commitPosition: 5, properties: 6, metadata: 7, data: 8 } as const;
const CHECKPOINT_COMMIT = 1;

const CONFIRMATION: ReadResponse = { kind: 'confirmation' };
const NO_STREAM: ReadResponse = { kind: 'no stream' };
const OTHER: ReadResponse = { kind: 'other' };

/** Tells by type and stream whether an event is wanted. */
export type Wanted = (event: Pick<RecordedEvent, 'type' | 'stream'>) => boolean;

/**
 * Decodes a `ReadResp`, by its definition in the protocol of EventStoreDB. The generated classes take three times as long,
 * as they make objects, texts and big integers of what is not needed.
 * @param wanted events that are not count as none of this service: their contents are not looked at
 * @throws {StoreUnavailable} when a position or a revision is beyond the safe integers, or missing.
 */
export function decodeReadResponse(bytes: Buffer, wanted: Wanted = () => true): ReadResponse {
  const fields = new MessageFields(bytes);
  let response = OTHER;
  while (fields.next()) {
    if (fields.field === RESPONSE.event) response = { kind: 'entry', entry: entryOf(fields.message(), wanted) };
    else if (fields.field === RESPONSE.checkpoint) response = checkpointOf(fields.message());
    else if (fields.field === RESPONSE.confirmation) response = CONFIRMATION;
    else if (fields.field === RESPONSE.noStream) response = NO_STREAM;
  }
  return response;
}

function checkpointOf(fields: MessageFields): ReadResponse {
  let commit = 0;
  while (fields.next()) if (fields.field === CHECKPOINT_COMMIT) commit = fields.varint;
  return { kind: 'checkpoint', position: commit >= END_OF_LOG ? null : safePosition(commit) };
}

function entryOf(fields: MessageFields, wanted: Wanted): LogEntry {
  let recorded: Recorded | null = null;
  let linked: Recorded | null = null;
  let commit: number | null = null;
  while (fields.next()) {
    if (fields.field === READ_EVENT.event) recorded = recordedOf(fields.message());
    else if (fields.field === READ_EVENT.link) linked = recordedOf(fields.message());
    else if (fields.field === READ_EVENT.commitPosition) commit = fields.varint;
  }
  const position = positionOf(commit ?? linked?.commit ?? recorded?.commit);
  return { position, event: recorded !== null && wanted(recorded) ? ownEventOf(recorded, position) : null };
}

function positionOf(commit: number | null | undefined): Position {
  if (typeof commit === 'number') return safePosition(commit);
  throw new StoreUnavailable('the event store gave an event without its position');
}

/** A recorded event as it is on the wire. */
interface Recorded {
  readonly bytes: Buffer;
  id: string;
  stream: string;
  revision: number;
  commit: number | null;
  type: string;
  contentType: string;
  /** Where metadata and data begin and end. */
  metadata: readonly [number, number];
  data: readonly [number, number];
}

function recordedOf(fields: MessageFields): Recorded {
  const recorded: Recorded = {
    bytes: fields.bytes,
    id: '',
    stream: '',
    revision: 0,
    commit: null,
    type: '',
    contentType: '',
    metadata: [0, 0],
    data: [0, 0],
  };
  while (fields.next()) takeField(recorded, fields);
  return recorded;
}

function takeField(recorded: Recorded, fields: MessageFields): void {
  const { field } = fields;
  if (field === RECORDED.properties) takeProperty(recorded, fields.message());
  else if (field === RECORDED.data) recorded.data = [fields.start, fields.end];
  else if (field === RECORDED.metadata) recorded.metadata = [fields.start, fields.end];
  else if (field === RECORDED.revision) recorded.revision = fields.varint;
  else if (field === RECORDED.commitPosition) recorded.commit = fields.varint;
  else if (field === RECORDED.id) recorded.id = idOf(fields);
  else if (field === RECORDED.stream) recorded.stream = textIn(fields.message(), STREAM_NAME);
}

/** Type and content type are among the properties that the server keeps of an event. */
function takeProperty(recorded: Recorded, fields: MessageFields): void {
  let key = '';
  while (fields.next()) {
    if (fields.field === PROPERTY.key) key = fields.text();
    else if (fields.field === PROPERTY.value && key === EVENT_TYPE) recorded.type = fields.text();
    else if (fields.field === PROPERTY.value && key === CONTENT_TYPE) recorded.contentType = fields.text();
  }
}

/** Asked for as text, which not all versions of the server heed. */
function idOf(fields: MessageFields): string {
  const text = textIn(fields.message(), UUID.text);
  return text === '' ? uuidOf(shared.UUID.deserializeBinary(fields.bytes.subarray(fields.start, fields.end))) : text;
}

function textIn(fields: MessageFields, field: number): string {
  let text = '';
  while (fields.next()) if (fields.field === field) text = fields.text();
  return text;
}

/** The event; null when it is not one of this service: the server's own, a link, or another application's. */
function ownEventOf(recorded: Recorded, position: Position): RecordedEvent | null {
  const { id, type, stream, contentType, revision } = recorded;
  if (contentType !== JSON_CONTENT || type.startsWith('$') || stream.startsWith('$')) return null;
  const data = objectIn(recorded.bytes, recorded.data);
  const metadata = objectIn(recorded.bytes, recorded.metadata);
  if (data === null || !isMetadata(metadata)) return null;
  return { id, type, data, metadata, stream, revision: revisionOf(revision), position };
}

/** The JSON object in some bytes; null when they hold anything else. */
function objectIn(bytes: Buffer, [start, end]: readonly [number, number]): JsonObject | null {
  try {
    // What JSON.parse returns is JSON.
    const value = JSON.parse(bytes.toString('utf8', start, end)) as Json;
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Checks the fields that all events of this service have; other fields vary by event. */
function isMetadata(value: unknown): value is EventMetadata {
  if (typeof value !== 'object' || value === null || !('version' in value && 'occurredAt' in value)) return false;
  return typeof value.version === 'number' && typeof value.occurredAt === 'string';
}
