import { z } from 'zod';
import type { PartialUpdate } from './body-command.ts';
import { Id, Moment } from './facts.ts';
import { evolveExisting } from '../kernel/aggregate/decider.ts';
import { eventType, type DataOf, type EventOf, type EventType, type Schema } from '../kernel/event-types.ts';
import { sameJson, type JsonObject } from '../kernel/json.ts';

/** A type of event that says what some fields (`V`) of a resource (`S`) are from now on. */
export interface FieldEvent<
  S extends JsonObject,
  D extends JsonObject = JsonObject,
  V extends JsonObject = JsonObject,
  A extends object = object,
> extends EventType<D> {
  /** The part of a change that is about these fields; null: it does not change them. */
  askedIn(change: PartialUpdate<S>): A | null;
  /** The data of the event by which the fields get the values asked for; null if they have them already. */
  dataFor(state: S, asked: A): D | null;
  /** The values of the fields after the event. */
  valuesIn(data: D): V;
}

/** The field events of a resource by name, in the order in which one change records them. */
export type FieldEvents<S extends JsonObject> = { readonly [type: string]: FieldEvent<S> };

/** Fields of an event that belong together: a later event carries all of them when one has changed. */
export function fieldsChanged<D extends JsonObject, K extends keyof D & string>(
  event: z.ZodObject & Schema<D>,
  ...fields: readonly K[]
): FieldEvent<Pick<D, K>, Pick<D, K>, Pick<D, K>, PartialUpdate<Pick<D, K>>> {
  const shape: z.core.$ZodShape = event.shape;
  const own: ReadonlySet<string> = new Set(fields);
  const picked = z.object(Object.fromEntries(Object.entries(shape).filter(([field]) => own.has(field))));
  return {
    // A schema of exactly these fields.
    ...eventType(picked as unknown as Schema<Pick<D, K>>),
    askedIn(change) {
      const asked = fields.filter((field) => change[field] !== undefined).map((field) => [field, change[field]]);
      // Some of exactly these fields.
      return asked.length === 0 ? null : (Object.fromEntries(asked) as PartialUpdate<Pick<D, K>>);
    },
    dataFor(state, asked) {
      const next = fields.map((field) => [field, asked[field] === undefined ? state[field] : asked[field]] as const);
      // Built from exactly these fields of `state` and `asked`.
      const data = Object.fromEntries(next) as Pick<D, K>;
      return fields.every((field) => sameJson(data[field], state[field])) ? null : data;
    },
    valuesIn: (data) => data,
  };
}

type One<K extends string, V = string> = { readonly [P in K]: V };
type None = Record<string, never>;

/** A flag that is set to this value. The name of the event says so, which has no data. */
export function flagSet<K extends string>(
  field: K,
  value: boolean,
): FieldEvent<One<K, boolean>, None, One<K, boolean>, None> {
  return {
    ...eventType(z.object({})),
    askedIn: (change) => (change[field] === value ? {} : null),
    dataFor: (state) => (state[field] === value ? null : {}),
    // An object of this one field.
    valuesIn: () => ({ [field]: value }) as One<K, boolean>,
  };
}

/** A reference that is changed. The event has its former value, too. */
export function referenceMoved<K extends string>(
  field: K,
): FieldEvent<One<K>, { readonly from: string; readonly to: string }, JsonObject, One<K>> {
  return {
    ...eventType(z.object({ from: Id, to: Id })),
    askedIn: (change) => only(field, change[field]),
    dataFor: (state, { [field]: to }) => (to === state[field] ? null : { from: state[field], to }),
    valuesIn: ({ to }) => ({ [field]: to }),
  };
}

/** A moment that is set or changed. The event has the new one. */
export function momentSet<K extends string>(
  field: K,
): FieldEvent<PartialUpdate<One<K>>, { readonly to: string }, JsonObject, One<K>> {
  return {
    ...eventType(z.object({ to: Moment })),
    askedIn: (change) => only(field, change[field]),
    dataFor: (state, { [field]: to }) => (to === state[field] ? null : { to }),
    valuesIn: ({ to }) => ({ [field]: to }),
  };
}

/** A moment at which something ended, where it was open, or ended at another moment: the event says when. */
export function momentReached<K extends string>(field: K): FieldEvent<One<K, string | null>, One<K>, One<K>, One<K>> {
  return {
    // A schema of exactly this field.
    ...eventType(z.object({ [field]: Moment }) as unknown as Schema<One<K>>),
    askedIn: (change) => only(field, change[field] ?? undefined),
    dataFor: (state, asked) => (asked[field] === state[field] ? null : asked),
    valuesIn: (data) => data,
  };
}

/** A moment at which something had ended and that is taken back: the event says all by its name. */
export function momentCleared<K extends string>(field: K): FieldEvent<One<K, string | null>, None, One<K, null>, None> {
  return {
    ...eventType(z.object({})),
    askedIn: (change) => (change[field] === null ? {} : null),
    dataFor: (state) => (state[field] === null ? null : {}),
    // An object of this one field.
    valuesIn: () => ({ [field]: null }) as One<K, null>,
  };
}

function only<K extends string>(field: K, value: string | undefined): One<K> | null {
  return value === undefined ? null : ({ [field]: value } as One<K>);
}

/** The events that a change leads to; none when it is in effect already. */
export function changesTo<S extends JsonObject, T extends FieldEvents<S>>(
  events: T,
  state: S,
  change: PartialUpdate<S>,
): readonly EventOf<T>[] {
  const changes = Object.entries(events).map(([type, event]) => {
    const asked = event.askedIn(change);
    return { type, data: asked === null ? null : event.dataFor(state, asked) };
  });
  // Each type with the data that it makes itself.
  return changes.filter(({ data }) => data !== null) as EventOf<T>[];
}

type Evolved<T> = { readonly [K in keyof T & string]: <S extends object>(state: S | null, data: DataOf<T[K]>) => S };

/** The `evolve` handlers of field events: each sets the fields to the values in its event. */
export function evolvedBy<T extends FieldEvents<never>>(events: T): Evolved<T> {
  const evolve = (event: FieldEvent<never>) =>
    evolveExisting((state: object, data: JsonObject) => ({ ...state, ...event.valuesIn(data) }));
  const handlers = Object.entries(events).map(([type, event]) => [type, evolve(event)]);
  // One handler for each event.
  return Object.fromEntries(handlers) as Evolved<T>;
}
