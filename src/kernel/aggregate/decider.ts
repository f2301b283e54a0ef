import { upcast, type DataOf, type DecidedEvent, type Message, type EventOf, type EventTypes } from '../event-types.ts';
import type { RecordedEvent } from '../ports/event-store.ts';
import { Rejection, reject } from './rejection.ts';

/** Result of a decision: events (none when the request is already in effect), or a refusal. */
export type Decision = readonly DecidedEvent[] | Rejection;

/** A unique key that aggregates hold, guarded by the streams `<category>-<key>` (docs/architecture.md#claims). */
export interface Claim<S> {
  readonly category: string;
  /** The key that the aggregate holds in this state, or null. */
  readonly key: (state: S) => string | null;
  /** The refusal when somebody else holds the key. */
  readonly taken: Rejection;
}

/**
 * Definition of a decider: everything that a resource may refuse, and everything that it remembers. Handlers are keyed by
 * message name, so a missing one does not compile.
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
  /** Whether the resource exists in a state. By default it does in every state but null, the one before its first event. */
  readonly exists?: (state: S | null) => boolean;
}

/** A decider as the command handler uses it. */
export interface Decider<S, C extends Message> {
  readonly category: string;
  readonly events: EventTypes;
  readonly claim: Claim<S> | null;
  /** The state before the first event. */
  readonly initial: S;
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
  return {
    category: spec.category,
    events: spec.events,
    claim: spec.claim ?? null,
    initial: null,
    exists: spec.exists ?? ((state) => state !== null),
    decide: (state, { type, data }) => (decide[type] ?? noHandler(type))(state, data),
    evolve: (state, { type, data }) => (evolve[type] ?? noHandler(type))(state, data),
    replay(state, event) {
      // Upcast first: it throws `UnknownEvent` where looking up the handler would throw a plain error.
      const data = upcast(spec.events, event);
      return (evolve[event.type] ?? noHandler(event.type))(state, data);
    },
  };
}

/**
 * Decides commands one after another, each on the state that the ones before it left. Returns all events and the final
 * state; if one command is refused, all are.
 */
export function decideAll<S, C extends Message>(decider: Decider<S, C>, before: S, commands: readonly C[]) {
  if (commands.length === 0 && !decider.exists(before)) return NO_SUCH_RESOURCE;
  const events: DecidedEvent[] = [];
  let state = before;
  for (const command of commands) {
    const decision = decider.decide(state, command);
    if (decision instanceof Rejection) return decision;
    for (const event of decision) {
      events.push(event);
      state = decider.evolve(state, event);
    }
  }
  return { events, state };
}

const NO_SUCH_RESOURCE = reject('NOT_FOUND', 'No such resource.');

function noHandler(type: string): never {
  throw new Error(`no handler for ${type}`);
}

/** Wraps a decision that needs the resource to exist; without it, the command is refused with `NOT_FOUND`. */
export function whenPresent<S extends object, D, E>(decide: (state: S, data: D) => readonly E[] | Rejection) {
  return (state: S | null, data: D): readonly E[] | Rejection =>
    state === null ? NO_SUCH_RESOURCE : decide(state, data);
}

/** Wraps a decision that creates the resource; where it exists already, the command records nothing. */
export function whenAbsent<D, E>(decide: (data: D) => readonly E[] | Rejection) {
  return (state: object | null, data: D): readonly E[] | Rejection => (state === null ? decide(data) : []);
}

/** Wraps the evolution by an event that changes a resource. Throws when no event has created the resource. */
export function evolveExisting<S extends object, D>(evolve: (state: S, data: D) => S) {
  return (state: S | null, data: D): S => evolve(requireState(state), data);
}

/** The state after an event whose data are new values of the state's own fields. */
export function mergeFields<S extends object>(state: S | null, data: Partial<S>): S {
  return { ...requireState(state), ...data };
}

function requireState<S>(state: S | null): S {
  if (state === null) throw new Error('the first event of the stream does not create the resource');
  return state;
}
