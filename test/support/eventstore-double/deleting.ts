import type { handleUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import { streamNameOf } from './messages.ts';
import { callRefusal, type World } from './world.ts';

/** `Streams.Delete`, whatever revision the client expects. */
export function deleteHandler(world: World): handleUnaryCall<DeleteReq, DeleteResp> {
  return ({ request }, callback) => {
    const refusal = callRefusal(world, 'append');
    const stream = request.getOptions()?.getStreamIdentifier();
    if (refusal === null && stream !== undefined) world.log.delete(streamNameOf(stream));
    world.gate.answer(() => callback(refusal, new streams.DeleteResp()));
  };
}

/** `Streams.Tombstone`, whatever revision the client expects. */
export function tombstoneHandler(world: World): handleUnaryCall<TombstoneReq, TombstoneResp> {
  return ({ request }, callback) => {
    const refusal = callRefusal(world, 'append');
    const stream = request.getOptions()?.getStreamIdentifier();
    if (refusal === null && stream !== undefined) world.log.tombstone(streamNameOf(stream));
    world.gate.answer(() => callback(refusal, new streams.TombstoneResp()));
  };
}
