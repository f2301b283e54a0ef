import type { Json, JsonObject } from './json.ts';
import { StoreUnavailable } from './ports/errors.ts';
import type { EventMetadata, RecordedEvent } from './ports/event-store.ts';

/** A command, or an event before it is stored: a name and its data. */
export interface Message<D = unknown> {
  readonly type: string;
  readonly data: D;
}

/** An event as a decider returns it: not stored yet. */
export type DecidedEvent = Message<JsonObject>;

/** A check that a value has the shape of an event's data; a zod schema is one. */
export interface Schema<D extends JsonObject> {
  /** Returns the fields that the schema describes; throws where one does not match. */
  parse(value: unknown): D;
  safeParse(value: unknown): SchemaResult<D>;
}

/** Result of a check: the fields that the schema describes, or what does not match. */
type SchemaResult<D> =
  | { readonly success: true; readonly data: D }
  | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly code: string;
}

/** Turns the data of one version of an event into data of the next version. */
export type Upcaster = (data: JsonObject) => JsonObject;

/** A type of event: its newest version, that version's schema, and how older versions are read. */
export interface EventType<D extends JsonObject> {
  readonly version: number;
  readonly schema: Schema<D>;
  /** `upcasters[0]` reads version 1 as version 2, and so on. */
  readonly upcasters: readonly Upcaster[];
  /** Fields of the data that are encrypted where they are stored; those of each person under their own key. */
  readonly personal?: readonly PersonalFields[];
  /** Whether the event says that the person of its stream was erased. */
  readonly erases?: true;
}

/** Fields of an event that belong to one person. */
export interface PersonalFields {
  /** Whose they are: of the person of the event's stream, or of the one whose id is in a field of the event. */
  readonly subject: 'stream' | { readonly category: string; readonly field: string };
  /** The fields by name, in every version of the event, and what is read in their place once the person was erased. */
  readonly erased: { readonly [field: string]: Json };
}

/** Event types by name. Names are stored for ever. */
export type EventTypes = { readonly [type: string]: EventType<JsonObject> };

/** The data of an event type's newest version. */
export type DataOf<T> = T extends EventType<infer D> ? D : never;

/** The union of the events of some types. */
export type EventOf<T extends EventTypes> = {
  [K in keyof T & string]: { readonly type: K; readonly data: DataOf<T[K]> };
}[keyof T & string];

/** Declares an event type. Its version is one more than the number of upcasters. */
export function eventType<D extends JsonObject>(schema: Schema<D>, ...upcasters: readonly Upcaster[]): EventType<D> {
  return { version: upcasters.length + 1, schema, upcasters };
}

/**
 * An event of a type or version that this release does not know: its stream cannot be judged here
 * (docs/architecture.md#claims, rule d).
 */
export class UnknownEvent extends StoreUnavailable {
  constructor(event: RecordedEvent) {
    const { type, metadata, stream, position } = event;
    super(`${type} v${metadata.version} at position ${position} of ${stream} is not known to this release`);
  }
}

/**
 * Returns the event's data in the newest version of its type.
 * @throws {UnknownEvent} when this release does not know the type or the version.
 */
export function upcast(types: EventTypes, event: RecordedEvent): JsonObject {
  const type = Object.hasOwn(types, event.type) ? types[event.type] : undefined;
  const { version } = event.metadata;
  if (type === undefined || version > type.version || version < 1) throw new UnknownEvent(event);
  if (version === type.version) return event.data;
  return type.upcasters.slice(version - 1).reduce((data, next) => next(data), event.data);
}

/**
 * Why the data of an event do not satisfy the schema of its type, or null. Types and versions that this release does
 * not know are not judged.
 */
export function faultOf(types: EventTypes, event: RecordedEvent): string | null {
  const type = Object.hasOwn(types, event.type) ? types[event.type] : undefined;
  if (type === undefined || event.metadata.version > type.version) return null;
  try {
    type.schema.parse(upcast(types, event));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Origin of a command: the request, the caller, why it was sent, and the deadline (epoch ms) for all attempts. */
export type Origin = Pick<EventMetadata, 'correlationId' | 'apiKeyId' | 'licenseId' | 'role' | 'reason'> & {
  readonly deadline: number;
};
