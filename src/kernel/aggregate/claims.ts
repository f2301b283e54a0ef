import { z } from 'zod';
import type { Claim, Decider } from './decider.ts';
import type { Aggregates, LoadedAggregate } from './aggregates.ts';
import { streamOf } from '../stream-names.ts';
import { eventType, UnknownEvent, type Message } from '../event-types.ts';
import type { EventStore, NewEvent, Position, RecordedEvent } from '../ports/event-store.ts';
import type { JsonObject } from '../json.ts';
import type { Clock } from '../ports/system.ts';

/** Name of the event that claims a key: the only one in claim streams. */
export const KEY_CLAIMED = 'KeyClaimed';

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON object',
);

/** The events of claim streams. A claim holds complete events; their data are checked when they are made. */
export const claimEvents = {
  [KEY_CLAIMED]: eventType(
    z.object({
      owner: z.string(),
      revision: z.union([z.int(), z.literal('no_stream')]),
      events: z.array(z.object({ id: z.string(), type: z.string(), data: jsonObject, metadata: jsonObject })),
    }),
  ),
};

/** The part of the event store that writes use. */
export type WritableStore = Pick<EventStore, 'append' | 'readStream' | 'readNewest'>;

/**
 * Data of a claim: the stream that is to hold a key, and the events that will take it. Once they are appended to `owner` at `revision`,
 * the key is taken; until then they are only announced.
 */
export interface KeyClaimed {
  /** Stream that is to hold the key. */
  readonly owner: string;
  /** Revision of that stream at which the decision was made. */
  readonly revision: number | 'no_stream';
  /**
   * The complete events, which any process that finds the claim appends verbatim: never upcast, never rebuilt
   * (docs/architecture.md#claims, rule a).
   */
  readonly events: readonly NewEvent[];
}

/** Ports that claims need. */
export interface ClaimPorts {
  readonly store: WritableStore;
  readonly aggregates: Aggregates;
  readonly clock: Pick<Clock, 'after'>;
}

/** Pauses, in ms, between looks at a follower of a cluster that does not show yet what was appended. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;

/** Waits before the next look at a follower; `looks` is the number of looks in vain so far. */
export function pauseBeforeLook(clock: Pick<Clock, 'after'>, looks: number): Promise<void> {
  const ms = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (looks - 1));
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Name of the stream that holds a key: base64url of the key's UTF-8, so that case and every character count. */
export function claimStream(category: string, key: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return streamOf(category, btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''));
}

/** The stream that holds a key, and the position of its newest event. */
export interface KeyHolder {
  readonly owner: string;
  readonly position: Position;
}

/** A request to claim a key. */
export interface ClaimRequest<S, C extends Message> {
  readonly decider: Decider<S, C>;
  readonly claim: Claim<S>;
  readonly key: string;
  /** The claim, with the data of `claimToJson`. */
  readonly event: NewEvent;
  /** @throws {StoreUnavailable} when the deadline of the command has passed. */
  readonly requireTime: () => void;
}

/**
 * Claims a key unless another stream holds it. A claim that another process has left unfinished is rolled forward
 * first, so that nobody waits for a process that may be dead.
 *
 * An example. Rig r1 is registered with hardwareId `SR-7`, and its process dies in the middle. Streams and events are
 * written `stream@revision`:
 *
 * 1. The key's stream `rigHardware-U1ItNw` is empty. The claim announces what is about to happen:
 *    `rigHardware-U1ItNw@0 KeyClaimed { owner: 'rig-r1', revision: 'no_stream', events: [RigRegistered] }`. The key is not
 *    taken yet: that takes `rig-r1@0`, which the process did not append.
 * 2. Rig r2 asks for the same key and finds the claim. `rig-r1` is still at the revision that the claim names (it does not
 *    exist), so r2 rolls the claim forward: it appends `rig-r1@0 RigRegistered`, verbatim (rule a), and looks again. Now
 *    `rig-r1` holds `SR-7`, so r2 is refused.
 * 3. Had `rig-r1` moved on without the key, by an event that the claim does not contain, the claim could never succeed any
 *    more. r2 would claim the key with `rigHardware-U1ItNw@1`.
 * 4. Rig r1 gets another device (`rig-r1@1 RigHardwareReplaced`). No release is needed: the newest claim still names
 *    `rig-r1`, but its state no longer holds `SR-7`, and it is past the claimed revision. So anybody may claim it.
 * 5. If `rig-r1` wants `SR-7` back, it needs a new claim, although the newest one names it (rule c): another process may
 *    have judged that claim dead, and be about to append its own.
 *
 * @returns the holder, or null when the claim is now recorded and only the owner's append is missing.
 * @throws {WrongExpectedRevision} when another append came between: load and decide again.
 * @throws {StoreUnavailable} also when the owner's events do not show until the deadline.
 */
export async function claimKey<S, C extends Message>(
  ports: ClaimPorts,
  request: ClaimRequest<S, C>,
): Promise<KeyHolder | null> {
  const { store } = ports;
  const stream = claimStream(request.claim.category, request.key);
  const newest = await store.readNewest(stream);
  const holder = newest === null ? null : await resolveClaim(ports, request, newest);
  if (holder !== null) return holder;
  // Even where the old claim names the same owner: only a claim at the very revision that is appended to gains a key
  // (rule c).
  await store.append(stream, [request.event], newest?.revision ?? 'no_stream');
  return null;
}

/**
 * Settles an old claim: returns its owner as the holder, or null when the owner can never get the key by this claim.
 * @throws {WrongExpectedRevision} when the owner moved on while the claim was rolled forward.
 */
async function resolveClaim<S, C extends Message>(
  { store, aggregates, clock }: ClaimPorts,
  request: ClaimRequest<S, C>,
  newest: RecordedEvent,
): Promise<KeyHolder | null> {
  const old = claimFromJson(newest);
  let appended = 0;
  while (true) {
    const owner = await aggregates.load(request.decider, old.owner);
    const { state, position } = owner;
    if (position !== null && request.claim.key(state) === request.key) return { owner: old.owner, position };
    if (isPast(owner, old)) return null;
    // Roll forward. A lost race throws, and the command is decided again on what the owner has become.
    await store.append(old.owner, old.events, old.revision);
    appended += 1;
    // A follower of a cluster shows what was appended a moment later.
    if (appended > 1) await pauseBeforeLook(clock, appended - 1);
    request.requireTime();
  }
}

/**
 * Whether an owner has moved past the revision of its claim with other events, so that the claim can never succeed. An
 * owner that seems to be before that revision, or in the midst of the claim's events, was read from a lagging follower:
 * nothing can be said of it yet.
 */
function isPast({ revision, newest }: LoadedAggregate<unknown>, { revision: claimed, events }: KeyClaimed): boolean {
  const moves = (revision ?? -1) - (claimed === 'no_stream' ? -1 : claimed);
  const inMidst = moves < events.length && newest?.commandId === events[0]?.metadata.commandId;
  return moves > 0 && !inMidst;
}

/** A claim as the data of its event. */
export function claimToJson({ owner, revision, events }: KeyClaimed): JsonObject {
  return {
    owner,
    revision,
    events: events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata: { ...metadata } })),
  };
}

/**
 * The data of a claim event.
 * @throws {UnknownEvent} when a later release wrote it in a form that this one does not know.
 */
function claimFromJson(event: RecordedEvent): KeyClaimed {
  if (event.type !== KEY_CLAIMED || event.metadata.version !== 1) throw new UnknownEvent(event);
  // Only `claimKey` writes claim streams, so their data has this shape.
  return event.data as unknown as KeyClaimed;
}
