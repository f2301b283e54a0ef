import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendResult, Revision } from '../../src/kernel/ports/event-store.ts';
import { safePosition, type Proposal } from './events.ts';
import { NO_RIGHT_TO_APPEND } from './refusals.ts';

export interface BatchAppendRequest {
  readonly stream: string;
  readonly proposals: readonly Proposal[];
  readonly expected: Revision | 'no_stream' | 'any';
}

/** Outcome of an append: done, or certainly not appended: another revision, or the reason. */
export type BatchAppendResult = AppendResult | 'wrong revision' | { readonly failed: string };

/** Errors after which nothing will be appended. All others leave the outcome unknown. */
const REFUSALS: Readonly<Record<string, string>> = {
  'event_store.client.StreamDeleted': 'the stream was deleted',
  'event_store.client.AccessDenied': NO_RIGHT_TO_APPEND,
  'event_store.client.MaximumAppendSizeExceeded': 'larger than the server takes',
};
const WRONG_REVISION = 'event_store.client.WrongExpectedVersion';

/** Correlation ids are UUIDs that end with a number. */
const ID_START = '00000000-0000-0000-0000-';
const ID_DIGITS = 12;
const HEX = 16;

/**
 * The message of an append. It has no deadline: that would be a time of day on the server's clock. The server has a
 * limit of its own.
 * @param id number that the response will bear
 */
export function appendMessage(id: number, { stream, proposals, expected }: BatchAppendRequest): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8')),
  );
  if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else if (expected === 'any') options.setAny(new shared.Empty());
  else options.setStreamPosition(String(expected));
  return new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(ID_START + id.toString(HEX).padStart(ID_DIGITS, '0')))
    .setOptions(options)
    .setProposedMessagesList(proposals.map(proposedMessage))
    .setIsFinal(true);
}

function proposedMessage({ id, type, data, metadata }: Proposal): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

/** The number that the append was sent with: a server sends a UUID as two 64-bit halves, or as the text that it got. */
export function correlationOf(response: BatchAppendResp): number {
  const id = response.getCorrelationId();
  const halves = id?.getStructured();
  if (halves !== undefined) return Number(halves.getLeastSignificantBits());
  return Number.parseInt(id?.getString().slice(ID_START.length) ?? '', HEX);
}

/** The outcome of an append. @throws {Error} when it is unknown. */
export function resultOf(response: BatchAppendResp): BatchAppendResult {
  const success = response.getSuccess();
  if (success === undefined) return failureOf(response.getError());
  const position = success.getPosition();
  if (position === undefined) throw new Error('the server did not say where it appended');
  return { revision: safePosition(success.getCurrentRevision()), position: safePosition(position.getCommitPosition()) };
}

function failureOf(error: Status | undefined): BatchAppendResult {
  const kind = error?.getDetails()?.getTypeName() ?? '';
  if (kind === WRONG_REVISION) return 'wrong revision';
  const failed = REFUSALS[kind];
  if (failed !== undefined) return { failed };
  throw new Error(`the server answered: ${error?.getMessage() ?? 'nothing'}`);
}
