import { roughBytesOf, type JsonObject } from '../json.ts';
import { AppendTooLarge } from './errors.ts';

/** Position in the global order of events: a safe integer that only grows. Distances between positions mean nothing. */
export type Position = number;

/** Index of an event in its own stream, from 0. */
export type Revision = number;

/**
 * Revision that a stream's newest event must have for an append to succeed. `newest_only` succeeds at any revision,
 * like `any`, and lets the store drop all but the newest event of the stream from now on (usage streams).
 */
export type ExpectedRevision = Revision | 'no_stream' | 'any' | 'newest_only';

/** Metadata of an event: who recorded it, when and why. */
export interface EventMetadata {
  /** Version of the event type's schema, from 1. */
  readonly version: number;
  /** When it happened, ISO 8601 in UTC with milliseconds: the only source of createdAt and updatedAt. */
  readonly occurredAt: string;
  /** The command that caused it, the same over all attempts of one request. */
  readonly commandId: string;
  /** The request that caused it (`X-Request-Id`). */
  readonly correlationId: string;
  readonly apiKeyId?: string;
  readonly licenseId?: string;
  /** Role of the key at that time; absent in events of releases that did not record it. */
  readonly role?: string;
  /** Fingerprint of the body of a create that carried an `Idempotency-Key`. */
  readonly fingerprint?: string;
  readonly reason?: string;
}

/** An event about to be appended. `id` is a UUID and `type` is never empty. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** An event as the store keeps it. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

/** Largest append in bytes, in every store: the default limit of EventStoreDB, so that a history fits there. */
export const MAX_APPEND_BYTES = 1_048_576;
/** A little more than EventStoreDB adds to each event. */
export const OVERHEAD_BYTES_PER_EVENT = 64;

/** Size of an event in an append, in bytes: type, data and metadata as JSON in UTF-8, and the overhead. */
export function appendSizeOf({ type, data, metadata }: NewEvent): number {
  const utf8 = new TextEncoder();
  const texts = [type, JSON.stringify(data), JSON.stringify(metadata)];
  return texts.reduce((sum, text) => sum + utf8.encode(text).length, OVERHEAD_BYTES_PER_EVENT);
}

/** @throws {AppendTooLarge} when the events are larger than a store accepts at once. */
export function requireAppendable(events: readonly NewEvent[]): void {
  requireAppendableBytes(events.reduce((sum, event) => sum + appendSizeOf(event), 0));
}

/** Checks a size that `appendSizeOf` has computed. @throws {AppendTooLarge} when it is larger than a store accepts. */
export function requireAppendableBytes(bytes: number): void {
  if (bytes > MAX_APPEND_BYTES)
    throw new AppendTooLarge(`an append of ${bytes} bytes; ${MAX_APPEND_BYTES} is the most`);
}

/**
 * Most bytes of a batch or delivery without its last event, as `roughBytesOfEvent` counts them. A consumer that holds a
 * few of them holds some MB, however large the events are.
 */
export const MAX_BATCH_BYTES = 1_048_576;

/** About how many bytes an event takes in memory. */
export function roughBytesOfEvent({ data, metadata }: NewEvent): number {
  return roughBytesOf(data) + roughBytesOf({ ...metadata });
}

/** Result of an append: the revision and position of the last event appended. */
export type AppendResult = Pick<RecordedEvent, 'revision' | 'position'>;

/** The events that a subscription follows: some types, the streams of some categories, or all (null). */
export type EventFilter = readonly string[] | { readonly categories: readonly string[] } | null;

/** Returns the test whether an event passes a filter. */
export function matcherOf(filter: EventFilter): (event: Pick<RecordedEvent, 'type' | 'stream'>) => boolean {
  if (filter === null) return () => true;
  if ('categories' in filter) {
    const prefixes = filter.categories.map((category) => `${category}-`);
    return ({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix));
  }
  const types = new Set(filter);
  return ({ type }) => types.has(type);
}

/** Event store: keeps events in streams and in one global order. */
export interface EventStore {
  /**
   * Appends one or more events to one stream, all or none, and resolves once they are on disk. Appends that are made
   * one after the other, without waiting, are committed in this order (`newest_only` excepted).
   * @throws {WrongExpectedRevision} when the stream is at another revision: nothing was appended.
   * @throws {AppendTooLarge} when the events are larger than MAX_APPEND_BYTES: nothing was appended.
   * @throws {StoreUnavailable} when the outcome is unknown.
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;
  /**
   * Reads a stream after a revision (null: from its oldest event on), in batches of MAX_BATCH_BYTES. It costs only what
   * follows the revision.
   */
  readStream(stream: string, after?: Revision | null): AsyncIterable<readonly RecordedEvent[]>;
  readNewest(stream: string): Promise<RecordedEvent | null>;
  /**
   * Reads all events after a position (null: from the start) up to the present head, in global order, in batches of
   * MAX_BATCH_BYTES; `types` filters.
   */
  readAll(after: Position | null, types?: readonly string[]): AsyncIterable<readonly RecordedEvent[]>;
  /**
   * Follows the events that pass a filter after a position, in global order, each exactly once. A backlog is
   * delivered in batches of MAX_BATCH_BYTES, however fast the consumer is. A single event is delivered at once; that the log
   * has moved on without a matching event is reported a moment later. `caughtUp` is true each time the head is reached. Ends when `signal` aborts.
   */
  subscribe(after: Position | null, filter: EventFilter, signal: AbortSignal): AsyncIterable<Delivery>;
  /** Position of the newest event in the store, or null when it is empty. */
  head(): Promise<Position | null>;
  close(): Promise<void>;
}

/**
 * A delivery of a subscription: events, and the position up to which every matching event has been delivered. `upTo` is
 * at or past the last event's position.
 */
export interface Delivery {
  readonly events: readonly RecordedEvent[];
  readonly upTo: Position;
  /** True when `upTo` was the head of the store at the time of reading. */
  readonly caughtUp: boolean;
}
