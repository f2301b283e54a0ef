import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { IN_ORDER, joined, namesIn, referencesOf, textIn, type Lookup } from '../resources/entries.ts';
import type { Entry, Fields as DeclaredFields } from '../resources/entry.ts';
import { isList, modelled, type Field } from './fields.ts';

/** Fields of a body by name. */
export type Fields = Readonly<Record<string, Field>>;

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
  const { unique, inPath, ...rest } = entry;
  const fieldsIn = (fields: DeclaredFields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, one]) => [name, modelled(one, unique?.fields.includes(name) ?? false)]),
    );
  const create = fieldsIn(entry.create);
  const change = fieldsIn(entry.change);
  const sent = Object.entries({ ...create, ...change });
  const scalars = sent.flatMap(([name, { isScalar, shownAs = name }]) => (isScalar ? [shownAs] : []));
  const names = referencesOf(entry).flatMap(({ field: { shows = {} } }) => Object.keys(shows));
  const kind: Kind = {
    ...rest,
    inPath,
    create,
    change,
    derived: (values, lookup) => ({
      ...Object.fromEntries(Object.keys(inPath).map((name) => [name, values[name]])),
      ...namesIn(entry, values, lookup),
    }),
    sortable: ['id', 'createdAt', 'updatedAt', ...scalars, ...names, ...Object.keys(entry.joins ?? {})],
  };
  if (unique === undefined) return kind;
  return { ...kind, unique: (values) => JSON.stringify(unique.fields.map((name) => values[name])) };
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
