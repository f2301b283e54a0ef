import { LRUCache } from 'lru-cache';
import parseRange from 'range-parser';
import { JoinedBody } from '../../domain/joined-body.ts';
import { codingFor, compressed, compressedPieces, LEAST_COMPRESSED } from './compression.ts';
import type { CodedBodies, Coding } from './compression.ts';
import type { EndpointResponse, Headers } from './endpoint.ts';
import { CSV_TYPE, csvSuffix, listPieces, wantedCsv } from './list-body.ts';
import type { FairTurns } from './fair-turns.ts';
import { ClientGone, Problem } from './problems.ts';
import {
  contentEtag,
  contentHeaders,
  isUnchanged,
  JSON_TYPE,
  LEAST_CHARGED,
  sendBuffered,
  sendEmpty,
  sendProblem,
  STALL_TIMEOUT_MS,
  untilShare,
  usageOf,
  waitingOf,
  VARIES_BY_CODING,
  weakTag,
  type BufferedResponse,
  type Exchange,
  type RequestLog,
} from './respond.ts';

type ComputedBody = ReturnType<typeof computedBody>;

/** By URL and version of the sources: the same request gets the same bytes until something changes. */
export type ComputedBodies = LRUCache<string, ComputedBody>;

/** Most bytes of all bodies that are kept, and of one of them. */
const KEPT_BYTES = 33_554_432;
const MAX_KEPT_BYTES = 1_048_576;

/** Time, in ms, for which a body is reused: it may hold counts that are reused for a while. */
const KEPT_MS = 60_000;

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

/** Whether a stream may begin: its client still waits, and has not too many, which it is answered otherwise. */
function canStream(exchange: Exchange): boolean {
  if (exchange.settled) return false;
  const problem = exchange.client?.takeSlot('clientStreams', exchange) ?? null;
  if (problem !== null) sendProblem(exchange, problem);
  return problem === null;
}

/** Sends a body that may be compressed; the tag of one resource could not be sent back as `If-Match` then. */
export function sendInCoding(exchange: Exchange, response: BufferedResponse, coded: CodedBodies = new Map()) {
  const isLarge = response.status === 200 && response.body.length >= LEAST_CHARGED;
  if (isLarge && exchange.isRead && !isUnchanged(exchange, response.etag)) {
    const share = untilShare(exchange);
    if (share !== null) return share.then(() => sendLarge(exchange, response, coded));
    return sendLarge(exchange, response, coded);
  }
  return sendCoded(exchange, response, coded);
}

/** Sends a body that is charged, however often it was sent before: these bytes are many. */
function sendLarge(exchange: Exchange, response: BufferedResponse, coded: CodedBodies) {
  if (exchange.req.method !== 'HEAD') chargeSent(exchange, response.body.length);
  return sendCoded(exchange, response, coded);
}

function chargeSent(exchange: Exchange, bytes: number): void {
  const usage = usageOf(exchange);
  usage.sent += bytes;
  usage.settle();
}

function sendCoded(exchange: Exchange, response: BufferedResponse, coded: CodedBodies) {
  const { req, isRead } = exchange;
  const isWorthIt = isRead && response.status === 200 && response.body.length >= LEAST_COMPRESSED;
  if (!isWorthIt) {
    sendBuffered(exchange, response);
    return null;
  }
  const headers = { ...response.headers, ...VARIES_BY_CODING };
  const coding = codingFor(req.headers['accept-encoding']);
  if (coding !== null && !isUnchanged(exchange, response.etag))
    return sendCompressed(exchange, { ...response, headers }, { coding, coded });
  sendBuffered(exchange, { ...response, headers });
  return null;
}

async function sendCompressed(
  exchange: Exchange,
  response: BufferedResponse,
  { coding, coded }: { readonly coding: Coding; readonly coded: CodedBodies },
): Promise<void> {
  const tag = response.etag === undefined ? {} : { ETag: weakTag(response.etag) };
  const headers = { ...response.headers, ...tag, 'Content-Encoding': coding };
  const body = coded.get(coding) ?? (await newlyCompressed(exchange, response.body, coding));
  coded.set(coding, body);
  sendBuffered(exchange, { ...response, headers, body });
}

/** Compressing costs as much as making a body. */
function newlyCompressed(exchange: Exchange, body: string | Buffer, coding: Coding): Promise<Buffer> {
  if (body.length >= LEAST_CHARGED) {
    const usage = usageOf(exchange);
    usage.bytes += body.length;
    usage.settle();
  }
  return compressed(body, coding);
}

