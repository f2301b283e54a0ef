import multer from 'multer';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Endpoint, Upload, UploadedFile } from './endpoint.ts';
import type { Exchange } from './respond.ts';
import { ClientGone, invalidProblem } from './problems.ts';
import { parseJson, sendContinue, tooLargeProblem } from './read-body.ts';

/** ms that an upload may take to arrive; the server's limit for any request. */
export const UPLOAD_MS = 120_000;

/** Bytes of the JSON part at most, and of everything around the file: that part, boundaries and part headers. */
const JSON_PART_BYTES = 65_536;
const OVERHEAD_BYTES = JSON_PART_BYTES + 16_384;

interface UploadServices {
  readonly uploadDirectory: string;
  readonly limits: { readonly uploadLimitBytes: number; readonly bodyDepthLimit: number };
}

/** Receives a multipart body of two parts, in either order; keeps nothing of one that it refuses. */
export async function receiveUpload(exchange: Exchange, { upload }: Endpoint, services: UploadServices) {
  if (!upload) throw new TypeError('not an upload');
  const { uploadLimitBytes: uploadBytes, bodyDepthLimit } = services.limits;
  const announced = Number(exchange.req.headers['content-length'] ?? 0);
  if (announced > uploadBytes + OVERHEAD_BYTES) throw tooLargeProblem(uploadBytes);
  const least = Math.max(0, announced - OVERHEAD_BYTES);
  const release = await upload.reserve({ least, most: announced === 0 ? uploadBytes : announced });
  const file = await openTemporaryFile(services.uploadDirectory, release);
  const parts = createParts(upload, file);
  exchange.readingBody = true;
  exchange.dueAt = exchange.startedAt + UPLOAD_MS;
  try {
    if (exchange.awaitsContinue) sendContinue(exchange);
    await parse(exchange, upload, { storage: parts.storage, fileBytes: uploadBytes });
    return await parts.received(exchange.req, bodyDepthLimit);
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    exchange.readingBody = false;
  }
}

/** multer is typed for Express's requests and responses, but needs no more than Node's. */
interface Middleware {
  run(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
}

function parse(
  exchange: Exchange,
  { jsonPart, filePart }: Upload,
  { storage, fileBytes }: { readonly storage: multer.StorageEngine; readonly fileBytes: number },
): Promise<void> {
  const limits = {
    fields: 1,
    files: 2,
    parts: 2,
    fieldSize: JSON_PART_BYTES,
    fileSize: fileBytes,
    fieldNameSize: 100,
    headerPairs: 32,
    fieldNestingDepth: 0,
    fieldArrayIndexLimit: 0,
  };
  const middleware: Middleware = {
    run: multer({ storage, limits }).fields([
      { name: jsonPart, maxCount: 1 },
      { name: filePart, maxCount: 1 },
    ]),
  };
  return new Promise((resolve, reject) => {
    let size = 0;
    // multer reads a refused body to its end before it says so; one without an announced length could go on for ever.
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > fileBytes + OVERHEAD_BYTES) reject(tooLargeProblem(fileBytes));
    };
    middleware.run(exchange.req, exchange, (error) => {
      exchange.req.off('data', count);
      if (error === undefined || error === null) resolve();
      else reject(refused(error));
    });
    exchange.req.on('data', count);
    // A request that was answered before its end, by a deadline say, may never end: its connection is gone silently.
    const gone = () => reject(new ClientGone('the upload was answered before its end'));
    if (exchange.closed) gone();
    else exchange.once('close', gone);
  });
}

/** What multer refused is the client's fault, and no news for the log; a disk that failed is. */
function refused(error: unknown): Error {
  if (!(error instanceof Error)) return new TypeError('multer refused without an error');
  return 'syscall' in error ? error : invalidProblem(error.message, '#');
}

/** multer's storage for one request: the JSON part in memory, the file on disk. */
function createParts({ jsonPart }: Upload, file: TemporaryFile) {
  let text: string | null = null;
  let hasFile = false;
  async function readText({ stream, mimetype }: Express.Multer.File): Promise<void> {
    if (mimetype.toLowerCase() !== 'application/json') throw invalidProblem('The JSON part has another type.', '#');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      // A byte stream without encoding yields Buffers only.
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > JSON_PART_BYTES) throw tooLargeProblem(JSON_PART_BYTES);
      chunks.push(bytes);
    }
    text = Buffer.concat(chunks).toString('utf8');
  }
  async function store(part: Express.Multer.File): Promise<void> {
    if (part.fieldname === jsonPart) return readText(part);
    await file.write(part.stream);
    hasFile = true;
  }
  const storage: multer.StorageEngine = {
    _handleFile: (_, part, done) => void store(part).then(() => done(), done),
    /** Nothing to remove part by part: closing the file frees everything. */
    _removeFile: (_, __, done) => done(null),
  };
  return {
    storage,
    /**
     * The parts, once everything has arrived; `release` frees the file's bytes.
     * @throws {Problem} when one is missing, sent twice, or the JSON is none
     */
    async received(request: IncomingMessage, levels: number) {
      const sent = text ?? fieldOf(request, jsonPart);
      if (sent === null || !hasFile) throw invalidProblem('A part is missing.', '#');
      const json = parseJson(sent, levels);
      return { json, file: await file.content(), release: () => file.close() };
    },
  };
}

/** The JSON part as a plain field, which multer puts into `body`; null when that is not as it should be. */
function fieldOf(request: IncomingMessage, name: string): string | null {
  const body: unknown = Reflect.get(request, 'body');
  if (typeof body !== 'object' || body === null || Object.keys(body).some((key) => key !== name)) return null;
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : null;
}

type TemporaryFile = ReturnType<typeof temporaryFile>;

/** A file without a name: only this process sees it, and the system frees it when it is closed, after a kill -9 too. */
function temporaryFile(handle: FileHandle, onClose: () => void) {
  let source: Readable | null = null;
  let writing: Promise<void> = Promise.resolve();
  return {
    /** Writes a stream to its end; to be called once. */
    write(from: Readable): Promise<void> {
      source = from;
      writing = writeFile(handle, from);
      return writing;
    },
    /** What was written, to be read as often as one likes. */
    async content(): Promise<UploadedFile> {
      const { size } = await handle.stat();
      const read = () => handle.createReadStream({ start: 0, autoClose: false });
      return { size, content: { [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]() } };
    },
    /** Frees the disk, in the middle of writing too. */
    async close(): Promise<void> {
      source?.destroy();
      await Promise.allSettled([writing]);
      onClose();
      await handle.close();
    },
  };
}

/** An empty file, on the disk of this directory. `onClose` is called when it is closed, or cannot be made. */
async function openTemporaryFile(directory: string, onClose: () => void): Promise<TemporaryFile> {
  try {
    await mkdir(directory, { recursive: true });
    const path = join(directory, randomUUID());
    const file = temporaryFile(await open(path, 'wx+', 0o600), onClose);
    // Another process that starts just now may have been first.
    await rm(path, { force: true });
    return file;
  } catch (error) {
    onClose();
    throw error;
  }
}

/** Removes what a killed process left; uploads under way lose only names that they lose anyway. Returns its path. */
export async function swept(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
  return directory;
}
