import type { Position } from '../ports/event-store.ts';
import type { Change, Document, ReadModels } from '../ports/read-store.ts';
import type { Look, ReadModel } from './projection.ts';

/** Documents that are remembered between batches, per collection. */
const REMEMBERED_DOCUMENTS = 10_000;

/**
 * The changes of one batch, and look-ups that see them. Documents looked up are remembered over batches, to save
 * reading them again; what is changed meanwhile is changed in memory too, by the same rules.
 */
export interface UnitOfWork {
  readonly look: Look;
  readonly add: (change: Change) => void;
  /** Applies all changes, then the checkpoint, and starts the next batch. */
  readonly commit: (checkpoint: Position) => Promise<void>;
  /** Forgets the changes of the batch and everything remembered. */
  readonly reset: () => void;
}

/** Makes the unit of work of one group. */
export function createUnitOfWork(models: Pick<ReadModels, 'get' | 'apply'>): UnitOfWork {
  let changes: Change[] = [];
  const known = new Map<string, Map<string, Document | null>>();

  function knownOf(collection: string): Map<string, Document | null> {
    let documents = known.get(collection);
    if (documents === undefined) known.set(collection, (documents = new Map<string, Document | null>()));
    return documents;
  }
  async function read(collection: string, id: string): Promise<Document | null> {
    const stored = await models.get(collection, id);
    const concerned = changes.filter((change) => change.collection === collection && (targetOf(change) ?? id) === id);
    const document = concerned.reduce(afterChange, stored);
    const documents = knownOf(collection);
    if (documents.size >= REMEMBERED_DOCUMENTS) documents.clear();
    documents.set(id, document);
    return document;
  }
  return {
    look<D extends Document>({ collection }: ReadModel<D>, id: string) {
      const document = knownOf(collection).get(id);
      const found = document === undefined ? read(collection, id) : document;
      // The collection's own projection wrote it, through the typed functions of this very read model.
      return found as D | null | Promise<D | null>;
    },
    add(change) {
      changes.push(change);
      const documents = known.get(change.collection);
      if (documents !== undefined) update(documents, change);
    },
    async commit(checkpoint) {
      await models.apply(changes, checkpoint);
      changes = [];
    },
    reset() {
      changes = [];
      known.clear();
    },
  };
}

/** Applies a change to the documents of its collection that it is for. */
function update(documents: Map<string, Document | null>, change: Change): void {
  const target = targetOf(change);
  if (target === null) {
    for (const [id, document] of documents) documents.set(id, afterChange(document, change));
    return;
  }
  const document = documents.get(target);
  if (document !== undefined) documents.set(target, afterChange(document, change));
}

/** A change of one document by its id. */
type OfOne = Exclude<Change, { readonly kind: 'setWhere' }>;

/** Id of the document that a change is for; null for a fan-out. */
export function targetOf(change: Change): string | null {
  if (change.kind === 'setWhere') return null;
  return change.kind === 'insert' ? change.document.id : change.id;
}

/**
 * The document after a change, by the rules of the port: an insert has no effect on one that exists, everything else
 * only on one whose position is smaller. The change must be for its collection; a fan-out that does not match leaves it
 * as it is.
 */
export function afterChange(document: Document, change: Change): Document;
/** The same, where there may be no document yet. */
export function afterChange(document: Document | null, change: Change): Document | null;
/** Both. */
export function afterChange(document: Document | null, change: Change): Document | null {
  if (change.kind === 'setWhere') return document === null ? null : afterFanOut(document, change);
  return afterOwn(document, change);
}

function afterOwn(document: Document | null, change: OfOne): Document | null {
  if (change.kind === 'insert') return document ?? change.document;
  if (document === null || document._position >= change.position) return document;
  const moved = { id: document.id, _position: change.position, _revision: change.revision ?? document._revision };
  if (change.kind === 'set') return { ...document, ...change.fields, ...moved };
  const kept = Object.entries(document).filter(([field]) => !change.fields.includes(field));
  return { ...Object.fromEntries(kept), ...moved };
}

function afterFanOut(document: Document, change: Extract<Change, { readonly kind: 'setWhere' }>): Document {
  const touched = document._position < change.position && (document[change.field] ?? null) === change.value;
  return touched ? { ...document, ...change.fields, _position: change.position } : document;
}