export async function sendComputed(
  exchange: Exchange,
  { version, body, headers, isShort }: Extract<EndpointResponse, { kind: 'computed' }>,
  { bodies, longReads }: { readonly bodies: ComputedBodies; readonly longReads: FairTurns },
): Promise<void> {
  const ofVersion = await version();
  const asked = `${exchange.req.url ?? ''} ${ofVersion}`;
  let kept = bodies.get(asked);
  const isKept = kept !== undefined;
  if (kept === undefined) {
    // Others may have asked for the same while this request waited for its turn.
    const compute = async () => bodies.get(asked) ?? computedBody(await body());
    kept =
      isShort?.(ofVersion) === true
        ? await computeAtOnce(exchange, compute)
        : await computeInTurn(exchange, compute, longReads);
    bodies.set(asked, kept);
  }
  const { etag, bytes, coded } = kept;
  const contentType = headers?.['Content-Type'] ?? JSON_TYPE;
  const response = { status: 200, contentType, body: bytes, etag, headers };
  // One that was made for this request has been charged.
  await (isKept ? sendInCoding : sendCoded)(exchange, response, coded);
}

/** Documents that a short read visits at no cost but that of its request. */
const FREE_DOCUMENTS = 150;

/** Computes a body that usually takes a few steps. One that took more is charged; while the share is used up, it waits. */
async function computeAtOnce(exchange: Exchange, compute: () => Promise<ComputedBody>): Promise<ComputedBody> {
  const share = untilShare(exchange);
  if (share !== null) await share;
  const usage = usageOf(exchange);
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

function computeInTurn(exchange: Exchange, compute: () => Promise<ComputedBody>, longReads: FairTurns) {
  const waiting = waitingOf(exchange);
  return longReads.run(waiting, async () => {
    const made = await compute();
    waiting.usage.bytes += made.bytes.length;
    return made;
  });
}

function computedBody(content: object | string) {
  const joined = content instanceof JoinedBody ? content : null;
  const bytes = joined?.bytes ?? Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const etag = weakTag(contentEtag(joined?.summary ?? bytes));
  /** `coded`: the same in codings that clients asked for. */
  return { etag, bytes, coded: new Map() as CodedBodies };
}

/**
 * Streams batches as one JSON array, or as CSV, with the memory of one batch, each in a turn of its own (`FairTurns`), and
 * compressed if the client asks for that.
 * The headers wait for the first batch, so that a store that is unavailable still gives a 503.
 */
export async function sendList(
  exchange: Exchange,
  { batches, etag, csv: asCsv }: Extract<EndpointResponse, { kind: 'list' }>,
  { log, longReads }: { readonly log: RequestLog; readonly longReads: FairTurns },
): Promise<void> {
  const { accept, 'accept-encoding': acceptEncoding } = exchange.req.headers;
  const csv = wantedCsv(asCsv, accept);
  const known: Headers = {
    Vary: asCsv === undefined ? VARIES_BY_CODING.Vary : `Accept, ${VARIES_BY_CODING.Vary}`,
    ...(etag !== undefined && { ETag: csv === null ? etag : `${etag.slice(0, -1)}${csvSuffix(csv)}"` }),
  };
  if (isUnchanged(exchange, known.ETag)) {
    sendEmpty(exchange, 304, known);
    return discard(batches);
  }
  if (!canStream(exchange)) return discard(batches);
  const coding = codingFor(acceptEncoding);
  const isCoded = coding !== null && exchange.req.method !== 'HEAD';
  const plain = longReads.pieces(waitingOf(exchange), listPieces(batches[Symbol.asyncIterator](), csv), isCoded);
  const pieces = isCoded ? compressedPieces(plain, coding) : plain;
  const headers = {
    ...known,
    'Content-Type': csv === null ? JSON_TYPE : CSV_TYPE,
    ...(csv !== null && { 'Content-Disposition': `attachment; filename="${csv.name}.csv"` }),
    ...(coding !== null && { 'Content-Encoding': coding }),
  };
  return sendStream(exchange, { status: 200, headers, pieces }, log);
}

/** Streams bytes, or the part of them that is asked for; sends 304 instead when the client knows their `ETag`. */
export async function sendBytes(
  exchange: Exchange,
  response: Extract<EndpointResponse, { kind: 'stream' }>,
  log: RequestLog,
): Promise<void> {
  const { status, headers, content } = response;
  if (!canStream(exchange)) return discard(content);
  if (status === 200 && isUnchanged(exchange, headers.ETag)) {
    sendEmpty(exchange, 304, headers);
    return discard(content);
  }
  const asked = wantedRange(exchange, response);
  if (asked === null) {
    const pieces = chargedPieces(exchange, content[Symbol.asyncIterator]());
    return sendStream(exchange, { status, headers, pieces }, log);
  }
  const { first, last, size, part } = asked;
  if (first > last) {
    const range = { 'Content-Range': `bytes */${size}` };
    sendProblem(exchange, new Problem('RANGE_NOT_SATISFIABLE', `There are ${size} bytes.`, { headers: range }));
    return discard(content);
  }
  const range = { 'Content-Length': String(last - first + 1), 'Content-Range': `bytes ${first}-${last}/${size}` };
  const pieces = chargedPieces(exchange, (await part(first, last))[Symbol.asyncIterator]());
  return sendStream(exchange, { status: 206, headers: { ...headers, ...range }, pieces }, log);
}

/** Bytes as they are sent, each piece charged; while the share is used up, each waits. */
async function* chargedPieces(exchange: Exchange, pieces: AsyncIterator<Uint8Array, unknown>) {
  try {
    while (true) {
      const share = untilShare(exchange);
      if (share !== null) await share;
      const step = await pieces.next();
      if (step.done === true) return;
      chargeSent(exchange, step.value.length);
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
function wantedRange({ req }: Exchange, { status, headers, ranges }: Extract<EndpointResponse, { kind: 'stream' }>) {
  const { range, 'if-range': ifRange } = req.headers;
  if (range === undefined || ranges === undefined || req.method !== 'GET' || status !== 200) return null;
  if (ifRange !== undefined && ifRange !== headers.ETag) return null;
  const found = parseRange(ranges.size, range);
  if (found === UNSATISFIABLE) return { ...ranges, first: 0, last: -1 };
  if (found === MALFORMED || found.type !== 'bytes' || found.length !== 1) return null;
  const [{ start: first, end: last } = { start: 0, end: 0 }] = found;
  return { ...ranges, first, last };
}

/** What `range-parser` returns for what it finds no range in. */
const UNSATISFIABLE = -1;
const MALFORMED = -2;

/** Releases content that is not needed, so that it frees its resources. */
async function discard(content: AsyncIterable<unknown>): Promise<void> {
  await content[Symbol.asyncIterator]().return?.();
}

async function sendStream(
  exchange: Exchange,
  { status, headers, pieces }: { readonly status: number; readonly headers: Headers; readonly pieces: Pieces },
  log: RequestLog,
): Promise<void> {
  try {
    const first = await pieces.next();
    if (exchange.settled) return;
    exchange.settled = true;
    exchange.dueAt = performance.now() + STALL_TIMEOUT_MS;
    const contentType = headers['Content-Type'] ?? 'application/octet-stream';
    exchange.writeHead(status, contentHeaders(exchange, contentType, headers));
    if (exchange.req.method === 'HEAD') exchange.end();
    else await writePieces(exchange, first, pieces);
  } catch (error) {
    if (!exchange.headersSent) throw error;
    if (error instanceof ClientGone) return;
    // Cut the connection, so that the client does not take an incomplete response for a complete one.
    log.error(
      { err: error, requestId: exchange.requestId, route: exchange.route },
      'A response was cut off before its end',
    );
    exchange.req.socket.destroy();
  } finally {
    await pieces.return?.();
  }
}

/** Responses that get a piece in one turn of the event loop: if more are being written, each waits for several turns. */
const PIECES_PER_TURN = 16;

let writing = 0;

async function writePieces(exchange: Exchange, first: Awaited<ReturnType<Pieces['next']>>, pieces: Pieces) {
  writing += 1;
  try {
    for (let step = first; !step.done; step = await pieces.next()) {
      if (exchange.destroyed) return;
      exchange.bytes += Buffer.byteLength(step.value);
      exchange.dueAt = performance.now() + STALL_TIMEOUT_MS;
      if (!exchange.write(step.value)) await drained(exchange);
      await otherRequests();
    }
    exchange.end();
  } finally {
    writing -= 1;
  }
}

type Pieces = AsyncIterator<string | Uint8Array, unknown>;

/** Resolves when the connection can take more, or is gone. */
function drained(exchange: Exchange): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      exchange.off('drain', go).off('close', go);
      resolve();
    };
    if (exchange.destroyed) resolve();
    else exchange.on('drain', go).on('close', go);
  });
}

/** Lets other requests be served: a lap needs some ten turns, in each of which hundreds of downloads had a piece. */
async function otherRequests(): Promise<void> {
  for (let turns = writing / PIECES_PER_TURN; turns > 0; turns -= 1)
    await new Promise((resolve) => setImmediate(resolve));
}
