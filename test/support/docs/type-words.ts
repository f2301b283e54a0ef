import type { Schema } from '../api/openapi.ts';

/** The type of a field in words, with its bounds: `text, 2 to 120 characters, or null`. */
export function typeWords(schema: Schema): string {
  const { $ref, anyOf } = schema;
  if ($ref !== undefined) return `\`${refName($ref)}\``;
  if (anyOf !== undefined) return anyOf.map(typeWords).join(', or ');
  const types = typesOf(schema);
  const [type] = types.filter((name) => name !== 'null');
  if (type === undefined) return 'any JSON';
  return `${plainWords(schema, type)}${types.includes('null') ? ', or null' : ''}`;
}

/** Whether a field may be null. */
export function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes('null');
}

/** The name of a schema by its reference. */
export function refName(ref = ''): string {
  return ref.split('/').at(-1) ?? '';
}

/** The id of a resource in words. */
export function idWords(schemaName: string): string {
  return `id of ${/^[AEIOU]/.test(schemaName) ? 'an' : 'a'} \`${schemaName}\``;
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

function plainWords(schema: Schema, type: string): string {
  if (schema.enum !== undefined) return enumWords(schema.enum);
  if (type === 'string') return textWords(schema);
  if (type === 'integer') return numberWords('whole number', schema);
  if (type === 'number') return numberWords('number', schema);
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return listWords(schema);
  if (type === 'object') return objectWords(schema);
  throw new Error(`a type without words: ${JSON.stringify(schema)}`);
}

function enumWords(values: readonly (string | null)[]): string {
  return values
    .filter((value) => value !== null)
    .map((value) => `\`${value}\``)
    .join(', ');
}

function textWords(schema: Schema): string {
  const { format, pattern, minLength, maxLength } = schema;
  if (format === 'date-time') return 'moment';
  if (format === 'uuid') return schema['x-refers-to'] === undefined ? 'UUID' : idWords(schema['x-refers-to']);
  const kind = schema['x-file'] === true ? 'key of a [file](#uploaded-files)' : 'text';
  const length = rangeWords(minLength === 0 ? undefined : minLength, maxLength);
  // A pipe would end the table cell.
  const form = pattern === undefined ? '' : `, of the form \`${pattern.replaceAll('|', '\\|')}\``;
  return `${kind}${length === '' ? '' : `, ${length} characters`}${form}`;
}

function numberWords(kind: string, { minimum, maximum, 'x-unit': unit }: Schema): string {
  const isBound = (bound: number | undefined): boolean => Math.abs(bound ?? Infinity) < Number.MAX_SAFE_INTEGER;
  const range = rangeWords(isBound(minimum) ? minimum : undefined, isBound(maximum) ? maximum : undefined);
  return `${kind}${range === '' ? '' : ` ${range}`}${unit === undefined ? '' : `, in ${unit}`}`;
}

function listWords({ items = {}, minItems, maxItems, ...list }: Schema): string {
  const { 'x-refers-to': refersTo, 'x-file': file } = list;
  const item = {
    ...items,
    ...(refersTo !== undefined && { 'x-refers-to': refersTo }),
    ...(file !== undefined && { 'x-file': file }),
  };
  const range = rangeWords(minItems === 0 ? undefined : minItems, maxItems);
  return `list${range === '' ? '' : ` of ${range} items`}; each: ${typeWords(item)}`;
}

function objectWords({ properties = {} }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => `\`${name}\` (${typeWords(schema)})`);
  return fields.length === 0 ? 'object' : `object of ${fields.join(' and ')}`;
}

function rangeWords(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? '' : `up to ${grouped(most)}`;
  return most === undefined ? `from ${grouped(least)}` : `${grouped(least)} to ${grouped(most)}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en');
}
