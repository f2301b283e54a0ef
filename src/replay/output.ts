import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { format, parse } from 'node:path';
import type { Document, ReadModels } from '../kernel/ports/read-store.ts';
import { addToHeader, csvHeader, csvLine, ndjsonLine, type Format } from './formats.ts';

/** Where documents are written: files by collection, or standard output (null). */
export interface Target {
  readonly file: string | null;
  readonly format: Format;
}

/** What was written. */
export interface Written {
  readonly collection: string;
  readonly documents: number;
  /** Null: standard output. */
  readonly file: string | null;
}

const STDOUT = 1;
/** Characters that are gathered before they are written. */
const CHUNK_CHARS = 256 * 1024;
/** How long to wait, in ms, when who reads our output is slow. */
const RETRY_MS = 5;

/** The file of a collection: the one that was asked for, or, of several, `laps.csv` as `laps.<collection>.csv`. */
export function fileOf(file: string, collection: string, several: boolean): string {
  const { dir, name, ext } = parse(file);
  return several ? format({ dir, name: `${name}.${collection}`, ext }) : file;
}

/**
 * Writes all documents of the collections, by id. A file is replaced by the whole new one at once.
 * @throws {Error} of the file system.
 */
export async function writeAll(
  models: Pick<ReadModels, 'stream'>,
  collections: readonly string[],
  { file, format: wanted }: Target,
): Promise<readonly Written[]> {
  const written: Written[] = [];
  const several = collections.length > 1;
  for (const collection of collections) {
    const label = file === null && several ? collection : null;
    const lines = wanted === 'csv' ? csv(models, collection) : ndjson(models, collection, label);
    const target = file === null ? null : fileOf(file, collection, several);
    const documents = await (target === null ? print(lines) : replace(target, lines));
    written.push({ collection, documents, file: target });
  }
  return written;
}

/** A line per document, and lines that are none. */
type Lines = AsyncIterable<{ readonly text: string; readonly documents: number }>;

async function* ndjson(models: Pick<ReadModels, 'stream'>, collection: string, label: string | null): Lines {
  for await (const documents of byId(models, collection)) {
    yield { text: documents.map((document) => ndjsonLine(document, label)).join(''), documents: documents.length };
  }
}

/** Goes over the documents twice: the header has the fields of them all. */
async function* csv(models: Pick<ReadModels, 'stream'>, collection: string): Lines {
  const header = new Set<string>(['id']);
  for await (const documents of byId(models, collection)) {
    for (const document of documents) addToHeader(header, document);
  }
  yield { text: csvHeader(header), documents: 0 };
  for await (const documents of byId(models, collection)) {
    yield { text: documents.map((document) => csvLine(document, header)).join(''), documents: documents.length };
  }
}

function byId(models: Pick<ReadModels, 'stream'>, collection: string): AsyncIterable<readonly Document[]> {
  return models.stream(collection, { where: {}, sort: { field: 'id', direction: 'asc' } });
}

async function replace(file: string, lines: Lines): Promise<number> {
  const partial = `${file}.part`;
  const handle = openSync(partial, 'w');
  try {
    const documents = await write(handle, lines);
    fsyncSync(handle);
    renameSync(partial, file);
    return documents;
  } finally {
    closeSync(handle);
    rmSync(partial, { force: true });
  }
}

/** Who reads may leave early, as `head` does. */
async function print(lines: Lines): Promise<number> {
  try {
    return await write(STDOUT, lines);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    throw error;
  }
}

async function write(handle: number, lines: Lines): Promise<number> {
  let [documents, text] = [0, ''];
  for await (const next of lines) {
    documents += next.documents;
    text += next.text;
    if (text.length < CHUNK_CHARS) continue;
    writeWhole(handle, text);
    text = '';
  }
  writeWhole(handle, text);
  return documents;
}

/** A pipe may take less than it is given, or nothing for now. */
function writeWhole(handle: number, text: string): void {
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(handle, left));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, RETRY_MS);
    }
  }
}
