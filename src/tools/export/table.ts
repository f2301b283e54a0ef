import { dirname } from 'node:path';
import { csvInstant, csvLine } from '../../service/exports/csv.ts';
import type { Document } from '../../kernel/ports/read-store.ts';
import type { Column } from '../../service/exports/columns.ts';
import { createParquetEncoder } from '../../service/exports/parquet.ts';
import { syncBlocking } from '../../../infra/system/disk.ts';
import { createPartFile, type PartFile } from '../replay/part-file.ts';

/** Formats of exported tables: the endings of their files. */
export const FORMATS = ['parquet', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Encodes rows in a format, in pieces for a file. `held`: number of rows that are not encoded yet. */
type Encoder = Pick<ReturnType<typeof createParquetEncoder>, 'held' | 'add'> &
  Readonly<Record<'flush' | 'finish', () => Iterable<string | Uint8Array>>>;

function encoderOf(format: Format, columns: readonly Column[]): Encoder {
  if (format === 'parquet') return createParquetEncoder(columns);
  const lineOf = format === 'ndjson' ? ndjsonLine(columns) : csvRow(columns);
  const lines: string[] = [];
  const flush = (): readonly string[] => [lines.splice(0).join('')];
  return {
    get held() {
      return lines.length;
    },
    add(document) {
      lines.push(lineOf(document));
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

/** Most rows that are held in memory: in Parquet those of a row group, as readers use a thread for each group. */
const MOST_HELD: Readonly<Record<Format, number>> = { parquet: 120_000, csv: 1_000, ndjson: 1_000 };

interface OpenFile {
  readonly part: PartFile;
  readonly encoder: Encoder;
  rows: number;
}

export type Table = ReturnType<typeof createTable>;
export type WrittenFile = ReturnType<Table['publish']>[number];

/**
 * Creates a table that is written to one or more files, which get their names once all are complete; `fileOf` says which a row
 * belongs to.
 */
export function createTable(format: Format, columns: readonly Column[], fileOf: (document: Document) => string) {
  const files = new Map<string, OpenFile>();
  let held = 0;
  /** Creates a file, even if it stays without rows. */
  const open = (path: string): OpenFile => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const part = createPartFile(path);
    const file = { part, encoder: encoderOf(format, columns), rows: 0 };
    files.set(path, file);
    if (format === 'csv') part.write(csvLine(columns.map(({ name }) => name)));
    return file;
  };
  const write = ({ part }: OpenFile, pieces: Iterable<string | Uint8Array>): void => {
    for (const piece of pieces) part.write(piece);
  };
  return {
    open,
    add(document: Document): void {
      const file = open(fileOf(document));
      file.encoder.add(document);
      file.rows += 1;
      held += 1;
      if (held < MOST_HELD[format]) return;
      const [largest = file] = [...files.values()].toSorted((a, b) => b.encoder.held - a.encoder.held);
      held -= largest.encoder.held;
      write(largest, largest.encoder.flush());
    },
    finish(): void {
      for (const file of files.values()) {
        write(file, file.encoder.finish());
        file.part.end();
      }
    },
    publish() {
      for (const { part } of files.values()) part.publish();
      for (const directory of new Set([...files.keys()].map(dirname))) syncBlocking(directory);
      return [...files].map(([file, { rows, part }]) => ({ file, rows, bytes: part.bytes }));
    },
    discard(): void {
      for (const { part } of files.values()) part.discard();
    },
  };
}
