import { applyChange } from '../../src/service/kernel/projection/unit-of-work.ts';
import { inCreationOrder, type Change, type Document } from '../../src/service/kernel/ports/read-store.ts';
import type { LmdbCollection } from './collection.ts';
import { sequencesOf } from './query.ts';

/**
 * Most documents that one transaction changes for `setWhere`: a transaction blocks the event loop and other writers.
 */
export const FAN_OUT_BATCH = 1000;

type SetWhere = Extract<Change, { kind: 'setWhere' }>;

/** State of applying a list of changes, which may take several transactions when a fan-out is large. */
export interface ApplyState {
  readonly changes: readonly Change[];
  /** Index of the next change. */
  next: number;
  /** Sequence numbers of the documents that the current fan-out has yet to change: eight bytes each. */
  fanOutLeft: number[];
}

/**
 * Applies changes inside a write transaction; true when all are done, false when it is time to commit. Repeating
 * committed changes is harmless: an insert finds its id, all others find a position that is not smaller.
 */
export function applyChanges(state: ApplyState, collectionOf: (name: string) => LmdbCollection): boolean {
  const pending = new PendingDocuments();
  let budget = FAN_OUT_BATCH;
  for (; state.next < state.changes.length; state.next += 1) {
    const change = state.changes[state.next];
    if (change === undefined) break;
    const collection = collectionOf(change.collection);
    if (change.kind !== 'setWhere') {
      pending.change(collection, change);
      continue;
    }
    pending.write();
    // Collected before anything is changed: the change may be of the field that the index is on.
    if (state.fanOutLeft.length === 0) state.fanOutLeft = sequencesOf(collection, { [change.field]: change.value });
    const visited = state.fanOutLeft.splice(-budget);
    for (const sequence of visited) update(collection, sequence, change);
    budget -= visited.length;
    if (state.fanOutLeft.length > 0) return false;
    budget = Math.max(budget, 1);
  }
  pending.write();
  return true;
}

function update(collection: LmdbCollection, sequence: number, change: SetWhere): void {
  const old = collection.at(sequence);
  if (old === null) return;
  const next = applyChange(old, change);
  if (next !== old) collection.replace(sequence, old, next);
}

/** A document as it is stored and as it will be; null: there is none. */
interface PendingDocument {
  readonly sequence: number | null;
  readonly old: Document | null;
  next: Document | null;
}

/** Documents changed in one transaction; each is written once, however many changes it had. */
class PendingDocuments {
  readonly #pending = new Map<LmdbCollection, Map<string, PendingDocument>>();

  change(collection: LmdbCollection, change: Exclude<Change, SetWhere>): void {
    const document = this.#document(collection, change.kind === 'insert' ? change.document.id : change.id);
    document.next = applyChange(document.next, change);
  }

  write(): void {
    for (const [collection, pending] of this.#pending) {
      const added: Document[] = [];
      for (const { sequence, old, next } of pending.values()) {
        if (next === null || next === old) continue;
        if (sequence === null || old === null) added.push(next);
        else collection.replace(sequence, old, next);
      }
      for (const document of added.sort(inCreationOrder)) collection.insert(document);
    }
    this.#pending.clear();
  }

  #document(collection: LmdbCollection, id: string): PendingDocument {
    let pending = this.#pending.get(collection);
    if (pending === undefined) this.#pending.set(collection, (pending = new Map<string, PendingDocument>()));
    let document = pending.get(id);
    if (document === undefined) {
      const sequence = collection.sequenceOf(id);
      const old = sequence === null ? null : collection.at(sequence);
      pending.set(id, (document = { sequence, old, next: old }));
    }
    return document;
  }
}
