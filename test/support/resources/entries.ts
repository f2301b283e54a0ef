import { readdirSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { fieldsOf, type Entry, type Fields } from './entry.ts';
import type { Field, IdsOf } from './fields.ts';

const extension = extname(import.meta.url);
const folder = new URL('../../resources/', import.meta.url);

/** The entries by the names of their files, which are those of commands, projections and queries. */
export const ENTRIES: ReadonlyMap<string, Entry> = new Map(
  await Promise.all(
    readdirSync(folder)
      .filter((file) => extname(file) === extension)
      .map(async (file): Promise<readonly [string, Entry]> => {
        // What such a file exports by default.
        const { default: entry } = (await import(new URL(file, folder).href)) as { readonly default: Entry };
        return [basename(file, extension), entry];
      }),
  ),
);

/** The entries in an order in which each finds what it refers to. */
export const IN_ORDER: readonly Entry[] = inOrder([...ENTRIES.values()]);

function inOrder(left: readonly Entry[], done: readonly Entry[] = []): readonly Entry[] {
  if (left.length === 0) return done;
  const isReady = (entry: Entry): boolean =>
    referencesOf(entry).every(({ refersTo }) => done.some(({ name }) => name === refersTo));
  const ready = left.filter(isReady);
  if (ready.length === 0) throw new Error(`${left.map(({ name }) => name).join()} refer to each other`);
  return inOrder(
    left.filter((entry) => !ready.includes(entry)),
    [...done, ...ready],
  );
}

/** The entry of a resource by its name in the document. */
export function entryOf(name: string): Entry {
  const found = IN_ORDER.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`test/resources has no ${name}`);
  return found;
}

/** The fields that name other resources. */
export function referencesOf(entry: Entry) {
  return Object.entries(fieldsOf(entry)).flatMap(([name, field]) => {
    const { refersTo } = field;
    return refersTo === undefined ? [] : [{ name, field, refersTo }];
  });
}

/** The number of a resource, which its texts contain, and the ids of those that it may name. */
export interface Numbered {
  readonly n: string;
  readonly ids: IdsOf;
}

/** A good value of a field. */
export function sampleOf(name: string, { sample = (n) => `${name} ${n}` }: Field, { n, ids }: Numbered): Json {
  return sample(n, ids);
}

/** Good values of the fields that are required. */
export function sampleBody(fields: Fields, numbered: Numbered): JsonObject {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, { unset, otherwise }]) => unset === undefined && otherwise === undefined)
      .map(([name, field]) => [name, sampleOf(name, field, numbered)]),
  );
}

/** The values of a body as they are kept in events. */
export function keptOf(fields: Fields, body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value = null]) => {
      const { storedAs = name, shown = (same: Json) => same } = fields[name] ?? {};
      return [storedAs, shown(value)];
    }),
  );
}

/** The value of a field of some resource, by kind, id and field; null when there is no such resource. */
export type Lookup = (kind: string, id: Json | undefined, field: string) => Json;

/** Fields that a resource shows of those it refers to. */
export function namesIn(entry: Entry, values: JsonObject, lookup: Lookup): JsonObject {
  const names = referencesOf(entry).flatMap(({ name, refersTo, field: { shows = {} } }) =>
    Object.entries(shows).map(([shown, its]): [string, Json] => [
      shown,
      joined(its.split(' ').map((one) => shownOf(refersTo, { id: values[name], field: one }, lookup))),
    ]),
  );
  const own = Object.entries(entry.joins ?? {}).map(([shown, its]): [string, Json] => [
    shown,
    joined(its.split(' ').map((field) => values[field] ?? null)),
  ]);
  return Object.fromEntries([...names, ...own]);
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
export function joined(values: readonly Json[]): Json {
  return values.length === 1 ? (values[0] ?? null) : values.map(textIn).join(' ').trim();
}

/** Text of a value that is one. */
export function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
