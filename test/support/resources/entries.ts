import { readdirSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
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

/** A field that names another resource. */
export interface Reference {
  readonly name: string;
  readonly field: Field;
  readonly refersTo: string;
}

/** The fields that name other resources. */
export function referencesOf(entry: Entry): readonly Reference[] {
  return Object.entries(fieldsOf(entry)).flatMap(([name, field]) => {
    const { refersTo } = field;
    return refersTo === undefined ? [] : [{ name, field, refersTo }];
  });
}

/** The number of a resource, which its texts tell, and the ids of those that it may name. */
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
