import { afterChange, targetOf } from './change.ts';
import type { Position } from '../ports/event-store.ts';
import type { Look, ReadModel } from './projection.ts';
import type { Change, Document, ReadModels } from '../ports/read-store.ts';

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
