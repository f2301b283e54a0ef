import type { DecidedEvent } from '../../../src/kernel/event-types.ts';
import { sameJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import { IN_ORDER, keptOf, sampleOf } from './entries.ts';
import { fieldsOf, type Entry, type Fields, type EventContent } from './entry.ts';
import type { Field } from './fields.ts';

/** The id of the nth resource of a name, in the histories of laws. */
export function lawId(name: string, n = 1): string {
  const place = IN_ORDER.findIndex((entry) => entry.name === name) + 16;
  return `00000000-0000-7000-8000-0000000${place.toString(16)}00${n}`;
}

/** Texts of the nth resource: no change of a law gives one of them to another. */
const TEXTS = { 1: '1', 2: '5' } as const;

/** The two resources of each name that laws are about. */
export type Nth = keyof typeof TEXTS;

/** A body with every field of some, for the nth resource of a law. */
export function wholeBody(fields: Fields, n: Nth = 1): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      sampleOf(name, field, { n: TEXTS[n], ids: (of) => lawId(of, n) }),
    ]),
  );
}

/** What a resource is once it was made of a whole body, by the names of events. */
export function wholeState(entry: Entry, n: Nth = 1): JsonObject {
  const fields = fieldsOf(entry);
  const made = Object.fromEntries((entry.made ?? []).map((name) => [name, `${name} ${TEXTS[n]}`]));
  return { ...made, ...keptOf(fields, wholeBody(fields, n)), ...entry.initial };
}

/** A field that only the service gives values. */
const MADE: Field = { good: () => [], bad: [], few: [], nullable: false };

/** Another good value of a field than in a whole body. */
export function otherValue(name: string, field: Field): Json {
  const keep = field.shown ?? ((value: Json) => value);
  const of = (n: number) => sampleOf(name, field, { n: `${n}`, ids: (resource) => lawId(resource, n) });
  const others = [of(2), ...field.few, `other ${name}`];
  const other = others.find((value) => value !== null && !sameJson(keep(value), keep(of(1))));
  return other ?? null;
}

/** The event that creates. */
export function createdEvent(entry: Entry, n: Nth = 1): DecidedEvent {
  const [[type, content] = ['', 'special' as const]] = Object.entries(entry.events);
  const state = wholeState(entry, n);
  if (content === 'all') {
    const sent = { ...entry.inPath, ...entry.create };
    return { type, data: keptOf(sent, wholeBody(sent, n)) };
  }
  const data = isList(content) ? Object.fromEntries(content.map((name) => [name, state[name] ?? null])) : {};
  return { type, data };
}

/** Events after which the flags of a resource have these values; none where they have them from the beginning. */
export function flagEvents(entry: Entry, flags: JsonObject): readonly DecidedEvent[] {
  const whole = wholeState(entry);
  return stepsOf(entry)
    .filter(
      ({ kind, values }) => kind === 'flag' && Object.entries(values).every(([flag, value]) => flags[flag] === value),
    )
    .filter(({ values }) => Object.entries(values).some(([flag, value]) => whole[flag] !== value))
    .map(({ type, data }) => ({ type, data }));
}

/** What a request asks to be changed, and the event that records it. */
export interface Step {
  readonly type: string;
  /** Whether it sets fields together, moves a reference or a moment, or sets a flag. */
  readonly kind: 'fields' | 'move' | 'flag';
  /** The flag as it has to be before. */
  readonly before: JsonObject;
  readonly change: JsonObject;
  readonly data: JsonObject;
  /** The fields that have another value afterwards, by the names of events. */
  readonly values: JsonObject;
}

/** By event: a change of all that it carries. Special events are left out. */
export function stepsOf(entry: Entry): readonly Step[] {
  const [, ...changes] = Object.entries(entry.events);
  return changes.flatMap(([type, content]) => {
    const step = stepOf(entry, content);
    return step === null ? [] : [{ type, ...step }];
  });
}

function stepOf(entry: Entry, content: EventContent): Omit<Step, 'type'> | null {
  if (typeof content === 'string' || 'clears' in content) return null;
  const fields: Fields = { ...fieldsOf(entry), ...entry.change };
  const otherOf = (name: string): Json => otherValue(name, fields[name] ?? MADE);
  if (isList(content)) {
    const change = Object.fromEntries(content.map((name) => [name, otherOf(name)]));
    const values = keptOf(fields, change);
    return { kind: 'fields', before: {}, change, data: values, values };
  }
  const [[word, target] = ['', false]] = Object.entries<string | boolean>(content);
  if (typeof target === 'boolean') {
    const values = { [word]: target };
    return { kind: 'flag', before: { [word]: !target }, change: values, data: {}, values };
  }
  const change = { [target]: otherOf(target) };
  const values = keptOf(fields, change);
  const to = values[target] ?? null;
  const from = keptOf(fields, wholeBody(fields))[target] ?? null;
  return { kind: 'move', before: {}, change, data: word === 'moves' ? { from, to } : { to }, values };
}

function isList(content: EventContent): content is readonly string[] {
  return Array.isArray(content);
}
