import { z } from 'zod';
import { PUBLIC_NAME } from '../../domain/query.ts';
import { isInstant } from '../../domain/fields.ts';
import type { Json } from '../../kernel/json.ts';
import type { Document, Where } from '../../kernel/ports/read-store.ts';
import { matches } from '../../kernel/where.ts';
import type { ExportView } from './views.ts';

/** Type of a value; each may be null. `json`: objects of any shape, and anything else. */
export type ScalarType = 'uuid' | 'text' | 'boolean' | 'integer' | 'number' | 'instant' | 'json';

/** Type of the values of a column: scalars, or objects with the same scalar fields. */
export type ColumnType = ScalarType | { readonly [field: string]: ScalarType };

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether each value is a list of values of the type. */
  readonly isList: boolean;
  readonly valueOf: (document: Document) => Json | undefined;
}

/** Position of the last event that changed the row: of several rows with one id, the highest is the valid one. */
const POSITION: Column = { name: 'position', type: 'integer', isList: false, valueOf: ({ _position }) => _position };

/** The columns of a view, those of people only with `names`, then `position`, and `deleted` if rows can be deleted. */
export function columnsOf({ query, without }: ExportView, names: boolean): readonly Column[] {
  const shape: z.core.$ZodShape = query.view.shape;
  // What the clock changes is out of date in a file.
  const never = [...without, ...(query.timed?.names ?? [])];
  // It is no field of the document: `participantName` is the public name in exports.
  if (query.namesDriver) never.push(PUBLIC_NAME);
  const omitted = new Set(names ? never : [...never, ...query.personal]);
  const columns: Column[] = [];
  for (const [name, type] of Object.entries(shape)) {
    if (!omitted.has(name)) columns.push(columnOf(name, type));
  }
  if (!columns.some(({ name }) => name === 'id')) columns.unshift(columnOf('id', z.string()));
  columns.push(POSITION);
  const canBeDeleted = Object.keys(query.only).length > 0;
  if (canBeDeleted) columns.push(deletedColumn(query.only));
  return columns;
}

/** Whether a table of a view has personal data. */
export function isPersonal(view: ExportView, names: boolean): boolean {
  return names && columnsOf(view, true).length > columnsOf(view, false).length;
}

function deletedColumn(only: Where): Column {
  return { name: 'deleted', type: 'boolean', isList: false, valueOf: (document) => !matches(document, only) };
}

function columnOf(name: string, type: z.core.$ZodType): Column {
  const plain = unwrapped(type);
  const element = plain instanceof z.ZodArray ? typeOf(unwrapped(plain.element)) : 'json';
  const isList = element !== 'json';
  return {
    name,
    type: isList ? element : (fieldsOf(plain) ?? typeOf(plain)),
    isList,
    valueOf: (document) => document[name],
  };
}

/** The types of the fields of an object; null for what is no object of scalars. */
function fieldsOf(type: z.core.$ZodType): Readonly<Record<string, ScalarType>> | null {
  if (!(type instanceof z.ZodObject)) return null;
  const shape: z.core.$ZodShape = type.shape;
  const fields = Object.entries(shape).map(([name, field]) => [name, typeOf(unwrapped(field))] as const);
  return fields.some(([, field]) => field === 'json') ? null : Object.fromEntries(fields);
}

function unwrapped(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodNullable || type instanceof z.ZodOptional || type instanceof z.ZodReadonly)
    return unwrapped(type.unwrap());
  return type;
}

function typeOf(type: z.core.$ZodType): ScalarType {
  if (isInstant(type)) return 'instant';
  if (type instanceof z.ZodGUID) return 'uuid';
  const kind = type._zod.def.type;
  if (kind === 'string' || kind === 'enum') return 'text';
  if (kind === 'boolean') return 'boolean';
  if (kind !== 'number') return 'json';
  return type instanceof z.ZodNumberFormat ? 'integer' : 'number';
}
