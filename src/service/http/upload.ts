import busboy from 'busboy';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Json } from '../kernel/json.ts';
import type { Endpoint, Upload, UploadedFile } from './endpoint.ts';
import type { Exchange } from './respond.ts';
import { ClientGone, invalidProblem, Problem } from './problems.ts';
import { parseJson, sendContinue, tooLargeProblem } from './read-body.ts';

/** ms that an upload may take to arrive; the server's limit for any request. */
export const UPLOAD_MS = 120_000;

/** Bytes of the JSON part at most, and of everything around the file: that part, boundaries and part headers. */
const JSON_PART_BYTES = 65_536;
const OVERHEAD_BYTES = JSON_PART_BYTES + 16_384;

interface ReceivedUpload {
  readonly json: Json;
  readonly file: UploadedFile;
  /** Frees the file's bytes. */
  release(): Promise<void>;
}

interface UploadLimits {
  readonly uploadBytes: number;
  readonly uploadDirectory: string;
  readonly jsonLevels: number;
}

/** Receives a multipart body of two parts, in either order; keeps nothing of one that it refuses. */
export async function receiveUpload(
  exchange: Exchange,
  { upload }: Endpoint,
  limits: UploadLimits,
): Promise<ReceivedUpload> {
  if (!upload) throw new TypeError('not an upload');
  const { uploadBytes } = limits;
  const announced = Number(exchange.req.headers['content-length'] ?? 0);
  if (announced > uploadBytes + OVERHEAD_BYTES) throw tooLargeProblem(uploadBytes);
  const least = Math.max(0, announced - OVERHEAD_BYTES);
  const release = await upload.reserve({ least, most: announced === 0 ? uploadBytes : announced });
  const file = await TemporaryFile.create(limits.uploadDirectory, release);
  exchange.readingBody = true;
  exchange.dueAt = exchange.startedAt + UPLOAD_MS;
  try {
    if (exchange.awaitsContinue) sendContinue(exchange);
    const text = await receiveParts(exchange, upload, { file, fileBytes: uploadBytes });
    const json = parseJson(text, limits.jsonLevels);
    return { json, file: await file.content(), release: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    exchange.readingBody = false;
  }
}

/** @throws {Problem} 400 for what is no multipart body */
function createParser(headers: IncomingHttpHeaders, fileBytes: number): busboy.Busboy {
  // Each is the least that is too much.
  const limits = {
    parts: 3,
    fieldSize: JSON_PART_BYTES + 1,
    fieldNameSize: 100,
    headerPairs: 32,
    fileSize: fileBytes + 1,
  };
  try {
    return busboy({ headers, limits });
  } catch (error) {
    throw invalidProblem(String(error), '#');
  }
}

/** Writes the file to the disk; the text of the JSON part, which may be a field or a file. */
async function receiveParts(
  exchange: Exchange,
  { jsonPart, filePart }: Upload,
  { file, fileBytes }: { readonly file: TemporaryFile; readonly fileBytes: number },
): Promise<string> {
  const { req } = exchange;
  const parser = createParser(req.headers, fileBytes);
  const received = new Map<string, Promise<string | null>>();
  let size = 0;
  const arrived = new Promise<void>((resolve, reject) => {
    const refuse = (why: string) => reject(invalidProblem(why, '#'));
    // What the parser refuses is the client's fault, and no news for the log; a disk that failed is.
    const fail = (error: Error) =>
      'syscall' in error || error instanceof Problem ? reject(error) : refuse(error.message);
    const take = (name: string, part: Promise<string | null>) => {
      if (received.has(name)) refuse('A part was sent twice.');
      received.set(name, part);
      part.catch(fail);
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      if (name !== jsonPart || valueTruncated) refuse('There is a field that is not the JSON part, or is too long.');
      else take(name, Promise.resolve(value));
    });
    parser.on('file', (name, part, { mimeType }) => {
      if (name === jsonPart) take(name, readText(part, mimeType));
      else if (name === filePart && !received.has(name)) take(name, file.write(part));
      else refuse('There is a part that nobody asked for.');
      part.once('limit', () => reject(tooLargeProblem(fileBytes))).once('error', fail);
    });
    parser
      .on('partsLimit', () => refuse('There are more than two parts.'))
      .on('error', fail)
      .on('close', resolve);
    // What is before and after the parts has no limit of its own.
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > fileBytes + OVERHEAD_BYTES) reject(tooLargeProblem(fileBytes));
    });
    // A request that was answered before its end, by a deadline say, may never end: its connection is gone silently.
    const gone = () => reject(new ClientGone('the upload was answered before its end'));
    if (exchange.closed) gone();
    else exchange.once('close', gone);
    req.pipe(parser);
  });
  try {
    await arrived;
    const [text = null] = await Promise.all([received.get(jsonPart), received.get(filePart)]);
    if (text === null || !received.has(filePart)) throw invalidProblem('A part is missing.', '#');
    return text;
  } finally {
    req.unpipe(parser);
  }
}

async function readText(part: Readable, mimeType: string): Promise<string> {
  if (mimeType.toLowerCase() !== 'application/json') throw invalidProblem('The JSON part has another type.', '#');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part) {
    // A byte stream without encoding yields Buffers only.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > JSON_PART_BYTES) throw tooLargeProblem(JSON_PART_BYTES);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A file without a name: only this process sees it, and the system frees it when it is closed, after a kill -9 too. */
class TemporaryFile {
  readonly #handle: FileHandle;
  readonly #onClose: () => void;
  #source: Readable | null = null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(handle: FileHandle, onClose: () => void) {
    this.#handle = handle;
    this.#onClose = onClose;
  }

  /** An empty file, on the disk of this directory. `onClose` is called when it is closed, or cannot be made. */
  static async create(directory: string, onClose: () => void): Promise<TemporaryFile> {
    try {
      await mkdir(directory, { recursive: true });
      const path = join(directory, randomUUID());
      const file = new TemporaryFile(await open(path, 'wx+', 0o600), onClose);
      // Another process that starts just now may have been first.
      await rm(path, { force: true });
      return file;
    } catch (error) {
      onClose();
      throw error;
    }
  }

  /** Writes a stream to its end; to be called once. */
  async write(source: Readable): Promise<null> {
    this.#source = source;
    this.#writing = writeFile(this.#handle, source);
    await this.#writing;
    return null;
  }

  /** What was written, to be read as often as one likes. */
  async content() {
    const { size } = await this.#handle.stat();
    const read = () => this.#handle.createReadStream({ start: 0, autoClose: false });
    return {
      size,
      content: { [Symbol.asyncIterator]: (): AsyncIterator<Uint8Array> => read()[Symbol.asyncIterator]() },
    };
  }

  /** Frees the disk, in the middle of writing too. */
  async close(): Promise<void> {
    this.#source?.destroy();
    await Promise.allSettled([this.#writing]);
    this.#onClose();
    await this.#handle.close();
  }
}

/** Removes what a killed process left; uploads under way lose only names that they lose anyway. Returns its path. */
export async function swept(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
  return directory;
}
