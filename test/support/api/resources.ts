import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { entryOf, IN_ORDER, sampleBody } from '../resources/entries.ts';
import { shownBy, type Entry, type Fields as AnyFields } from '../resources/entry.ts';
import { unique, type Field } from '../resources/fields.ts';
import { idOf, textOf, type Client } from './client.ts';
import { idsIn, issueLicenseFile, type Venue } from './venue.ts';

/** Fields of a body by name, with values that fit a venue. */
type Fields = Readonly<Record<string, Omit<Field, 'good'> & { readonly good: () => readonly Json[] }>>;

/** Names of all resources. */
export const RESOURCES: readonly string[] = IN_ORDER.map(({ name }) => name);

/** Those that have pages, and their default sorts. */
export const PAGED = IN_ORDER.flatMap(({ name, sort }) => (sort === null ? [] : [{ name, sort }]));

/** Every resource, with values for its fields that fit the venue. */
export function resourcesOf(venue: Venue, admin: Client): ReadonlyMap<string, Resource> {
  return new Map(RESOURCES.map((name) => [name, resourceAt(entryOf(name), venue, admin)]));
}

/** An entry of test/resources at a venue. */
export type Resource = ReturnType<typeof resourceAt>;

function resourceAt(entry: Entry, venue: Venue, admin: Client) {
  const { name, path: pattern, replaces, maps, member } = entry;
  const path = pattern.replace('{simulatorId}', venue.simulatorId);
  const ids = idsIn(venue);
  const bound = (fields: AnyFields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, { ...one, good: () => one.good(ids) }]));
  return {
    entry,
    name,
    path,
    replaces,
    create: bound(entry.create),
    change: bound(entry.change),
    /** Exactly the fields of an answer. */
    shows: shownBy(entry),
    /** A body with everything that POST requires, and nothing else; good once. */
    body: async (): Promise<JsonObject> => {
      const body = { ...sampleBody(entry.create, { n: unique(), ids }), ...(await newReferents(entry, venue, admin)) };
      if (name !== 'Rig') return body;
      return { ...body, licenseFile: await issueLicenseFile(venue.manager, venue.licenseId) };
    },
    /** The resource in the answer to POST, which was held against the document: such members are objects. */
    unwrap: (created: JsonObject) => (member === undefined ? created : (created[member] as JsonObject)),
    pathOf: (shown: JsonObject) => `${path}/${maps === undefined ? idOf(shown) : textOf(shown, maps)}`,
  };
}

/** New ones of what may belong to one resource only, by field. */
async function newReferents({ create }: Entry, venue: Venue, admin: Client): Promise<JsonObject> {
  const made = Object.entries(create).map(async ([field, { isExclusive, refersTo = '' }]) => {
    if (isExclusive !== true) return [];
    const { path, body, unwrap } = resourceAt(entryOf(refersTo), venue, admin);
    const creator = entryOf(refersTo).creates === 'ADMIN' ? admin : venue.manager;
    return [[field, idOf(unwrap(await creator.create(path, await body())))] as const];
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
