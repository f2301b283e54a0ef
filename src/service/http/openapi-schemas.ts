import { isDeepStrictEqual } from 'node:util';
import { COMPONENT } from '../../domain/component.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that belong to one use of a type, rather than to the type. */
const OF_USE = /^(description|examples|default|x-.*)$/;

const NULL = { type: 'null' };

/** Largest integer that generators of clients put into 32 bits. */
const MAX_INT32 = 2 ** 31 - 1;

/** The document for generators of clients: each named type once, with references; large integers as `int64`. */
export function forGenerators(document: object): object {
  const types = new Map<string, Schema>();
  const { components, ...rest } = JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    isSchema(value) ? referring(withFormat(value), types) : value,
  ) as { readonly components?: { readonly schemas?: object } };
  return { ...rest, components: { ...components, schemas: { ...components?.schemas, ...Object.fromEntries(types) } } };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An integer as it is, or of 64 bits, within what a JSON number says exactly (RFC 8259, §6). */
function withFormat(schema: Schema): Schema {
  const { type, minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (![type].flat().includes('integer')) return schema;
  const fits = Number(maximum) <= MAX_INT32 && Number(minimum) >= -MAX_INT32;
  return fits ? schema : { format: 'int64', ...schema, minimum, maximum };
}

/** A use of a type with a name as a reference; any other schema as it is. */
function referring(schema: Schema, types: Map<string, Schema>): Schema {
  const { [COMPONENT]: named, ...unnamed } = schema;
  if (!isSchema(named)) return schema;
  const { name, description } = named;
  const isOfUse = ([key]: readonly [string, unknown]): boolean => OF_USE.test(key);
  const entries = Object.entries(unnamed);
  const use = Object.fromEntries(entries.filter(isOfUse));
  const { isNullable, type } = withoutNull(Object.fromEntries(entries.filter((entry) => !isOfUse(entry))));
  const component = { ...type, description };
  const known = types.get(String(name)) ?? component;
  if (!isDeepStrictEqual(known, component)) throw new TypeError(`two types are named ${String(name)}`);
  types.set(String(name), known);
  const ref = { $ref: `#/components/schemas/${String(name)}` };
  return isNullable ? { oneOf: [ref, NULL], ...use } : { ...ref, ...use };
}

/** A type without null, and whether it had that. A type that lists none is any JSON, null included. */
function withoutNull({ type = [], enum: values, ...rest }: Schema): { readonly type: Schema; isNullable: boolean } {
  const types = [type].flat();
  const [only, ...others] = types.filter((one) => one !== 'null');
  if (others.length > 0) throw new TypeError(`a type with a name has several: ${types.join(', ')}`);
  const notNull: Record<string, unknown> = {};
  if (only !== undefined) notNull['type'] = only;
  if (Array.isArray(values)) notNull['enum'] = values.filter((value) => value !== null);
  Object.assign(notNull, rest);
  return { type: notNull, isNullable: types.includes('null') };
}
