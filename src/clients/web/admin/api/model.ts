import { at, isObject, listOf, objectOf, objectsOf, textOf, textsOf } from '../../shared/json.ts';
import { shownForm } from '../../shared/fold.ts';
import { layoutName } from '../../shared/layout-name.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { lapName } from './laps.ts';
import { fieldOf, fieldsOf, inWords, type Field, type Resolve } from './fields.ts';

/** Roles of keys; each includes those before it. */
export const ROLES = ['R', 'CR', 'CRUD', 'ADMIN'] as const;

/** The name of a role; empty: no key needed. */
export type Role = (typeof ROLES)[number] | '';

export function includes(role: Role, needed: Role): boolean {
  return needed === '' || ROLES.findIndex((one) => one === role) >= ROLES.findIndex((one) => one === needed);
}

export type Operation = Readonly<NonNullable<ReturnType<Model['operation']>>>;

/** Parameters of lists that are not filters. */
const NO_FILTERS = new Set(['page', 'size', 'sort', 'format', 'bom', 'delimiter', 'includeDisabled']);

/** Words for people, in place of those of the API document; undefined: there are none. */
export interface Words {
  /** @param resource name of a schema */
  readonly label: (resource: string, field: string) => string | undefined;
  readonly hint: (resource: string, field: string) => string | undefined;
  readonly title: (resource: string) => string | undefined;
  readonly meaning: (resource: string) => string | undefined;
}

/** The resources and operations that an API document describes. */
export class Model {
  readonly resources: readonly Resource[];
  readonly #document: Json | undefined;
  readonly #labels: ReadonlyMap<string, string>;
  readonly #words: Words;

  /** @param words for people, in place of those of the document */
  constructor(document: Json | undefined, words: Words) {
    this.#document = document;
    this.#words = words;
    this.resources = this.#collections().map((paths) => resourceOf(paths, this));
    const fields = this.resources.flatMap(({ view, create, change, list, filters }) => [
      ...view,
      ...(create?.body ?? []),
      ...(change?.body ?? []),
      ...list.query,
      ...filters,
    ]);
    this.#labels = new Map(fields.map(({ name, label }) => [name, label]));
  }

  /** The name that forms and filters give to a field; undefined: there is no such field. */
  labelOf(name: string): string | undefined {
    return this.#labels.get(name);
  }

