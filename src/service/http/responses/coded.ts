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
 * large is charged, however often it was sent before: these bytes are many.
 * @param coded the body in the codings that it was sent in before
 */
export async function sendInCoding(
  res: Response,
  response: BufferedResponse,
  coded: CodedBodies = new Map(),
): Promise<void> {
  const isLarge = response.status === 200 && response.body.length >= LEAST_CHARGED;
  if (isLarge && isRead(res.req) && !isUnchanged(res.req, response.etag)) {
    await untilShare(res);
    if (res.req.method !== 'HEAD') chargeSent(res, response.body.length);
  }
  await sendCoded(res, response, coded);
}

/** Sends a body that may be compressed and was charged before. */
export async function sendCoded(res: Response, response: BufferedResponse, coded: CodedBodies): Promise<void> {
  const isWorthIt = isRead(res.req) && response.status === 200 && response.body.length >= LEAST_COMPRESSED;
  const coding = isWorthIt ? codingFor(res.req.headers['accept-encoding']) : null;
  if (coding !== null && !isUnchanged(res.req, response.etag)) {
    await sendCompressed(res, response, coding, coded);
    return;
  }
  if (isWorthIt && !res.settled) res.vary(VARIES_BY_CODING);
  sendBuffered(res, response);
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
