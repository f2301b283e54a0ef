import { codingFor, compressed, LEAST_COMPRESSED, type Coding } from './compression.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { EventStreams } from './event-stream.ts';
import { RecentEntries } from './quota.ts';
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

/**
 * Tags of bodies that were made for requests with `If-None-Match`, by what was asked and the version of what they are made
 * of; `until`, in ms of the monotonic clock.
 */
type KnownTags = RecentEntries<{ tag: string; until: number }>;

/** Tags that are known at most. */
const MAX_TAGS = 1_000;

export function noTags(): KnownTags {
  return new RecentEntries(() => ({ tag: '', until: 0 }), MAX_TAGS);
}

/** What the responses of a route are sent with. */
export interface ResponseServices {
  readonly log: RequestLog;
  readonly tags: KnownTags;
  readonly eventStreams: EventStreams;
}

/**
 * Sends the response of a handler; returns no promise where there is nothing to wait for, as a promise costs every
 * request.
 */
export function sendResponse(
  exchange: Exchange,
  response: EndpointResponse,
  { log, tags, eventStreams }: ResponseServices,
): Promise<void> | null {
  switch (response.kind) {
    case 'list':
      return sendListIfChanged(exchange, response, log);
    case 'computed':
      return sendComputed(exchange, response, tags);
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
  response: BufferedResponse & { readonly body: string },
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
  if (coding !== null && !isKnown) return sendCompressed(exchange, { ...response, headers }, coding);
  sendBuffered(exchange, { ...response, headers });
  return null;
}

async function sendCompressed(
  exchange: Exchange,
  response: BufferedResponse & { readonly body: string },
  coding: Coding,
): Promise<void> {
  const tag = response.etag === undefined ? {} : { ETag: weakTag(response.etag) };
  const headers = { ...response.headers, ...tag, 'Content-Encoding': coding };
  sendBuffered(exchange, { ...response, headers, body: await compressed(response.body, coding) });
}

/** For how long, in ms, a tag is relied on: a body may hold counts that are used for a while. */
const TAG_MS = 60_000;

async function sendComputed(
  exchange: Exchange,
  { version, body, headers }: Extract<EndpointResponse, { kind: 'computed' }>,
  tags: KnownTags,
): Promise<void> {
  const { req } = exchange;
  const asked = req.headers['if-none-match'] === undefined ? null : contentEtag(`${req.url ?? ''} ${await version()}`);
  const known = asked === null ? null : tags.get(asked);
  const now = performance.now();
  if (known !== null && known.until > now && isUnchanged(exchange, known.tag)) {
    sendEmpty(exchange, 304, { ...VARIES_BY_CODING, ETag: known.tag });
    return;
  }
  const content = await body();
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const etag = weakTag(contentEtag(text));
  if (known !== null) Object.assign(known, { tag: etag, until: now + TAG_MS });
  await sendInCoding(exchange, {
    status: 200,
    contentType: headers?.['Content-Type'] ?? JSON_TYPE,
    body: text,
    etag,
    ...(headers && { headers }),
  });
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
