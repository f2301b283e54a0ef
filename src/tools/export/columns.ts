import { z } from 'zod';
import { isInstant } from '../../service/domain/fields.ts';
import type { Json } from '../../service/kernel/json.ts';
import type { Document } from '../../service/kernel/ports/read-store.ts';
import { matches } from '../../service/kernel/where.ts';
import type { ExportView } from './views.ts';

/** Type of the values of a column; null is among those of each. `json`: objects, and whatever has no type of its own. */
export type ColumnType = 'text' | 'boolean' | 'integer' | 'number' | 'instant' | 'json';

/** A column of an exported table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether each value is a list of values of the type. */
  readonly isList: boolean;
  readonly valueOf: (document: Document) => Json | undefined;
}

/** Position of the last event that changed the row: of several rows with one id, the last is the one with the highest. */
const POSITION: Column = { name: 'position', type: 'integer', isList: false, valueOf: ({ _position }) => _position };

/**
 * The columns of a view: what its list shows, without personal data unless `names`, then `position`. Where rows may go,
 * `deleted` says which have.
 */
export function columnsOf({ query, without }: ExportView, names: boolean): readonly Column[] {
  const shape: z.core.$ZodShape = query.view.shape;
  const left = new Set([...without, ...(names ? [] : query.personal)]);
  const shown = Object.entries(shape).flatMap(([name, type]) => (left.has(name) ? [] : [columnOf(name, type)]));
  const id = shown.some(({ name }) => name === 'id') ? [] : [columnOf('id', z.string())];
  const canGo = Object.keys(query.only).length > 0;
  const deleted: Column = {
    name: 'deleted',
    type: 'boolean',
    isList: false,
    valueOf: (document) => !matches(document, query.only),
  };
  return [...id, ...shown, POSITION, ...(canGo ? [deleted] : [])];
}

function columnOf(name: string, type: z.core.$ZodType): Column {
  const plain = unwrapped(type);
  const isList = plain instanceof z.ZodArray && typeOf(unwrapped(plain.element)) !== 'json';
  return {
    name,
    type: plain instanceof z.ZodArray && isList ? typeOf(unwrapped(plain.element)) : typeOf(plain),
    isList,
    valueOf: (document) => document[name],
  };
}

function unwrapped(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodNullable || type instanceof z.ZodOptional || type instanceof z.ZodReadonly) {
    return unwrapped(type.unwrap());
  }
  return type;
}

function typeOf(type: z.core.$ZodType): ColumnType {
  if (isInstant(type)) return 'instant';
  const kind = type._zod.def.type;
  if (kind === 'string' || kind === 'enum') return 'text';
  if (kind === 'boolean') return 'boolean';
  if (kind !== 'number') return 'json';
  return type instanceof z.ZodNumberFormat ? 'integer' : 'number';
}
