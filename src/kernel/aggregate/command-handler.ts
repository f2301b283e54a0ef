import type { DecidedEvent, EventTypes, Message, Origin } from '../event-types.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../ports/errors.ts';
import type { EventMetadata, NewEvent, Position, Revision } from '../ports/event-store.ts';
import { pause, type Clock, type Ids } from '../ports/system.ts';
import { streamOf } from '../stream-names.ts';
import { Aggregates, loadAggregate, notCreated, type LoadedAggregate } from './aggregates.ts';
import { decideAll, type Decider } from './decider.ts';
import { reject, Rejection } from './rejection.ts';
import { claimKey, claimToJson, KEY_CLAIMED, pauseBeforeLook } from './claims.ts';
import type { ClaimPorts, KeyHolder, WritableStore } from './claims.ts';

/** A version of an aggregate that a caller insists on. */
export interface ExpectedVersion {
  readonly revision: Revision;
  /** When the event of that revision happened, epoch ms, one of several; null: at any time. */
  readonly moments: readonly number[] | null;
}

/** Commands for one aggregate. */
export interface CommandRequest<S, C extends Message> {
  readonly decider: Decider<S, C>;
  readonly id: string;
  /** Carried out in this order by one append, or none of them. */
  readonly commands: readonly C[];
  readonly origin: Origin;
  /** The version that the caller insists on (`If-Match`), or `'none'` when none can satisfy it. */
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
  /** Asked at each attempt whether the command may be carried out at all, before anything else is. */
  readonly authorize?: Authorize<S>;
}

/**
 * The refusal of a command, or null. It is judged by the state and by who created it; `current` is null if the aggregate
 * does not exist. So it is for a retry, which is judged by what was sent: `retried` is the metadata of the event that the
 * first attempt recorded. Returns a promise only if something has to be looked up.
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

/** Creates the command handler. */
export function createCommandHandler(given: {
  readonly store: WritableStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly aggregates?: Aggregates;
}) {
  const ports = { aggregates: new Aggregates(given.store), ...given };
  const inTurn = createTurns(given.clock);
  return {
    /**
     * Loads, decides and appends; after a concurrent append loads and decides again, until the deadline.
     * @throws {StoreUnavailable} when a store fails or the deadline passes: the outcome is unknown.
     */
    async handle<S, C extends Message>(request: CommandRequest<S, C>): Promise<CommandOutcome<S>> {
      // Nobody else knows the id yet.
      if (request.fresh === true) return conclude(ports, await decideFirst(ports, request));
      const stream = streamOf(request.decider.category, request.id);
      return inTurn(stream, async () => {
        requireTime(ports, request.origin, stream);
        return conclude(ports, await decideFirst(ports, request));
      });
    },
    /**
     * Handles commands as a group, each with the outcome that it would have alone, its error included. All are decided
     * first; then their events are appended in the order given, without waiting in between, so that the store commits
     * them together. Where two are for one stream the earlier one wins. (A command that has to claim a key is appended
     * later.)
     */
    async handleAll<S, C extends Message>(
      requests: readonly CommandRequest<S, C>[],
    ): Promise<readonly PromiseSettledResult<CommandOutcome<S>>[]> {
      const all = await Promise.allSettled(requests.map((request) => decideFirst(ports, request)));
      return Promise.allSettled(
        all.map(async (one) => {
          if (one.status === 'rejected') throw one.reason;
          return conclude(ports, one.value);
        }),
      );
    },
  };
}

/** Time, in ms, without any progress after which a command waits for earlier ones of its stream no longer. */
const STUCK_MS = 1_000;

/** The commands that this process carries out on one stream, one after the other. */
interface StreamTurns {
  /** The newest of them. */
  last: Promise<unknown>;
  /** How many have ended. */
  ended: number;
}

/**
 * Creates the turns of commands on a stream. They would be right without: all but one lose each race for the next
 * revision, and decide again; so a hundred at once would decide five thousand times. A store that does not answer one of
 * them holds up no other for long.
 */
function createTurns(clock: Clock) {
  const streams = new Map<string, StreamTurns>();
  return async <T>(stream: string, work: () => Promise<T>): Promise<T> => {
    const turns = streams.get(stream) ?? { last: Promise.resolve(), ended: 0 };
    const result = streams.has(stream) ? turnOf(turns, clock).then(work) : work();
    turns.last = result;
    streams.set(stream, turns);
    try {
      return await result;
    } finally {
      turns.ended += 1;
      if (turns.last === result) streams.delete(stream);
    }
  };
}

/** Waits until the newest command has ended, well or not, or none has for a while. */
async function turnOf(turns: StreamTurns, clock: Clock): Promise<void> {
  const over = new AbortController();
  void turns.last.then(
    () => over.abort(),
    () => over.abort(),
  );
  let ended: number;
  do {
    ended = turns.ended;
    await pause(clock, STUCK_MS, over.signal);
  } while (!over.signal.aborted && turns.ended > ended);
}

