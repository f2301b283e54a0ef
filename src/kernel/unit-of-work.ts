import type { Position } from './event-store.ts';
import type { ReadModel } from './projection.ts';
import type { Change, Document, ReadModels } from './read-store.ts';

/** Documents that are remembered between batches, per group. */
const REMEMBERED_DOCUMENTS = 10_000;

/**
 * The changes of one batch, and look-ups that see them. Documents looked up are remembered over batches: they are the state at our own
 * position, which is what handlers must see even when another projector has carried the store further.
 */
export interface UnitOfWork {
  look<D extends Document>(model: ReadModel<D>, id: string): Promise<D | null>;
  add(change: Change): void;
  /** Applies all changes, then the checkpoint, and starts the next batch. */
  commit(checkpoint: Position): Promise<void>;
  /** Forgets the changes of the batch and everything remembered. */
  reset(): void;
}

/** Makes the unit of work of one group. */
export function createUnitOfWork(models: ReadModels): UnitOfWork {
  let changes: Change[] = [];
  const known = new Map<string, Document | null>();

  return {
    async look<D extends Document>(model: ReadModel<D>, id: string): Promise<D | null> {
      const key = keyOf(model.collection, id);
      let document = known.get(key);
      if (document === undefined) {
        document = changes.reduce((seen, change) => changed(seen, change, { collection: model.collection, id }),
          await models.get(model.collection, id));
        if (known.size >= REMEMBERED_DOCUMENTS) known.clear();
        known.set(key, document);
      }
      // The collection's own projection wrote it, through the typed functions of this very read model.
      return document as D | null;
    },
    add(change) {
      changes.push(change);
      forEachAffected(known, change, (key, document) => known.set(key, changed(document, change, place(key))));
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

interface Place {
  readonly collection: string;
  readonly id: string;
}

function keyOf(collection: string, id: string): string {
  return `${collection}/${id}`;
}

function place(key: string): Place {
  const slash = key.indexOf('/');
  return { collection: key.slice(0, slash), id: key.slice(slash + 1) };
}

function forEachAffected(known: Map<string, Document | null>, change: Change, run: (key: string, document: Document | null) => void): void {
  if (change.kind === 'setWhere') {
    for (const [key, document] of known) if (key.startsWith(`${change.collection}/`)) run(key, document);
    return;
  }
  const key = keyOf(change.collection, change.kind === 'insert' ? change.document.id : change.id);
  const document = known.get(key);
  if (document !== undefined) run(key, document);
}

/** The document after a change, by the same rules as the store's. */
function changed(document: Document | null, change: Change, { collection, id }: Place): Document | null {
  if (change.collection !== collection) return document;
  if (change.kind === 'insert') return document === null && change.document.id === id ? change.document : document;
  if (document === null || document._position >= change.position) return document;
  if (change.kind === 'setWhere') {
    if ((document[change.field] ?? null) !== change.value) return document;
    return { ...document, ...change.fields, _position: change.position };
  }
  if (change.id !== id) return document;
  const moved = { id, _position: change.position, _revision: change.revision ?? document._revision };
  if (change.kind === 'set') return { ...document, ...change.fields, ...moved };
  const kept = Object.entries(document).filter(([field]) => !change.fields.includes(field));
  return { ...Object.fromEntries(kept), ...moved };
}
