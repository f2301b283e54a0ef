import { dirname } from 'node:path';
import type { Document } from '../../service/kernel/ports/read-store.ts';
import type { Column } from './columns.ts';
import type { Encoder } from './encoder.ts';
import { encoderOf, type Format } from './encoders.ts';
import { PartFile, syncDirectory } from './part-file.ts';

/** Rows of a row group, and most rows that are held in memory: readers use a thread for each group. */
const ROWS_PER_GROUP = 120_000;

/** A file that was written. */
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

/** Options of a table. */
export interface TableOptions {
  readonly format: Format;
  readonly columns: readonly Column[];
  /** The path of the file that a row belongs in. */
  readonly fileOf: (document: Document) => string;
}

/** A table that is being written to one file or several. They have their names once all of them are whole. */
export class Table {
  readonly #options: TableOptions;
  readonly #files = new Map<string, OpenFile>();
  #held = 0;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** Makes a file, though no row may belong in it. */
  open(path: string): OpenFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const { format, columns } = this.#options;
    const part = new PartFile(path);
    const file = { part, encoder: encoderOf(format, part, columns), rows: 0 };
    this.#files.set(path, file);
    return file;
  }

  add(document: Document): void {
    const file = this.open(this.#options.fileOf(document));
    const before = file.encoder.held;
    file.encoder.add(document);
    file.rows += 1;
    this.#held += file.encoder.held - before;
    if (this.#held >= ROWS_PER_GROUP) this.#flushLargest();
  }

  /** Nothing more is added: all files are whole, under other names. */
  finish(): void {
    for (const { part, encoder } of this.#files.values()) {
      encoder.finish();
      part.end();
    }
  }

  /** Gives the files their names. */
  publish(): readonly WrittenFile[] {
    for (const { part } of this.#files.values()) part.publish();
    for (const directory of new Set([...this.#files.keys()].map(dirname))) syncDirectory(directory);
    return [...this.#files].map(([file, { rows, part }]) => ({ file, rows, bytes: part.bytes }));
  }

  /** Deletes what has not been published. */
  discard(): void {
    for (const { part } of this.#files.values()) part.discard();
  }

  #flushLargest(): void {
    const [largest] = [...this.#files.values()].toSorted((a, b) => b.encoder.held - a.encoder.held);
    this.#held -= largest?.encoder.held ?? 0;
    largest?.encoder.flush();
  }
}
