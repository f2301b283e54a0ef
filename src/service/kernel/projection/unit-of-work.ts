import { roughBytesOf } from '../json.ts';
import type { Position } from '../ports/event-store.ts';
import type { Change, Document, ReadModels, Where } from '../ports/read-store.ts';
import type { Find, Lookup, ReadModel } from './projection.ts';

/** Most documents that are cached between batches, per collection, and about how many bytes all of them may take. */
const MAX_CACHED_DOCUMENTS = 10_000;
const MAX_CACHED_BYTES = 16_777_216;

/**
 * Unit of work: the changes of one batch, and look-ups that see them. Documents that were looked up are cached from
 * batch to batch, to save reading them again, and are changed in memory by the same rules as in the store.
 */
export interface UnitOfWork {
  readonly lookup: Lookup;
  /** Writes what is pending, but no checkpoint: only the store can tell the order of documents. */
  readonly find: Find;
  readonly add: (...changes: readonly Change[]) => void;
  /** Writes all changes, then the checkpoint, and starts the next batch. */
  readonly commit: (checkpoint: Position) => Promise<void>;
  /** Discards the changes of the batch and the cache. */
  readonly reset: () => void;
}

/** Documents by collection and id; null for one that does not exist. */
class DocumentCache {
  readonly collections = new Map<string, Map<string, Document | null>>();
  #bytes = 0;

  set(collection: string, id: string, document: Document | null): void {
    this.#bytes += roughBytesOf(document);
    let documents = this.collections.get(collection);
    if (documents === undefined) this.collections.set(collection, (documents = new Map<string, Document | null>()));
    if (documents.size >= MAX_CACHED_DOCUMENTS) documents.clear();
    documents.set(id, document);
    if (this.#bytes > MAX_CACHED_BYTES) this.clear();
  }

  /** Changes the cached documents. Replaced values are still counted, so the cache is cleared a little early. */
  change(change: Change): void {
    if (change.kind === 'set' || change.kind === 'setWhere') this.#bytes += roughBytesOf(change.fields);
    if (this.#bytes > MAX_CACHED_BYTES) this.clear();
    const documents = this.collections.get(change.collection);
    if (documents === undefined) return;
    if (change.kind === 'setWhere') {
      for (const [id, document] of documents) documents.set(id, applyChange(document, change));
      return;
    }
    const id = change.kind === 'insert' ? change.document.id : change.id;
    const document = documents.get(id);
    if (document !== undefined) documents.set(id, applyChange(document, change));
  }

  clear(): void {
    this.collections.clear();
    this.#bytes = 0;
  }
}

/** Creates the unit of work of one projection group. */
export function createUnitOfWork(models: Pick<ReadModels, 'get' | 'apply' | 'stream'>): UnitOfWork {
  let pending: Change[] = [];
  const cache = new DocumentCache();

  async function read(collection: string, id: string): Promise<Document | null> {
    const stored = await models.get(collection, id);
    const affecting = pending.filter((change) => change.collection === collection && (targetIdOf(change) ?? id) === id);
    const document = affecting.reduce(applyChange, stored);
    cache.set(collection, id, document);
    return document;
  }
  return {
    lookup<D extends Document>({ collection }: ReadModel<D>, id: string) {
      const document = cache.collections.get(collection)?.get(id);
      const found = document === undefined ? read(collection, id) : document;
      // The collection's own projection wrote it, through the typed functions of this very read model.
      return found as D | null | Promise<D | null>;
    },
    async *find<D extends Document>({ collection }: ReadModel<D>, where: Where) {
      if (pending.length > 0) await models.apply(pending, null);
      pending = [];
      // As above.
      yield* models.stream(collection, { where }) as AsyncIterable<readonly D[]>;
    },
    add(...changes) {
      for (const change of changes) {
        pending.push(change);
        if (cache.collections.has(change.collection)) cache.change(change);
      }
    },
    commit(checkpoint) {
      const changes = pending;
      pending = [];
      return models.apply(changes, checkpoint);
    },
    reset() {
      pending = [];
      cache.clear();
    },
  };
}

/** Id of the document that a change concerns; null for a fan-out. */
export function targetIdOf(change: Change): string | null {
  if (change.kind === 'setWhere') return null;
  return change.kind === 'insert' ? change.document.id : change.id;
}

/**
 * Returns the document after a change, by the rules of the port: an insert has no effect on a document that exists, any
 * other change only on one whose position is smaller. The change must be of the document's collection; a fan-out that
 * does not match leaves the document as it is.
 */
export function applyChange(document: Document, change: Change): Document;
/** The same where the document may not exist yet. */
export function applyChange(document: Document | null, change: Change): Document | null;
/** Implements both. */
export function applyChange(document: Document | null, change: Change): Document | null {
  if (change.kind === 'insert') return document ?? change.document;
  if (document === null || document._position >= change.position) return document;
  if (change.kind === 'setWhere' && (document[change.field] ?? null) !== change.value) return document;
  const { id, _created } = document;
  const revision = change.kind === 'setWhere' ? undefined : change.revision;
  const own = { id, _created, _position: change.position, _revision: revision ?? document._revision };
  if (change.kind !== 'unset') return Object.assign({ ...document }, change.fields, own);
  const kept = Object.entries(document).filter(([field]) => !change.fields.includes(field));
  return { ...Object.fromEntries(kept), ...own };
}
