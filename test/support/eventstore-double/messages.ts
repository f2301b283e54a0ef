import protobuf from 'google-protobuf/google/protobuf/any_pb.js';
import rpc from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Code } from '@eventstore/db-client/generated/code_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.ts';
import type { Entry } from './entry.ts';
import type { AppendOutcome } from './log.ts';

/** .NET ticks (100 ns) per millisecond: the unit of `created` on the wire. */
const TICKS_PER_MS = 10_000n;
const UUID_FORM = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
const { Any } = protobuf;
const { ReadResp } = streams;
const { ReadEvent } = ReadResp;
const { RecordedEvent } = ReadEvent;

/** The `ReadResp` of an event, serialized. Reads and subscriptions of all clients share these bytes. */
export function eventFrame(entry: Entry): Buffer {
  const known = frames.get(entry);
  if (known !== undefined) return known;
  const position = String(entry.position);
  const id = new shared.UUID().setString(entry.id);
  const recorded = new RecordedEvent()
    .setId(id)
    .setStreamIdentifier(identifierOf(entry.stream))
    .setStreamRevision(revisionText(entry.revision))
    .setPreparePosition(position)
    .setCommitPosition(position)
    .setCustomMetadata(entry.metadata)
    .setData(entry.data);
  recorded
    .getMetadataMap()
    .set('type', entry.type)
    .set('content-type', entry.contentType)
    .set('created', String(BigInt(entry.created) * TICKS_PER_MS));
  const event = new ReadEvent().setEvent(recorded).setCommitPosition(position);
  const frame = Buffer.from(new ReadResp().setEvent(event).serializeBinary());
  frames.set(entry, frame);
  return frame;
}

/** The largest revision has more digits than a number. */
function revisionText(revision: number): string {
  return Number.isSafeInteger(revision) ? String(revision) : '9223372036854775807';
}

const frames = new WeakMap<Entry, Buffer>();

/** First message of a subscription. */
export function confirmationFrame(subscriptionId: string): Buffer {
  const confirmation = new ReadResp.SubscriptionConfirmation().setSubscriptionId(subscriptionId);
  return Buffer.from(new ReadResp().setConfirmation(confirmation).serializeBinary());
}

/** Says how far a filtered subscription has looked. */
export function checkpointFrame(position: number | bigint): Buffer {
  const checkpoint = new ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position));
  return Buffer.from(new ReadResp().setCheckpoint(checkpoint).serializeBinary());
}

/** Says that a subscription has gone live (23.10 and later). */
export function caughtUpFrame(): Buffer {
  return Buffer.from(new ReadResp().setCaughtUp(new ReadResp.CaughtUp()).serializeBinary());
}

/** The only message of a read of a stream that does not exist. */
export function streamNotFoundFrame(stream: string): Buffer {
  const notFound = new ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream));
  return Buffer.from(new ReadResp().setStreamNotFound(notFound).serializeBinary());
}

export function identifierOf(stream: string): StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
}

export function streamNameOf(identifier: StreamIdentifier): string {
  return Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
}

/** A UUID as the server itself writes it: two signed halves. Clients send strings. */
export function structured(uuid: string): UUID {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const halves = new shared.UUID.Structured()
    .setMostSignificantBits(String(bytes.readBigInt64BE(0)))
    .setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
  return new shared.UUID().setStructured(halves);
}

/** The text of a UUID. @throws {Error} on text that is no UUID. */
export function uuidOf(uuid: UUID | undefined): string {
  const text = uuid?.getString() ?? '';
  if (!UUID_FORM.test(text)) throw new Error('Unrecognized Guid format.');
  return text.toLowerCase();
}

/** Answer to a batch append that was decided. */
export function batchAnswer(outcome: AppendOutcome, expected: Expected): BatchAppendResp {
  const answer = new streams.BatchAppendResp();
  if (outcome === 'deleted') return answer.setError(streamDeleted());
  if (!outcome.stored) return answer.setError(wrongExpectedVersion(outcome.current, expected));
  const position = new shared.AllStreamPosition()
    .setCommitPosition(String(outcome.position))
    .setPreparePosition(String(outcome.position));
  return answer.setSuccess(
    new streams.BatchAppendResp.Success().setCurrentRevision(String(outcome.revision)).setPosition(position),
  );
}

function wrongExpectedVersion(current: number | null, expected: Expected): Status {
  const details = new shared.WrongExpectedVersion();
  if (current === null) details.setCurrentNoStream(new shared.Empty());
  else details.setCurrentStreamRevision(String(current));
  if (expected === 'any') details.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') details.setExpectedNoStream(new shared.Empty());
  else details.setExpectedStreamPosition(String(expected));
  return statusOf('WrongExpectedVersion', rpc.Code.UNKNOWN, details.serializeBinary());
}

/** More bytes in one append than the server takes. */
export function tooLarge(maxBytes: number): Status {
  const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(maxBytes);
  return statusOf('MaximumAppendSizeExceeded', rpc.Code.INVALID_ARGUMENT, details.serializeBinary());
}

/** The stream has a tombstone. */
function streamDeleted(): Status {
  return statusOf('StreamDeleted', rpc.Code.UNKNOWN, new shared.StreamDeleted().serializeBinary());
}

/** The user may not append to the stream. */
export function accessDenied(): Status {
  return statusOf('AccessDenied', rpc.Code.PERMISSION_DENIED, new shared.AccessDenied().serializeBinary());
}

/** A server that refuses everything: its details are an empty message, which the client does not recognize. */
export function notReady(reason: string): Status {
  return newStatus(reason, rpc.Code.UNAVAILABLE, { name: 'google.protobuf.Empty', bytes: new Uint8Array() });
}

function statusOf(name: string, code: Code, bytes: Uint8Array): Status {
  return newStatus(name, code, { name: `event_store.client.${name}`, bytes });
}

function newStatus(message: string, code: Code, details: { name: string; bytes: Uint8Array }): Status {
  const any = new Any();
  any.pack(details.bytes, details.name);
  return new status.Status().setCode(code).setMessage(message).setDetails(any);
}
