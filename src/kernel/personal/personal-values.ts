import { KEY_CLAIMED, type KeyClaimed } from '../aggregate/claims.ts';
import type { EventTypes, PersonalFields } from '../event-types.ts';
import type { Json, JsonObject } from '../json.ts';
import type { NewEvent } from '../ports/event-store.ts';
import { streamOf } from '../stream-names.ts';

/** A value of an event that belongs to a person. */
export interface PersonalValue {
  readonly subject: string;
  /** Stream and id of the event, and the field: together they name the value. In a claim, those of the announced event. */
  readonly stream: string;
  readonly eventId: string;
  readonly field: string;
  readonly value: Json;
  /** What is read in its place once the person was erased. */
  readonly erased: Json;
}

/** Field of the fingerprint of a body, which would let anybody check a guess of the body. */
const FINGERPRINT = 'metadata.fingerprint';

/** The event types that have personal values, by name, and the one that announces events. */
export class PersonalTypes {
  readonly #fields: ReadonlyMap<string, readonly PersonalFields[]>;
  /** Names of the types that say that the person of their stream was erased. */
  readonly erasing: readonly string[];

  constructor(types: EventTypes) {
    const fields = new Map<string, readonly PersonalFields[]>();
    const erasing: string[] = [];
    for (const [name, { personal, erases }] of Object.entries(types)) {
      if (personal !== undefined) fields.set(name, personal);
      if (erases === true) erasing.push(name);
    }
    this.#fields = fields;
    this.erasing = erasing;
  }

  /** Whether an event of this type may have personal values: most have none, and cost no more than this look-up. */
  has(type: string): boolean {
    return type === KEY_CLAIMED || this.#fields.has(type);
  }

  /** All personal values of an event. */
  valuesIn(stream: string, event: NewEvent): readonly PersonalValue[] {
    const values: PersonalValue[] = [];
    this.replaced(stream, event, (value) => {
      values.push(value);
      return value.value;
    });
    return values;
  }

  /** The same event with other personal values; itself where it has none. */
  replaced(stream: string, event: NewEvent, replace: (value: PersonalValue) => Json): NewEvent {
    if (event.type === KEY_CLAIMED) return this.#replacedInClaim(event, replace);
    const declared = this.#fields.get(event.type);
    if (declared === undefined) return event;
    const data: { [field: string]: Json | undefined } = { ...event.data };
    for (const fields of declared) {
      for (const [field, erased] of Object.entries(fields.erased)) {
        const value = event.data[field];
        if (value === undefined) continue;
        const subject = subjectOf(fields, stream, event);
        data[field] = replace({ subject, stream, eventId: event.id, field, value, erased });
      }
    }
    const { fingerprint } = event.metadata;
    const [first] = declared;
    if (fingerprint === undefined || first === undefined) return { ...event, data };
    const subject = subjectOf(first, stream, event);
    const replacement = replace({
      subject,
      stream,
      eventId: event.id,
      field: FINGERPRINT,
      value: fingerprint,
      erased: '',
    });
    return { ...event, data, metadata: { ...event.metadata, fingerprint: asText(replacement) } };
  }

  #replacedInClaim(event: NewEvent, replace: (value: PersonalValue) => Json): NewEvent {
    // Only claims are written under this type. One of a later release, in another form, is left as it is.
    if (event.metadata.version !== 1) return event;
    const { owner, events } = event.data as unknown as KeyClaimed;
    if (!events.some(({ type }) => this.#fields.has(type))) return event;
    const replacedEvents = events.map((announced): JsonObject => {
      const { id, type, data, metadata } = this.replaced(owner, announced, replace);
      return { id, type, data, metadata: { ...metadata } };
    });
    return { ...event, data: { ...event.data, events: replacedEvents } };
  }
}

function subjectOf({ subject }: PersonalFields, stream: string, { type, data }: NewEvent): string {
  if (subject === 'stream') return stream;
  const id = data[subject.field];
  if (typeof id !== 'string') throw new TypeError(`${type} says of nobody whose personal fields it has`);
  return streamOf(subject.category, id);
}

/** A value in place of a text. */
function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
