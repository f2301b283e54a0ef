import type { Exchange } from './exchange.ts';
import { Problem } from './problems.ts';

/** Thrown to a reader whose client went away: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** 413 for a body over the limit. */
export function tooLarge(limit: number): Problem {
  return new Problem('CONTENT_TOO_LARGE', `The body may have ${limit} bytes at most.`);
}

/** Tells a client that sent `Expect: 100-continue` to go on: its body is wanted. */
export function sendContinue(exchange: Exchange): void {
  if (!exchange.awaitsContinue) return;
  exchange.awaitsContinue = false;
  exchange.writeContinue();
}

/**
 * All bytes of the request's body.
 * @throws {Problem} 413 as soon as they are, or are announced to be, more than `limit`
 * @throws {ClientGone} when the connection ends before the body
 */
export async function readBody(exchange: Exchange, limit: number): Promise<Buffer> {
  if (Number(exchange.req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  sendContinue(exchange);
  exchange.receiving = true;
  try {
    return await collect(exchange, limit);
  } finally {
    exchange.receiving = false;
  }
}

function collect({ req }: Exchange, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      req.off('data', take).off('end', finish).off('close', gone).off('error', gone);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      stop();
      reject(tooLarge(limit));
    };
    const finish = () => {
      stop();
      const [only] = chunks;
      resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    };
    const gone = () => {
      stop();
      reject(new ClientGone('the client went away while it sent its body'));
    };
    req.on('data', take).on('end', finish).on('close', gone).on('error', gone);
  });
}
