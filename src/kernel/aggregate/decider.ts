import { LRUCache } from 'lru-cache';
import { upcast, type DataOf, type DecidedEvent, type Message, type EventOf, type EventTypes } from '../event-types.ts';
import type { RecordedEvent, EventMetadata, EventStore, Position, Revision } from '../ports/event-store.ts';

/** Why a command is refused. Each code has one row in the status table of `src/service/http`. */
export type RejectionCode =
  /** The resource that the command is for does not exist. */
  | 'NOT_FOUND'
  /** Another resource holds the unique key, or has the id already. */
  | 'TAKEN'
  /** Something that the command refers to does not exist. */
  | 'UNKNOWN_REFERENCE'
  /** The caller may not do this. */
  | 'FORBIDDEN'
  /** Another licence owns the resource, or what the command refers to. */
  | 'NOT_YOURS'
  /** The key of a rig may not do this. */
  | 'RIG_SCOPE'
  /** The key is the last one of role ADMIN that works. */
  | 'LAST_ADMIN_KEY'
  /** The key was revoked. */
  | 'REVOKED'
  /** The resource is not at the revision that the caller asked for. */
  | 'REVISION_MISMATCH'
  /** An idempotency key came again with another body. */
  | 'KEY_REUSED'
  /** The command contradicts itself or what is already known of the resource. */
  | 'INVALID';

/** One fault in a request: a JSON pointer (RFC 6901) to it, and what is wrong there. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** The refusal of a command: a result, not an error. Nothing was appended. */
export class Rejection {
  readonly code: RejectionCode;
  readonly detail: string;
  readonly faults: readonly Fault[];

  constructor(code: RejectionCode, detail: string, faults: readonly Fault[] = []) {
    this.code = code;
    this.detail = detail;
    this.faults = faults;
  }
}

/** Makes a rejection with a sentence for the caller and, where one field is to blame, its pointer. */
export function reject(code: RejectionCode, detail: string, pointer?: string): Rejection {
  return new Rejection(code, detail, pointer === undefined ? [] : [{ pointer, detail }]);
}

/** Result of a command: events (none when the request is already in effect), or a refusal. */
export type Decision = readonly DecidedEvent[] | Rejection;

/** Declaration of a unique key that aggregates hold, guarded by the streams `<category>-<key>`. */
export interface Claim<S> {
  readonly category: string;
  /** The key that the aggregate holds in this state, or null. */
  readonly key: (state: S) => string | null;
  /** The refusal when somebody else holds the key. */
  readonly taken: Rejection;
}

/**
 * Definition of a decider: all that a resource may refuse, and all that it remembers. Handlers are keyed by message
 * name: one that is missing does not compile.
 */
export interface DeciderSpec<S, C extends Message, T extends EventTypes> {
  /** Streams are named `<category>-<id>`. */
  readonly category: string;
  readonly events: T;
  readonly evolve: { readonly [K in keyof T & string]: (state: S | null, data: DataOf<T[K]>) => S };
  readonly decide: {
    readonly [K in C['type']]: (
      state: S | null,
      data: Extract<C, { readonly type: K }>['data'],
    ) => readonly EventOf<T>[] | Rejection;
  };
  readonly claim?: Claim<S | null>;
  /** Whether the resource exists in a state; by default in each but null, the one before its first event. */
  readonly exists?: (state: S | null) => boolean;
}

/** A decider as the command handler uses it. */
export interface Decider<S, C extends Message> {
  readonly category: string;
  readonly events: EventTypes;
  readonly claim: Claim<S> | null;
  /** An aggregate without any event. */
  readonly notCreated: LoadedAggregate<S>;
  exists(state: S): boolean;
  decide(state: S, command: C): Decision;
  /** The state after an event that was just decided. */
  evolve(state: S, event: DecidedEvent): S;
  /** The state after a stored event, of whatever version. @throws {UnknownEvent} */
  replay(state: S, event: RecordedEvent): S;
}

