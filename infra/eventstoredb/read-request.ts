import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter, Position, Revision } from '../../src/service/kernel/ports/event-store.ts';
import { typePattern } from './events.ts';

const { Options } = streams.ReadReq;
const { AllOptions, FilterOptions, Position: LogPosition, StreamOptions, SubscriptionOptions, UUIDOption } = Options;
const { FORWARDS, BACKWARDS } = Options.ReadDirection;
const EMPTY = new shared.Empty();

/** Reads `$all` forwards from a position on, that of an entry included; null: from the start. */
export function readAllFrom(position: Position | null, count: number): ReadReq {
  return request(bounded(count, FORWARDS).setAll(fromPosition(position)).setNoFilter(EMPTY));
}

/** Reads the newest entry of `$all`. */
export function readNewestOfAll(): ReadReq {
  return request(bounded(1, BACKWARDS).setAll(new AllOptions().setEnd(EMPTY)).setNoFilter(EMPTY));
}

/** Reads a stream forwards from a revision on. */
export function readStreamFrom(
  stream: string,
  { from, count }: { readonly from: Revision; readonly count: number },
): ReadReq {
  const options = streamOptions(stream).setRevision(String(from));
  return request(bounded(count, FORWARDS).setStream(options).setNoFilter(EMPTY));
}

/** Reads a stream backwards from its newest event. */
export function readStreamTail(stream: string, count: number): ReadReq {
  return request(bounded(count, BACKWARDS).setStream(streamOptions(stream).setEnd(EMPTY)).setNoFilter(EMPTY));
}

/**
 * Subscribes to `$all` after a position, with the server's filter.
 * @param searchWindow events that the server searches before it ends a page without a match, and between two checkpoints
 */
export function subscribeToAll(after: Position | null, filter: EventFilter, searchWindow: number): ReadReq {
  const expression = new FilterOptions.Expression();
  const options = new FilterOptions().setMax(searchWindow).setCheckpointintervalmultiplier(1);
  if (filter !== null && 'categories' in filter) {
    options.setStreamIdentifier(expression.setPrefixList(filter.categories.map((category) => `${category}-`)));
  } else options.setEventType(expression.setRegex(typePattern(filter)));
  return request(
    new Options().setAll(fromPosition(after)).setSubscription(new SubscriptionOptions()).setFilter(options),
  );
}

function bounded(count: number, direction: ReadReq.Options.ReadDirection): ReadReq.Options {
  return new Options().setCount(String(count)).setReadDirection(direction);
}

function fromPosition(position: Position | null) {
  const options = new AllOptions();
  if (position === null) return options.setStart(EMPTY);
  const text = String(position);
  return options.setPosition(new LogPosition().setCommitPosition(text).setPreparePosition(text));
}

function streamOptions(stream: string) {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
  return new StreamOptions().setStreamIdentifier(identifier);
}

/** Ids as text, links as they are. */
function request(options: ReadReq.Options): ReadReq {
  return new streams.ReadReq().setOptions(
    options.setUuidOption(new UUIDOption().setString(EMPTY)).setResolveLinks(false),
  );
}
