import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
import { entryOf, IN_ORDER, sampleBody } from '../resources/entries.ts';
import { shownBy, type Entry, type Fields as AnyFields } from '../resources/entry.ts';
import { unique, type Field as AnyField } from '../resources/fields.ts';
import { idOf, textOf, type Client } from './client.ts';
import { idsIn, issueLicenseFile, type Venue } from './venue.ts';

/** A field of a body, with values that fit a venue. */
export type Field = Omit<AnyField, 'good'> & { readonly good: () => readonly Json[] };

/** Fields of a body by name. */
export type Fields = Readonly<Record<string, Field>>;

/** An entry of test/resources at a venue. */
export interface Resource extends Pick<Entry, 'name' | 'path' | 'replaces'> {
  readonly entry: Entry;
  readonly create: Fields;
  readonly change: Fields;
  /** It can be deleted, and then created of the same body again. */
  readonly revocable: boolean;
  /** Exactly the fields of an answer. */
  readonly shows: readonly string[];
  /** A body with everything that POST requires, and nothing else; good once. */
  readonly body: () => Promise<JsonObject>;
  /** The resource in the answer to POST. */
  readonly unwrap: (created: JsonObject) => JsonObject;
  readonly pathOf: (shown: JsonObject) => string;
}

/** Names of all resources. */
export const RESOURCES: readonly string[] = IN_ORDER.map(({ name }) => name);

/** Those that have pages, and their default sorts. */
export const PAGED = IN_ORDER.flatMap(({ name, sort }) => (sort === null ? [] : [{ name, sort }]));

/** Every resource, with values for its fields that fit the venue. */
export function resourcesOf(venue: Venue, admin: Client): ReadonlyMap<string, Resource> {
  return new Map(RESOURCES.map((name) => [name, resourceAt(entryOf(name), venue, admin)]));
}

function resourceAt(entry: Entry, venue: Venue, admin: Client): Resource {
  const { name, path: pattern, replaces, maps, member } = entry;
  const path = pattern.replace('{simulatorId}', venue.simulatorId);
  const ids = idsIn(venue);
  const bound = (fields: AnyFields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, { ...one, good: () => one.good(ids) }]));
  return {
    ...{ entry, name, path },
    ...(replaces === undefined ? {} : { replaces }),
    create: bound(entry.create),
    change: bound(entry.change),
    revocable: entry.deletes === true,
    shows: shownBy(entry),
    body: async () => ({
      ...sampleBody(entry.create, { n: unique(), ids }),
      ...(await newReferents(entry, venue, admin)),
      ...(name === 'Rig' ? { licenseFile: await issueLicenseFile(venue.manager, venue.licenseId) } : {}),
    }),
    // The answer was held against the document, in which such members are objects.
    unwrap: (created) => (member === undefined ? created : (created[member] as JsonObject)),
    pathOf: (shown) => `${path}/${maps === undefined ? idOf(shown) : textOf(shown, maps)}`,
  };
}

/** New ones of what may belong to one resource only, by field. */
async function newReferents({ create }: Entry, venue: Venue, admin: Client): Promise<JsonObject> {
  const made = Object.entries(create).map(async ([field, { isExclusive, refersTo = '' }]) => {
    if (isExclusive !== true) return [];
    const { path, body, unwrap } = resourceAt(entryOf(refersTo), venue, admin);
    const maker = entryOf(refersTo).creates === 'ADMIN' ? admin : venue.manager;
    return [[field, idOf(unwrap(await maker.create(path, await body())))] as const];
  });
  return Object.fromEntries((await Promise.all(made)).flat());
}

/** The object without a field. */
export function without(whole: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
}

/** A body with the nth good value of every field that has some. */
export function goodBody(fields: Fields, row: number): JsonObject {
  const values = Object.entries(fields).map(([name, { good }]): [string, Json | undefined] => {
    const all = good();
    return [name, all[row % all.length]];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Bodies that together hold every good value of every field. */
export function goodBodies(fields: Fields): readonly JsonObject[] {
  const rows = Math.max(...Object.values(fields).map(({ good }) => good().length));
  return Array.from({ length: rows }, (_, row) => goodBody(fields, row));
}
