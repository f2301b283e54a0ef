import { createHash } from 'node:crypto';

/** The SHA-256, in hex, of a stream of bytes. */
export async function sha256Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of content) hash.update(piece);
  return hash.digest('hex');
}
