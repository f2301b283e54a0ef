import { randomUUID } from 'node:crypto';
import { commitCheck, type Expected } from './commit-check.ts';
import type { Entry, Proposal } from './entry.ts';

/** Outcome of an append; `current` is the stream's newest revision, null without a stream. */
export type AppendOutcome =
  | { readonly stored: true; readonly revision: number; readonly position: number; readonly repeated: boolean }
  | { readonly stored: false; readonly current: number | null }
  | 'deleted';

/** The largest revision: that of a tombstone, and where what a deleted stream shows would begin. */
const LARGEST_REVISION = 9_223_372_036_854_775_807n;
/** Metadata of a deleted stream. */
const DELETED = `{"$tb":${LARGEST_REVISION}}`;

interface Stream {
  readonly entries: Entry[];
  /** Nothing can be appended or read any more. */
  isTombstoned: boolean;
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
  readonly #scavenged = new WeakSet<Entry>();
  readonly #listeners = new Set<() => void>();
  #next = FIRST_POSITION;

  /** A fresh server has events of its own. */
  constructor() {
    this.append('$users', [ownEvent('$User', '{}')], 'any');
  }

  /** Appends all proposals or none; an append that repeats what is there already succeeds without effect. */
  append(stream: string, proposals: readonly Proposal[], expected: Expected): AppendOutcome {
    if (this.#streams.get(stream)?.isTombstoned === true) return 'deleted';
    const entries = this.#streams.get(stream)?.entries ?? [];
    const ids = proposals.map(({ id }) => id);
    const isDeleted = entries.length > 0 && this.visible(stream) === null;
    const decision = commitCheck(isDeleted && expected === 'no_stream' ? 'any' : expected, {
      stream,
      entries,
      ids,
      byId: this.#byId,
    });
    if (decision === 'wrong') return { stored: false, current: entries.at(-1)?.revision ?? null };
    if (decision === 'write') return { stored: true, repeated: false, ...this.#write(stream, proposals) };
    return { stored: true, repeated: true, revision: decision.revision, position: decision.position };
  }

  /**
   * The events of a stream that its metadata still shows, oldest first; null when there is no such stream, or all of its
   * events are deleted.
   */
  visible(stream: string): { readonly entries: readonly Entry[]; readonly first: number } | 'deleted' | null {
    const found = this.#streams.get(stream);
    if (found?.isTombstoned === true) return 'deleted';
    if (found === undefined || found.entries.length === 0) return null;
    const first = firstOf(found);
    return first >= found.entries.length ? null : { entries: found.entries, first };
  }

  /** Deletes what a stream has, and lets it be used again. */
  delete(stream: string): void {
    this.append(`$$${stream}`, [ownEvent('$metadata', DELETED)], 'any');
  }

  /** Deletes a stream for ever: its last event says so. */
  tombstone(stream: string): void {
    const found = this.#open(stream);
    const revision = Number(LARGEST_REVISION);
    this.#add({ ...ownEvent('$streamDeleted', ''), stream, revision, position: this.#next, created: Date.now() });
    found.isTombstoned = true;
    this.#notify();
  }

  /** Takes what no stream shows any more out of the log; positions stay as they are, with gaps between them. */
  scavenge(): void {
    for (const stream of this.#streams.values()) {
      const gone = stream.isTombstoned ? stream.entries : stream.entries.slice(0, firstOf(stream));
      for (const entry of gone) this.#scavenged.add(entry);
    }
  }

  /** Whether an event is there no more. */
  isScavenged(entry: Entry): boolean {
    return this.#scavenged.has(entry);
  }

  /** Whether there is or was an event at a position, or it is the end of the log. */
  isBoundary(position: number): boolean {
    return position >= this.#next || this.entries[this.indexOf(position, { exclusive: false })]?.position === position;
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

  /** Takes over an event as another node has it; what it has already is passed over. */
  replicate(entry: Entry): void {
    if (entry.position < this.#next && this.entries.length > 0) return;
    this.#next = entry.position;
    const target = this.#open(entry.stream);
    if (entry.type === '$streamDeleted') target.isTombstoned = true;
    else target.entries.push(entry);
    this.#add(entry);
    this.#applyIfMetadata(entry);
    this.#notify();
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
      this.#add(entry);
      this.#applyIfMetadata(entry);
    }
    if (proposals.length > 0) this.#notify();
    const last = target.entries.at(-1) ?? this.entries.at(-1);
    return { revision: target.entries.length - 1, position: last?.position ?? 0 };
  }

  #add(entry: Entry): void {
    const { id, stream, type, data, metadata } = entry;
    this.entries.push(entry);
    this.#byId.set(id, entry);
    this.#next += RECORD_OVERHEAD + stream.length + type.length + data.length + metadata.length;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #open(name: string): Stream {
    const found = this.#streams.get(name);
    if (found !== undefined) return found;
    const maxCount = name.startsWith('$$') ? 1 : null;
    const stream: Stream = { entries: [], isTombstoned: false, maxCount, truncateBefore: 0 };
    this.#streams.set(name, stream);
    return stream;
  }

  /** A metadata event replaces all that earlier ones said. */
  #applyIfMetadata({ stream: name, type, data }: Entry): void {
    if (!name.startsWith('$$') || type !== '$metadata') return;
    const text = Buffer.from(data).toString('utf8');
    const metadata: unknown = JSON.parse(text);
    const stream = this.#open(name.slice(2));
    stream.maxCount = integer(metadata, '$maxCount');
    // Of a deleted stream everything that it has is gone; what is appended from now on is shown.
    stream.truncateBefore = text === DELETED ? stream.entries.length : (integer(metadata, '$tb') ?? 0);
  }
}

/** An event that the server writes by itself. */
function ownEvent(type: string, data: string): Proposal {
  const contentType = 'application/json';
  return { id: randomUUID(), type, contentType, data: Buffer.from(data), metadata: new Uint8Array() };
}

/** Index of the first event that a stream shows. */
function firstOf({ entries, maxCount, truncateBefore }: Stream): number {
  return Math.max(maxCount === null ? 0 : Math.max(0, entries.length - maxCount), truncateBefore);
}

function integer(metadata: unknown, key: string): number | null {
  const value: unknown = Object.entries(metadata ?? {}).find(([name]) => name === key)?.[1];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
