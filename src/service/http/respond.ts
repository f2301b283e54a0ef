import { ServerResponse, type IncomingMessage } from 'node:http';
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { clientName } from './client-address.ts';
import type { Accounts, Client } from './clients.ts';
import { UPLOAD_PROBLEMS, type EndpointResponse, type Headers } from './endpoint.ts';
import { ClientGone, invalidProblem, problemDocument, toProblem, type Problem } from './problems.ts';
import type { Caller } from '../../domain/roles.ts';
import type { ChangeUsage, ReplayPlaces, Usage, Waiting } from '../../domain/waiting.ts';
import type { ExpectedVersion } from '../../kernel/aggregate/command-handler.ts';
import type { Revision } from '../../kernel/ports/event-store.ts';

/** Route label of requests that match no endpoint. */
export const UNMATCHED = '* unmatched';

/** Counts of the responses of one route, and of the seconds from a request to its response. */
export interface RouteSeries {
  count(status: number, seconds: number, from: Pick<Exchange, 'isReplay' | 'caller'>): void;
}

/**
 * One request and its response. The server makes these instead of plain responses, so that what is recorded of a
 * request costs no further object and no look-up. Only fields, no methods: the Express app of swagger-ui swaps the
 * prototype.
 */
export class Exchange extends ServerResponse {
  requestId = '';
  /** Method and path template of the endpoint: the label in metrics. */
  route = UNMATCHED;
  /** Those of the endpoint; null: it is none. */
  series: RouteSeries | null = null;
  /** When the request arrived: in epoch ms; and, like `dueAt`, in ms of the monotonic clock. */
  arrivedAt = 0;
  startedAt = 0;
  /** When a stream of events began, by the monotonic clock; 0: it is none, or has not. */
  streamingSince = 0;
  /** When the response is due, epoch ms, as handlers see it. */
  deadline = 0;
  /** When the next step is due: the response or, once that has begun, progress in sending it. */
  dueAt = Infinity;
  /** A response has been chosen, or nobody waits for one any more: later results are discarded. */
  settled = false;
  /** Nobody waits for the response any more. `abort`, created on demand, notifies those who work on it. */
  abandoned = false;
  abort: AbortController | null = null;
  isRead = false;
  /** The request has a body, and bytes of it may still be on the way. */
  hasBody = false;
  /** The body is being read: if that takes too long, it is the client's fault. */
  readingBody = false;
  /** The client waits for `100 Continue` before it sends the body. */
  awaitsContinue = false;
  /** The client sent another `Expect`. */
  unmetExpectation = false;
  /** Problems other than those of `UPLOAD_PROBLEMS` are sent as 400 text/plain `Failed` (CDN upload). */
  failsAsText = false;
  caller: Caller | null = null;
  revokesOwnKey = false;
  /** Address of the client, and what counts for it; null: no limit applies. */
  remoteAddress = '';
  client: Client | null = null;
  /** What the key of the request has used. */
  keyAccounts: Accounts | null = null;
  /** What its long reads use; null: it has had none. */
  usage: Usage | null = null;
  /** Where a stream of events takes its place among the replays; null: it is none. */
  replays: ReplayPlaces | null = null;
  /** What its change costs others; null: it is none. */
  changeUsage: ChangeUsage | null = null;
  /** `Access-Control-Allow-Origin` of the response; null: none. */
  allowOrigin: string | null = null;
  /** Whether it depends on the origin of the request. */
  variesByOrigin = false;
  /** Path of the address at which clients reach the service: `/timing`; `/` is empty. */
  basePath = '';
  /** `Cache-Control` of the response, unless it has its own; null: none. */
  cacheControl: string | null = 'no-store';
  /** The answer repeats an earlier one (`Idempotency-Key`). */
  isReplay = false;
  bytes = 0;
}

