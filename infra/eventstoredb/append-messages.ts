import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { AppendResult, Revision } from '../../src/service/kernel/ports/event-store.ts';
import { revisionOf, safePosition, type Proposal } from './events.ts';
import { integerField, lengthField, MessageFields, textField } from './protobuf.ts';
import { CONTENT_TYPE, EVENT_TYPE, JSON_CONTENT, PROPERTY, STREAM_NAME, UUID } from './shared-messages.ts';

/** An append to be sent. */
export interface BatchAppendRequest {
  readonly stream: string;
  readonly proposals: readonly Proposal[];
  readonly expected: Revision | 'no_stream' | 'any';
}

/** Outcome of an append: done, or certainly not: another revision, or the reason. */
export type BatchAppendResult = AppendResult | 'wrong revision' | { readonly failed: string };

/** Errors after which nothing will be appended. All others leave the outcome unknown. */
const REFUSALS: Readonly<Record<string, string>> = {
  'event_store.client.StreamDeleted': 'the stream was deleted',
  'event_store.client.AccessDenied': 'the user has no right to append to this stream',
  'event_store.client.MaximumAppendSizeExceeded': 'larger than the server takes',
};
const WRONG_REVISION = 'event_store.client.WrongExpectedVersion';

/** Numbers of the fields that are written and read, by message. */
const REQUEST = { id: 1, options: 2, proposal: 3, isFinal: 4 } as const;
const OPTIONS = { stream: 1, revision: 2, noStream: 3, any: 4 } as const;
const PROPOSAL = { id: 1, properties: 2, metadata: 3, data: 4 } as const;
const RESPONSE = { id: 1, success: 3 } as const;
const SUCCESS = { revision: 1, position: 3 } as const;
const COMMIT_POSITION = 1;
const LAST_HALF = 2;

/** Ids are UUIDs that end with a number. */
const ID_START = '00000000-0000-0000-0000-';
const ID_DIGITS = 12;
const HEX = 16;

const FINAL = integerField(REQUEST.isFinal, 1);
const NO_STREAM = lengthField(OPTIONS.noStream);
const ANY = lengthField(OPTIONS.any);
const IS_JSON = lengthField(
  PROPOSAL.properties,
  textField(PROPERTY.key, CONTENT_TYPE),
  textField(PROPERTY.value, JSON_CONTENT),
);
const TYPE_KEY = textField(PROPERTY.key, EVENT_TYPE);

/**
 * Encodes a `BatchAppendReq`, by its definition in the protocol of EventStoreDB; the generated classes take several times
 * as long. It has no deadline: that would be a time of day on the server's clock. The server has a limit of its own.
 * @param id what the response will bear: a number from 1 on, sent as a UUID
 */
export function encodeAppend(id: number, { stream, proposals, expected }: BatchAppendRequest): Buffer {
  const identifier = lengthField(OPTIONS.stream, textField(STREAM_NAME, stream));
  return Buffer.concat([
    lengthField(REQUEST.id, textField(UUID.text, ID_START + id.toString(HEX).padStart(ID_DIGITS, '0'))),
    lengthField(REQUEST.options, identifier, encodeExpected(expected)),
    ...proposals.map(encodeProposal),
    FINAL,
  ]);
}

function encodeExpected(expected: BatchAppendRequest['expected']): Buffer {
  if (expected === 'no_stream') return NO_STREAM;
  return expected === 'any' ? ANY : integerField(OPTIONS.revision, expected);
}

function encodeProposal({ id, type, data, metadata }: Proposal): Buffer {
  return lengthField(
    REQUEST.proposal,
    lengthField(PROPOSAL.id, textField(UUID.text, id)),
    lengthField(PROPOSAL.properties, TYPE_KEY, textField(PROPERTY.value, type)),
    IS_JSON,
    lengthField(PROPOSAL.metadata, metadata),
    lengthField(PROPOSAL.data, data),
  );
}

/** A response to an append. */
export interface AppendResponse {
  /** The id that the append was sent with. */
  readonly id: number;
  /** @throws {Error} when the outcome is unknown. */
  readonly result: () => BatchAppendResult;
}

/** Decodes a `BatchAppendResp`. @throws {Error} when it is none. */
export function decodeAppendResponse(bytes: Buffer): AppendResponse {
  const fields = new MessageFields(bytes);
  let [id, success]: [number, MessageFields | null] = [0, null];
  while (fields.next()) {
    if (fields.field === RESPONSE.id) id = idIn(fields.message());
    else if (fields.field === RESPONSE.success) success = fields.message();
  }
  return { id, result: () => (success === null ? failureIn(bytes) : resultOf(success)) };
}

/** The server sends a UUID as two 64-bit halves, of which the first is 0 here, or as the text that it got. */
function idIn(fields: MessageFields): number {
  let id = 0;
  while (fields.next()) {
    if (fields.field === UUID.text) id = Number.parseInt(fields.text().slice(ID_START.length), HEX);
    else if (fields.field === UUID.halves) id = lastHalfIn(fields.message());
  }
  return id;
}

function lastHalfIn(fields: MessageFields): number {
  let half = 0;
  while (fields.next()) if (fields.field === LAST_HALF) half = fields.varint;
  return half;
}

/** Refused appends are few: the generated classes know all of what is said of them. */
function failureIn(bytes: Buffer): BatchAppendResult {
  return failureOf(streams.BatchAppendResp.deserializeBinary(bytes).getError());
}

function resultOf(fields: MessageFields): AppendResult {
  let [revision, position]: [number, number | null] = [0, null];
  while (fields.next()) {
    if (fields.field === SUCCESS.revision) revision = fields.varint;
    else if (fields.field === SUCCESS.position) position = commitIn(fields.message());
  }
  if (position === null) throw new Error('the server did not say where it appended');
  return { revision: revisionOf(revision), position: safePosition(position) };
}

function commitIn(fields: MessageFields): number {
  let commit = 0;
  while (fields.next()) if (fields.field === COMMIT_POSITION) commit = fields.varint;
  return commit;
}

function failureOf(error: Status | undefined): BatchAppendResult {
  const kind = error?.getDetails()?.getTypeName() ?? '';
  if (kind === WRONG_REVISION) return 'wrong revision';
  const failed = REFUSALS[kind];
  if (failed !== undefined) return { failed };
  throw new Error(`the server answered: ${error?.getMessage() ?? 'nothing'}`);
}
