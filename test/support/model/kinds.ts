import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
import { entryOf, IN_ORDER, referencesOf } from '../resources/entries.ts';
import type { Entry, Fields as DeclaredFields } from '../resources/entry.ts';
import { isList, modelled, type Field } from './fields.ts';

/** Fields of a body by name. */
export type Fields = Readonly<Record<string, Field>>;

/** The value of a field of some resource, by kind, id and field; null when there is no such resource. */
export type Lookup = (kind: string, id: Json | undefined, field: string) => Json;

/** One kind of resource, from its entry in test/resources. */
export interface Kind extends Omit<Entry, 'create' | 'change' | 'unique'> {
  /** Fields of POST; one without `unset` is required. */
  readonly create: Fields;
  /** Fields of PATCH. */
  readonly change: Fields;
  /** Fields that are shown but not sent. */
  readonly derived: (values: JsonObject, lookup: Lookup) => JsonObject;
  /** The unique key. */
  readonly unique?: (values: JsonObject) => string;
  /** Every shown field that is neither an array nor an object, without times of use, which are not predictable. */
  readonly sortable: readonly string[];
}

function kindOf(entry: Entry): Kind {
  const { unique, parent, maps, ...rest } = entry;
  const fieldsIn = (fields: DeclaredFields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, one]) => [name, modelled(one, unique?.fields.includes(name) ?? false)]),
    );
  const [create, change] = [fieldsIn(entry.create), fieldsIn(entry.change)];
  const sent = Object.entries({ ...create, ...change });
  const scalars = sent.flatMap(([name, { isScalar, shownAs = name }]) => (isScalar ? [shownAs] : []));
  const names = referencesOf(entry).flatMap(({ field: { shows = {} } }) => Object.keys(shows));
  return {
    ...rest,
    ...{ parent, create, change },
    ...(maps === undefined ? {} : { maps }),
    ...(unique === undefined ? {} : { unique: (values) => JSON.stringify(unique.fields.map((name) => values[name])) }),
    derived: (values, lookup) => ({
      ...Object.fromEntries(Object.keys(parent).map((name) => [name, values[name]])),
      ...namesIn(entry, values, lookup),
    }),
    sortable: ['id', 'createdAt', 'updatedAt', ...scalars, ...names],
  };
}

/** Fields that a resource shows of those it refers to. */
function namesIn(entry: Entry, values: JsonObject, lookup: Lookup): JsonObject {
  const names = referencesOf(entry).flatMap(({ name, refersTo, field: { shows = {} } }) =>
    Object.entries(shows).map(([shown, its]): [string, Json] => [
      shown,
      joined(its.split(' ').map((one) => shownOf(refersTo, { id: values[name], field: one }, lookup))),
    ]),
  );
  return Object.fromEntries(names);
}

/** A field shown by a resource: its own, or of one it refers to. */
function shownOf(
  kind: string,
  { id, field }: { readonly id: Json | undefined; readonly field: string },
  lookup: Lookup,
): Json {
  const reference = referencesOf(entryOf(kind)).find(({ field: { shows = {} } }) => field in shows);
  const its = reference?.field.shows?.[field];
  if (reference === undefined || its === undefined) return lookup(kind, id, field);
  return shownOf(reference.refersTo, { id: lookup(kind, id, reference.name), field: its }, lookup);
}

/** One value as it is, several as one text. */
function joined(values: readonly Json[]): Json {
  return values.length === 1 ? (values[0] ?? null) : values.map(textIn).join(' ').trim();
}

/** Text of a value that is one. */
export function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** First and last name of a participant. */
export function driverName(lookup: Lookup, id: Json | undefined): string {
  return textIn(joined(['firstName', 'lastName'].map((field) => lookup('Participant', id, field))));
}

/** All kinds by name; keys have calls of their own. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(
  IN_ORDER.filter(({ name }) => name !== 'ApiKey').map((entry) => [entry.name, kindOf(entry)]),
);

/** An existing kind. */
export function kindNamed(wanted: string): Kind {
  const kind = KINDS.get(wanted);
  if (kind === undefined) throw new Error(`no kind ${wanted}`);
  return kind;
}

/** Every field that refers to others, with its ids. */
export function* namedBy(fields: Fields, body: JsonObject): Generator<{ readonly kind: string; readonly id: string }> {
  for (const [name, { refersTo, kept }] of Object.entries(fields)) {
    if (refersTo === undefined) continue;
    const value = kept(body[name] ?? null);
    for (const id of isList(value) ? value : [value]) if (typeof id === 'string') yield { kind: refersTo, id };
  }
}
