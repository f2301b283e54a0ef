import { Metadata, status, type ServerWritableStream, type StatusObject } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Counters } from './counters.ts';
import type { Denial, Faults, NotReady, OpenSubscription } from './faults.ts';
import type { Expected } from './commit-check.ts';
import type { Proposal } from './entry.ts';
import type { Log, AppendOutcome } from './log.ts';

/** What the services of one double share. */
export interface World {
  readonly log: Log;
  readonly faults: Faults;
  readonly counters: Counters;
  readonly version: Version;
  /** The subscriptions that are open. */
  readonly subscriptions: Set<OpenSubscription>;
  readonly port: () => number;
  /** What it is in its cluster; a node by itself leads a cluster of one. */
  readonly cluster: Membership;
}

/** A node's part in its cluster. */
export interface Membership {
  role: 'leader' | 'follower';
  /** The leader of a follower, while it has one. */
  leader: World | null;
  /** Whether a leader has lost its followers: what it writes is a tail that nobody else sees. */
  isCutOff: boolean;
  /** All nodes, this one included. */
  members: () => readonly World[];
}

/**
 * What servers differ in. 22.10 says nothing when a subscription goes live. Later ones say that it has caught up, and
 * 23.10 begins a filtered one too late at times. KurrentDB (26.1) takes appends of 256 MiB.
 */
export type Version = '22.10' | '23.10' | '24.10' | '26.1';

/** A read or a subscription: its answers are serialized already. */
export type ReadCall = ServerWritableStream<ReadReq, Buffer>;

/**
 * Stores an append, on a follower by its leader; `answer lost` when a fault has taken the connections away right after the
 * commit, or nobody else has got it.
 */
export function store(
  { log, counters, faults, cluster }: World,
  { stream, proposals, expected }: { stream: string; proposals: readonly Proposal[]; expected: Expected },
): AppendOutcome | 'answer lost' {
  counters.add('appends', 1);
  const committing = cluster.role === 'leader' ? cluster : cluster.leader?.cluster;
  if (committing === undefined || committing.isCutOff) return 'answer lost';
  const outcome = (cluster.leader?.log ?? log).append(stream, proposals, expected);
  if (outcome === 'deleted' || !outcome.stored || outcome.repeated) return outcome;
  if (faults.answersToLose === 0) return outcome;
  faults.answersToLose -= 1;
  faults.reset();
  return 'answer lost';
}

/** The error that ends a call before anything is looked at, or null for none. `right` is what the call takes. */
export function callRefusal(world: World, right: Exclude<Denial, 'password'> | null): StatusObject | null {
  const { denied, notReady } = world.faults;
  if (denied === 'password') return passwordRefusal(world);
  if (notReady !== null) {
    return rpcError(notReady === 'unknown' ? status.UNKNOWN : status.UNAVAILABLE, REASONS[notReady]);
  }
  if (denied === null || denied !== right) return null;
  return rpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
}

/** The error of a call with a wrong password, or null; not even what anybody may ask is answered then. */
export function passwordRefusal({ faults }: World): StatusObject | null {
  return faults.denied === 'password' ? rpcError(status.UNAUTHENTICATED, 'Unauthenticated') : null;
}

/** What a server that refuses everything says. */
export const REASONS: Readonly<Record<NotReady, string>> = {
  unavailable: 'Server Is Not Ready',
  unknown: 'No leader info available in response',
  busy: 'Server Is Too Busy',
};

/** The error of a call from a position of `$all` at which nothing begins or has begun, or null. */
export function unknownPositionError({ log }: World, options: ReadReq.Options | undefined): StatusObject | null {
  const position = options?.getAll()?.getPosition();
  if (position === undefined || log.isBoundary(Number(position.getCommitPosition()))) return null;
  return rpcError(status.UNKNOWN, 'Exception was thrown by handler.');
}

/** The error of a call about a stream with a tombstone. */
export function streamDeletedError(stream: string): StatusObject {
  const trailers = { exception: 'stream-deleted', 'stream-name': stream };
  return rpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, trailers);
}

/** A gRPC status; `trailers` say what the client turns into an error of its own. */
export function rpcError(code: status, details: string, trailers: Readonly<Record<string, string>> = {}): StatusObject {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
}

/** Resolves when a call that took no more messages does again, or is over. */
export function drained(call: ReadCall): Promise<void> {
  return new Promise((resolve) => {
    const proceed = () => {
      call.off('drain', proceed);
      call.off('cancelled', proceed);
      resolve();
    };
    call.on('drain', proceed);
    call.on('cancelled', proceed);
  });
}
