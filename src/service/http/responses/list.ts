import type { Response } from 'express';
import { codingFor, compressedPieces } from '../compression.ts';
import type { CsvList, EndpointResponse } from '../endpoint.ts';
import { isUnchanged } from '../etags.ts';
import type { FairTurns } from '../fair-turns.ts';
import { CSV_TYPE, csvSuffix, listPieces, wantedCsv } from '../list-body.ts';
import type { RequestLog } from '../problem-responses.ts';
import { requesterOf } from '../waiting.ts';
import { JSON_TYPE, sendEmpty } from './buffered.ts';
import { VARIES_BY_CODING } from './coded.ts';
import { canStream, discard, sendStream } from './stream.ts';

/**
 * Streams batches as one JSON array, or as CSV, with the memory of one batch, each in a turn of its own (`FairTurns`), and
 * compressed if the client asks for that.
 */
export async function sendList(
  res: Response,
  { batches, etag, csv: asCsv }: Extract<EndpointResponse, { kind: 'list' }>,
  longReads: FairTurns,
  log: RequestLog,
): Promise<void> {
  const { accept, 'accept-encoding': acceptEncoding } = res.req.headers;
  const csv = wantedCsv(asCsv, accept);
  const headers: Record<string, string> = {};
  headers.Vary = asCsv === undefined ? VARIES_BY_CODING : `Accept, ${VARIES_BY_CODING}`;
  if (etag !== undefined) headers.ETag = tagOf(etag, csv);
  if (isUnchanged(res.req, headers.ETag)) {
    sendEmpty(res, 304, headers);
    return discard(batches);
  }
  if (!canStream(res)) return discard(batches);
  const coding = codingFor(acceptEncoding);
  const isCoded = coding !== null && res.req.method !== 'HEAD';
  const plain = longReads.pieces(requesterOf(res), listPieces(batches[Symbol.asyncIterator](), csv), isCoded);
  const pieces = isCoded ? compressedPieces(plain, coding) : plain;
  headers['Content-Type'] = csv === null ? JSON_TYPE : CSV_TYPE;
  if (csv !== null) headers['Content-Disposition'] = `attachment; filename="${csv.name}.csv"`;
  if (coding !== null) headers['Content-Encoding'] = coding;
  return sendStream(res, 200, headers, pieces, log);
}

/** The tag of a list in the form that is sent. */
function tagOf(etag: string, csv: CsvList | null): string {
  return csv === null ? etag : `${etag.slice(0, -1)}${csvSuffix(csv)}"`;
}
