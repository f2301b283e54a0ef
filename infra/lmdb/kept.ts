import type { Database } from 'lmdb';
import { LRUCache } from 'lru-cache';
import type { Document, FindOptions } from '../../src/service/kernel/ports/read-store.ts';
import { areBytesOf } from './environment.ts';

/** Documents that are kept, each of some kB, and pages. */
const MAX_DOCUMENTS = 2_000;
const MAX_PAGES = 500;
/** The largest document that is kept when it is written, in bytes as it is stored. */
const MAX_WRITTEN_BYTES = 4_096;

interface KeptDocument {
  version: number;
  readonly document: Document;
  /** As it is stored; null for one that was written, and not asked for since. */
  readonly bytes: Buffer | null;
}

interface KeptPage {
  version: number;
  readonly sequences: readonly number[];
}

/**
 * Documents of a collection that this process has written, and documents and pages that are asked for again and again,
 * each with the last version for which it is known to be right. They are not read again until another process has
 * changed the collection: then the bytes tell whether a document is the same.
 */
export class Kept {
  readonly #source: { readonly version: number };
  readonly #stored: Pick<Database<Document, number>, 'getBinaryFast'>;
  readonly #decode: (bytes: Buffer) => Document;
  readonly #documents = new LRUCache<number, KeptDocument>({ max: MAX_DOCUMENTS });
  readonly #pages = new LRUCache<string, KeptPage>({ max: MAX_PAGES });
  /** The version of the snapshot or transaction that is read. */
  #now = 0;
  /** All versions after the first one, up to the second, were made by this process. */
  #from = Infinity;
  #to = -Infinity;
  /** Which of them was the last to change an entry of an index. */
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
    if (version !== this.#to + 1) this.#from = version - 1;
    this.#to = version;
  }

  /** The current transaction writes a document, of so many bytes. */
  write(sequence: number, document: Document, bytes: number): void {
    if (bytes > MAX_WRITTEN_BYTES) this.#documents.delete(sequence);
    else this.#documents.set(sequence, { version: this.#to, document, bytes: null });
  }

  /** It adds or removes entries of an index. */
  changeEntries(): void {
    this.#entriesAt = this.#to;
  }

  onTransactionFailed(): void {
    this.#to = -Infinity;
    this.#documents.clear();
  }

  /** Brings it up to the snapshot of this turn. */
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

  /** A document that is kept, as of the snapshot or the current transaction. */
  known(sequence: number): Document | undefined {
    const known = this.#documents.get(sequence);
    if (known === undefined) return undefined;
    this.sync();
    return this.#isSame(known) ? known.document : undefined;
  }

  /** A document of the snapshot: the same object as before while it is the same, whoever writes it. */
  at(sequence: number): Document | undefined {
    const known = this.#documents.get(sequence);
    const isSame = known !== undefined && this.#isSame(known);
    if (isSame && known.bytes !== null) return known.document;
    const bytes = this.#stored.getBinaryFast(sequence);
    if (bytes === undefined) return undefined;
    const version = this.#now;
    if (known?.bytes && areBytesOf(bytes, known.bytes)) {
      known.version = version;
      return known.document;
    }
    const own = Buffer.from(bytes.subarray(0, bytes.length));
    const document = isSame ? known.document : this.#decode(own);
    this.#documents.set(sequence, { version, bytes: own, document });
    return document;
  }

  /** Whether something that this process has changed last at a version is known to be the same now. */
  #isSame(known: { version: number }, changedAt = known.version): boolean {
    const { version } = known;
    const isSame = version === this.#now || (this.#from <= version && this.#now <= this.#to && changedAt <= version);
    if (isSame) known.version = this.#now;
    return isSame;
  }
}
