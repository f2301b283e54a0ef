import { listOf, numberOf, objectOf, textOf, textsOf, type Json, type JsonObject } from '../../shared/json.ts';

export type Field = Readonly<ReturnType<typeof fieldOf>>;

/** Resolves a reference to a schema; returns any other schema unchanged. */
export type Resolve = (schema: Json | undefined) => JsonObject;

export function fieldsOf(schema: Json | undefined, resolve: Resolve): readonly Field[] {
  const { required: names, properties } = plain(resolve(schema), resolve);
  const required = new Set(listOf(names));
  return Object.entries(objectOf(properties)).map(([name, property]) =>
    fieldOf(name, property, required.has(name), resolve),
  );
}

export function fieldOf(name: string, reference: Json | undefined, required: boolean, resolve: Resolve) {
  const schema = plain(resolve(reference), resolve);
  const types = typesOf(schema);
  const refersTo = textOf(schema['x-refers-to']);
  const item = resolve(schema['items']);
  const unit = textOf(schema['x-unit']) || textOf(item['x-unit']);
  const description = descriptionIn(schema);
  return {
    name,
    /** The field of the view that shows it; usually its own name. */
    shownAs: textOf(schema['x-shown-as']) || name,
    /** The name in words: `Track layouts` for `trackLayoutIds`. */
    label: refersTo === '' ? inWords(name.replace(/Ms$/, '')) : labelOf(name),
    /** People do not enter times of laps and sectors in ms. */
    description: isTime({ unit, name }) ? description.replace(/,? in ms\b/, '') : description,
    kind: kindOf(schema, types, item),
    required,
    // JSON of any shape has no type, and may be null.
    nullable: types.length === 0 || types.includes('null'),
    /** The default if a body omits it; undefined if there is none. */
    preset: schema['x-default'] ?? schema['default'],
    example: listOf(schema['examples'])[0],
    /** Values to choose from; for a sort order, fields. */
    choices: textsOf(schema['enum'] ?? schema['x-sortable']),
    /** Schema of the record whose id, or ids, it holds. */
    refersTo,
    /** The field of the view that holds the id of the record whose name this field shows. */
    nameOf: textOf(schema['x-name-of']),
    /** The field of times that this time is the sum of. */
    sumOf: textOf(schema['x-sum-of']),
    isFile: schema['x-file'] === true,
    unit,
    integer: [...types, ...typesOf(item)].includes('integer'),
    min: numberOf(schema['minimum'] ?? item['minimum']),
    max: numberOf(schema['maximum'] ?? item['maximum']),
    /** Bounds of the characters of a text, or the items of a list. */
    least: numberOf(schema['minLength'] ?? schema['minItems']),
    most: numberOf(schema['maxLength'] ?? schema['maxItems']),
    pattern: textOf(schema['pattern']),
  };
}

/**
 * The description of a field for people who fill in a form: without the default, which is its entry, and in its words.
 * The document speaks to programs, of JSON's null, of names of fields, and of the unit of a number.
 */
function descriptionIn(schema: JsonObject): string {
  const words = textOf(schema['description'])
    .replace(/; shown as `\w+`/, '')
    .replace(/, or null\./, '.')
    .replace(/\bnull:/, 'empty:')
    .replaceAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g, (_, name: string) => `“${labelOf(name)}”`)
    .replaceAll('`', '');
  return schema['x-default'] === undefined ? words : words.replace(/ ?Default: .*\.$/s, '');
}

/** The name of a field in words: `Track layouts` for `trackLayoutIds`, which are shown by their names. */
export function labelOf(name: string): string {
  return inWords(name.replace(/(?:Id(s?)|Ms)$/, '$1'));
}

/** A schema with its alternatives merged: one of a type and `null` becomes a nullable type. */
function plain(schema: JsonObject, resolve: Resolve): JsonObject {
  const { anyOf, oneOf = anyOf, ...outer } = schema;
  const alternatives = listOf(oneOf).map((one) => resolve(one));
  if (alternatives.length === 0) return schema;
  const types = [...new Set(alternatives.flatMap(typesOf))];
  const [first = {}] = alternatives.filter((one) => one['type'] !== 'null');
  return { ...first, ...outer, type: types };
}

function typesOf({ type }: JsonObject): readonly string[] {
  return typeof type === 'string' ? [type] : textsOf(type);
}

function kindOf(schema: JsonObject, types: readonly string[], item: JsonObject) {
  const [type = 'object', ...others] = types.filter((one) => one !== 'null');
  if (others.length > 0 || type === 'object') return 'json';
  if (type === 'array') return listKindOf(schema, item);
  if (type !== 'string') return type === 'boolean' ? 'boolean' : 'number';
  if (schema['enum'] !== undefined) return 'choice';
  if (schema['x-refers-to'] !== undefined) return 'reference';
  if (schema['x-file'] === true) return 'file';
  return schema['format'] === 'date-time' ? 'instant' : 'text';
}

function listKindOf(schema: JsonObject, item: JsonObject) {
  if (schema['x-refers-to'] !== undefined) return 'references';
  const [type] = typesOf(item);
  if (type === 'string') return 'texts';
  return type === 'integer' || type === 'number' ? 'numbers' : 'json';
}

/** Whether the numbers of a field are times of laps or sectors; names of durations end with `Ms`. */
export function isTime({ unit, name }: { readonly unit: string; readonly name: string }): boolean {
  return unit === 'ms' && !name.endsWith('Ms');
}

/** An identifier in words: `cornerCount` is `Corner count`. */
export function inWords(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(api|json|svg|url)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