  readonly resolve: Resolve = (schema) => {
    const { $ref, ...described } = objectOf(schema);
    if (typeof $ref !== 'string') return described;
    return { ...objectOf(at(this.#document, ...$ref.split('/').slice(1))), ...described };
  };

  /** Paths of lists whose records can be read one by one, each with the path of one record. */
  #collections(): readonly (readonly [list: string, one: string])[] {
    const paths = Object.keys(objectOf(at(this.#document, 'paths')));
    return paths.flatMap((path) => {
      const one = paths.find((other) => /^\{\w+\}$/.test(other.slice(path.length + 1)) && other.startsWith(`${path}/`));
      return one === undefined || this.recordName(path) === '' ? [] : [[path, one] as const];
    });
  }

  /** The title of a resource, and what it is. */
  describe(resource: string, tag: string): { readonly title: string; readonly description: string } {
    const described = objectsOf(at(this.#document, 'tags')).find(({ name }) => name === tag);
    return {
      title: this.#words.title(resource) ?? inWords(tag),
      description: this.#words.meaning(resource) ?? textOf(described?.['description']),
    };
  }

  /** A field with the words that people have for it. */
  inWords(resource: string, field: Field): Field {
    return {
      ...field,
      label: this.#words.label(resource, field.name) ?? field.label,
      // What programs are told says nothing to people.
      description: this.#words.hint(resource, field.name) ?? '',
    };
  }

  raw(method: string, path: string): JsonObject | null {
    const operation = at(this.#document, 'paths', path, method.toLowerCase());
    return isObject(operation) ? operation : null;
  }

  /** @param resource name of the schema of its records, by which its fields get their words */
  operation(method: string, path: string, resource = '') {
    const raw = this.raw(method, path);
    if (raw === null) return null;
    const body = at(this.resolve(raw['requestBody']), 'content', 'application/json', 'schema');
    const query = listOf(raw['parameters'])
      .map((parameter) => this.resolve(parameter))
      .filter((parameter) => parameter['in'] === 'query')
      .map(({ name, schema, required }) => fieldOf(textOf(name), schema, required === true, this.resolve))
      .map((field) => this.inWords(resource, field));
    const role: Role = ROLES.find((one) => one === raw['x-role']) ?? '';
    return { role, body: fieldsOf(body, this.resolve).map((field) => this.inWords(resource, field)), query };
  }

  /** The fields of a schema by its name, or of one of its properties; empty if there is no such schema. */
  fields(schema: string, property?: string): readonly Field[] {
    const whole = this.resolve({ $ref: `#/components/schemas/${schema}` });
    const fields = fieldsOf(property === undefined ? whole : at(whole, 'properties', property), this.resolve);
    return fields.map((field) => this.inWords(schema, field));
  }

  field(schema: string, name: string): Field | null {
    return this.fields(schema).find((field) => field.name === name) ?? null;
  }

  /** Name of the schema of a collection's records; empty if there is none. */
  recordName(collection: string): string {
    const response = at(this.raw('get', collection) ?? {}, 'responses', '200', 'content', 'application/json');
    const ref = textOf(at(response, 'schema', 'items', '$ref'));
    return ref.split('/').at(-1) ?? '';
  }
}

/** A resource: a collection of the API and its records. */
export type Resource = Readonly<ReturnType<typeof resourceOf>>;

function resourceOf([path, onePath]: readonly [string, string], model: Model) {
  const tag = textsOf(model.raw('get', path)?.['tags'])[0] ?? '';
  const name = model.recordName(path);
  const view = model.fields(name);
  const list: Operation = model.operation('get', path, name) ?? { role: '', body: [], query: [] };
  const paged = model.operation('get', `${path}/paged`, name);
  const create = model.operation('post', path, name);
  const sort = paged?.query.find((parameter) => parameter.name === 'sort');
  // People look for the newest laps, programs for the fastest.
  const defaultSort = name === 'Lap' ? 'createdAt,desc' : textOf(sort?.preset);
  return {
    /** Name of its schema: `TrackLayout`. */
    name,
    /** Its plural in words (`title`: `Track layouts`), and what it is. */
    ...model.describe(name, tag),
    /** May have parameters: `/api/v1/simulators/{simulatorId}/cars`. */
    path,
    onePath,
    /** Its name in the address of its page: `track-layouts`. */
    nameInPath: path.slice(path.lastIndexOf('/') + 1),
    view,
    /** Field of the view that identifies a record in the path. */
    key: keyIn(view, onePath),
    ...namesIn(view, defaultSort),
    tellsApart: tellingFields(view, name),
    list,
    paged,
    sortable: sort?.choices ?? [],
    defaultSort,
    filters: (paged ?? list).query.filter((parameter) => !NO_FILTERS.has(parameter.name)),
    /** Whether the service finds its records by their names: there may be too many to read all of them. */
    isSearched: paged?.query.some(({ name }) => name === 'name') === true,
    /** Null for files, too, which are no JSON: they are uploaded by a form of their own. */
    create: create !== null && create.body.length > 0 ? create : null,
    change: model.operation('patch', onePath, name),
    remove: model.operation('delete', onePath),
    history: model.operation('get', `${onePath}/history`),
    /** Reads the record that belongs to the calling key. */
    current: model.operation('get', `${path}/current`),
  };
}

function keyIn(view: readonly Field[], onePath: string): string {
  return view.find(({ name }) => onePath.endsWith(`/{${name}}`))?.name ?? 'id';
}

/**
 * Fields that together make the name of a record: the first text of a view, and the text that its list is sorted by, as
 * first and last name; and the field to use if they are empty.
 */
function namesIn(view: readonly Field[], defaultSort: string) {
  const texts = view.filter(({ kind, nameOf, name }) => kind === 'text' && nameOf === '' && name !== 'id');
  const names = texts.filter(({ name }, index) => index === 0 || name === defaultSort).map(({ name }) => name);
  const other = texts.find(({ name, nullable }) => !nullable && !names.includes(name));
  return { names, otherName: other?.name ?? '' };
}

/** Fields of some resources that people know a record by, if its name is not enough. */
const KNOWN_BY: Readonly<Record<string, readonly string[]>> = {
  Event: ['startsAt'],
  License: ['displayName'],
  Participant: ['email', 'createdAt'],
  Rig: ['hardwareId'],
  Simulator: ['slug'],
  Track: ['location', 'country'],
  TrackLayout: ['type'],
};

/**
 * Fields that tell records of one name apart, the most telling first: for a car its brand and class, for a layout its
 * track, for an event its date; for a driver the licence, then the e-mail, where it is visible, and the date.
 */
function tellingFields(view: readonly Field[], recordName: string): readonly Field[] {
  const known = KNOWN_BY[recordName] ?? [];
  const isDate = ({ kind, name }: Field): boolean => kind === 'instant' && known.includes(name);
  const isReferred = ({ nameOf }: Field): boolean => nameOf !== '';
  const isOther = (field: Field): boolean => known.includes(field.name) && !isDate(field);
  const telling = [...view.filter(isDate), ...view.filter(isReferred), ...view.filter(isOther)];
  if (recordName !== 'Participant') return telling;
  return [...telling.filter((field) => !isDate(field)), ...telling.filter(isDate)];
}

/** What is needed of a resource to name its records. */
export type Named = Pick<Resource, 'names' | 'otherName' | 'key'> & Partial<Pick<Resource, 'name'>>;

/**
 * The name of a record: the fields that name its resource; if they are empty, another field, or its id. A lap is named by
 * its driver and its time, a layout with its track.
 */
export function nameOf({ name: resource, names, otherName, key }: Named, record: JsonObject): string {
  if (resource === 'Lap') return lapName(record);
  const name = names.map((field) => textOf(record[field])).filter((text) => shownForm(text) !== '');
  if (resource === 'TrackLayout') return layoutName(name.join(' '), textOf(record['trackDisplayName']));
  return name.join(' ') || textOf(record[otherName]) || textOf(record[key]);
}

/** Whether a list hides disabled records that the key may see. */
export function disabledToo({ list, change }: Resource, may: (operation: Operation | null) => boolean): boolean {
  return list.query.some(({ name }) => name === 'includeDisabled') && may(change);
}
