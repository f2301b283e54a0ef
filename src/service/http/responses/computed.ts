/**
 * Bodies that are made once for all who ask for the same. The package `apicache` and its like keep whole responses for a
 * time, not for a version of what they were made of.
 */
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { JoinedBody } from '../joined-body.ts';
import type { CodedBodies } from '../compression.ts';
import type { EndpointResponse } from '../endpoint.ts';
import { contentEtag, weakTag } from '../etags.ts';
import type { FairTurns } from '../fair-turns.ts';
import { LEAST_CHARGED } from '../usage.ts';
import { untilShare, usageOf, requesterOf } from '../waiting.ts';
import { JSON_TYPE } from './buffered.ts';
import { sendCoded, sendInCoding } from './coded.ts';

type ComputedResponse = Extract<EndpointResponse, { kind: 'computed' }>;

interface ComputedBody {
  readonly etag: string;
  readonly bytes: Buffer;
  /** The body in codings that clients asked for. */
  readonly coded: CodedBodies;
}

/** Bodies by URL and version of their sources: the same request gets the same bytes until something changes. */
export type ComputedBodies = LRUCache<string, ComputedBody>;

/** Most bytes of all bodies that are kept, and of one of them. */
const KEPT_BYTES = 33_554_432;
const MAX_KEPT_BYTES = 1_048_576;

/** Time, in ms, for which a body is reused: it may hold counts that are reused for a while. */
const KEPT_MS = 60_000;

const KEPT_EXACTLY_MS = 1_000;

/** Creates an empty store of bodies. */
export function noBodies(): ComputedBodies {
  return new LRUCache({
    maxSize: KEPT_BYTES,
    maxEntrySize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }, asked) => bytes.length + asked.length,
    ttl: KEPT_MS,
    ttlResolution: KEPT_EXACTLY_MS,
  });
}

/** Sends a body that is kept, or makes it. */
export async function sendComputed(
  res: Response,
  { version, body, headers, isShort }: ComputedResponse,
  bodies: ComputedBodies,
  longReads: FairTurns,
): Promise<void> {
  const ofVersion = await version();
  const asked = `${res.req.originalUrl} ${ofVersion}`;
  const kept = bodies.get(asked);
  if (kept !== undefined) {
    await sendInCoding(res, responseOf(kept, headers), kept.coded);
    return;
  }
  // Others may have asked for the same while this request waited for its turn.
  const compute = async () => bodies.get(asked) ?? computedBody(await body());
  const made =
    isShort?.(ofVersion) === true ? await computeAtOnce(res, compute) : await computeInTurn(res, compute, longReads);
  bodies.set(asked, made);
  // It has been charged.
  await sendCoded(res, responseOf(made, headers), made.coded);
}

function responseOf({ bytes, etag }: ComputedBody, headers: ComputedResponse['headers']) {
  return { status: 200, contentType: headers?.['Content-Type'] ?? JSON_TYPE, body: bytes, etag, headers };
}

/** Documents that a short read visits at no cost but that of its request. */
const FREE_DOCUMENTS = 150;

/** Computes a body that usually takes a few steps. One that took more is charged; while the share is used up, it waits. */
async function computeAtOnce(res: Response, compute: () => Promise<ComputedBody>): Promise<ComputedBody> {
  await untilShare(res);
  const usage = usageOf(res);
  try {
    const made = await compute();
    usage.bytes += made.bytes.length;
    return made;
  } finally {
    if (usage.documents <= FREE_DOCUMENTS && usage.bytes < LEAST_CHARGED) {
      usage.documents = 0;
      usage.bytes = 0;
    }
    usage.settle();
  }
}

function computeInTurn(
  res: Response,
  compute: () => Promise<ComputedBody>,
  longReads: FairTurns,
): Promise<ComputedBody> {
  const waiting = requesterOf(res);
  return longReads.run(waiting, async () => {
    const made = await compute();
    waiting.usage.bytes += made.bytes.length;
    return made;
  });
}

function computedBody(content: object | string): ComputedBody {
  const joined = content instanceof JoinedBody ? content : null;
  const bytes = joined?.bytes ?? Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const etag = weakTag(contentEtag(joined?.summary ?? bytes));
  return { etag, bytes, coded: new Map() };
}
