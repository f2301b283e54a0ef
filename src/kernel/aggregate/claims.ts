import { loadAggregate, streamOf, type LoadedAggregate } from './aggregate.ts';
import type { Claim, Decider } from './decider.ts';
import type { Message } from '../event-types.ts';
import { WrongExpectedRevision } from '../ports/errors.ts';
import type { EventMetadata, EventStore, NewEvent, Position, RecordedEvent } from '../ports/event-store.ts';
import { UnknownEvent } from '../event-types.ts';
import type { JsonObject } from '../json.ts';

/** The only event of claim streams. */
export const KEY_CLAIMED = 'KeyClaimed';

/** The event store as writes use it. */
export type WritableStore = Pick<EventStore, 'append' | 'readStream' | 'readNewest'>;

/**
 * Who wants a key, and the events that will take it: appended to `owner` at `revision`, they commit; before, they only
 * announce.
 */
export interface KeyClaimed {
  /** Stream that wants the key. */
  readonly owner: string;
  /** Revision of that stream at which the decision was made. */
  readonly revision: number | 'no_stream';
  /**
   * The complete events, to be appended verbatim by whoever meets the claim: never upcast, never rebuilt (DESIGN §3,
   * rule a).
   */
  readonly events: readonly NewEvent[];
}

/** The stream that holds a key: base64url of its UTF-8, so that case and every character count. */
export function claimStream(category: string, key: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return streamOf(category, btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''));
}

/** Who holds a key, and the position of the newest event of that stream. */
export interface KeyHolder {
  readonly owner: string;
  readonly position: Position;
}

/** A request to claim a key. */
export interface ClaimRequest<S, C extends Message> {
  readonly decider: Decider<S, C>;
  readonly claim: Claim<S>;
  readonly key: string;
  readonly announcement: KeyClaimed;
  readonly metadata: EventMetadata;
  /** Id of the claim event, a UUID. */
  readonly eventId: string;
}

/**
 * Announces a request for a key, unless somebody holds it. Whoever is met half-way is rolled forward first, so that nobody
 * waits for a process that may be dead.
 * @returns the holder, or null when the announcement now stands and only the owner's append is missing.
 * @throws {WrongExpectedRevision} when another claim came between: look and decide again.
 */
export async function claimKey<S, C extends Message>(
  store: WritableStore,
  request: ClaimRequest<S, C>,
): Promise<KeyHolder | null> {
  const stream = claimStream(request.claim.category, request.key);
  const newest = await store.readNewest(stream);
  const holder = newest === null ? null : await resolveClaim(store, request, newest);
  if (holder !== null) return holder;
  // Even where the old claim names the same owner: a key is gained only by a claim at the very revision appended to
  // (rule c).
  const event: NewEvent = {
    id: request.eventId,
    type: KEY_CLAIMED,
    data: claimToJson(request.announcement),
    metadata: request.metadata,
  };
  await store.append(stream, [event], newest?.revision ?? 'no_stream');
  return null;
}

/** Brings an old claim to its end: its owner holds the key, or can never get it by this claim (null). */
async function resolveClaim<S, C extends Message>(
  store: WritableStore,
  request: ClaimRequest<S, C>,
  newest: RecordedEvent,
): Promise<KeyHolder | null> {
  const old = claimFromJson(newest);
  for (;;) {
    const owner = await loadAggregate(store, request.decider, { stream: old.owner });
    const holder = holderOf(request, owner, old.owner);
    if (holder !== null) return holder;
    if ((owner.revision ?? 'no_stream') !== old.revision) return null;
    await rollForward(store, old);
  }
}

function holderOf<S, C extends Message>(
  { claim, key }: ClaimRequest<S, C>,
  { state, position }: LoadedAggregate<S>,
  owner: string,
): KeyHolder | null {
  return position !== null && claim.key(state) === key ? { owner, position } : null;
}

/** Appends what a claim announced; losing the race for it is as good as winning, the caller looks again. */
async function rollForward(store: WritableStore, old: KeyClaimed): Promise<void> {
  try {
    await store.append(old.owner, old.events, old.revision);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
  }
}

function claimToJson({ owner, revision, events }: KeyClaimed): JsonObject {
  return {
    owner,
    revision,
    events: events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata: { ...metadata } })),
  };
}

/**
 * A claim as it was announced.
 * @throws {UnknownEvent} when a later release wrote it in a way that we cannot judge.
 */
function claimFromJson(event: RecordedEvent): KeyClaimed {
  if (event.type !== KEY_CLAIMED || event.metadata.version !== 1) throw new UnknownEvent(event);
  // Only `announce` writes claim streams, so their data has this shape.
  return event.data as unknown as KeyClaimed;
}
