/**
 * Bytes of files, and parts of them. `res.sendFile` sends files of a disk only, and ours may be in S3; `range-parser`, which
 * Express uses for `req.range`, reads the header.
 */
import type { Response } from 'express';
import parseRange from 'range-parser';
import type { EndpointResponse } from '../endpoint.ts';
import { isUnchanged } from '../etags.ts';
import { sendProblem, type RequestLog } from '../problem-responses.ts';
import { Problem } from '../problems.ts';
import { chargeSent, untilShare } from '../waiting.ts';
import { sendEmpty } from './buffered.ts';
import { canStream, discard, sendStream } from './stream.ts';

type StreamResponse = Extract<EndpointResponse, { kind: 'stream' }>;

/** Streams bytes, or the part of them that is asked for; sends 304 instead when the client knows their `ETag`. */
export async function sendBytes(res: Response, response: StreamResponse, log: RequestLog): Promise<void> {
  const { status, headers, content } = response;
  if (!canStream(res)) return discard(content);
  if (status === 200 && isUnchanged(res.req, headers.ETag)) {
    sendEmpty(res, 304, headers);
    return discard(content);
  }
  const asked = wantedRange(res, response);
  if (asked === null) {
    return sendStream(res, status, headers, chargedPieces(res, content[Symbol.asyncIterator]()), log);
  }
  const { first, last, size, part } = asked;
  if (first > last) {
    const range = { 'Content-Range': `bytes */${size}` };
    sendProblem(res, new Problem('RANGE_NOT_SATISFIABLE', `There are ${size} bytes.`, { headers: range }));
    return discard(content);
  }
  const ofPart = {
    ...headers,
    'Content-Length': String(last - first + 1),
    'Content-Range': `bytes ${first}-${last}/${size}`,
  };
  const pieces = chargedPieces(res, (await part(first, last))[Symbol.asyncIterator]());
  return sendStream(res, 206, ofPart, pieces, log);
}

/** Bytes as they are sent, each piece charged; while the share is used up, each waits. */
async function* chargedPieces(res: Response, pieces: AsyncIterator<Uint8Array, unknown>) {
  try {
    while (true) {
      await untilShare(res);
      const step = await pieces.next();
      if (step.done === true) return;
      chargeSent(res, step.value.length);
      yield step.value;
    }
  } finally {
    await pieces.return?.();
  }
}

/**
 * The part that a GET asks for by `Range`, one that ends before it begins if it lies outside; null for the whole: what is
 * malformed, in other units or in several pieces is ignored, as is one of content that has changed since (RFC 9110
 * §13.1.5, §14.2).
 */
function wantedRange({ req }: Response, { status, headers, ranges }: StreamResponse) {
  const { range, 'if-range': ifRange } = req.headers;
  if (range === undefined || ranges === undefined || req.method !== 'GET' || status !== 200) return null;
  if (ifRange !== undefined && ifRange !== headers.ETag) return null;
  const found = parseRange(ranges.size, range);
  if (found === UNSATISFIABLE) return { ...ranges, first: 0, last: -1 };
  if (found === MALFORMED || found.type !== 'bytes' || found.length !== 1) return null;
  const [{ start: first, end: last } = { start: 0, end: 0 }] = found;
  return { ...ranges, first, last };
}

/** The result of `range-parser` where it finds no range. */
const UNSATISFIABLE = -1;
const MALFORMED = -2;
