import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { PARSED_UUID } from '../../domain/fields.ts';
import { isObject, type Json } from '../../kernel/json.ts';
import type { Document } from '../../kernel/ports/read-store.ts';
import type { Column, ColumnType, ScalarType } from './columns.ts';

type Value = bigint | boolean | number | string | null | readonly Value[] | { readonly [field: string]: Value };

export class UnfitForParquet extends Error {
  override readonly name = 'UnfitForParquet';
}

export function createParquetEncoder(columns: readonly Column[]) {
  const bytes = new ByteWriter();
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'sim-racing-timing' });
  const noValues = (): readonly Value[][] => columns.map(() => []);
  let values = noValues();
  let held = 0;
  const takeBytes = (): Uint8Array => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  };
  /** The bytes of a row group of all rows that are held: a column at a time, each encoded when it is asked for. */
  function* flush(): Generator<Uint8Array> {
    const group = values;
    const rows = held;
    if (rows === 0) return;
    values = noValues();
    held = 0;
    const before = writer.row_groups.length;
    for (const [n, column] of columns.entries()) {
      const data = encodable(column, group[n] ?? []);
      synchronous(writer.write({ columnData: [{ name: column.name, data }], rowGroupSize: rows }));
      yield takeBytes();
    }
    joinGroups(writer, before, rows);
  }
  return {
    /** Rows that are not encoded yet. */
    get held() {
      return held;
    },
    /** @throws {UnfitForParquet} */
    add(document: Document): void {
      for (const [n, column] of columns.entries()) values[n]?.push(storedIn(column, document));
      held += 1;
    },
    flush,
    /** The bytes of the rows that are held, and of the end of the file. */
    *finish(): Generator<Uint8Array> {
      yield* flush();
      synchronous(writer.finish());
      yield takeBytes();
    },
  };
}

/** The library has one step for all columns of a row group, so each was written as a group of its own. */
function joinGroups(writer: ParquetWriter, before: number, rows: number): void {
  const parts = writer.row_groups.splice(before);
  const sum = (field: 'total_byte_size' | 'total_compressed_size'): bigint =>
    parts.reduce((bytes, part) => bytes + (part[field] ?? 0n), 0n);
  writer.row_groups.push({
    columns: parts.flatMap(({ columns }) => columns),
    total_byte_size: sum('total_byte_size'),
    total_compressed_size: sum('total_compressed_size'),
    num_rows: BigInt(rows),
  });
  writer.num_rows -= BigInt(rows) * BigInt(parts.length - 1);
}

/** The values of a column as the library takes them: it takes UUIDs as texts too, but then most of its time goes there. */
function encodable({ type, isList }: Column, values: Value[]): (Value | Uint8Array)[] {
  if (type !== 'uuid' || isList) return values;
  return values.map((value) => (typeof value === 'string' ? Buffer.from(value.replaceAll('-', ''), 'hex') : value));
}

/** The library returns a promise only for a slow writer; ours is synchronous. */
function synchronous(done: void | Promise<void>): void {
  if (done !== undefined) throw new TypeError('a row group is still being written');
}

/** Every value may be null: a stored document may be older than a field. */
const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;

const ELEMENTS: Readonly<Record<ScalarType, Omit<SchemaElement, 'name' | 'repetition_type'>>> = {
  uuid: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  // Readers handle Parquet's own JSON type differently.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  // Without a time zone, in UTC, as in CSV: with one, DuckDB shows local times, and Python needs a further library.
  instant: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
};

/** A list has three levels: itself, its repetition, and its elements. */
function elementsOf({ name, type, isList }: Column): readonly SchemaElement[] {
  if (!isList) return elementsOfType(name, type);
  return [
    { name, ...OPTIONAL, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...elementsOfType('element', type),
  ];
}

function elementsOfType(name: string, type: ColumnType): readonly SchemaElement[] {
  if (typeof type === 'string') return [{ name, ...OPTIONAL, ...ELEMENTS[type] }];
  const fields = Object.entries(type);
  const struct = { name, ...OPTIONAL, num_children: fields.length };
  return [struct, ...fields.flatMap(([field, its]) => elementsOfType(field, its))];
}

function storedIn({ name, type, isList, valueOf }: Column, document: Document): Value {
  const value = valueOf(document) ?? null;
  if (!isList || value === null) return stored(type, value);
  if (Array.isArray(value)) return value.map((item: Json) => stored(type, item));
  throw new TypeError(`${name} of ${document.id} is no list`);
}

function stored(type: ColumnType, value: Json): Value {
  if (value === null) return null;
  if (typeof type === 'object') return structOf(type, value);
  if (type === 'uuid' && !(typeof value === 'string' && PARSED_UUID.test(value)))
    throw new UnfitForParquet(`${JSON.stringify(value)} is no UUID, as ids are in Parquet`);
  if (type === 'json') return JSON.stringify(value);
  if (type === 'integer' && typeof value === 'number') return BigInt(value);
  if (type === 'instant' && typeof value === 'string') return BigInt(Date.parse(value));
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function structOf(type: Extract<ColumnType, object>, value: Json): Value {
  if (!isObject(value)) throw new TypeError(`a value is no object: ${JSON.stringify(value)}`);
  return Object.fromEntries(Object.entries(type).map(([field, its]) => [field, stored(its, value[field] ?? null)]));
}
