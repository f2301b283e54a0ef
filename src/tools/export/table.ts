import { dirname } from 'node:path';
import { csvInstant, csvLine } from '../../service/domain/csv.ts';
import type { Document } from '../../service/kernel/ports/read-store.ts';
import type { Column } from '../../service/exports/columns.ts';
import { createParquetEncoder } from '../../service/exports/parquet.ts';
import { createPartFile, syncDirectory, type PartFile } from '../replay/part-file.ts';

/** Formats of exported tables: the endings of their files. */
export const FORMATS = ['parquet', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Writes rows to a file in a format. */
interface Encoder {
  /** Number of rows held in memory: formats that write rows in groups hold many. */
  readonly held: number;
  add(document: Document): void;
  /** Writes the rows held in memory. */
  flush(): void;
  /** Writes what the format needs at the end of a file. */
  finish(): void;
}

function encoderOf(format: Format, file: PartFile, columns: readonly Column[]): Encoder {
  if (format === 'parquet') return rowGroups(file, columns);
  if (format === 'ndjson') return lineEncoder(file, ndjsonLine(columns));
  file.write(csvLine(columns.map(({ name }) => name)));
  return lineEncoder(file, csvRow(columns));
}

/** Parquet: each flush makes a row group. */
function rowGroups(file: PartFile, columns: readonly Column[]): Encoder {
  const encoder = createParquetEncoder(columns);
  const write = (pieces: Iterable<Uint8Array>): void => {
    for (const bytes of pieces) file.write(bytes);
  };
  return {
    get held() {
      return encoder.held;
    },
    add: (document) => encoder.add(document),
    flush: () => write(encoder.flush()),
    finish: () => write(encoder.finish()),
  };
}

/** Characters that are held before they are written. */
const CHUNK_CHARS = 256 * 1024;

function lineEncoder(file: PartFile, lineOf: (document: Document) => string): Encoder {
  let text = '';
  const flush = (): void => {
    file.write(text);
    text = '';
  };
  return {
    held: 0,
    add(document) {
      text += lineOf(document);
      if (text.length >= CHUNK_CHARS) flush();
    },
    flush,
    finish: flush,
  };
}

function ndjsonLine(columns: readonly Column[]): (document: Document) => string {
  return (document) => {
    const values = columns.map(({ name, valueOf }) => [name, valueOf(document) ?? null] as const);
    return `${JSON.stringify(Object.fromEntries(values))}\n`;
  };
}

function csvRow(columns: readonly Column[]): (document: Document) => string {
  const cells = columns.map(({ type, isList, valueOf }) =>
    type === 'instant' && !isList ? (document: Document) => csvInstant(valueOf(document)) : valueOf,
  );
  return (document) => csvLine(cells.map((cellOf) => cellOf(document)));
}

/** Rows of a row group, and most rows that are held in memory: readers use a thread for each group. */
const ROWS_PER_GROUP = 120_000;

export interface WrittenFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

interface OpenFile {
  readonly part: PartFile;
  readonly encoder: Encoder;
  rows: number;
}

export interface TableOptions {
  readonly format: Format;
  readonly columns: readonly Column[];
  /** The path of the file that a row belongs to. */
  readonly fileOf: (document: Document) => string;
}

export type Table = ReturnType<typeof createTable>;

/** Creates a table that is written to one or more files, which get their names once all are whole. */
export function createTable({ format, columns, fileOf }: TableOptions) {
  const files = new Map<string, OpenFile>();
  let held = 0;
  /** Creates a file, even if it stays without rows. */
  const open = (path: string): OpenFile => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const part = createPartFile(path);
    const file = { part, encoder: encoderOf(format, part, columns), rows: 0 };
    files.set(path, file);
    return file;
  };
  const flushLargest = (): void => {
    const [largest] = [...files.values()].toSorted((a, b) => b.encoder.held - a.encoder.held);
    held -= largest?.encoder.held ?? 0;
    largest?.encoder.flush();
  };
  return {
    open,
    add(document: Document): void {
      const file = open(fileOf(document));
      const before = file.encoder.held;
      file.encoder.add(document);
      file.rows += 1;
      held += file.encoder.held - before;
      if (held >= ROWS_PER_GROUP) flushLargest();
    },
    finish(): void {
      for (const { part, encoder } of files.values()) {
        encoder.finish();
        part.end();
      }
    },
    publish(): readonly WrittenFile[] {
      for (const { part } of files.values()) part.publish();
      for (const directory of new Set([...files.keys()].map(dirname))) syncDirectory(directory);
      return [...files].map(([file, { rows, part }]) => ({ file, rows, bytes: part.bytes }));
    },
    discard(): void {
      for (const { part } of files.values()) part.discard();
    },
  };
}
