import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

/** A content coding (RFC 9110 §8.4.1). */
export type Coding = 'br' | 'gzip';

/** Bytes from which on a body is compressed: less fits into one packet as it is. */
export const LEAST_COMPRESSED = 1_024;

/**
 * As quick as gzip, and smaller; higher ones take many times as long. The window bounds the memory of a stream to about
 * one megabyte.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/**
 * The coding that a client asks for by `Accept-Encoding` (RFC 9110 §12.5.3), ours of those that it likes best; null: none.
 */
export function codingFor(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  const asked = qualitiesOf(acceptEncoding);
  const [br, gz] = (['br', 'gzip'] as const).map((coding) => asked.get(coding) ?? asked.get('*') ?? 0);
  const best = Math.max(br ?? 0, gz ?? 0);
  if (best <= 0 || best < (asked.get('identity') ?? 0)) return null;
  return best === br ? 'br' : 'gzip';
}

/** A whole body, compressed on a thread of its own. */
export function compressed(body: string | Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'br' ? brotliOf(body, BROTLI) : gzipOf(body);
}

/** Pieces of a body, compressed while they come. Whoever ends the one ends the other. */
export function compressedPieces(
  pieces: AsyncIterator<string | Uint8Array>,
  coding: Coding,
): AsyncIterator<Uint8Array> {
  const source = Readable.from({ [Symbol.asyncIterator]: () => pieces }, { objectMode: false });
  const coder = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
  // An error of the pieces destroys the coder with it: who reads that gets it.
  pipeline(source, coder, () => undefined);
  return coder[Symbol.asyncIterator]();
}

/** What a header such as `Accept` asks for, and how much each is liked, from 0 to 1; what cannot be read is not wanted. */
export function qualitiesOf(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(',').map(qualityOf));
}

function qualityOf(item: string): readonly [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((one) => one.startsWith('q='));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return [name, value >= 0 && value <= 1 ? value : 0];
}
