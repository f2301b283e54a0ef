import {
  type Exchange,
  contentHeaders,
  isUnchanged,
  JSON_TYPE,
  sendEmpty,
  sendProblem,
  STALL_TIMEOUT_MS,
  VARIES_BY_CODING,
  type RequestLog,
} from './respond.ts';
import { CSV_TYPE, csvPieces, wantedCsv } from './csv.ts';
import { piecesOf } from './pieces.ts';
import { codingFor, compressedPieces } from './compression.ts';
import parseRange from 'range-parser';
import type { ContentRanges, EndpointResponse, Headers } from './endpoint.ts';
import { ClientGone, Problem } from './problems.ts';

/**
 * Streams batches as one JSON array, or as CSV, with the memory of one batch, and compressed for who asks for that. The
 * headers wait for the first batch, so that a store that is unavailable still gives a 503.
 */
export async function sendList(
  exchange: Exchange,
  response: Extract<EndpointResponse, { kind: 'list' }>,
  log: RequestLog,
): Promise<void> {
  const { accept, 'accept-encoding': acceptEncoding } = exchange.req.headers;
  const csv = wantedCsv(response.csv, accept);
  const records = response.batches[Symbol.asyncIterator]();
  const plain = csv === null ? jsonArray(records) : csvPieces(records, csv);
  const coding = codingFor(acceptEncoding);
  const pieces = coding === null || exchange.req.method === 'HEAD' ? plain : compressedPieces(plain, coding);
  const headers = {
    ...listHeaders(response, accept),
    ...(csv !== null && { 'Content-Disposition': `attachment; filename="${csv.name}.csv"` }),
    ...(coding !== null && { 'Content-Encoding': coding }),
  };
  await sendStream(exchange, { status: 200, contentType: csv === null ? JSON_TYPE : CSV_TYPE, headers, pieces }, log);
}

/** What caches are told of a list, its tag included: each form has one of its own. */
export function listHeaders(
  response: Extract<EndpointResponse, { kind: 'list' }>,
  accept: string | undefined,
): { readonly Vary: string; readonly ETag?: string } {
  const headers = { Vary: response.csv === undefined ? VARIES_BY_CODING.Vary : `Accept, ${VARIES_BY_CODING.Vary}` };
  const csv = wantedCsv(response.csv, accept);
  if (response.etag === undefined) return headers;
  const ending = csv?.bom === true ? '-csv-bom"' : '-csv"';
  return { ...headers, ETag: csv === null ? response.etag : response.etag.replace(/"$/, ending) };
}

/** Streams bytes; sends 304 instead when the client knows their `ETag`. */
export async function sendBytes(
  exchange: Exchange,
  response: Extract<EndpointResponse, { kind: 'stream' }>,
  log: RequestLog,
): Promise<void> {
  const { status, headers, content } = response;
  const pieces = content[Symbol.asyncIterator]();
  if (!exchange.settled && status === 200 && headers.ETag !== undefined && isUnchanged(exchange, headers.ETag)) {
    sendEmpty(exchange, 304, headers);
    await pieces.return?.();
    return;
  }
  const contentType = headers['Content-Type'] ?? 'application/octet-stream';
  const asked = wantedRange(exchange, response);
  if (asked === 'unsatisfiable') {
    await pieces.return?.();
    const size = response.ranges?.size ?? 0;
    sendProblem(
      exchange,
      new Problem('RANGE_NOT_SATISFIABLE', `There are ${size} bytes.`, { headers: rangeHeaders(`*/${size}`) }),
    );
    return;
  }
  if (asked === null) {
    await sendStream(exchange, { status, contentType, headers, pieces }, log);
    return;
  }
  const { first, last, size, part } = asked;
  const some = await part(first, last);
  const partHeaders = {
    ...headers,
    'Content-Length': String(last - first + 1),
    ...rangeHeaders(`${first}-${last}/${size}`),
  };
  await sendStream(
    exchange,
    { status: 206, contentType, headers: partHeaders, pieces: some[Symbol.asyncIterator]() },
    log,
  );
}

const rangeHeaders = (range: string): Headers => ({ 'Content-Range': `bytes ${range}` });

interface WantedRange extends ContentRanges {
  readonly first: number;
  readonly last: number;
}

/**
 * The part that a GET asks for by `Range`; null for the whole: what is malformed, in other units or in several pieces is
 * ignored, as is one of content that has changed since (RFC 9110 §13.1.5, §14.2).
 */
function wantedRange(
  { req }: Exchange,
  { status, headers, ranges }: Extract<EndpointResponse, { kind: 'stream' }>,
): WantedRange | 'unsatisfiable' | null {
  const { range, 'if-range': ifRange } = req.headers;
  if (range === undefined || ranges === undefined || req.method !== 'GET' || status !== 200) return null;
  if (ifRange !== undefined && ifRange !== headers.ETag) return null;
  const found = parseRange(ranges.size, range);
  if (found === UNSATISFIABLE) return 'unsatisfiable';
  if (found === MALFORMED || found.type !== 'bytes' || found.length !== 1) return null;
  const [{ start: first, end: last } = { start: 0, end: 0 }] = found;
  return { ...ranges, first, last };
}

/** What `range-parser` returns for what it finds no range in. */
const UNSATISFIABLE = -1;
const MALFORMED = -2;

/** Releases content that is not needed, so that it frees its resources. */
export async function discard(content: AsyncIterable<unknown>): Promise<void> {
  await content[Symbol.asyncIterator]().return?.();
}

interface StreamedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Headers;
  readonly pieces: AsyncIterator<string | Uint8Array>;
}

async function sendStream(exchange: Exchange, response: StreamedResponse, log: RequestLog): Promise<void> {
  const { status, contentType, headers, pieces } = response;
  try {
    const first = await pieces.next();
    if (exchange.settled) return;
    exchange.settled = true;
    exchange.dueAt = performance.now() + STALL_TIMEOUT_MS;
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

async function writePieces(
  exchange: Exchange,
  first: Piece,
  pieces: AsyncIterator<string | Uint8Array>,
): Promise<void> {
  for (let step = first; !step.done; step = await pieces.next()) {
    if (exchange.destroyed) return;
    exchange.bytes += Buffer.byteLength(step.value);
    exchange.dueAt = performance.now() + STALL_TIMEOUT_MS;
    await waitForDrain(exchange, exchange.write(step.value));
  }
  exchange.end();
}

type Piece = IteratorResult<string | Uint8Array, unknown>;

/**
 * Resolves when the connection can take more or is gone, and not before the next turn of the event loop, so that other
 * requests are served.
 */
function waitForDrain(exchange: Exchange, roomLeft: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (roomLeft || exchange.destroyed) {
      setImmediate(resolve);
      return;
    }
    const go = () => {
      exchange.off('drain', go).off('close', go);
      resolve();
    };
    exchange.on('drain', go).on('close', go);
  });
}

/** The text of a JSON array, in at least one piece per batch that is not empty. */
async function* jsonArray(batches: AsyncIterator<readonly object[]>): AsyncGenerator<string, void> {
  let opening = '[';
  try {
    for (let step = await batches.next(); !step.done; step = await batches.next()) {
      for (const piece of piecesOf(step.value, (item) => JSON.stringify(item), ',')) {
        yield opening + piece;
        opening = ',';
      }
    }
    yield opening === '[' ? '[]' : ']';
  } finally {
    await batches.return?.();
  }
}
