import type { Entry } from './entry.ts';

/** Where a client says that a stream must be for its append to go through. */
export type Expected = number | 'any' | 'no_stream';

/** What the check looks at: the stream as it is, and the ids of the events to append. */
export interface Attempt {
  readonly stream: string;
  readonly entries: readonly Entry[];
  readonly ids: readonly string[];
  readonly byId: ReadonlyMap<string, Entry>;
}

/**
 * Decides an append as the server's index writer does: write it, refuse it, or say where the same events are already
 * (by their ids, whatever their data). A partly repeated append is refused.
 */
export function commitCheck(expected: Expected, { stream, entries, ids, byId }: Attempt): 'write' | 'wrong' | Entry {
  const after = expected === 'no_stream' ? -1 : expected;
  if (after === entries.length - 1) return 'write';
  // With a revision behind the stream's, the events must be the very ones that follow it; without one, ids that the
  // server remembers for this stream decide.
  const known = ids.map((id, n) => (after === 'any' ? byId.get(id) : entries[after + 1 + n]));
  const isKnown = (entry: Entry | undefined, n: number): boolean => entry?.stream === stream && entry.id === ids[n];
  if (known.every(isKnown)) return known.at(-1) ?? 'wrong';
  return after === 'any' && !isKnown(known[0], 0) ? 'write' : 'wrong';
}
