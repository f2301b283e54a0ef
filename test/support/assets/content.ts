/** A piece of an asset's content, or what reading it fails with. */
export type Chunk = string | Uint8Array | Error;

/** Content in these pieces, to be read as often as one likes, and its size. */
export function chunks(...contents: readonly Chunk[]) {
  const sizes = contents.map((chunk) => (chunk instanceof Error ? 0 : Buffer.byteLength(chunk)));
  return {
    size: sizes.reduce((sum, size) => sum + size, 0),
    content: { [Symbol.asyncIterator]: () => read(contents) },
  };
}

async function* read(contents: readonly Chunk[]): AsyncGenerator<Uint8Array> {
  for (const chunk of contents) {
    if (chunk instanceof Error) throw chunk;
    yield await Promise.resolve(Buffer.from(chunk));
  }
}
