import { format, parse } from 'node:path';
import { csvLine } from '../../service/exports/csv.ts';
import type { Json } from '../../kernel/json.ts';
import type { Document, ReadModels } from '../../kernel/ports/read-store.ts';
import { createPartFile, writeWhole } from './part-file.ts';

export interface OutputTarget {
  /** A file, or one per collection named after it; null: standard output. */
  readonly file: string | null;
  readonly format: 'ndjson' | 'csv';
}

export interface WrittenCollection {
  readonly collection: string;
  readonly documents: number;
  /** Null: standard output. */
  readonly file: string | null;
}

const STDOUT = 1;

/** The file of a collection: the given one, or with several collections `laps.<collection>.csv` for `laps.csv`. */
function fileOf(file: string, collection: string, several: boolean): string {
  const { dir, name, ext } = parse(file);
  return several ? format({ dir, name: `${name}.${collection}`, ext }) : file;
}

/**
 * Writes all documents of the collections in order of id. A file gets its name once it is complete.
 * @throws {ReplayRefused} when the file system refuses it.
 */
export async function writeAll(
  models: Pick<ReadModels, 'stream'>,
  collections: readonly string[],
  { file, format: fileFormat }: OutputTarget,
): Promise<readonly WrittenCollection[]> {
  const written: WrittenCollection[] = [];
  const several = collections.length > 1;
  for (const collection of collections) {
    const documents = (): Batches => models.stream(collection, { where: {}, isById: true });
    const label = file === null && several ? collection : null;
    const lines = fileFormat === 'csv' ? csv(documents) : ndjson(documents(), label);
    const target = file === null ? null : fileOf(file, collection, several);
    const count = await (target === null ? print(lines) : replace(target, lines));
    written.push({ collection, documents: count, file: target });
  }
  return written;
}

type Batches = AsyncIterable<readonly Document[]>;

/** Pieces of output, and how many documents each holds; the CSV header holds none. */
type Lines = AsyncIterable<{ readonly text: string; readonly documents: number }>;

/** A document a line; a `collection` becomes the first field of each. */
async function* ndjson(batches: Batches, collection: string | null): Lines {
  const own: FieldList = collection === null ? [] : [['collection', collection]];
  for await (const documents of batches) {
    const lines = documents.map((one) => `${JSON.stringify(Object.fromEntries([...own, ...fieldsOf(one)]))}\n`);
    yield { text: lines.join(''), documents: documents.length };
  }
}

/** Reads the documents twice: the header has the fields of all of them, in the order of their first appearance. */
export async function* csv(batches: () => Batches): Lines {
  const header = new Set(['id']);
  for await (const documents of batches()) {
    for (const [field] of documents.flatMap(fieldsOf)) header.add(field);
  }
  yield { text: csvLine([...header]), documents: 0 };
  for await (const documents of batches()) {
    const rows = documents.map((document) => new Map(fieldsOf(document)));
    const lines = rows.map((row) => csvLine([...header].map((field) => row.get(field))));
    yield { text: lines.join(''), documents: documents.length };
  }
}

async function replace(path: string, lines: Lines): Promise<number> {
  const file = createPartFile(path);
  try {
    const documents = await writeTo((text) => file.write(text), lines);
    file.end();
    file.publish();
    return documents;
  } finally {
    file.discard();
  }
}

/** The reader of a pipe may close it early, as `head` does. */
async function print(lines: Lines): Promise<number> {
  try {
    return await writeTo((text) => writeWhole(STDOUT, text), lines);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    throw error;
  }
}

async function writeTo(write: (text: string) => void, lines: Lines): Promise<number> {
  let written = 0;
  for await (const { text, documents } of lines) {
    write(text);
    written += documents;
  }
  return written;
}

type FieldList = readonly (readonly [field: string, value: Json])[];

/** The fields of a document to write, the id first: all whose names do not begin with `_`. */
function fieldsOf(document: Document): FieldList {
  const { id, ...others } = document;
  const fields = Object.entries(others).filter(
    (field): field is [string, Json] => !field[0].startsWith('_') && field[1] !== undefined,
  );
  return [['id', id], ...fields];
}
