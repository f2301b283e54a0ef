import type { Response } from 'express';
import { codingFor, compressed, LEAST_COMPRESSED, type CodedBodies, type Coding } from '../compression.ts';
import { isRead, isUnchanged, weakTag } from '../etags.ts';
import { LEAST_CHARGED } from '../usage.ts';
import { chargeSent, untilShare, usageOf } from '../waiting.ts';
import { sendBuffered, type BufferedResponse } from './buffered.ts';

/** Header for caches of content that may be sent in several codings. */
export const VARIES_BY_CODING = 'Accept-Encoding';

/**
 * Sends a body that may be compressed, but not one resource: its tag could not be sent back as `If-Match` then. What is
 * large is charged, however often it was sent before: these bytes are many. Returns no promise where there is nothing to
 * wait for.
 * @param coded the body in the codings that it was sent in before
 */
export function sendInCoding(
  res: Response,
  response: BufferedResponse,
  coded: CodedBodies = new Map(),
): Promise<void> | null {
  const isLarge = response.status === 200 && response.body.length >= LEAST_CHARGED;
  if (!isLarge || !isRead(res.req) || isUnchanged(res.req, response.etag)) return sendCoded(res, response, coded);
  const share = untilShare(res);
  if (share === null) return sendLarge(res, response, coded);
  return share.then(async () => {
    await sendLarge(res, response, coded);
  });
}

function sendLarge(res: Response, response: BufferedResponse, coded: CodedBodies): Promise<void> | null {
  if (res.req.method !== 'HEAD') chargeSent(res, response.body.length);
  return sendCoded(res, response, coded);
}

/** The same for a body that is charged elsewhere. */
export function sendCoded(res: Response, response: BufferedResponse, coded: CodedBodies): Promise<void> | null {
  const isWorthIt = isRead(res.req) && response.status === 200 && response.body.length >= LEAST_COMPRESSED;
  if (!isWorthIt) {
    sendBuffered(res, response);
    return null;
  }
  const coding = codingFor(res.req.headers['accept-encoding']);
  if (coding !== null && !isUnchanged(res.req, response.etag)) return sendCompressed(res, response, coding, coded);
  if (!res.settled) res.vary(VARIES_BY_CODING);
  sendBuffered(res, response);
  return null;
}

async function sendCompressed(
  res: Response,
  response: BufferedResponse,
  coding: Coding,
  coded: CodedBodies,
): Promise<void> {
  const body = coded.get(coding) ?? (await newlyCompressed(res, response.body, coding));
  coded.set(coding, body);
  // Another response may have been chosen meanwhile.
  if (res.settled) return;
  res.vary(VARIES_BY_CODING);
  res.append('Content-Encoding', coding);
  if (response.etag === undefined) {
    sendBuffered(res, { ...response, body });
    return;
  }
  const etag = weakTag(response.etag);
  sendBuffered(res, { ...response, body, etag, headers: { ...response.headers, ETag: etag } });
}

/** Compressing costs as much as making a body. */
function newlyCompressed(res: Response, body: string | Buffer, coding: Coding): Promise<Buffer> {
  if (body.length >= LEAST_CHARGED) {
    const usage = usageOf(res);
    usage.bytes += body.length;
    usage.settle();
  }
  return compressed(body, coding);
}
