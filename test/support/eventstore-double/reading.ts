import { status, type handleServerStreamingCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Entry } from './entry.ts';
import type { Log } from './log.ts';
import { eventFrame, streamNameOf, streamNotFoundFrame } from './messages.ts';
import { followAll } from './subscription.ts';
import {
  callRefusal,
  drained,
  rpcError,
  streamDeletedError,
  unknownPositionError,
  type ReadCall,
  type World,
} from './world.ts';

const { ReadDirection } = streams.ReadReq.Options;

/** `Streams.Read`: reads and subscriptions, of one stream or of `$all`. */
export function readHandler(world: World): handleServerStreamingCall<ReadReq, Buffer> {
  return (call) => {
    const options = call.request.getOptions();
    const refusal =
      callRefusal(world, options?.hasAll() === true ? '$all' : null) ?? unknownPositionError(world, options);
    if (refusal !== null) {
      call.emit('error', refusal);
      return;
    }
    if (options === undefined) {
      call.emit('error', rpcError(status.INVALID_ARGUMENT, 'No options'));
      return;
    }
    carryOut(world, call, options).catch((error: unknown) => {
      call.emit('error', rpcError(status.UNKNOWN, String(error)));
    });
  };
}

async function carryOut(world: World, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const stream = streamOf(options);
  if (options.hasSubscription()) {
    await followAll(world, call, options);
    return;
  }
  world.counters.add('reads', 1);
  // The client gives up, and cancels it.
  if (stream !== null && stream === world.faults.heldStream) return;
  const isPage = stream === null && options.getReadDirection() === ReadDirection.FORWARDS;
  if (isPage && world.faults.holdsPages) return;
  await world.faults.turn();
  const entries = stream === null ? readAll(world.log, options) : readStream(world.log, stream, options);
  if (entries === 'deleted') {
    call.emit('error', streamDeletedError(stream ?? '$all'));
    return;
  }
  if (entries === null) call.write(streamNotFoundFrame(stream ?? '$all'));
  else await sendEntries(world, call, entries);
  if (!call.cancelled) call.end();
}

async function sendEntries(world: World, call: ReadCall, entries: Iterable<Entry>): Promise<void> {
  for (const entry of entries) {
    await world.faults.turn();
    if (call.cancelled) return;
    if (!call.write(eventFrame(entry))) await drained(call);
  }
}

/** The stream that a request names, or null for `$all`. */
function streamOf(options: ReadReq.Options): string | null {
  const identifier = options.getStream()?.getStreamIdentifier();
  return identifier === undefined ? null : streamNameOf(identifier);
}

function readStream(log: Log, stream: string, options: ReadReq.Options): Iterable<Entry> | 'deleted' | null {
  const found = log.visible(stream);
  const from = options.getStream();
  if (found === null || found === 'deleted' || from === undefined) return found === 'deleted' ? found : null;
  const { entries, first } = found;
  const last = entries.length - 1;
  const backwards = options.getReadDirection() === ReadDirection.BACKWARDS;
  const revision = from.hasRevision() ? Number(from.getRevision()) : from.hasEnd() ? Infinity : 0;
  const start = backwards ? Math.min(revision, last) : Math.max(revision, first);
  return entriesIn(entries, { start, first, backwards, count: Number(options.getCount()) });
}

/** Forwards from the event at the position on, backwards from the one before it. */
function readAll(log: Log, options: ReadReq.Options): Iterable<Entry> {
  const from = options.getAll();
  const position = from?.getPosition();
  const backwards = options.getReadDirection() === ReadDirection.BACKWARDS;
  const at =
    position !== undefined
      ? log.indexOf(Number(position.getCommitPosition()), { exclusive: false })
      : from?.hasEnd() === true
        ? log.entries.length
        : 0;
  const matches = (entry: Entry): boolean => !log.isScavenged(entry);
  const count = Number(options.getCount());
  return entriesIn(log.entries, { start: backwards ? at - 1 : at, first: 0, backwards, count, matches });
}

interface ReadRange {
  readonly start: number;
  /** Index of the oldest event that may be shown. */
  readonly first: number;
  readonly backwards: boolean;
  readonly count: number;
  readonly matches?: ((entry: Entry) => boolean) | undefined;
}

/** Up to `count` events; those that are appended meanwhile are not met. */
function* entriesIn(entries: readonly Entry[], walk: ReadRange): Generator<Entry> {
  const { start, first, backwards, matches = () => true } = walk;
  const step = backwards ? -1 : 1;
  const end = entries.length;
  let left = walk.count;
  for (let index = start; index >= first && index < end && left > 0; index += step) {
    const entry = entries[index];
    if (entry === undefined || !matches(entry)) continue;
    left -= 1;
    yield entry;
  }
}
