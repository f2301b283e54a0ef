import type { Message, Origin } from '../event-types.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../ports/errors.ts';
import type { EventMetadata, NewEvent, Position, Revision } from '../ports/event-store.ts';
import type { Clock, Ids } from '../ports/system.ts';
import { streamOf } from '../stream-names.ts';
import { Aggregates, loadAggregate, notCreated, type LoadedAggregate } from './aggregates.ts';
import { decideAll, type Claim, type Decider } from './decider.ts';
import { reject, Rejection } from './rejection.ts';
import { claimEvents, claimKey, claimToJson, KEY_CLAIMED, pauseBeforeLook } from './claims.ts';
import type { ClaimPorts, KeyHolder, WritableStore } from './claims.ts';
import { metadataOf, toNewEvent } from './new-event.ts';
import { createStreamTurns } from './stream-turns.ts';

/** The version that an aggregate must have for a command to be carried out. */
export interface ExpectedVersion {
  readonly revision: Revision;
  /** Moments, epoch ms, at one of which the event of that revision must have happened; null: at any. */
  readonly moments: readonly number[] | null;
}

/** Commands for one aggregate. */
export interface CommandRequest<S, C extends Message> {
  readonly decider: Decider<S, C>;
  readonly id: string;
  /** Carried out in this order by one append, or none of them. */
  readonly commands: readonly C[];
  readonly origin: Origin;
  /** The version that the caller requires (`If-Match`); `'none'` when no version can satisfy it. */
  readonly expected?: ExpectedVersion | 'none' | null;
  /**
   * True when the id was made for this command: the stream is taken to be empty, without reading it, until the append
   * fails.
   */
  readonly fresh?: boolean;
  /**
   * Fingerprint of the request's body; a create whose stream exists already with another fingerprint is refused with
   * `KEY_REUSED`.
   */
  readonly fingerprint?: string;
  /** Judges at each attempt whether the sender may do this. */
  readonly authorize?: Authorize<S>;
}

/**
 * Returns the refusal of a command, or null. It judges by the state of the aggregate and by the event that created it;
 * `current` is null if the aggregate does not exist. `current` is null for a retry too, which is judged by what was sent:
 * `retried` is the metadata of the event that the first attempt recorded.
 * @throws {StoreUnavailable}
 */
export type Authorize<S> = (
  current: { readonly state: S; readonly created: EventMetadata } | null,
  retried?: EventMetadata | null,
) => Rejection | null | Promise<Rejection | null>;

