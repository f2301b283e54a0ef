/** Longest stream name in bytes of UTF-8, in every store: LMDB's longest key is 1,978 bytes. */
export const MAX_STREAM_NAME_BYTES = 1_900;

/** Longest UTF-8 encoding of one UTF-16 code unit, in bytes. */
export const MAX_BYTES_PER_CHAR = 3;

/**
 * Characters not allowed in names: control characters would collide with LMDB's own markers in keys; lone surrogates
 * have no UTF-8, so two names would become one.
 */
const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;

/** @throws {TypeError} when a stream cannot have this name. */
export function requireStreamName(stream: string): void {
  if (stream === '' || UNSTORABLE.test(stream)) {
    throw new TypeError('a stream name must not be empty or hold control characters or lone surrogates');
  }
  const mayBeTooLong = stream.length * MAX_BYTES_PER_CHAR > MAX_STREAM_NAME_BYTES;
  if (mayBeTooLong && new TextEncoder().encode(stream).length > MAX_STREAM_NAME_BYTES) {
    throw new TypeError(`a stream name must not be longer than ${MAX_STREAM_NAME_BYTES} bytes of UTF-8`);
  }
}

/** Name of an aggregate's stream. */
export function streamOf(category: string, id: string): string {
  return `${category}-${id}`;
}

/** Id of the aggregate that a stream belongs to: its name without the category. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** Category of the aggregate that a stream belongs to. */
export function categoryOf(stream: string): string {
  return stream.slice(0, Math.max(0, stream.indexOf('-')));
}
