import { status, type handleClientStreamingCall, type sendUnaryData } from '@grpc/grpc-js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Proposal } from './entry.ts';
import { streamNameOf, unaryAnswer } from './messages.ts';
import { expectedOf, proposalOf, sizeOf } from './proposals.ts';
import { callRefusal, notLeaderError, rpcError, store, streamDeletedError, type World } from './world.ts';

type Answer = sendUnaryData<AppendResp>;

/** `Streams.Append`: one append per call, options first, then an event per message. */
export function appendHandler(world: World): handleClientStreamingCall<AppendReq, AppendResp> {
  return (call, callback) => {
    const parts: AppendReq[] = [];
    const answer: Answer = (error, value) => world.gate.answer(() => callback(error, value));
    call.on('data', (part: AppendReq) => parts.push(part));
    call.on('end', () => {
      const refusal = callRefusal(world, 'append') ?? notLeaderError(world, call);
      if (refusal === null) commit(world, parts, answer);
      else answer(refusal);
    });
  };
}

function commit(world: World, parts: readonly AppendReq[], answer: Answer): void {
  const options = parts[0]?.getOptions();
  const identifier = options?.getStreamIdentifier();
  if (options === undefined || identifier === undefined) {
    answer(rpcError(status.INVALID_ARGUMENT, 'Options come first'));
    return;
  }
  const proposals = proposalsOf(parts);
  if (proposals === null) {
    answer(rpcError(status.UNKNOWN, 'Exception was thrown by handler.'));
    return;
  }
  const { maxAppendBytes } = world.limits;
  if (proposals.reduce((sum, proposal) => sum + sizeOf(proposal), 0) > maxAppendBytes) {
    answer(
      rpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${maxAppendBytes} Exceeded.`, {
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(maxAppendBytes),
      }),
    );
    return;
  }
  const expected = expectedOf(options, options.getRevision());
  const stream = streamNameOf(identifier);
  const outcome = store(world, { stream, proposals, expected });
  if (outcome === 'deleted') answer(streamDeletedError(stream));
  else if (outcome !== 'answer lost') answer(null, unaryAnswer(outcome, expected));
}

/** The events of an append, or null when one is not valid. */
function proposalsOf(parts: readonly AppendReq[]): Proposal[] | null {
  try {
    return parts
      .slice(1)
      .flatMap((part) => part.getProposedMessage() ?? [])
      .map(proposalOf);
  } catch {
    return null;
  }
}
