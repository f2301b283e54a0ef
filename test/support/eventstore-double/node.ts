import { randomUUID } from 'node:crypto';
import type { handleUnaryCall } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { structured } from './messages.ts';
import { passwordRefusal, type World } from './world.ts';

/** What a server says that its version is. */
const VERSIONS = { '22.10': '22.10.5.0', '23.10': '23.10.1.0', '24.10': '24.10.6.0', '26.1': '26.1.0.0' } as const;
/** What the double implements, spelt as the server spells it: in small letters. */
const METHODS = ['batchappend', 'read'] as const;

/** `ServerFeatures.GetSupportedMethods`. */
export function featuresHandler(world: World): handleUnaryCall<Empty, SupportedMethods> {
  const service = StreamsService.read.path.split('/')[1] ?? '';
  const supported = new features.SupportedMethods()
    .setEventStoreServerVersion(VERSIONS[world.version])
    .setMethodsList(
      METHODS.map((method) => new features.SupportedMethod().setServiceName(service).setMethodName(method)),
    );
  return (_call, callback) => world.faults.answer(() => callback(passwordRefusal(world), supported));
}

/** `Gossip.Read`: all nodes; a leader is not one yet while it is starting. */
export function gossipHandler(world: World): handleUnaryCall<Empty, ClusterInfo> {
  return (_call, callback) => {
    const members = world.cluster.members().map(memberOf);
    world.faults.answer(() => callback(passwordRefusal(world), new gossip.ClusterInfo().setMembersList(members)));
  };
}

function memberOf({ faults, cluster, port }: World): MemberInfo {
  const { VNodeState } = gossip.MemberInfo;
  const state = cluster.role === 'leader' ? VNodeState.LEADER : VNodeState.FOLLOWER;
  return new gossip.MemberInfo()
    .setInstanceId(structured(randomUUID()))
    .setTimeStamp(String(Date.now()))
    .setState(faults.notReady === null ? state : VNodeState.UNKNOWN)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port()));
}
