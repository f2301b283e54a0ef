/**
 * Bodies that are sent piece by piece, no faster than the client takes them. `stream.pipeline` would do that, too; but it
 * neither ends a client that has stalled, nor lets laps pass between the pieces of hundreds of downloads.
 */
import type { Response } from 'express';
import type { Headers } from '../endpoint.ts';
import { STALL_TIMEOUT_MS } from '../messages.ts';
import { sendProblem, type RequestLog } from '../problem-responses.ts';
import { ClientGone } from '../problems.ts';
import { UNMATCHED } from '../request-counts.ts';
import { addContentHeaders } from './buffered.ts';

export type Pieces = AsyncIterator<string | Uint8Array, unknown>;

/** Whether a stream may begin: its client still waits, and has not too many, which it is answered otherwise. */
export function canStream(res: Response): boolean {
  if (res.settled) return false;
  const problem = res.client?.takeSlot('clientStreams', res) ?? null;
  if (problem !== null) sendProblem(res, problem);
  return problem === null;
}

/** Releases content that is not needed, so that it frees its resources. */
export async function discard(content: AsyncIterable<unknown>): Promise<void> {
  await content[Symbol.asyncIterator]().return?.();
}

/** Sends a stream. Its headers wait for the first piece, so that a store that is unavailable still gives a 503. */
export async function sendStream(
  res: Response,
  status: number,
  headers: Headers,
  pieces: Pieces,
  log: RequestLog,
): Promise<void> {
  try {
    const first = await pieces.next();
    if (res.settled) return;
    res.dueAt = performance.now() + STALL_TIMEOUT_MS;
    addContentHeaders(res, headers['Content-Type'] ?? 'application/octet-stream', headers);
    res.writeHead(status);
    if (res.req.method === 'HEAD') res.end();
    else await writePieces(res, first, pieces);
  } catch (error) {
    if (!res.headersSent) throw error;
    if (error instanceof ClientGone) return;
    // Cut the connection, so that the client does not take an incomplete response for a complete one.
    const fields = { err: error, requestId: res.requestId, route: res.endpoint?.name ?? UNMATCHED };
    log.error(fields, 'A response was cut off before its end');
    res.req.socket.destroy();
  } finally {
    await pieces.return?.();
  }
}

/** Responses that get a piece in one turn of the event loop: if more are being written, each waits for several turns. */
const PIECES_PER_TURN = 16;

let writing = 0;

async function writePieces(res: Response, first: Awaited<ReturnType<Pieces['next']>>, pieces: Pieces): Promise<void> {
  writing += 1;
  try {
    for (let step = first; step.done !== true; step = await pieces.next()) {
      if (res.destroyed) return;
      res.bytes += Buffer.byteLength(step.value);
      res.dueAt = performance.now() + STALL_TIMEOUT_MS;
      if (!res.write(step.value)) await drained(res);
      await otherRequests();
    }
    res.end();
  } finally {
    writing -= 1;
  }
}

/** Resolves when the connection can take more, or is gone. */
function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      res.off('drain', go).off('close', go);
      resolve();
    };
    if (res.destroyed) resolve();
    else res.on('drain', go).on('close', go);
  });
}

/** Lets other requests be served: a lap needs some ten turns, in each of which hundreds of downloads had a piece. */
async function otherRequests(): Promise<void> {
  for (let turns = writing / PIECES_PER_TURN; turns > 0; turns -= 1)
    await new Promise((resolve) => setImmediate(resolve));
}
