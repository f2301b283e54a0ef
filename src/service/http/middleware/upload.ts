/**
 * Uploads: multer, with a storage of ours. multer's own storages keep a file in memory, or on disk under a name that
 * stays there after a `kill -9`.
 */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import type { Endpoint, Upload } from '../endpoint.ts';
import { parseJson } from '../json-body.ts';
import { parseBody } from '../parameters.ts';
import { sendError, type RequestLog } from '../problem-responses.ts';
import { ClientGone, invalidProblem, tooLargeProblem } from '../problems.ts';
import { openTemporaryFile, type TemporaryFile } from '../temporary-files.ts';
import { sendContinue } from './body.ts';

/** ms that an upload may take to arrive; the server's limit for any request. */
export const UPLOAD_MS = 120_000;

/** Bytes of the JSON part at most, and of everything around the file: that part, boundaries and part headers. */
const JSON_PART_BYTES = 65_536;
const OVERHEAD_BYTES = JSON_PART_BYTES + 16_384;

/** Dependencies of uploads. */
export interface UploadServices {
  /** Directory of the temporary files of uploads, which are unlinked as soon as they are open. Created if missing. */
  readonly uploadDirectory: string;
  readonly log: RequestLog;
  readonly limits: {
    readonly uploadLimitBytes: number;
    readonly bodyDepthLimit: number;
    readonly requestDeadlineMs: number;
  };
}

/** The parts of an upload, as far as they have arrived. */
interface ArrivingParts {
  readonly file: TemporaryFile;
  text: string | null;
  hasFile: boolean;
}

/** The steps that receive a multipart body of two parts, in either order; they keep nothing of one that is refused. */
export function upload(
  endpoint: Endpoint,
  { jsonPart, filePart, reserve }: Upload,
  { uploadDirectory, log, limits }: UploadServices,
): readonly (RequestHandler | ErrorRequestHandler)[] {
  const { uploadLimitBytes } = limits;
  const arriving = new WeakMap<Request, ArrivingParts>();

  /** Keeps room for the file: 413, 507. */
  const reserveRoom: RequestHandler = async (req, res, next) => {
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced > uploadLimitBytes + OVERHEAD_BYTES) throw tooLargeProblem(uploadLimitBytes);
    const least = Math.max(0, announced - OVERHEAD_BYTES);
    const release = await reserve({ least, most: announced === 0 ? uploadLimitBytes : announced });
    const file = await openTemporaryFile(uploadDirectory, release);
    // A request that was answered before its end, by a deadline say, may never end: its connection is gone silently.
    if (res.closed) {
      await file.close();
      return;
    }
    res.once('close', () => {
      if (res.readingBody) void file.close();
    });
    arriving.set(req, { file, text: null, hasFile: false });
    res.readingBody = true;
    res.dueAt = res.startedAt + UPLOAD_MS;
    if (res.expectation === 'continue') sendContinue(res);
    next();
  };

  /** multer reads a refused body to its end before it says so; one without an announced length could go on for ever. */
  const refuseEndless: RequestHandler = (req, res, next) => {
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= uploadLimitBytes + OVERHEAD_BYTES || res.settled) return;
      sendError(res, tooLargeProblem(uploadLimitBytes), log);
      void arriving.get(req)?.file.close();
    });
    next();
  };

  /** The JSON part goes to memory, the file to the disk. */
  async function store(req: Request, part: Express.Multer.File): Promise<void> {
    const parts = arriving.get(req);
    if (parts === undefined) throw new ClientGone('the upload was answered before its end');
    if (part.fieldname === jsonPart) parts.text = await readText(part);
    else {
      await parts.file.write(part.stream);
      parts.hasFile = true;
    }
  }

  const receiveParts = multer({
    storage: {
      _handleFile: (req, part, done) => void store(req, part).then(() => done(), done),
      /** Nothing to remove part by part: closing the file frees everything. */
      _removeFile: (_req, _part, done) => done(null),
    },
    limits: {
      fields: 1,
      files: 2,
      parts: 2,
      fieldSize: JSON_PART_BYTES,
      fileSize: uploadLimitBytes,
      fieldNameSize: 100,
      headerPairs: 32,
      fieldNestingDepth: 0,
      fieldArrayIndexLimit: 0,
    },
  }).fields([
    { name: jsonPart, maxCount: 1 },
    { name: filePart, maxCount: 1 },
  ]);

  const explainRefusal: ErrorRequestHandler = (error: unknown, req, _res, next) => {
    // Errors of earlier steps pass here, too.
    next(arriving.has(req) ? refused(error) : error);
  };

  /** Checks the parts, once everything has arrived. The time that they took does not count: the handler's begins here. */
  const takeParts: RequestHandler = async (req, res, next) => {
    const parts = arriving.get(req);
    if (parts === undefined || res.settled) throw new ClientGone('the upload was answered before its end');
    res.readingBody = false;
    res.dueAt = performance.now() + limits.requestDeadlineMs;
    res.deadline = Date.now() + limits.requestDeadlineMs;
    const text = parts.text ?? fieldOf(req, jsonPart);
    if (text === null || !parts.hasFile) throw invalidProblem('A part is missing.', '#');
    const json = parseJson(text, limits.bodyDepthLimit);
    res.sent = { json, body: endpoint.body && parseBody(endpoint.body, json) };
    const content = await parts.file.content();
    res.file = { ...content, release: () => parts.file.close() };
    next();
  };

  /** Keeps nothing of an upload that was refused. */
  const freeRefused: ErrorRequestHandler = async (error: unknown, req: Request, _res: Response, next) => {
    await arriving.get(req)?.file.close();
    next(error);
  };

  return [reserveRoom, refuseEndless, receiveParts, explainRefusal, takeParts, freeRefused];
}

/** Errors of multer are the client's and are not logged; a disk that failed is. */
function refused(error: unknown): Error {
  if (!(error instanceof Error)) return new TypeError('multer refused without an error');
  if ('syscall' in error) return error;
  return invalidProblem(error.message, '#');
}

async function readText({ stream, mimetype }: Express.Multer.File): Promise<string> {
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
  return Buffer.concat(chunks).toString('utf8');
}

/** The JSON part as a plain field, which multer puts into `body`; null when that is not as it should be. */
function fieldOf(req: Request, name: string): string | null {
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || Object.keys(body).some((key) => key !== name)) return null;
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : null;
}
