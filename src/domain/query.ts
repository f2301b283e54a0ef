import { z } from 'zod';
import type { Names } from './documents.ts';
import { ownId, referredName } from './references.ts';
import { createdAt, extensionsOf, isInstant, updatedAt } from './fields.ts';
import { fieldsMarked, inheritPrivacy } from './facts.ts';
import { filterParameter, type Filter, type FilterParameters } from './filters.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { ReadModel } from '../kernel/projection/projection.ts';
import { isFound } from '../kernel/index-planner.ts';
import type { Document, ReadModels, Scalar, Where } from '../kernel/ports/read-store.ts';

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

/** Fields of a document that clients may see: all but the internal ones. */
type Visible<D> = { [K in keyof D as K extends `_${string}` ? never : K]: D[K] };

/** Fields of a view that depend on the clock as well as on the document. */
export interface TimedFields<D extends Document = Document> {
  readonly names: readonly string[];
  /** Fields of the document with the instants at which their values change; each has an index. */
  readonly changeAt: readonly string[];
  /** Their values at an instant, ISO 8601. */
  readonly valuesAt: (document: D, now: string) => JsonObject;
}

/** By field of a view: the fields of the document with its form for everybody, and with what others sort by instead. */
export type PublicForms<F extends string = string> = {
  readonly [field: string]: { readonly shown: F; readonly sortedBy: F };
};

/** The field of views that name a participant, in which owners of the participant see the public name. */
export const PUBLIC_NAME = 'publicName';

/** What clients may ask of a read model. */
export interface Query<D extends Document = Document> {
  readonly model: ReadModel<D>;
  readonly view: z.ZodObject;
  /** The fields that are shown, in order: those of the view. */
  readonly shown: readonly string[];
  /** The shown fields that are instants. */
  readonly instants: ReadonlySet<string>;
  /** Fields that lists may be sorted by: every scalar field of the view that does not depend on the clock. */
  readonly sortable: readonly string[];
  readonly defaultSort: string;
  readonly filters: FilterParameters;
  /**
   * Whether lists leave out documents whose `enabled` is false, unless asked for (docs/interface.md#lists-and-pages).
   */
  readonly hidesDisabled: boolean;
  /** Values that a document must have to exist for clients, alone or in a list. */
  readonly only: Where;
  /**
   * Contact data, which only the owners of a document see, and what others see in its place. Callers who may not see all
   * of it may not sort by it either, because the order would reveal it; a filter by it finds only their own documents.
   */
  readonly contact: JsonObject | null;
  /**
   * Fields of conditions that need a key where not everybody's contact data may be seen, and then find only documents
   * whose contact data the caller may see: contact data, and what filters find people by (`isOfContacts`).
   */
  readonly confidential: ReadonlySet<string>;
  /** The fields that identify a person: exports leave them out by default. */
  readonly personal: readonly string[];
  /**
   * Fields of the view whose values others than the owners see only in a form for everybody, each with the field of the
   * document that has this form, and the one that others sort by in its place. Null: there are none.
   */
  readonly publicForms: PublicForms | null;
  /** Whether the view names a participant: owners of them, and they alone, see the whole name, with the public one beside. */
  readonly namesDriver: boolean;
  /** The field that lists the licences that own a document; null if all callers see the same. */
  readonly owners: string | null;
  /** Makes what the view shows beside fields of the document: of other read models, or of its internal fields. */
  readonly extend: ((document: Document, models: ReadModels) => Promise<JsonObject>) | null;
  /** The fields of the view that depend on the clock; null: none. */
  readonly timed: TimedFields | null;
  /** All collections that the view is made of. */
  readonly collections: readonly string[];
  /** Whether the last change of a document, as its times tell, was made by an event of its own stream. */
  readonly isOwnChange: (document: Document) => boolean;
}

