import { isUtf8 } from 'node:buffer';
import type { Request, RequestHandler, Response } from 'express';
import type { Endpoint } from '../endpoint.ts';
import type { FairTurns } from '../fair-turns.ts';
import { parseJson, type JsonLimits } from '../json-body.ts';
import { parseBody, type RequestBody } from '../parameters.ts';
import { ClientGone, invalidProblem, Problem, tooLargeProblem } from '../problems.ts';
import { hasBody } from '../unread-bodies.ts';
import { requesterOf } from '../waiting.ts';

/** Bytes from which on a body is parsed in a turn: decoding and parsing takes a millisecond for 100,000. */
const LARGE_BODY_BYTES = 16_384;

const EMPTY_OBJECT = Buffer.from('{}');

/**
 * Reads, parses and checks the JSON body of a request: 400, 413, 415, and 503 when too many large ones wait. `express.raw`
 * reads a body that is too large to its end before it says so, and so never refuses an endless one.
 */
export function body(endpoint: Endpoint, limits: JsonLimits, largeBodies: FairTurns): RequestHandler {
  return async (req, res, next) => {
    const isLeftOut = endpoint.bodyOptional === true && !hasBody(req);
    const bytes = isLeftOut ? EMPTY_OBJECT : await readJson(req, res, limits.bodyLimitBytes);
    if (bytes.length < LARGE_BODY_BYTES) res.sent = parsedBody(endpoint, bytes, limits);
    else {
      const { address, signal } = requesterOf(res);
      res.sent = await largeBodies.run({ address, signal }, async () => parsedBody(endpoint, bytes, limits));
    }
    next();
  };
}

/** @throws {Problem} 400, 413 */
function parsedBody(endpoint: Endpoint, bytes: Buffer, limits: JsonLimits): RequestBody {
  if (!isUtf8(bytes)) throw invalidProblem('The body is not UTF-8.', '#');
  const json = parseJson(bytes.toString('utf8'), endpoint.describedBody ? null : limits.bodyDepthLimit);
  return { json, body: endpoint.body && parseBody(endpoint.body, json) };
}

/**
 * Reads all bytes of the request's body, which is said to be JSON.
 * @throws {Problem} 413 as soon as they are, or are announced to be, more than `limit`; 415 for anything but plain UTF-8
 * JSON, 400 without a body
 * @throws {ClientGone} when the connection ends before the body
 */
function readJson(req: Request, res: Response, limit: number): Promise<Buffer> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length = 0 } = req.headers;
  if (!hasBody(req)) throw invalidProblem('A JSON body is needed.', '#');
  if (type !== 'application/json' || encoding !== undefined) checkEncoding(req);
  if (Number(length) > limit) throw tooLargeProblem(limit);
  if (res.expectation === 'continue') sendContinue(res);
  res.readingBody = true;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (problem?: Error) => {
      res.readingBody = false;
      req.off('data', take).off('end', end).off('close', gone).off('error', gone);
      const [only] = chunks;
      if (problem !== undefined) reject(problem);
      else resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else end(tooLargeProblem(limit));
    };
    const gone = () => end(new ClientGone('the client went away while it sent its body'));
    req.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

/** Says `100 Continue` to a client that waits for that before it sends its body. */
export function sendContinue(res: Response): void {
  res.expectation = 'none';
  res.writeContinue();
}

const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)$/i;
const UTF8 = /^charset\s*=\s*(?:utf-8|"utf-8")$/i;

/** Type, charset, and what may follow a last semicolon: nothing; one part more is one too many. */
const MAX_TYPE_PARTS = 4;

/** Whether a `Content-Type` is JSON in UTF-8. Taken apart first: one expression for all of it would need n² steps. */
function isJsonType(header: string): boolean {
  const [type = '', charset = '', ...rest] = header.split(';', MAX_TYPE_PARTS).map((part) => part.trim());
  return JSON_TYPE.test(type) && (charset === '' || UTF8.test(charset)) && rest.every((part) => part === '');
}

function checkEncoding({ headers }: Request): void {
  if (!isJsonType(headers['content-type'] ?? '')) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8.', {
      headers: { Accept: 'application/json' },
    });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent without Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
}
