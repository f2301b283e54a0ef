import { codingFor, compressed, LEAST_COMPRESSED, type Coding } from './compression.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { EventStreams } from './event-stream.ts';
import { LRUCache } from 'lru-cache';
import {
  contentEtag,
  etagOf,
  type Exchange,
  isUnchanged,
  JSON_TYPE,
  sendBuffered,
  sendEmpty,
  sendProblem,
  TEXT_TYPE,
  VARIES_BY_CODING,
  weakTag,
  type BufferedResponse,
  type RequestLog,
} from './respond.ts';
import { discard, listHeaders, sendBytes, sendList } from './stream.ts';

/** A body that was worked out, as it is sent. */
interface ComputedBody {
  readonly etag: string;
  readonly bytes: Buffer;
  /** The same in codings that clients asked for. */
  readonly coded: Map<Coding, Buffer>;
}

/**
 * Bodies that were worked out, by what was asked and the version of what they are made of: who asks the same before
 * anything has changed is sent the same bytes.
 */
export type ComputedBodies = LRUCache<string, ComputedBody>;

/** Bytes of all bodies that are kept, and of one of them, at most. */
const KEPT_BYTES = 33_554_432;
const MAX_KEPT_BYTES = 1_048_576;

/** For how long, in ms, a body is relied on: it may hold counts that are used for a while. */
const KEPT_MS = 60_000;

/** How exact, in ms, that is. */
const KEPT_EXACTLY_MS = 1_000;

export function noBodies(): ComputedBodies {
  return new LRUCache({
    maxSize: KEPT_BYTES,
    maxEntrySize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }, asked) => bytes.length + asked.length,
    ttl: KEPT_MS,
    ttlResolution: KEPT_EXACTLY_MS,
  });
}

/** What the responses of a route are sent with. */
export interface ResponseServices {
  readonly log: RequestLog;
  readonly bodies: ComputedBodies;
  readonly eventStreams: EventStreams;
}

/**
 * Sends the response of a handler; returns no promise where there is nothing to wait for, as a promise costs every
 * request.
 */
export function sendResponse(
  exchange: Exchange,
  response: EndpointResponse,
  { log, bodies, eventStreams }: ResponseServices,
): Promise<void> | null {
  switch (response.kind) {
    case 'list':
      return sendListIfChanged(exchange, response, log);
    case 'computed':
      return sendComputed(exchange, response, bodies);
    case 'stream':
      return canStream(exchange) ? sendBytes(exchange, response, log) : discard(response.content);
    case 'events':
      eventStreams.send(exchange, response, log);
      return null;
    case 'empty':
      sendEmpty(exchange, response.status, response.headers);
      return null;
    case 'resource':
      sendBuffered(exchange, bufferedResponse(response));
      return null;
    default:
      return sendInCoding(exchange, bufferedResponse(response));
  }
}

function sendListIfChanged(
  exchange: Exchange,
  response: Extract<EndpointResponse, { kind: 'list' }>,
  log: RequestLog,
): Promise<void> {
  const headers = listHeaders(response, exchange.req.headers.accept);
  if (headers.ETag !== undefined && isUnchanged(exchange, headers.ETag)) {
    sendEmpty(exchange, 304, headers);
    return discard(response.batches);
  }
  return canStream(exchange) ? sendList(exchange, response, log) : discard(response.batches);
}

/** Whether a stream is still wanted, and none too many for its client, which is answered so. */
function canStream(exchange: Exchange): boolean {
  if (exchange.settled || exchange.client === null) return !exchange.settled;
  const problem = exchange.client.beginStream();
  exchange.streams = problem === null;
  if (problem !== null) sendProblem(exchange, problem);
  return exchange.streams;
}

/** Sends a body that may be compressed; the tag of one resource could not be sent back as `If-Match` then. */
function sendInCoding(
  exchange: Exchange,
  response: BufferedResponse,
  coded: ComputedBody['coded'] = new Map(),
): Promise<void> | null {
  const { req } = exchange;
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  const isWorthIt = isRead && response.status === 200 && response.body.length >= LEAST_COMPRESSED;
  if (!isWorthIt) {
    sendBuffered(exchange, response);
    return null;
  }
  const headers = { ...response.headers, ...VARIES_BY_CODING };
  const coding = codingFor(req.headers['accept-encoding']);
  const isKnown = response.etag !== undefined && isUnchanged(exchange, response.etag);
  if (coding !== null && !isKnown) return sendCompressed(exchange, { ...response, headers }, { coding, coded });
  sendBuffered(exchange, { ...response, headers });
  return null;
}

async function sendCompressed(
  exchange: Exchange,
  response: BufferedResponse,
  { coding, coded }: { readonly coding: Coding; readonly coded: ComputedBody['coded'] },
): Promise<void> {
  const tag = response.etag === undefined ? {} : { ETag: weakTag(response.etag) };
  const headers = { ...response.headers, ...tag, 'Content-Encoding': coding };
  const body = coded.get(coding) ?? (await compressed(response.body, coding));
  coded.set(coding, body);
  sendBuffered(exchange, { ...response, headers, body });
}

async function sendComputed(
  exchange: Exchange,
  { version, body, headers }: Extract<EndpointResponse, { kind: 'computed' }>,
  bodies: ComputedBodies,
): Promise<void> {
  const asked = `${exchange.req.url ?? ''} ${await version()}`;
  let kept = bodies.get(asked);
  if (kept === undefined) {
    kept = computedBody(await body());
    bodies.set(asked, kept);
  }
  const { etag, bytes, coded } = kept;
  const contentType = headers?.['Content-Type'] ?? JSON_TYPE;
  await sendInCoding(exchange, { status: 200, contentType, body: bytes, etag, headers }, coded);
}

function computedBody(content: object | string): ComputedBody {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { etag: weakTag(contentEtag(text)), bytes: Buffer.from(text), coded: new Map() };
}

function bufferedResponse(
  response: Extract<EndpointResponse, { kind: 'resource' | 'json' | 'text' }>,
): BufferedResponse & { readonly body: string } {
  const { kind, status, headers } = response;
  const contentType = headers?.['Content-Type'] ?? (kind === 'text' ? TEXT_TYPE : JSON_TYPE);
  const body = kind === 'text' ? response.body : JSON.stringify(response.body);
  const etag = kind === 'resource' ? etagOf(response.revision, body) : headers?.ETag;
  return { status, contentType, body, headers, etag };
}