/** Creates a decider from its handlers. */
export function decider<S, C extends Message, T extends EventTypes>(spec: DeciderSpec<S, C, T>): Decider<S | null, C> {
  // TypeScript cannot see that the handler under a message's name takes that message's data.
  const decide = spec.decide as unknown as { readonly [type: string]: (state: S | null, data: unknown) => Decision };
  const evolve = spec.evolve as unknown as { readonly [type: string]: (state: S | null, data: unknown) => S };
  const none = { revision: null, position: null, first: null, created: null, newest: null };
  return {
    category: spec.category,
    events: spec.events,
    claim: spec.claim ?? null,
    notCreated: { state: null, hasCommand: false, ...none },
    exists: spec.exists ?? ((state) => state !== null),
    decide: (state, { type, data }) => (decide[type] ?? noHandler(type))(state, data),
    evolve: (state, { type, data }) => (evolve[type] ?? noHandler(type))(state, data),
    replay(state, event) {
      // First: it names an event that this release does not know.
      const data = upcast(spec.events, event);
      return (evolve[event.type] ?? noHandler(event.type))(state, data);
    },
  };
}

/**
 * Decides commands one after the other, each by what the ones before have made: the events, and the state after them. The
 * first refusal refuses them all.
 */
export function decideAll<S, C extends Message>(decider: Decider<S, C>, before: S, commands: readonly C[]) {
  if (commands.length === 0 && !decider.exists(before)) return NO_SUCH_RESOURCE;
  const events: DecidedEvent[] = [];
  let state = before;
  for (const command of commands) {
    const decision = decider.decide(state, command);
    if (decision instanceof Rejection) return decision;
    for (const event of decision) state = decider.evolve(state, event);
    events.push(...decision);
  }
  return { events, state };
}

const NO_SUCH_RESOURCE = reject('NOT_FOUND', 'No such resource.');

function noHandler(type: string): never {
  throw new Error(`no handler for ${type}`);
}

/** Wraps a decision that needs the resource to exist; refused with `NOT_FOUND` otherwise. */
export function whenPresent<S extends object, D, E>(decide: (state: S, data: D) => readonly E[] | Rejection) {
  return (state: S | null, data: D): readonly E[] | Rejection =>
    state === null ? NO_SUCH_RESOURCE : decide(state, data);
}

/** Wraps a decision that creates the resource: once it exists, creating it again records nothing. */
export function whenAbsent<D, E>(decide: (data: D) => readonly E[] | Rejection) {
  return (state: object | null, data: D): readonly E[] | Rejection => (state === null ? decide(data) : []);
}

/** Wraps the evolution by an event of a resource that exists. Throws when no event has created it. */
export function evolveExisting<S extends object, D>(evolve: (state: S, data: D) => S) {
  return (state: S | null, data: D): S => evolve(requireState(state), data);
}

/** The state after an event whose data are new values of the state's own fields. */
export function mergeFields<S extends object>(state: S | null, data: Partial<S>): S {
  return { ...requireState(state), ...data };
}

function requireState<S>(state: S | null): S {
  if (state === null) throw new Error('an event came before the one that creates the resource');
  return state;
}

/** Longest stream name in bytes of UTF-8, in every store: LMDB's longest key is 1,978 bytes. */
export const MAX_STREAM_NAME_BYTES = 1_900;

/** Longest UTF-8 encoding of one UTF-16 code unit, in bytes. */
export const MAX_BYTES_PER_CHAR = 3;

/**
 * Characters not allowed in names: control characters would collide with LMDB's own markers in keys; lone surrogates
 * have no UTF-8, so two names would become one.
 */
const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;

/** @throws {TypeError} when a stream cannot have this name. */
export function requireStreamName(stream: string): void {
  if (stream === '' || UNSTORABLE.test(stream)) {
    throw new TypeError('a stream name must not be empty or hold control characters or lone surrogates');
  }
  const mayBeTooLong = stream.length * MAX_BYTES_PER_CHAR > MAX_STREAM_NAME_BYTES;
  if (mayBeTooLong && new TextEncoder().encode(stream).length > MAX_STREAM_NAME_BYTES) {
    throw new TypeError(`a stream name must not be longer than ${MAX_STREAM_NAME_BYTES} bytes of UTF-8`);
  }
}

