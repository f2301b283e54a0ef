/** Past 128 KB pieces would be large objects, which V8 frees only at a full collection. */
const PIECE_CHARS = 32_768;

/** The texts of items in pieces of about `PIECE_CHARS`, with a separator between the items of a piece. */
export function* piecesOf<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  separator = '',
): Generator<string, void> {
  let text = '';
  for (const item of items) {
    text += text === '' ? textOf(item) : separator + textOf(item);
    if (text.length < PIECE_CHARS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
