/**
 * Compression. The package `compression` compresses each response anew, and leaves strong tags on coded bodies; here bodies
 * keep what they were compressed to. `negotiator` (`req.acceptsEncodings`) has no type for the server's preference of Brotli.
 */
import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** A content coding (RFC 9110 §8.4.1). */
export type Coding = 'br' | 'gzip';

export type CodedBodies = Map<Coding, Buffer>;

/** Least bytes of a body that is compressed: a smaller one fits into one packet as it is. */
export const LEAST_COMPRESSED = 1_024;

/** Brotli as quick as gzip, and smaller. The window bounds the memory of a stream to about one megabyte. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** The coding for an `Accept-Encoding` (RFC 9110 §12.5.3): the best of those that the client likes best, or null. */
export function codingFor(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  const coding = codings.memo(acceptEncoding);
  return coding === 'identity' ? null : coding;
}

/** Clients send few different headers, again and again. */
const codings = new LRUCache<string, Coding | 'identity'>({ max: 100, memoMethod: bestCoding });

function bestCoding(acceptEncoding: string): Coding | 'identity' {
  const asked = qualitiesOf(acceptEncoding);
  const [br, gz] = (['br', 'gzip'] as const).map((coding) => asked.get(coding) ?? asked.get('*') ?? 0);
  const best = Math.max(br ?? 0, gz ?? 0);
  if (best <= 0 || best < (asked.get('identity') ?? 0)) return 'identity';
  return best === br ? 'br' : 'gzip';
}

/** A whole body, compressed on a thread of its own. */
export function compressed(body: string | Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'br' ? brotliOf(body, BROTLI) : gzipOf(body);
}

/** Pieces of a body, compressed while they come. Ending one ends the other. */
export function compressedPieces(pieces: AsyncIterator<string | Uint8Array>, coding: Coding) {
  const source = Readable.from({ [Symbol.asyncIterator]: () => pieces }, { objectMode: false });
  const coder = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
  // An error of the pieces destroys the coder, whose reader gets it.
  pipeline(source, coder, () => undefined);
  return coder[Symbol.asyncIterator]();
}

/** The items of a header such as `Accept` with their qualities, from 0 to 1; 0 for one that cannot be read. */
export function qualitiesOf(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(',', MAX_ITEMS).map(qualityOf));
}

/** Most items of a header that are looked at, and most parameters of one. */
const MAX_ITEMS = 100;
const MAX_PARAMETERS = 10;

function qualityOf(item: string): readonly [string, number] {
  const [name = '', ...parameters] = item.split(';', MAX_PARAMETERS).map((part) => part.trim().toLowerCase());
  const quality = parameters.find((one) => one.startsWith('q='));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return [name, value >= 0 && value <= 1 ? value : 0];
}