export function signalOf(exchange: Exchange): AbortSignal {
  if (exchange.abort === null) {
    exchange.abort = new AbortController();
    if (exchange.abandoned) abandon(exchange);
  }
  return exchange.abort.signal;
}

/** How much of long reads counts as one unit of a quota: documents that are visited, bytes of bodies that are made. */
const DOCUMENTS_PER_UNIT = 50;
const BYTES_PER_UNIT = 32_768;
/** The same of bytes that were made before, and are only sent. */
const SENT_PER_UNIT = 131_072;

/** Least bytes of an answer that is kept for it to be charged: sending fewer costs no more than its request. */
export const LEAST_CHARGED = 65_536;

/** What the long reads of a request use; nobody is charged where there is no client, as no limit applies then. */
export class ClientUsage implements Usage {
  documents = 0;
  bytes = 0;
  sent = 0;
  readonly #client: Client | null;
  readonly #key: Accounts | null;

  constructor(client: Client | null, key: Accounts | null) {
    this.#client = client;
    this.#key = key;
  }

  requireShare(): void {
    this.#client?.requireReading(this.#key);
  }

  settle(): void {
    const visited = this.documents / DOCUMENTS_PER_UNIT;
    const made = this.bytes / BYTES_PER_UNIT;
    this.#client?.chargeReading(visited + made + this.sent / SENT_PER_UNIT, this.#key);
    this.documents = 0;
    this.bytes = 0;
    this.sent = 0;
  }

  shareMs(): number {
    return this.#client?.shareMs(this.#key) ?? 0;
  }

  restMs(): number {
    return this.#client?.restMs(this.#key) ?? 0;
  }

  worked(ms: number): void {
    this.#client?.worked(ms);
  }
}

/** Documents that a change lets others write, or read, which count as one unit of a quota. */
const CHANGED_DOCUMENTS_PER_UNIT = 10;

/** What the change of a request costs others; nobody is charged where there is no client. */
export class ClientChanges implements ChangeUsage {
  readonly #client: Client | null;
  readonly #key: Accounts | null;

  constructor(client: Client | null, key: Accounts | null) {
    this.#client = client;
    this.#key = key;
  }

  requireShare(): void {
    this.#client?.requireChanging(this.#key);
  }

  charge(documents: number): void {
    this.#client?.chargeChanging(documents / CHANGED_DOCUMENTS_PER_UNIT, this.#key);
  }
}

export function usageOf(exchange: Exchange): Usage {
  return (exchange.usage ??= new ClientUsage(exchange.client, exchange.keyAccounts));
}

/**
 * Waits until the client has something of its share of long reads; null: it has. Use it before work that is charged
 * without being refused.
 */
export function untilShare(exchange: Exchange): Promise<void> | null {
  const ms = exchange.client?.shareMs(exchange.keyAccounts) ?? 0;
  if (ms <= 0) return null;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.ceil(ms));
    signalOf(exchange).addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export function changeUsageOf(exchange: Exchange): ChangeUsage {
  return (exchange.changeUsage ??= new ClientChanges(exchange.client, exchange.keyAccounts));
}

export function waitingOf(exchange: Exchange): Waiting {
  return { address: clientName(exchange.remoteAddress), signal: signalOf(exchange), usage: usageOf(exchange) };
}

export function abandon(exchange: Exchange): void {
  exchange.abandoned = true;
  exchange.abort?.abort(new ClientGone('nobody waits for the response any more'));
}

/** Path of the request without its query; the `instance` of problems. */
export function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

export type RequestHandler = (request: IncomingMessage, exchange: Exchange) => void;

export type RequestLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>;

export interface BufferedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Headers | undefined;
  readonly etag?: string | undefined;
}

export const JSON_TYPE = 'application/json';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Time, in ms, that a client may take to accept a response, or the next piece of it. */
export const STALL_TIMEOUT_MS = 30_000;