/** Name of an aggregate's stream. */
export function streamOf(category: string, id: string): string {
  return `${category}-${id}`;
}

/** Id of the aggregate that a stream belongs to: its name without the category. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** Category of the aggregate that a stream belongs to. */
export function categoryOf(stream: string): string {
  return stream.slice(0, Math.max(0, stream.indexOf('-')));
}

/** An aggregate, replayed from its stream. */
export interface LoadedAggregate<S> {
  readonly state: S;
  /** Revision and position of its newest event; null when there is none. */
  readonly revision: Revision | null;
  readonly position: Position | null;
  /** Metadata of its first event, of the one since which it exists as it does now, and of its newest. */
  readonly first: EventMetadata | null;
  readonly created: EventMetadata | null;
  readonly newest: EventMetadata | null;
  /** Whether the command with the id in question caused one of its events. */
  readonly hasCommand: boolean;
}

/**
 * Loads an aggregate by replaying its stream, from the start or from what it was before.
 * @throws {UnknownEvent} when it holds an event that this release does not know.
 * @throws {StoreUnavailable}
 */
export async function loadAggregate<S, C extends Message>(
  store: Pick<EventStore, 'readStream'>,
  decider: Decider<S, C>,
  asked: { readonly stream: string; readonly commandId?: string; readonly from?: LoadedAggregate<S> },
): Promise<LoadedAggregate<S>> {
  const { stream, commandId, from = decider.notCreated } = asked;
  let { state, revision, position, first, created, newest, hasCommand } = from;
  for await (const batch of store.readStream(stream, revision)) {
    for (const event of batch) {
      state = decider.replay(state, event);
      revision = event.revision;
      position = event.position;
      first ??= event.metadata;
      created = decider.exists(state) ? (created ?? event.metadata) : null;
      newest = event.metadata;
      hasCommand ||= event.metadata.commandId === commandId;
    }
  }
  return { state, revision, position, first, created, newest, hasCommand };
}

/** Fewest events of an aggregate that is remembered: shorter streams are read as quickly. */
const LONG_STREAM_EVENTS = 50;
const MAX_REMEMBERED = 500;

/** Most streams whose first event is remembered; it never changes. */
const MAX_FIRST_EVENTS = 100_000;

/** Reads aggregates. Those with long streams are remembered, so that only the events since then are read again. */
export class Aggregates {
  readonly #store: Pick<EventStore, 'readStream'>;
  /** By stream, with the decider that the state is one of. */
  readonly #remembered = new LRUCache<string, { readonly decider: object; readonly loaded: LoadedAggregate<unknown> }>({
    max: MAX_REMEMBERED,
  });

  /** Metadata of first events, by stream. */
  readonly #first = new Map<string, EventMetadata>();

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store;
  }

  /** Reads the events of a stream, oldest first, in batches. */
  read(stream: string): AsyncIterable<readonly RecordedEvent[]> {
    return this.#store.readStream(stream);
  }

  /** The metadata of the first event of a stream, or null while it has none. @throws {StoreUnavailable} */
  async firstOf(stream: string): Promise<EventMetadata | null> {
    const known = this.#first.get(stream);
    if (known !== undefined) return known;
    for await (const [first] of this.#store.readStream(stream)) {
      if (first === undefined) continue;
      if (this.#first.size >= MAX_FIRST_EVENTS) this.#first.clear();
      this.#first.set(stream, first.metadata);
      return first.metadata;
    }
    return null;
  }

  /**
   * Loads an aggregate by its stream, whatever other processes have appended.
   * @throws {UnknownEvent} when the stream holds an event that this release does not know.
   * @throws {StoreUnavailable}
   */
  async load<S>(decider: Decider<S, never>, stream: string): Promise<LoadedAggregate<S>> {
    const known = this.#remembered.get(stream);
    // The state of this very decider.
    const from = known?.decider === decider ? (known.loaded as LoadedAggregate<S>) : decider.notCreated;
    const loaded = await loadAggregate(this.#store, decider, { stream, from });
    if ((loaded.revision ?? 0) >= LONG_STREAM_EVENTS) this.#remembered.set(stream, { decider, loaded });
    return loaded;
  }
}
