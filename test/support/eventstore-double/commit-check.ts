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
export function commitCheck(expected: Expected, attempt: Attempt): 'write' | 'wrong' | Entry {
  if (expected === 'any') return anywhere(attempt);
  const after = expected === 'no_stream' ? -1 : expected;
  const current = attempt.entries.length - 1;
  if (after === current) return 'write';
  return after > current ? 'wrong' : repeatedAt(after, attempt);
}

/** With a revision behind the stream's, the events must be the very ones that follow it. */
function repeatedAt(after: number, { entries, ids }: Attempt): 'wrong' | Entry {
  const repeated = ids.every((id, index) => entries[after + 1 + index]?.id === id);
  return (repeated ? entries[after + ids.length] : undefined) ?? 'wrong';
}

/** Without a revision, ids that the server remembers for this stream decide. */
function anywhere({ stream, ids, byId }: Attempt): 'write' | 'wrong' | Entry {
  let last: Entry | undefined;
  for (const id of ids) {
    const known = byId.get(id);
    if (known?.stream !== stream) return last === undefined ? 'write' : 'wrong';
    last = known;
  }
  return last ?? 'write';
}