/** A refused body of up to this many bytes is read and discarded, and the connection kept; a larger one closes it. */
const DISCARD_BYTES = 65_536;
/** How much of a larger one is still read, in bytes and ms, so that the client sees the response instead of a reset. */
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 5_000;

/** Header for caches of content that may be sent in several codings. */
export const VARIES_BY_CODING = { Vary: 'Accept-Encoding' } as const;

/** Response headers that scripts of other origins may read. */
const EXPOSED_HEADERS =
  'ETag, Location, X-Request-Id, API-Version, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, ' +
  'Existing-Resource';

/** Headers for browsers on every response, names and values in turn: no sniffing, loading, framing or referrer. */
export const BROWSER_HEADERS = [
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** The headers of every response, as a flat list. A content policy among `own` replaces the general one. */
export function baseHeaders(exchange: Exchange, own?: Headers): string[] {
  const headers = ['API-Version', '1.0', 'X-Request-Id', exchange.requestId, ...BROWSER_HEADERS];
  if (own?.['Content-Security-Policy'] !== undefined) headers.splice(-2);
  exchange.client?.addHeaders(headers, exchange.keyAccounts, 'requests');
  if (exchange.usage !== null) exchange.client?.addHeaders(headers, exchange.keyAccounts, 'reading');
  if (exchange.changeUsage !== null) exchange.client?.addHeaders(headers, exchange.keyAccounts, 'changing');
  // Also on responses without Allow-Origin: a cache would send them to other origins.
  if (exchange.variesByOrigin) headers.push('Vary', 'Origin');
  if (exchange.allowOrigin === null) return headers;
  headers.push('Access-Control-Allow-Origin', exchange.allowOrigin, 'Access-Control-Expose-Headers', EXPOSED_HEADERS);
  return headers;
}

/** The value of a header as clients are to see it: a `Location` here is below the path at which they reach the service. */
function valueOf({ basePath }: Exchange, name: string, value: string): string {
  return basePath !== '' && name === 'Location' && value.startsWith('/') ? basePath + value : value;
}

/** The headers of a response with content: base headers, type, caching (unless the response has its own) and `own`. */
export function contentHeaders(exchange: Exchange, contentType: string, own: Headers | undefined): string[] {
  const headers = baseHeaders(exchange, own);
  headers.push('Content-Type', contentType);
  if (exchange.cacheControl !== null && own?.['Cache-Control'] === undefined)
    headers.push('Cache-Control', exchange.cacheControl);
  for (const name in own) if (name !== 'Content-Type') headers.push(name, valueOf(exchange, name, own[name] ?? ''));
  return headers;
}

export function bufferedResponse(
  response: Extract<EndpointResponse, { kind: 'resource' | 'json' | 'text' }>,
): BufferedResponse & { readonly body: string } {
  const { kind, status, headers } = response;
  const contentType = headers?.['Content-Type'] ?? (kind === 'text' ? TEXT_TYPE : JSON_TYPE);
  const body = kind === 'text' ? response.body : JSON.stringify(response.body);
  const etag = kind === 'resource' ? resourceTag(response, body) : headers?.ETag;
  return { status, contentType, body, headers, etag };
}

/** The tag of one resource: revision, the moment of its event, and the body. */
function resourceTag(
  { revision, updatedAt }: Pick<Extract<EndpointResponse, { kind: 'resource' }>, 'revision' | 'updatedAt'>,
  body: string,
): string {
  const moment = updatedAt === null ? '' : `${Date.parse(updatedAt).toString(36)}.`;
  // SHA-256 instead of a checksum would cost a request 4 % more CPU; with the length it tells the bodies of one revision
  // apart (docs/interface.md#conditional-requests).
  return `"${revision}-${moment}${crc32(body).toString(36)}.${body.length.toString(36)}"`;
}

/** Sends a response with a body, unless another response was chosen before. */
export function sendBuffered(exchange: Exchange, { status, contentType, body, headers: own, etag }: BufferedResponse) {
  if (exchange.settled) return;
  if (status === 200 && etag !== undefined && isUnchanged(exchange, etag)) {
    sendEmpty(exchange, 304, { ...own, ETag: etag });
    return;
  }
  const length = Buffer.byteLength(body);
  const headers = contentHeaders(exchange, contentType, own);
  if (etag !== undefined && own?.ETag === undefined) headers.push('ETag', etag);
  headers.push('Content-Length', String(length));
  exchange.bytes = exchange.req.method === 'HEAD' ? 0 : length;
  exchange.isReplay = own?.['Idempotency-Replayed'] !== undefined;
  endResponse(exchange, { status, headers, body });
}

/** Sends a response without a body, unless another response was chosen before. */
export function sendEmpty(exchange: Exchange, status: number, own: Headers = {}): void {
  if (exchange.settled) return;
  const headers = baseHeaders(exchange, own);
  for (const name in own) headers.push(name, valueOf(exchange, name, own[name] ?? ''));
  // 204 and 304 have no length by definition (RFC 9110 §8.6).
  if (status !== 204 && status !== 304) headers.push('Content-Length', '0');
  endResponse(exchange, { status, headers, body: '' });
}

/** Whether a GET may be answered 304 for this tag. */
export function isUnchanged({ isRead, req }: Exchange, etag: string | undefined): boolean {
  const known = req.headers['if-none-match'];
  return isRead && known !== undefined && etag !== undefined && namesTag(known, etag);
}

type FinalResponse = Pick<BufferedResponse, 'status' | 'body'> & { readonly headers: string[] };

function endResponse(exchange: Exchange, { status, headers, body }: FinalResponse): void {
  exchange.settled = true;
  exchange.dueAt += STALL_TIMEOUT_MS;
  const unread = exchange.hasBody && !exchange.req.complete;
  // A body that is too slow has had its time.
  const isLate = status === 408;
  const lingers = unread && !exchange.awaitsContinue && !isLate && !isSmall(exchange);
  // Without `100 Continue` the client may or may not send the body: what follows on the connection cannot be
  // interpreted.
  if (lingers || (unread && (exchange.awaitsContinue || isLate))) exchange.shouldKeepAlive = false;
  exchange.writeHead(status, headers);
  if (lingers) {
    exchange.write(body);
    endAfterRequest(exchange);
    return;
  }
  if (unread) exchange.req.resume();
  if (ending.push({ exchange, body }) === 1) setImmediate(endAnswered);
}

/** Responses, written in a row at the end of this turn: that wakes a local reader once, and saves CPU. */
let ending: { readonly exchange: Exchange; readonly body: string | Buffer }[] = [];

export function endAnswered(): void {
  const all = ending;
  ending = [];
  for (const { exchange, body } of all) exchange.end(body);
}

function isSmall({ req }: Exchange) {
  return Number(req.headers['content-length'] ?? Infinity) <= DISCARD_BYTES;
}

/** Ends a response once the client has sent its body: a reset would keep the client from seeing the response. */
function endAfterRequest(exchange: Exchange): void {
  let left = LINGER_BYTES;
  const end = () => exchange.end();
  exchange.dueAt = performance.now() + LINGER_MS;
  exchange.req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) exchange.req.socket.destroy();
  });
  exchange.req.once('end', end).once('close', end).resume();
}

