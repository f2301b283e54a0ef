import { csvInstant, csvLine } from '../../service/domain/csv.ts';
import type { Document } from '../../service/kernel/ports/read-store.ts';
import type { Column } from './columns.ts';
import type { Encoder } from './encoder.ts';
import { ParquetEncoder } from './parquet.ts';
import type { PartFile } from './part-file.ts';

/** Formats of exported tables: the endings of their files. */
export const FORMATS = ['parquet', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** The encoder of a format. */
export function encoderOf(format: Format, file: PartFile, columns: readonly Column[]): Encoder {
  if (format === 'parquet') return new ParquetEncoder(file, columns);
  if (format === 'ndjson') return new LineEncoder(file, ndjsonLine(columns));
  file.write(csvLine(columns.map(({ name }) => name)));
  return new LineEncoder(file, csvRow(columns));
}

/** Characters that are held before they are written. */
const CHUNK_CHARS = 256 * 1024;

/** A line of text for each row. */
class LineEncoder implements Encoder {
  readonly held = 0;
  readonly #file: PartFile;
  readonly #lineOf: (document: Document) => string;
  #text = '';

  constructor(file: PartFile, lineOf: (document: Document) => string) {
    this.#file = file;
    this.#lineOf = lineOf;
  }

  add(document: Document): void {
    this.#text += this.#lineOf(document);
    if (this.#text.length >= CHUNK_CHARS) this.flush();
  }

  flush(): void {
    this.#file.write(this.#text);
    this.#text = '';
  }

  finish(): void {
    this.flush();
  }
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