/** Declares what clients may ask of a read model. @throws {TypeError} when a filter has no index or column */
export function query<D extends Document>(
  model: ReadModel<D>,
  options: {
    readonly view: z.ZodObject;
    readonly defaultSort: keyof Visible<D> & string;
    readonly hidesDisabled?: boolean;
    readonly only?: { readonly [K in keyof D & string]?: D[K] & Scalar };
    readonly filters?: { readonly [parameter: string]: Filter<keyof D & string> };
    readonly owners?: keyof D & string;
    readonly publicForms?: PublicForms<keyof D & string>;
    /** Whether the view names the participant in `participantId`. */
    readonly namesDriver?: true;
    readonly extend?: (document: D, models: ReadModels) => Promise<JsonObject>;
    /** The read models that `extend` reads. */
    readonly extendFrom?: readonly ReadModel<never>[];
    readonly timed?: TimedFields<D>;
    readonly isOwnChange?: (document: Document) => boolean;
  },
): Query<D> {
  const { view, defaultSort, hidesDisabled = false, only = {}, owners = null } = options;
  const { extend: extendOwn } = options;
  // Its documents are those of this very read model.
  const extend: Query['extend'] =
    extendOwn === undefined ? null : (document, models) => extendOwn(document as unknown as D, models);
  const namesDriver = options.namesDriver === true;
  const all = Object.entries<z.core.$ZodType>(view.shape);
  // It is no field of the document.
  const fields = namesDriver ? all.filter(([name]) => name !== PUBLIC_NAME) : all;
  const fieldsThat = (are: (type: z.core.$ZodType) => boolean) =>
    fields.flatMap(([name, type]) => (are(type) ? name : []));
  const shown = fields.map(([name]) => name);
  const filters = parametersOf(model, view, options.filters ?? {});
  // The documents that the view is made of are those of this read model.
  const timed = (options.timed ?? null) as TimedFields | null;
  const sortable = fieldsThat(isScalar).filter((name) => timed?.names.includes(name) !== true);
  const lists = { sortable, defaultSort, filters, hidesDisabled, only };
  const collections = [model, ...(options.extendFrom ?? [])].map(({ collection }) => collection);
  const instants = new Set(fieldsThat(isInstant));
  const personal = fieldsMarked(view, 'personal', 'contact');
  const { isOwnChange = () => true } = options;
  const contact = contactOf(view);
  const confidential = new Set([...Object.keys(contact ?? {}), ...conditionsOfContacts(options.filters ?? {})]);
  return {
    model,
    view,
    shown,
    instants,
    ...lists,
    contact,
    confidential,
    personal,
    publicForms: options.publicForms ?? null,
    namesDriver,
    owners,
    extend,
    timed,
    collections,
    isOwnChange,
  };
}

/** The fields of the conditions that filters by contact data, or for those who may see it, set. */
function conditionsOfContacts(filters: Readonly<Record<string, Filter>>): readonly string[] {
  return Object.values(filters).flatMap(({ isOfContacts, where }) => (isOfContacts ? Object.keys(where('')) : []));
}

/** The values that are shown in place of the contact data of a view; null: it has none. */
function contactOf(view: z.ZodObject): JsonObject | null {
  const shape: z.core.$ZodShape = view.shape;
  const contact: Record<string, Json> = {};
  for (const field of fieldsMarked(view, 'contact')) contact[field] = emptyOf(shape[field]);
  return Object.keys(contact).length === 0 ? null : contact;
}

/** The empty value of a type. */
function emptyOf(type: z.core.$ZodType | undefined): Json {
  if (type instanceof z.ZodNullable) return null;
  return type instanceof z.ZodString ? '' : {};
}

function parametersOf(model: ReadModel<never>, view: z.ZodObject, filters: Readonly<Record<string, Filter>>) {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => {
      const where = filter.where('');
      if (!isFound(model, where))
        throw new TypeError(`${model.collection}: the filter ${name} needs an index, or a column`);
      return [name, filterParameter(filter, view)];
    }),
  );
}

/** The view of a resource with an id and times; `description` says what the resource is. */
export function resourceView<F extends z.core.$ZodShape>(name: string, description: string, fields: F) {
  return view(name, description, { id: ownId(name), ...fields, createdAt, updatedAt });
}

/**
 * The view of some fields. Their types have no bounds, because stored values may be older than the bounds of requests.
 */
export function view<F extends z.core.$ZodShape>(name: string, description: string, fields: F) {
  const types = Object.entries(fields).map(([field, type]) => [field, unbounded(type)]);
  return z.object(Object.fromEntries(types) as F).meta({ id: name, description });
}

/** A type without its bounds, described as before; a type that has none is returned as it is. */
function unbounded(type: z.core.$ZodType): z.core.$ZodType {
  const plain = withoutBounds(type);
  const { description, examples } = z.globalRegistry.get(type) ?? {};
  if (plain === type) return type;
  const said = { description, examples, ...extensionsOf(type) };
  inheritPrivacy(type, plain);
  z.globalRegistry.add(plain, Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)));
  return plain;
}

function withoutBounds(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodString) return z.string();
  if (type instanceof z.ZodNumberFormat) return z.int();
  if (type instanceof z.ZodNumber) return z.number();
  if (type instanceof z.ZodArray) return z.array(unbounded(type.element));
  const inner = type instanceof z.ZodNullable ? type.unwrap() : type;
  const plain = inner === type ? type : unbounded(inner);
  return plain === inner ? type : z.nullable(plain);
}

/** Fields, each reference followed by the name of its resource. `names` has the fields of the names, by reference. */
export function withNames<F extends z.core.$ZodShape>(
  fields: F,
  names: Names<F>,
): { readonly [field: string]: z.core.$ZodType } {
  const named: Record<string, z.core.$ZodType> = {};
  for (const [field, type] of Object.entries(fields)) {
    named[field] = type;
    const name = names[field];
    if (name !== undefined) named[name] = referredName(field, type);
  }
  return named;
}

function isScalar(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodNullable || field instanceof z.ZodOptional) return isScalar(field.unwrap());
  return SCALARS.has(field._zod.def.type);
}