/** Sends an error as a problem, unless a response was chosen before. Unforeseen errors are logged in any case. */
export function sendError(exchange: Exchange, error: unknown, log: RequestLog): void {
  if (error instanceof ClientGone) {
    exchange.settled = true;
    return;
  }
  const problem = toProblem(error);
  if (problem.code === 'INTERNAL') {
    log.error(
      { err: error, requestId: exchange.requestId, route: exchange.route },
      'A request failed for a reason that was not foreseen',
    );
  }
  sendProblem(exchange, problem);
}

/**
 * Sends a problem document, or `Failed` for an upload (docs/interface.md#uploaded-files; those of `UPLOAD_PROBLEMS` stay problems):
 * with 400, or with 503 and `Retry-After` when a store is unavailable, as the same upload may then succeed a little
 * later.
 */
export function sendProblem(exchange: Exchange, problem: Problem): void {
  if (exchange.failsAsText && !UPLOAD_PROBLEMS.includes(problem.status)) {
    const failed = { contentType: TEXT_TYPE, body: 'Failed' };
    if (problem.code === 'UNAVAILABLE') sendBuffered(exchange, { ...failed, status: 503, headers: problem.headers });
    else sendBuffered(exchange, { ...failed, status: 400 });
    return;
  }
  exchange.cacheControl = 'no-store';
  const body = JSON.stringify(problemDocument(problem, pathOf(exchange.req)));
  sendBuffered(exchange, {
    status: problem.status,
    contentType: 'application/problem+json',
    body,
    headers: problem.headers,
  });
}

