import type { JsonObject } from '../../../src/kernel/json.ts';
import type { Field } from './fields.ts';

export * as of from './fields.ts';

/** Fields of a body by name. */
export type Fields = Readonly<Record<string, Field>>;

/** The lowest role that is needed; `public`: no key. */
export type Role = 'public' | 'R' | 'CR' | 'CRUD' | 'ADMIN';

/**
 * What an event says: `all` fields of the body that creates; some fields, of which one has changed; a flag that got this
 * value; where a reference points now and pointed before; the new moment in a field; a field that has become null, which
 * has a test of its own; or something else that has.
 */
export type EventContent =
  | 'all'
  | 'special'
  | readonly string[]
  | { readonly moves: string }
  | { readonly to: string }
  | { readonly clears: string }
  | { readonly [flag: string]: boolean };

/**
 * Who owns a resource, in the words of its declaration: the licence that created it, the licence that a field names
 * (with `orCreator`, the one that created it too, for some time), the owner of the resource that a field names, or the
 * licence that it is.
 */
export type Owner =
  | { readonly kind: 'creator' }
  | { readonly kind: 'license'; readonly field: string; readonly orCreator?: true }
  | { readonly kind: 'parent'; readonly field: string }
  | { readonly kind: 'self' };

const CREATOR: Owner = { kind: 'creator' };

/** Statement of a resource in test/resources, written by hand from the specification, not derived from the code. */
export interface Declared {
  /** Names of the bodies that create and change it, in the OpenAPI document. */
  readonly commands: readonly [string, string];
  /** The default sort of its pages; it has none unless said. */
  readonly sort?: string;
  /** Whether lists leave out what is not enabled. */
  readonly hides?: true;
  /** Roles; `public`, `writes` and CRUD unless said. */
  readonly reads?: Role;
  readonly creates?: Role;
  readonly writes?: Role;
  /** Its owner; the creator unless said. */
  readonly owner?: Owner;
  /** Fields that must name what is the caller's own or shared, beside the one that names its owner. */
  readonly parents?: readonly string[];
  /** Other licences get 404 for it, as if it did not exist. */
  readonly hiddenFromOthers?: true;
  /** What the key of a rig may do: nothing unless said. */
  readonly rigs?: readonly string[];
  /** Whether each of them has a history. */
  readonly history?: true;
  /** The fields that no two of them share, and the category of the streams that guard this. */
  readonly unique?: { readonly category: string; readonly fields: readonly string[] };
  /** By filter, the field that must have its value, be it one of several; null: a filter with a test of its own. */
  readonly filters?: Readonly<Record<string, string | null>>;
  /** Fields of POST; one without `unset` is required. */
  readonly create: Fields;
  /** Fields of PATCH where they differ. */
  readonly change?: Fields;
  /** Fields of PATCH that need an ADMIN key, though others do not. */
  readonly changedByAdminOnly?: readonly string[];
  /** PATCH is a full replacement: what POST requires, it requires too. */
  readonly replaces?: true;
  /** What becomes of a POST that is sent again with the same `Idempotency-Key`, where that is special. */
  readonly idempotent?: 'with a fresh key' | 'by its path' | 'registers once';
  readonly deletes?: true;
  /** Its POST takes a form with a file, by which it replaces what has the name already; it has no PATCH. */
  readonly uploads?: true;
  /** What nobody sends and it has at first. */
  readonly initial?: JsonObject;
  /** Fields that it shows of its own others, joined by a blank; by name. */
  readonly joins?: Readonly<Record<string, string>>;
  /** Fields of answers that nobody sends: `made` by the service once, `used` for when it was last used, others. */
  readonly shows?: readonly string[];
  readonly made?: readonly string[];
  readonly used?: readonly string[];
  /** The member of the answer to POST that is the resource; a key comes with it. */
  readonly member?: string;
  /** Of a mapping: the field that with the simulator in its path is its id; and the references in the path. */
  readonly maps?: string;
  readonly inPath?: Fields;
  /** Fields of its document that are not shown, beside those of all documents; they have tests of their own. */
  readonly internal?: readonly string[];
  /** Its events, in the order in which one change records them. */
  readonly events: Readonly<Record<string, EventContent>>;
  /** Operations that only it has, by method and by what the path adds to that of the resource, and who may call them. */
  readonly more?: Readonly<Record<string, Role>>;
}

/** Declares what a resource is to clients; `name` is that of its view in the OpenAPI document. */
export function entry(name: string, path: string, declared: Declared) {
  const {
    create,
    change = create,
    inPath = {},
    owner = CREATOR,
    sort = null,
    hides = false,
    history = false,
  } = declared;
  const { reads = 'public', writes = 'CRUD', creates = writes } = declared;
  // Its streams are named `<category>-<id>`.
  const category = name.charAt(0).toLowerCase() + name.slice(1);
  const roles = { reads, writes, creates };
  return {
    ...declared,
    name,
    path: `/api/v1/${path}`,
    category,
    change,
    inPath,
    owner,
    sort,
    hides,
    history,
    ...roles,
  };
}

/** The same, with what is left out. */
export type Entry = ReturnType<typeof entry>;

/** All fields that are sent: those of the path, of POST and of PATCH. */
export function fieldsOf({ inPath, create, change }: Entry): Fields {
  return { ...inPath, ...change, ...create };
}

/** Fields of POST that must name what is the caller's own or shared: its parents, and what names its owner. */
export function ownFieldsOf({ owner, parents = [] }: Entry): readonly string[] {
  switch (owner.kind) {
    case 'creator':
    case 'self':
      return parents;
    case 'parent':
      return [owner.field, ...parents];
    case 'license':
      return owner.orCreator === true ? parents : [owner.field, ...parents];
  }
}

/** The fields that are shown, in no order. */
export function shownBy(entry: Entry): readonly string[] {
  const { shows = [], joins = {}, made = [], used = [], initial = {}, maps } = entry;
  const sent = Object.entries(fieldsOf(entry)).flatMap(([name, { shownAs = name, shows: names = {} }]) => [
    shownAs,
    ...Object.keys(names),
  ]);
  const common = maps === undefined ? ['id', 'createdAt', 'updatedAt'] : [];
  return [...new Set([...common, ...sent, ...shows, ...Object.keys(joins), ...made, ...used, ...Object.keys(initial)])];
}
