import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from 'hyparquet-writer';
import { isObject, type Json } from '../../service/kernel/json.ts';
import type { Document } from '../../service/kernel/ports/read-store.ts';
import type { Column, ColumnType, ScalarType } from './views.ts';
import { ReplayRefused } from '../replay/refused.ts';
import type { PartFile } from './part-file.ts';

/** Bytes that are buffered before they are written. */
const CHUNK_BYTES = 1_048_576;

type Value = bigint | boolean | number | string | null | readonly Value[] | { readonly [field: string]: Value };

/** Writes Parquet: each flush makes a row group. */
export class ParquetEncoder {
  readonly #columns: readonly Column[];
  readonly #writer: ParquetWriter;
  /** The values of each column. */
  #values: readonly Value[][];
  #held = 0;

  constructor(file: PartFile, columns: readonly Column[]) {
    this.#columns = columns;
    this.#values = columns.map(() => []);
    const writer = new FileBytes(file);
    this.#writer = new ParquetWriter({ writer, schema: schemaOf(columns), createdBy: 'sim-racing-timing' });
  }

  get held(): number {
    return this.#held;
  }

  add(document: Document): void {
    for (const [n, column] of this.#columns.entries()) this.#values[n]?.push(storedIn(column, document));
    this.#held += 1;
  }

  flush(): void {
    if (this.#held === 0) return;
    const columnData: ColumnSource[] = this.#columns.map(({ name }, n) => ({ name, data: this.#values[n] ?? [] }));
    synchronous(this.#writer.write({ columnData, rowGroupSize: this.#held }));
    this.#values = this.#columns.map(() => []);
    this.#held = 0;
  }

  finish(): void {
    this.flush();
    synchronous(this.#writer.finish());
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The library returns a promise only for a slow writer; ours is synchronous. */
function synchronous(done: void | Promise<void>): void {
  if (done !== undefined) throw new TypeError('a row group is still being written');
}

/** Passes what the library writes to a file, a chunk at a time. */
class FileBytes extends ByteWriter {
  readonly #file: PartFile;

  constructor(file: PartFile) {
    super(2 * CHUNK_BYTES);
    this.#file = file;
  }

  override ensure(size: number): void {
    if (this.index >= CHUNK_BYTES) this.#flush();
    super.ensure(size);
  }

  override finish(): void {
    this.#flush();
  }

  #flush(): void {
    this.#file.write(this.getBytes());
    this.index = 0;
  }
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

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

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
  if (type === 'uuid' && !(typeof value === 'string' && UUID.test(value))) {
    throw new ReplayRefused(
      `${JSON.stringify(value)} is no UUID, as ids are in Parquet; export to CSV or NDJSON instead`,
    );
  }
  if (type === 'json') return JSON.stringify(value);
  if (type === 'integer' && typeof value === 'number') return BigInt(value);
  if (type === 'instant' && typeof value === 'string') return BigInt(Date.parse(value));
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function structOf(type: Extract<ColumnType, object>, value: Json): Value {
  if (!isObject(value)) throw new TypeError(`a value is no object: ${JSON.stringify(value)}`);
  return Object.fromEntries(Object.entries(type).map(([field, its]) => [field, stored(its, value[field] ?? null)]));
}
