import { Server, ServerCredentials, type handleUnaryCall } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { DeleteReq, TombstoneReq } from '@eventstore/db-client/generated/streams_pb.js';
import { batchAppendHandler } from './batch-append.ts';
import { CERTIFICATE, KEY } from '../certificate.ts';
import { Counters } from './counters.ts';
import { Faults } from './faults.ts';
import { NetworkListener } from './network-listener.ts';
import { Log } from './log.ts';
import { streamNameOf } from './messages.ts';
import { featuresHandler, gossipHandler } from './node.ts';
import { readHandler } from './reading.ts';
import { callRefusal, type Membership, type Version, type World } from './world.ts';

export interface EventStoreDoubleOptions {
  /** Port on 127.0.0.1; any free one when left out. */
  readonly port?: number;
  /** Which version it behaves as; 22.10 when left out. */
  readonly version?: Version;
  /** Whether connections are encrypted, with the certificate of `certificate.ts`, which nobody trusts on their own. */
  readonly tls?: boolean;
  /** Hands sockets to the gRPC server as they are: faster, for benches; `faults.freeze` throws then. */
  readonly direct?: boolean;
}

/** A running double of EventStoreDB. */
export type EventStoreDouble = Awaited<ReturnType<typeof startEventStoreDouble>>;

/** Calls that a connection takes at a time, as on a real server; the next one waits for one of them to end. */
const MAX_CALLS = 100;
/** How long calls may go on after GOAWAY, in ms. */
const GRACE_MS = 100;
/** The services send reads as bytes that were serialized once per event. */
const RAW_READS = { ...StreamsService, read: { ...StreamsService.read, responseSerialize: (frame: Buffer) => frame } };

/**
 * Starts an in-memory EventStoreDB on a real socket, with the service definitions that the client ships: batch
 * appends, reads, filtered subscriptions to `$all`, deleting, stream metadata with `$maxCount` and `$tb`, server features,
 * gossip.
 */
export async function startEventStoreDouble(options: EventStoreDoubleOptions = {}) {
  const server = new Server({ 'grpc.max_concurrent_streams': MAX_CALLS });
  const counters = new Counters();
  const tls = options.tls ?? false;
  const injector = server.createConnectionInjector(
    tls
      ? ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(CERTIFICATE), private_key: Buffer.from(KEY) }])
      : ServerCredentials.createInsecure(),
  );
  const line = new NetworkListener(
    (connection) => injector.injectConnection(connection),
    (open, accepted) => {
      counters.set('accepted', accepted);
      counters.set('connections', open);
    },
    options.direct ?? false,
  );
  const subscriptions: World['subscriptions'] = new Set();
  const log = new Log();
  const cluster: Membership = { role: 'leader', leader: null, isCutOff: false, members: () => [world] };
  const faults = new Faults({ line, log, cluster, subscriptions, drain: () => injector.drain(GRACE_MS) });
  const { version = '22.10' } = options;
  const world: World = { log, faults, counters, version, subscriptions, port: () => line.port, cluster };
  addServices(server, world);
  await line.listen(options.port ?? 0);
  return {
    /** Connection string for the client; certificates are for names. The port stays the same for the double's life. */
    url: `esdb://${tls ? 'localhost' : '127.0.0.1'}:${line.port}?tls=${tls}`,
    port: line.port,
    faults,
    counters,
    /** Its insides, which a cluster joins to those of others. */
    world,
    /** Ends all connections and forgets all data. */
    close: async (): Promise<void> => {
      line.refuse();
      line.reset();
      server.forceShutdown();
    },
  };
}

function addServices(server: Server, world: World): void {
  server.addService(RAW_READS, {
    batchAppend: batchAppendHandler(world),
    read: readHandler(world),
    delete: removalHandler(world, (stream) => world.log.delete(stream), new streams.DeleteResp()),
    tombstone: removalHandler(world, (stream) => world.log.tombstone(stream), new streams.TombstoneResp()),
  });
  server.addService(ServerFeaturesService, { getSupportedMethods: featuresHandler(world) });
  server.addService(GossipService, { read: gossipHandler(world) });
}

/** `Streams.Delete` and `Streams.Tombstone`, whatever revision the client expects. */
function removalHandler<T>(
  world: World,
  remove: (stream: string) => void,
  answer: T,
): handleUnaryCall<DeleteReq | TombstoneReq, T> {
  return ({ request }, callback) => {
    const refusal = callRefusal(world, 'append');
    const stream = request.getOptions()?.getStreamIdentifier();
    if (refusal === null && stream !== undefined) remove(streamNameOf(stream));
    world.faults.answer(() => callback(refusal, answer));
  };
}