/** @throws {StoreUnavailable} when the deadline has passed. */
function requireTime({ clock }: { readonly clock: Clock }, { deadline }: Origin, stream: string): void {
  if (clock.now() > deadline) throw new StoreUnavailable(`${stream} is contended: no append before the deadline`);
}

/** Keeps time from running backwards in a stream, as it would where two nodes' clocks differ or a race was lost. */
function notEarlierThan({ occurredAt }: EventMetadata, metadata: EventMetadata): EventMetadata {
  return occurredAt > metadata.occurredAt ? { ...metadata, occurredAt } : metadata;
}

const LOST_RACE = Symbol('lost race');

/** The refusal of another body under a known Idempotency-Key, whoever sends it. */
export const KEY_REUSED = reject('KEY_REUSED', 'This Idempotency-Key was used before with another body.');

const REVISION_MISMATCH = reject(
  'REVISION_MISMATCH',
  'The resource has changed since the revision that If-Match names.',
);

interface Attempt<S, C extends Message> {
  readonly request: CommandRequest<S, C>;
  readonly metadata: EventMetadata;
  readonly stream: string;
  readonly loaded: LoadedAggregate<S>;
}

type CommandHandlerPorts = Parameters<typeof createCommandHandler>[0] & ClaimPorts;

interface DecidedEvents<S> {
  readonly outcome: 'decided';
  readonly events: readonly NewEvent[];
  /** The state after them, and when they happen, ISO 8601. */
  readonly state: S;
  readonly occurredAt: string;
}

/** What was decided: the outcome already, or the events that would make it so. */
type Decided<S> = CommandOutcome<S> | DecidedEvents<S>;

/**
 * Decides a command for the first time. One command id serves for all attempts: if it is in the stream after a lost race,
 * another process has rolled this command forward (rule b).
 */
async function decideFirst<S, C extends Message>(ports: CommandHandlerPorts, request: CommandRequest<S, C>) {
  const { decider, id, origin, fingerprint, fresh } = request;
  const metadata = metadataOf(origin, fingerprint, ports);
  const stream = streamOf(decider.category, id);
  const loaded = fresh === true ? notCreated(decider) : await ports.aggregates.load(decider, stream);
  const attempt = { request, metadata, stream, loaded };
  return { attempt, decision: await decide(ports, attempt) };
}

/** Carries out the first attempt at a command, and after a lost race the next ones. */
async function conclude<S, C extends Message>(
  ports: CommandHandlerPorts,
  { attempt, decision }: { readonly attempt: Attempt<S, C>; readonly decision: Decided<S> },
) {
  const { request, metadata, stream } = attempt;
  const { decider, origin, fresh, fingerprint } = request;
  let outcome = await carryOut(ports, attempt, decision);
  let { loaded } = attempt;
  // An id that was derived from an Idempotency-Key may have been used before: a repeated create must find its own stream,
  // not the current holder of its key. So a refusal does not count while the stream was only presumed to be empty.
  let isUnread = fresh === true && fingerprint !== undefined;
  let looksInVain = 0;
  while (true) {
    const isRefused = outcome !== LOST_RACE && (outcome instanceof Rejection || outcome.outcome === 'taken');
    if (outcome !== LOST_RACE && !(isUnread && isRefused)) return outcome;
    isUnread = false;
    if (looksInVain > 0) await pauseBeforeLook(ports.clock, looksInVain);
    requireTime(ports, origin, stream);
    const { revision } = loaded;
    // From what this command has seen: its own events, rolled forward by another process, come after that.
    loaded = await loadAggregate(ports.store, decider, stream, loaded, metadata.commandId);
    if (loaded.hasCommand) return successOf(loaded, true);
    // A follower of a cluster does not show yet what won the race.
    looksInVain = outcome === LOST_RACE && loaded.revision === revision ? looksInVain + 1 : 0;
    const next = { ...attempt, loaded };
    outcome = await carryOut(ports, next, await decide(ports, next));
  }
}

async function decide<S, C extends Message>(
  ports: CommandHandlerPorts,
  { request, metadata, loaded }: Attempt<S, C>,
): Promise<Decided<S>> {
  const { decider, commands, expected = null } = request;
  const asked = refusalBySender(request, loaded);
  const rejection = asked instanceof Promise ? await asked : asked;
  if (rejection !== null) return rejection;
  // Before the decider is asked: nothing may be refused after a claim (rule e).
  if (expected !== null && loaded.newest !== null && !isExpected(expected, loaded)) return REVISION_MISMATCH;
  const decided = decideAll(decider, loaded.state, commands);
  if (decided instanceof Rejection) return decided;
  if (decided.events.length === 0) return successOf(loaded, false);
  const eventMetadata = loaded.newest === null ? metadata : notEarlierThan(loaded.newest, metadata);
  const events: NewEvent[] = [];
  for (const event of decided.events)
    events.push(toNewEvent(event, decider.events, { id: ports.ids.random(), metadata: eventMetadata }));
  return { outcome: 'decided', events, state: decided.state, occurredAt: eventMetadata.occurredAt };
}

