import type { Database } from 'lmdb';
import { LRUCache } from 'lru-cache';
import type { Document, FindOptions } from '../../src/kernel/ports/read-store.ts';
import { areBytesOf } from './environment.ts';

/** Most cached documents, each of some kB. */
const MAX_DOCUMENTS = 2_000;

/** Most cached pages. */
const MAX_PAGES = 500;

/** Most changed documents whose last change is remembered. */
const MAX_CHANGED = 10_000;

interface CachedDocument {
  version: number;
  readonly bytes: Buffer;
  readonly document: Document;
}

interface CachedPage {
  version: number;
  readonly sequences: readonly number[];
}

/**
 * Cache of the documents and pages of a collection that are requested again and again, each with the last version for which
 * it is known to be right. What this process has not changed since then is not read again. If another process has changed the
 * collection, the bytes of a document are compared.
 */
export class CollectionCache {
  readonly #source: { readonly version: number };
  readonly #stored: Pick<Database<Document, number>, 'getBinaryFast'>;
  readonly #decode: (bytes: Buffer) => Document;
  readonly #documents = new LRUCache<number, CachedDocument>({ max: MAX_DOCUMENTS });
  readonly #pages = new LRUCache<string, CachedPage>({ max: MAX_PAGES });
  /** The version of the snapshot that is read. */
  #now = 0;
  /** This process made all versions after `#from`, up to `#to`. */
  #from = Infinity;
  #to = -Infinity;
  /** The version that last changed a document, by sequence number. */
  readonly #changedAt = new Map<number, number>();
  /** The version that last changed an entry of an index. */
  #entriesAt = 0;

  constructor(
    source: { readonly version: number },
    stored: Pick<Database<Document, number>, 'getBinaryFast'>,
    decode: (bytes: Buffer) => Document,
  ) {
    this.#source = source;
    this.#stored = stored;
    this.#decode = decode;
  }

  /** Begins a transaction that changes the collection. */
  begin(version: number): void {
    if (version !== this.#to + 1 || this.#changedAt.size > MAX_CHANGED) {
      this.#from = version - 1;
      this.#changedAt.clear();
    }
    this.#to = version;
  }

  /** The current transaction changes a document. */
  change(sequence: number): void {
    this.#changedAt.set(sequence, this.#to);
  }

  /** The current transaction adds or removes entries of an index. */
  changeEntries(): void {
    this.#entriesAt = this.#to;
  }

  onTransactionFailed(): void {
    this.#to = -Infinity;
  }

  /** Moves to the snapshot of this turn of the event loop. */
  sync(): void {
    this.#now = this.#source.version;
  }

  /** The sequence numbers of a page of the snapshot, which `find` finds. */
  page({ where, sort, offset, limit, visits }: FindOptions, find: () => number[] | Promise<number[]>) {
    this.sync();
    const key = JSON.stringify([where, sort, offset, limit]);
    const known = this.#pages.get(key);
    if (known === undefined || !this.#isSame(known, this.#entriesAt)) {
      const sequences = find();
      if (!(sequences instanceof Promise)) this.#pages.set(key, { version: this.#now, sequences });
      return sequences;
    }
    if (visits) visits.documents += known.sequences.length;
    return known.sequences;
  }

  /** A document of the snapshot: the same object as before while the document is unchanged, whichever process writes. */
  at(sequence: number): Document | undefined {
    const known = this.#documents.get(sequence);
    if (known !== undefined && this.#isSame(known, this.#changedAt.get(sequence) ?? 0)) return known.document;
    const bytes = this.#stored.getBinaryFast(sequence);
    if (bytes === undefined) return undefined;
    const version = this.#now;
    if (known !== undefined && areBytesOf(bytes, known.bytes)) {
      known.version = version;
      return known.document;
    }
    const own = Buffer.from(bytes.subarray(0, bytes.length));
    const document = this.#decode(own);
    this.#documents.set(sequence, { version, bytes: own, document });
    return document;
  }

  /** Whether a cached entry is still right, given the version at which this process last changed what it holds. */
  #isSame(known: { version: number }, changedAt: number): boolean {
    const { version } = known;
    const isSame = version === this.#now || (this.#from <= version && this.#now <= this.#to && changedAt <= version);
    if (isSame) known.version = this.#now;
    return isSame;
  }
}
