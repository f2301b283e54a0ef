import { afterChange, targetOf } from './change.ts';
import type { Position } from './event-store.ts';
import type { ReadModel } from './projection.ts';
import type { Change, Document, ReadModels } from './read-store.ts';

/** Documents that are remembered between batches, per group. */
const REMEMBERED_DOCUMENTS = 10_000;

/**
 * The changes of one batch, and look-ups that see them. Documents looked up are remembered over batches, to save
 * reading them again; what is changed meanwhile is changed in memory too, by the same rules.
 */
export interface UnitOfWork {
  readonly look: <D extends Document>(model: ReadModel<D>, id: string) => Promise<D | null>;
  readonly add: (change: Change) => void;
  /** Applies all changes, then the checkpoint, and starts the next batch. */
  readonly commit: (checkpoint: Position) => Promise<void>;
  /** Forgets the changes of the batch and everything remembered. */
  readonly reset: () => void;
}

/** Makes the unit of work of one group. */
export function createUnitOfWork(models: Pick<ReadModels, 'get' | 'apply'>): UnitOfWork {
  let changes: Change[] = [];
  const known = new Map<string, Document | null>();

  return {
    async look<D extends Document>(model: ReadModel<D>, id: string): Promise<D | null> {
      const key = keyOf(model.collection, id);
      let document = known.get(key);
      if (document === undefined) {
        const concerned = changes.filter(
          (change) => change.collection === model.collection && (targetOf(change) ?? id) === id,
        );
        document = concerned.reduce(afterChange, await models.get(model.collection, id));
        if (known.size >= REMEMBERED_DOCUMENTS) known.clear();
        known.set(key, document);
      }
      // The collection's own projection wrote it, through the typed functions of this very read model.
      return document as D | null;
    },
    add(change) {
      changes.push(change);
      update(known, change);
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

function keyOf(collection: string, id: string): string {
  return `${collection}/${id}`;
}

/** Applies a change to the documents in `known` that it is for. */
function update(known: Map<string, Document | null>, change: Change): void {
  const target = targetOf(change);
  if (target === null) {
    for (const [key, document] of known)
      if (key.startsWith(keyOf(change.collection, ''))) known.set(key, afterChange(document, change));
    return;
  }
  const key = keyOf(change.collection, target);
  const document = known.get(key);
  if (document !== undefined) known.set(key, afterChange(document, change));
}