/** Whether an aggregate is at the version: another history may have another event at that revision. */
function isExpected(
  expected: ExpectedVersion | 'none',
  { revision, newest }: Pick<LoadedAggregate<unknown>, 'revision' | 'newest'>,
): boolean {
  if (expected === 'none' || expected.revision !== revision) return false;
  return expected.moments === null || (newest !== null && expected.moments.includes(Date.parse(newest.occurredAt)));
}

/** Appends what was decided. Nothing is awaited before the append, unless a key has to be claimed. */
async function carryOut<S, C extends Message>(
  ports: CommandHandlerPorts,
  attempt: Attempt<S, C>,
  decision: Decided<S>,
): Promise<CommandOutcome<S> | typeof LOST_RACE> {
  if (decision instanceof Rejection || decision.outcome !== 'decided') return decision;
  const { request, stream, loaded } = attempt;
  const { state, events, occurredAt } = decision;
  try {
    const taken = request.decider.claim === null ? null : await claimGainedKey(ports, attempt, decision);
    if (taken !== null) return taken;
    const { revision, position } = await ports.store.append(stream, events, loaded.revision ?? 'no_stream');
    const createdAt = loaded.first?.occurredAt ?? occurredAt;
    return {
      outcome: 'done',
      state,
      revision,
      position,
      recorded: true,
      events: events.map(({ type }) => type),
      createdAt,
      updatedAt: occurredAt,
    };
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return LOST_RACE;
    throw error;
  }
}

/** The refusal of another body under a known key, or of who may not send this; a retry is judged as what it was. */
function refusalBySender<S, C extends Message>(
  { authorize, fingerprint }: CommandRequest<S, C>,
  { state, created, first }: LoadedAggregate<S>,
): ReturnType<Authorize<S>> {
  const retried = fingerprint === undefined ? null : first;
  if (retried !== null && retried.fingerprint !== fingerprint) return KEY_REUSED;
  const current = created === null || retried !== null ? null : { state, created };
  return authorize?.(current, retried) ?? null;
}

/** Claims the key that the events would gain; null when there is none to gain or the claim is recorded. */
async function claimGainedKey<S, C extends Message>(
  ports: CommandHandlerPorts,
  { request: { decider, origin }, metadata, stream, loaded }: Attempt<S, C>,
  next: { readonly state: S; readonly events: readonly NewEvent[] },
): Promise<KeyTaken | null> {
  const { claim } = decider;
  const key = claim?.key(next.state) ?? null;
  if (claim === null || key === null || key === claim.key(loaded.state)) return null;
  const revision = loaded.revision ?? 'no_stream';
  const data = claimToJson({ owner: stream, revision, events: next.events });
  const event = { id: ports.ids.random(), type: KEY_CLAIMED, data, metadata };
  const holder = await claimKey(ports, {
    ...{ decider, claim, key, event },
    requireTime: () => requireTime(ports, origin, stream),
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

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Makes the metadata that all events of one command share, over all its attempts. */
export function metadataOf(
  { correlationId, apiKeyId, licenseId, role, reason }: Omit<Origin, 'deadline'>,
  fingerprint: string | undefined,
  { clock, ids }: { readonly clock: Pick<Clock, 'now'>; readonly ids: Ids },
): EventMetadata {
  const occurredAt = new Date(clock.now()).toISOString();
  const metadata: Mutable<EventMetadata> = { version: 1, occurredAt, commandId: ids.random(), correlationId };
  if (apiKeyId !== undefined) metadata.apiKeyId = apiKeyId;
  if (licenseId !== undefined) metadata.licenseId = licenseId;
  if (role !== undefined) metadata.role = role;
  if (fingerprint !== undefined) metadata.fingerprint = fingerprint;
  if (reason !== undefined) metadata.reason = reason;
  return metadata;
}

type Inspection = (event: DecidedEvent, types: EventTypes) => void;

let inspection: Inspection | null = null;

/** Has each new event inspected before it is stored. Tests do this: production trusts the types of the deciders. */
export function inspectNewEvents(by: Inspection | null): void {
  inspection = by;
}

/** Makes the event to store: in the newest version of its type. */
export function toNewEvent(
  event: DecidedEvent,
  types: EventTypes,
  { id, metadata }: { readonly id: string; readonly metadata: EventMetadata },
): NewEvent {
  inspection?.(event, types);
  const { type, data } = event;
  const version = types[type]?.version ?? 1;
  return { id, type, data, metadata: version === metadata.version ? metadata : { ...metadata, version } };
}
