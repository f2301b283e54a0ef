import { commitCheck, type Expected } from './commit-check.ts';
import type { Entry, Proposal } from './entry.ts';

/** Outcome of an append; `current` is the stream's newest revision, null without a stream. */
export type AppendOutcome =
  | { readonly stored: true; readonly revision: number; readonly position: number; readonly repeated: boolean }
  | { readonly stored: false; readonly current: number | null };

interface Stream {
  readonly entries: Entry[];
  maxCount: number | null;
  truncateBefore: number;
}

/** Bytes that a record takes in the log besides its names, data and metadata: makes positions grow in uneven steps. */
const RECORD_OVERHEAD = 77;
/** Where the log of a fresh server has got to before its first event: its epoch and system records. */
const FIRST_POSITION = 1_204;

/** The log of a single node in memory: streams, the global order, stream metadata and who listens for more. */
export class Log {
  /** All events in global order; never changed but at its end. */
  readonly entries: Entry[] = [];
  readonly #streams = new Map<string, Stream>();
  readonly #byId = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #next = FIRST_POSITION;

  /** Appends all proposals or none; an append that repeats what is there already succeeds without effect. */
  append(stream: string, proposals: readonly Proposal[], expected: Expected): AppendOutcome {
    const entries = this.#streams.get(stream)?.entries ?? [];
    const ids = proposals.map(({ id }) => id);
    const decision = commitCheck(expected, { stream, entries, ids, byId: this.#byId });
    if (decision === 'wrong') return { stored: false, current: entries.at(-1)?.revision ?? null };
    if (decision === 'write') return { stored: true, repeated: false, ...this.#write(stream, proposals) };
    return { stored: true, repeated: true, revision: decision.revision, position: decision.position };
  }

  /** The events of a stream that its metadata still shows, oldest first, or null when there is no such stream. */
  visible(stream: string): { readonly entries: readonly Entry[]; readonly first: number } | null {
    const found = this.#streams.get(stream);
    if (found === undefined || found.entries.length === 0) return null;
    const kept = found.maxCount === null ? 0 : Math.max(0, found.entries.length - found.maxCount);
    return { entries: found.entries, first: Math.max(kept, found.truncateBefore) };
  }

  /** Index in `entries` of the first event at or after a position (exclusive: after it). */
  indexOf(position: number, { exclusive }: { exclusive: boolean }): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.entries[middle]?.position ?? Infinity;
      if (at < position || (exclusive && at === position)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Calls `listener` after each append that wrote something; the answer stops that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Where the stream's last event is afterwards; an append of nothing changes nothing. */
  #write(stream: string, proposals: readonly Proposal[]): { revision: number; position: number } {
    const target = this.#open(stream);
    for (const proposal of proposals) {
      const { length: revision } = target.entries;
      const entry = { ...proposal, stream, revision, position: this.#next, created: Date.now() };
      target.entries.push(entry);
      this.entries.push(entry);
      this.#byId.set(entry.id, entry);
      this.#next += RECORD_OVERHEAD + stream.length + entry.type.length + entry.data.length + entry.metadata.length;
      if (stream.startsWith('$$') && entry.type === '$metadata') this.#applyMetadata(stream.slice(2), entry.data);
    }
    if (proposals.length > 0) for (const listener of this.#listeners) listener();
    const last = target.entries.at(-1) ?? this.entries.at(-1);
    return { revision: target.entries.length - 1, position: last?.position ?? 0 };
  }

  #open(name: string): Stream {
    const found = this.#streams.get(name);
    if (found !== undefined) return found;
    const stream: Stream = { entries: [], maxCount: name.startsWith('$$') ? 1 : null, truncateBefore: 0 };
    this.#streams.set(name, stream);
    return stream;
  }

  /** A metadata event replaces all that earlier ones said. */
  #applyMetadata(name: string, data: Uint8Array): void {
    const metadata: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    const stream = this.#open(name);
    stream.maxCount = integer(metadata, '$maxCount');
    stream.truncateBefore = integer(metadata, '$tb') ?? 0;
  }
}

function integer(metadata: unknown, key: string): number | null {
  const value: unknown = Object.entries(metadata ?? {}).find(([name]) => name === key)?.[1];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