/** Result of a command that was carried out, or was in effect already. */
export interface CommandSuccess<S> {
  readonly outcome: 'done';
  readonly state: S;
  readonly revision: Revision;
  /** Position of the newest event that the command wrote or read. */
  readonly position: Position;
  /** Whether this command's own events are in the stream; false when there was nothing to record. */
  readonly recorded: boolean;
  /** The types of the events that this process has appended for it. */
  readonly events: readonly string[];
  /** When the aggregate was created and when its newest event happened, ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Result of a command that was refused because another aggregate holds the unique key. */
export interface KeyTaken extends KeyHolder {
  readonly outcome: 'taken';
  readonly rejection: Rejection;
}

/** Result of a command. */
export type CommandOutcome<S> = CommandSuccess<S> | KeyTaken | Rejection;

/** Executes commands. */
export type CommandHandler = ReturnType<typeof createCommandHandler>;

/**
 * Creates the command handler. A command goes through these steps, which the comments below count:
 *
 * 1. It waits until this process has carried out the earlier commands of the same stream.
 * 2. The aggregate is loaded. One whose id was made for this command is taken to be empty, without reading its stream.
 * 3. It is decided: is this a retry with another body, may the sender do this, is the aggregate at the version that the
 *    caller requires, and what does the decider say? The events are checked against their schemas.
 * 4. Where the events gain a unique key, the key is claimed.
 * 5. The events are appended at the revision that was loaded. If another append came first, steps 2 to 5 are repeated
 *    until the deadline.
 */
export function createCommandHandler(given: {
  readonly store: WritableStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly aggregates?: Aggregates;
}) {
  const ports = { aggregates: new Aggregates(given.store), ...given };
  const inTurn = createStreamTurns(given.clock);
  return {
    /**
     * Carries out a request for one aggregate.
     * @throws {StoreUnavailable} when a store fails or the deadline passes: the outcome is unknown.
     * @throws {InvalidNewEvent} when the decider made an event that its schema does not describe. Nothing was appended.
     */
    async handle<S, C extends Message>(request: CommandRequest<S, C>): Promise<CommandOutcome<S>> {
      // 1. Wait for the earlier commands of the stream. A new id has none: nobody else knows it yet.
      if (request.fresh === true) return settle(ports, await firstAttempt(ports, request));
      const stream = streamOf(request.decider.category, request.id);
      return inTurn(stream, async () => {
        requireTime(ports.clock, request.origin, stream);
        return settle(ports, await firstAttempt(ports, request));
      });
    },
    /**
     * Handles requests as a group, each with the outcome that it would have alone, errors included. First all are decided
     * (steps 2 and 3). Then their events are appended in the order given, without waiting in between, so that the store
     * commits them together; a command that has to claim a key is appended later. Of two for one stream the earlier one
     * wins.
     */
    async handleAll<S, C extends Message>(
      requests: readonly CommandRequest<S, C>[],
    ): Promise<readonly PromiseSettledResult<CommandOutcome<S>>[]> {
      const attempts = await Promise.allSettled(requests.map((request) => firstAttempt(ports, request)));
      return Promise.allSettled(
        attempts.map(async (attempt) => {
          if (attempt.status === 'rejected') throw attempt.reason;
          return settle(ports, attempt.value);
        }),
      );
    },
  };
}

type CommandHandlerPorts = ClaimPorts & { readonly clock: Clock; readonly ids: Ids };

/** A command that was decided on an aggregate as it was loaded. */
interface Attempt<S, C extends Message> {
  readonly request: CommandRequest<S, C>;
  readonly stream: string;
  /**
   * Metadata of its events. One command id serves for all attempts: if it is in the stream after a lost race, another
   * process has rolled this command forward (rule b).
   */
  readonly metadata: EventMetadata;
  readonly loaded: LoadedAggregate<S>;
  readonly decision: CommandOutcome<S> | DecidedEvents<S>;
}

/** Events that are to be appended. */
interface DecidedEvents<S> {
  readonly outcome: 'decided';
  readonly events: readonly NewEvent[];
  /** The state after them. */
  readonly state: S;
  /** When they happen, ISO 8601. */
  readonly occurredAt: string;
}

const LOST_RACE = Symbol('lost race');

/** The refusal of another body under a known Idempotency-Key, whoever sends it. */
export const KEY_REUSED = reject('KEY_REUSED', 'This Idempotency-Key was used before with another body.');

const REVISION_MISMATCH = reject(
  'REVISION_MISMATCH',
  'The resource has changed since the revision that If-Match names.',
);

/** Loads the aggregate of a request and decides on it for the first time. */
async function firstAttempt<S, C extends Message>(
  ports: CommandHandlerPorts,
  request: CommandRequest<S, C>,
): Promise<Attempt<S, C>> {
  const { decider, id, origin, fingerprint, fresh } = request;
  const metadata = metadataOf(origin, fingerprint, ports);
  const stream = streamOf(decider.category, id);
  // 2. Load.
  const loaded = fresh === true ? notCreated(decider) : await ports.aggregates.load(decider, stream);
  // 3. Decide.
  const decision = await decide(ports.ids, request, metadata, loaded);
  return { request, stream, metadata, loaded, decision };
}

/** Carries out the first attempt at a command and, while others win the race, further ones. */
async function settle<S, C extends Message>(
  ports: CommandHandlerPorts,
  first: Attempt<S, C>,
): Promise<CommandOutcome<S>> {
  const { request, stream, metadata } = first;
  let attempt = first;
  let isPresumedEmpty = request.fresh === true && request.fingerprint !== undefined;
  let looksInVain = 0;
  while (true) {
    const result = await carryOut(ports, attempt);
    if (result === LOST_RACE) {
      // Case "lost race": another append came first, so this one has to be decided again on what that made of the
      // aggregate.
    } else if (isPresumedEmpty && isRefusal(result)) {
      // Case "presumed-empty stream refused": an id that is derived from an Idempotency-Key may have been used before. A
      // repeated create must find its own stream, not the present holder of its unique key, so the stream has to be read
      // before a refusal counts.
    } else {
      // Case "final".
      return result;
    }
    isPresumedEmpty = false;
    if (looksInVain > 0) await pauseBeforeLook(ports.clock, looksInVain);
    requireTime(ports.clock, request.origin, stream);
    // 2. Load what was appended since. Our own events are there if another process has rolled this command forward.
    const before = attempt.loaded;
    const loaded = await loadAggregate(ports.store, request.decider, stream, before, metadata.commandId);
    if (loaded.hasCommand) return successOf(loaded, true);
    // A follower of a cluster may not show yet what won the race.
    const isBehind = result === LOST_RACE && loaded.revision === before.revision;
    looksInVain = isBehind ? looksInVain + 1 : 0;
    // 3. Decide.
    const decision = await decide(ports.ids, request, metadata, loaded);
    attempt = { request, stream, metadata, loaded, decision };
  }
}

function isRefusal(outcome: CommandOutcome<unknown>): boolean {
  return outcome instanceof Rejection || outcome.outcome === 'taken';
}

/** Decides a command. Whatever may refuse it does so here, since nothing may refuse after a claim (rule e). */
async function decide<S, C extends Message>(
  ids: Ids,
  request: CommandRequest<S, C>,
  metadata: EventMetadata,
  loaded: LoadedAggregate<S>,
): Promise<Attempt<S, C>['decision']> {
  const { decider, commands, fingerprint, authorize, expected = null } = request;
  const { state, created, first, newest } = loaded;
  // A retry has the fingerprint of the first attempt, and is judged as what that was.
  const retried = fingerprint === undefined ? null : first;
  if (retried !== null && retried.fingerprint !== fingerprint) return KEY_REUSED;
  if (authorize !== undefined) {
    const current = created === null || retried !== null ? null : { state, created };
    const refusal = await authorize(current, retried);
    if (refusal !== null) return refusal;
  }
  if (expected !== null && newest !== null && !isExpected(expected, loaded)) return REVISION_MISMATCH;
  const decided = decideAll(decider, state, commands);
  if (decided instanceof Rejection) return decided;
  if (decided.events.length === 0) return successOf(loaded, false);
  const ownMetadata = newest === null ? metadata : notEarlierThan(newest, metadata);
  return {
    outcome: 'decided',
    events: decided.events.map((event) => toNewEvent(decider.events, event, ids.random(), ownMetadata)),
    state: decided.state,
    occurredAt: ownMetadata.occurredAt,
  };
}

/** Whether an aggregate is at the version: another history may have another event at that revision. */
function isExpected(
  expected: ExpectedVersion | 'none',
  { revision, newest }: Pick<LoadedAggregate<unknown>, 'revision' | 'newest'>,
): boolean {
  if (expected === 'none' || expected.revision !== revision) return false;
  return expected.moments === null || (newest !== null && expected.moments.includes(Date.parse(newest.occurredAt)));
}

/** Keeps time from running backwards in a stream, as it would where two nodes' clocks differ or a race was lost. */
function notEarlierThan({ occurredAt }: EventMetadata, metadata: EventMetadata): EventMetadata {
  return occurredAt > metadata.occurredAt ? { ...metadata, occurredAt } : metadata;
}

/** Makes a decision come true. Nothing is awaited before the append, unless a key has to be claimed. */
async function carryOut<S, C extends Message>(
  ports: CommandHandlerPorts,
  attempt: Attempt<S, C>,
): Promise<CommandOutcome<S> | typeof LOST_RACE> {
  const { request, stream, loaded, decision } = attempt;
  if (decision instanceof Rejection || decision.outcome !== 'decided') return decision;
  const { state, events, occurredAt } = decision;
  try {
    // 4. Claim the unique key.
    if (request.decider.claim !== null) {
      const taken = await claimGainedKey(ports, request.decider.claim, attempt, decision);
      if (taken !== null) return taken;
    }
    // 5. Append.
    const { revision, position } = await ports.store.append(stream, events, loaded.revision ?? 'no_stream');
    return {
      outcome: 'done',
      state,
      revision,
      position,
      recorded: true,
      events: events.map(({ type }) => type),
      createdAt: loaded.first?.occurredAt ?? occurredAt,
      updatedAt: occurredAt,
    };
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return LOST_RACE;
    throw error;
  }
}

/** Claims the key that the events would gain. Returns null if there is none to gain, or once the claim is recorded. */
async function claimGainedKey<S, C extends Message>(
  ports: CommandHandlerPorts,
  claim: Claim<S>,
  { request: { decider, origin }, stream, metadata, loaded }: Attempt<S, C>,
  { state, events }: DecidedEvents<S>,
): Promise<KeyTaken | null> {
  const key = claim.key(state);
  if (key === null || key === claim.key(loaded.state)) return null;
  const revision = loaded.revision ?? 'no_stream';
  const announcement = { type: KEY_CLAIMED, data: claimToJson({ owner: stream, revision, events }) };
  const holder = await claimKey(ports, {
    decider,
    claim,
    key,
    event: toNewEvent(claimEvents, announcement, ports.ids.random(), metadata),
    requireTime: () => requireTime(ports.clock, origin, stream),
  });
  if (holder === null) return null;
  // An older command of our own stream was rolled forward and gained the key: the state that was decided on is out of
  // date.
  if (holder.owner === stream) throw new WrongExpectedRevision(stream, revision);
  return { outcome: 'taken', rejection: claim.taken, ...holder };
}

function successOf<S>(
  { state, revision, position, first, newest }: LoadedAggregate<S>,
  recorded: boolean,
): CommandSuccess<S> {
  if (revision === null || position === null || first === null || newest === null)
    throw new Error('a decider returned no events for a resource that does not exist');
  return {
    outcome: 'done',
    state,
    revision,
    position,
    recorded,
    events: [],
    createdAt: first.occurredAt,
    updatedAt: newest.occurredAt,
  };
}

/** @throws {StoreUnavailable} when the deadline has passed. */
function requireTime(clock: Clock, { deadline }: Origin, stream: string): void {
  if (clock.now() > deadline) throw new StoreUnavailable(`${stream} is contended: no append before the deadline`);
}