/** Characters of the hash in the ETag of content without a revision. */
const HASH_LENGTH = 16;

/** One entity tag of a list (RFC 9110 §8.8.3), and what separates it from the one before. */
const TAG = /[\s,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?=,|$)/y;

/** Most tags of a list; with more it counts as malformed. */
const MAX_TAGS = 1_000;

/** The ETag of content that is sent in several codings. */
export function weakTag(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`;
}

/** ETag of content without a revision: a document, a file. */
export function contentEtag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, HASH_LENGTH)}"`;
}

/** Whether `If-None-Match` names the tag, compared weakly (RFC 9110 §13.1.2). A malformed header names nothing. */
function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return parseTags(ifNoneMatch)?.some(({ value }) => weakTag(`"${value}"`) === weakTag(etag)) ?? false;
}

/** The start of a tag of ours: revision, and the moment of its event, which tags of earlier releases do not have. */
const OWN_TAG = /^(\d{1,15})-(?:([0-9a-z]{1,11})\.[0-9a-z]+\.[0-9a-z]+$)?/;

/**
 * The version that `If-Match` asks for: of a tag, the revision and the moment of its event are compared, as after an older
 * backup was restored, the same revision may be of another event. Null: any (`*`). `'none'`: no tag of the list is strong
 * and of our form, so nothing can match. A list may repeat one revision; several revisions are refused, as a PATCH starts
 * from one.
 * @throws {Problem} 400 when the header is malformed or names several revisions
 */
export function parseIfMatch(header: string): ExpectedVersion | 'none' | null {
  if (header.trim() === '*') return null;
  const tags = parseTags(header);
  if (!tags) throw invalidProblem('If-Match is * or a list of entity tags in double quotes.', '#/header/If-Match');
  const revisions = new Set<Revision>();
  const moments: number[] = [];
  let isOfAnyMoment = false;
  for (const { weak, value } of tags) {
    const [, revision, moment] = OWN_TAG.exec(value) ?? [];
    if (weak || revision === undefined) continue;
    revisions.add(Number(revision));
    if (moment === undefined) isOfAnyMoment = true;
    else moments.push(Number.parseInt(moment, 36));
  }
  if (revisions.size > 1) throw invalidProblem('If-Match names more than one revision.', '#/header/If-Match');
  const [revision] = revisions;
  return revision === undefined ? 'none' : { revision, moments: isOfAnyMoment ? null : moments };
}

function parseTags(header: string): { readonly weak: boolean; readonly value: string }[] | null {
  const tags = [];
  const end = header.replace(/(?<![\s,])[\s,]+$/, '').length;
  TAG.lastIndex = 0;
  while (TAG.lastIndex < end) {
    const tag = TAG.exec(header);
    if (!tag || tags.length === MAX_TAGS) return null;
    tags.push({ weak: tag[1] !== undefined, value: tag[2] ?? '' });
  }
  return tags.length > 0 ? tags : null;
}
