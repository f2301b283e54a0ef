import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.ts';
import type { Proposal } from './entry.ts';
import { accessDenied, batchAnswer, notReady, streamNameOf, structured, tooLarge, uuidOf } from './messages.ts';
import { passwordRefusal, REASONS, store, type Version, type World } from './world.ts';

/** Largest append in bytes of data, metadata and types, as on real servers. */
const MAX_APPEND_BYTES: Readonly<Record<Version, number>> = {
  '22.10': 1_048_576,
  '23.10': 1_048_576,
  '24.10': 1_048_576,
  '26.1': 268_435_456,
};

type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** `Streams.BatchAppend`: one call carries any number of appends, each in one message, distinguished by correlation id. */
export function batchAppendHandler(world: World): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> {
  return (call) => {
    const refusal = passwordRefusal(world);
    if (refusal !== null) {
      call.emit('error', refusal);
      return;
    }
    call.on('data', (request: BatchAppendReq) => append(world, call, request));
    call.on('end', () => call.end());
  };
}

function append(world: World, call: BatchCall, request: BatchAppendReq): void {
  const options = request.getOptions();
  const identifier = options?.getStreamIdentifier();
  if (options === undefined || identifier === undefined || !request.getIsFinal()) throw new Error('not a whole append');
  const proposals = request.getProposedMessagesList().map(proposalOf);
  const refusal = refusalOf(world, proposals);
  const attempt = { stream: streamNameOf(identifier), proposals, expected: expectedOf(options) };
  const outcome = refusal === null ? store(world, attempt) : null;
  if (outcome === 'answer lost') return;
  const answer =
    outcome === null
      ? new streams.BatchAppendResp().setError(refusal ?? undefined)
      : batchAnswer(outcome, attempt.expected);
  answer.setCorrelationId(structured(uuidOf(request.getCorrelationId()))).setStreamIdentifier(identifier);
  world.faults.answer(() => {
    if (!call.cancelled) call.write(answer);
  });
}

function refusalOf({ faults, version }: World, proposals: readonly Proposal[]): Status | null {
  // Names are UTF-16 on the server.
  const sizes = proposals.map(({ type, data, metadata }) => data.length + metadata.length + type.length * 2);
  const maxBytes = MAX_APPEND_BYTES[version];
  if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes) return tooLarge(maxBytes);
  if (faults.notReady !== null) return notReady(REASONS[faults.notReady]);
  return faults.denied === 'append' ? accessDenied() : null;
}

/** @throws {Error} on an id that is no UUID and on an empty type. */
function proposalOf(message: BatchAppendReq.ProposedMessage): Proposal {
  const metadata = message.getMetadataMap();
  const type = metadata.get('type') ?? '';
  if (type === '') throw new Error('an event without a type');
  return {
    id: uuidOf(message.getId()),
    type,
    contentType: metadata.get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

function expectedOf(options: BatchAppendReq.Options): Expected {
  if (options.hasAny()) return 'any';
  return options.hasNoStream() ? 'no_stream' : Number(options.getStreamPosition());
}
